/// Words for codes that more than one field uses (EVENTS 1 and 6).
enum Words {
  static let completionStatus: [UInt32: String] = [
    0: "User Aborted",
    1: "Terminated by Alarm",
    2: "Terminated by Malfunction",
    3: "Completed",
    4: "Reserved",
    5: "Bolus rejected",
    6: "Aborted by PLGS",
    8: "Reserved",
  ]
  static let selectedIob: [UInt32: String] = [
    0: "Mudaliar IOB",
    1: "Swan IOB Meal",
  ]
  static let yesNo: [UInt32: String] = [
    0: "No",
    1: "Yes",
  ]
  static let dexcomSensor: [UInt32: String] = [
    0: "Invalid",
    1: "CGM_TYPE_DEXCOM_G6",
    3: "CGM_TYPE_DEXCOM_G7",
  ]
  static let libreSensor: [UInt32: String] = [
    0: "Invalid",
    2: "CGM_TYPE_LIBRE2",
  ]
  static let upperTruth: [UInt32: String] = [
    0: "FALSE",
    1: "TRUE",
  ]
  static let sessionReason: [UInt32: String] = [
    0: "DEXBLES_REASON_USER",
    1: "DEXBLES_REASON_UNKNOWN",
    2: "Reserved",
    3: "DEXBLES_REASON_TX_END_OF_LIF",
    4: "DEXBLES_REASON_TRANSMITTER_E",
    5: "DEXBLES_REASON_SESSION_STOP_",
    6: "DEXBLES_REASON_TRANSMITTER_N",
    8: "DEXBLES_REASON_NEW_SESSION_S",
    9: "DEXBLES_REASON_SESSION_START",
    10: "DEXBLES_REASON_TRANSMITTER_I",
    11: "DEXBLES_REASON_BLESTACK_INVA",
    12: "DEXBLES_REASON_NEW_AUTOCAL_S",
    13: "DEXBLES_REASON_NO_AUTOCAL_SE",
  ]
  static let readingBits: [UInt32: String] = [
    0: "Five Minute Reading",
    1: "Backfill",
    2: "Immediate match value",
    3: "CRR",
    4: "NO_EGV message",
    5: "Valid timestamp",
    6: "Valid EGV",
    7: "Valid algState",
    8: "EGV was successfully added t",
  ]
  static let libreStatus: [UInt32: String] = [
    0: "Precise Value",
    1: "Special High",
    2: "Special Low",
  ]
  static let fillStatus: [UInt32: String] = [
    0: "User Aborted",
    1: "Terminated by Alarm",
    2: "Terminated by Malfunction",
    3: "Completed",
  ]
  static let userMode: [UInt32: String] = [
    0: "Normal",
    1: "Sleeping",
    2: "Exercising",
    3: "Eating Soon",
  ]
  static let truth: [UInt32: String] = [
    0: "False",
    1: "True",
  ]
  static let loopMode: [UInt32: String] = [
    0: "No Control",
    1: "Open Loop",
    2: "Pining",
    3: "Closed Loop",
  ]
  static let alarms: [UInt32: String] = [
    0: "cartridge",
    1: "cartridge",
    2: "occlusion",
    3: "pump reset",
    5: "cartridge",
    6: "cartridge",
    7: "auto-off",
    8: "empty cartridge",
    9: "cartridge",
    10: "temperature",
    11: "temperature",
    12: "battery shutdown",
    14: "invalid date",
    15: "temperature",
    16: "cartridge",
    18: "resume pump",
    20: "cartridge",
    21: "pressure or altitude",
    22: "button",
    23: "resume pump",
    24: "pressure or altitude",
    25: "cartridge removed",
    26: "occlusion",
    29: "cartridge",
    30: "cartridge",
    31: "cartridge",
  ]
  static let alerts: [UInt32: String] = [
    0: "low insulin",
    2: "low power",
    3: "low power",
    11: "incomplete bolus",
    12: "incomplete temp rate",
    13: "incomplete cartridge change",
    14: "incomplete tubing fill",
    15: "incomplete cannula fill",
    17: "low insulin",
    18: "maximum basal",
    26: "minimum basal",
    48: "sensor unavailable",
    51: "Control-IQ low",
  ]
}
