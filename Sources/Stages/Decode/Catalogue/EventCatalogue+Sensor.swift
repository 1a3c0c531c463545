extension EventCatalogue {
  /// Glucose, the sensor and what acts on it alone (EVENTS 1 and 2).
  static let sensorLayouts: [EventLayout] = [
    EventLayout(
      16, "BG_READING_TAKEN",
      [
        .init(
          0, .u8, "bgEntryType",
          [0: "Manual Entry by the User via", 1: "Auto Populated BG using Dexc"]),
        .init(1, .u8, "cgmCalibration", Words.yesNo),
        .init(2, .u16, "bg"),
        .init(4, .f32, "iob"),
        .init(8, .u16, "isf"),
        .init(10, .u16, "targetBg"),
        .init(14, .u8, "bgSourceType", [0: "Local Pump entry", 1: "Remote entry"]),
        .init(15, .u8, "selectedIob", Words.selectedIob),
      ]),
    EventLayout(
      140, "PLGS_PERIODIC",
      [
        .init(0, .u32, "timestamp"),
        .init(4, .u16, "pgv"),
        .init(6, .u16, "fmr"),
        .init(
          8, .u8, "hoMinState",
          [0: "On and available", 1: "On and suspended", 2: "Off", 3: "On and not available"]),
        .init(
          9, .u8, "ruleState", isMask: true,
          [0: "HO_SUSPEND_RULE", 1: "HO_RECOVERY_RULE", 2: "HO_UNAVAILABLE_RULE"]),
        .init(10, .u8, "pgvValid", Words.upperTruth),
        .init(
          11, .u8, "fmrStatus",
          [
            0: "No FMR", 1: "Periodic glucose reading", 2: "Calibration response glucose",
            3: "Sensor session stopped", 4: "Sensor session started", 5: "Calibration entered",
            6: "Pumping event",
          ]),
        .init(
          12, .u32, "status", isMask: true,
          [
            0: "Suspend Predicted", 1: "Suspend Current", 4: "Resume EGV Rise",
            6: "Resume Nadir Lock", 7: "Unavailable", 8: "Unavailable", 9: "Unavailable",
            10: "Unavailable", 11: "Unavailable", 12: "Unavailable", 13: "Unavailable",
          ]),
      ]),
    EventLayout(
      151, "CGM_DATA_SAMPLE",
      [
        .init(2, .u16, "status"),
        .init(9, .u16, "value"),
      ]),
    EventLayout(156, "CGM_TRANSMITTER_ID"),
    EventLayout(157, "CGM_ANNU_SETTINGS"),
    EventLayout(
      160, "CGM_CALIBRATION",
      [
        .init(0, .u32, "currentTime"),
        .init(4, .u32, "timestamp"),
        .init(8, .u32, "calTimestamp"),
        .init(12, .u16, "currentDisplayValue"),
        .init(14, .u16, "value"),
      ]),
    EventLayout(162, "CGM_STOP_SESSION_MSG1"),
    EventLayout(163, "CGM_STOP_SESSION_MSG2"),
    EventLayout(
      165, "CGM_HGA_SETTINGS",
      [
        .init(0, .u16, "repeatDuration"),
        .init(2, .u16, "alertLevel"),
        .init(4, .u16, "modifiedField"),
        .init(7, .u8, "isEnabled"),
      ]),
    EventLayout(
      166, "CGM_LGA_SETTINGS",
      [
        .init(0, .u16, "repeatDuration"),
        .init(2, .u16, "alertLevel"),
        .init(4, .u16, "modifiedField"),
        .init(7, .u8, "isEnabled"),
      ]),
    EventLayout(
      167, "CGM_RRA_SETTINGS",
      [
        .init(0, .u16, "repeatDuration"),
        .init(2, .u16, "alertLevel"),
        .init(4, .u16, "modifiedField"),
        .init(7, .u8, "isEnabled"),
      ]),
    EventLayout(
      168, "CGM_FRA_SETTINGS",
      [
        .init(0, .u16, "repeatDuration"),
        .init(2, .u16, "alertLevel"),
        .init(4, .u16, "modifiedField"),
        .init(7, .u8, "isEnabled"),
      ]),
    EventLayout(
      169, "CGM_OOR_SETTINGS",
      [
        .init(0, .u16, "repeatDuration"),
        .init(2, .u16, "alertLevel"),
        .init(4, .u16, "modifiedField"),
        .init(7, .u8, "isEnabled"),
      ]),
    EventLayout(198, "HYPO_MINIMIZER_SUSPEND"),
    EventLayout(
      199, "HYPO_MINIMIZER_RESUME",
      [
        .init(0, .u32, "reason")
      ]),
    EventLayout(
      210, "CGM_CAL_GX",
      [
        .init(2, .u16, "value")
      ]),
    EventLayout(
      211, "CGM_DATA_GX",
      [
        .init(0, .u8, "rate"),
        .init(1, .u8, "type"),
        .init(2, .u16, "status"),
        .init(4, .u16, "value"),
        .init(6, .u8, "rssi"),
        .init(8, .u32, "timestamp"),
        .init(12, .u32, "transmitterTimestamp"),
      ]),
    EventLayout(
      212, "CGM_START_SESSION_GX",
      [
        .init(0, .u32, "currentTransmitterTime"),
        .init(4, .u32, "sessionStartTime"),
        .init(15, .u8, "sessionDuration"),
      ]),
    EventLayout(
      213, "CGM_JOIN_SESSION_GX",
      [
        .init(0, .u32, "currentTransmitterTime"),
        .init(4, .u32, "sessionStartTime"),
        .init(14, .u8, "sessionJoinReason", Words.sessionReason),
        .init(15, .u8, "sessionDuration"),
      ]),
    EventLayout(
      214, "CGM_STOP_SESSION_GX",
      [
        .init(0, .u32, "currentTransmitterTime"),
        .init(4, .u32, "sessionStartTime"),
        .init(8, .u32, "sessionStopTime"),
        .init(14, .u8, "sessionStopReason", Words.sessionReason),
        .init(15, .u8, "sessionDuration"),
      ]),
    EventLayout(215, "CGM_INACTIVE_GX"),
    EventLayout(216, "CGM_TRANSMITTER_ID_GX"),
    EventLayout(217, "CGM_START_SESSION_REQ_GX"),
    EventLayout(218, "CGM_STOP_SESSION_REQ_GX"),
    EventLayout(220, "CGM_TRANSMITTER_VERSION_GX"),
    EventLayout(
      256, "CGM_DATA_GXB",
      [
        .init(0, .i8, "rate"),
        .init(
          1, .u8, "cgmDataType", isMask: true,
          [
            0: "Five Minute Reading", 1: "BackFill", 2: "Immediate Match Value", 3: "Calibration",
            4: "None",
          ]),
        .init(
          2, .u16, "glucoseValueStatus",
          [
            0: "currentGlucoseDisplayValue c", 1: "The glucose reading is high",
            2: "The glucose reading is low",
          ]),
        .init(4, .u16, "currentGlucoseDisplayValue"),
        .init(6, .i8, "rssi"),
        .init(7, .u8, "algorithmState"),
        .init(8, .u32, "egvTimeStamp"),
        .init(13, .u8, "interval"),
        .init(14, .u16, "egvInfoBitmask", isMask: true, Words.readingBits),
      ]),
    EventLayout(267, "CGM_SESSION_TYPE_CHANGE"),
    EventLayout(367, "CGM_REJOIN_SESSION"),
    EventLayout(368, "CGM_SENSOR_TYPE_CHANGE"),
    EventLayout(
      372, "CGM_DATA_FSL2",
      [
        .init(0, .i16, "rate"),
        .init(
          2, .u8, "cgmDataType", isMask: true,
          [
            0: "Five Minute Reading", 1: "Backfill", 4: "None", 5: "One Minute Reading",
            6: "Real Time Reading",
          ]),
        .init(3, .u8, "glucoseValueStatus", Words.libreStatus),
        .init(4, .u16, "currentGlucoseDisplayValue"),
        .init(6, .i8, "rssi"),
        .init(
          7, .u8, "algorithmState",
          [
            2: "Warmup", 100: "OK State", 101: "RF Error State", 102: "Sensor Signal Low State",
            103: "Temp High State", 104: "Temp Low State", 105: "Invalid Data State",
            106: "Other State",
          ]),
        .init(8, .u32, "egvTimeStamp"),
        .init(13, .u8, "interval"),
        .init(
          14, .u16, "egvInfoBitmask", isMask: true,
          [
            0: "Five Minute Reading", 1: "Backfill", 2: "Immediate match value", 3: "CRR",
            4: "NO_EGV message", 5: "Valid timestamp", 6: "Valid EGV", 7: "Valid algState",
            8: "EGV was successfully added t", 9: "OMR reading type",
            10: "Real Time Reading from NFC s",
          ]),
      ]),
    EventLayout(390, "CGM_START_SENSOR_REQ_G7"),
    EventLayout(
      394, "CGM_JOIN_SESSION_G7",
      [
        .init(0, .u32, "cgmTimestamp"),
        .init(4, .u32, "sessionSignature"),
      ]),
    EventLayout(395, "CGM_PAIRING_CODE_G7"),
    EventLayout(
      399, "CGM_DATA_G7",
      [
        .init(0, .i8, "rate"),
        .init(
          1, .u8, "cgmDataType", isMask: true,
          [0: "FMR", 1: "Backfill", 2: "IMM No longer applies", 3: "Calibration", 4: "None"]),
        .init(
          2, .u16, "glucoseValueStatus",
          [0: "Precise Value", 1: "Special High", 2: "Special Low", 6: "Do Not Show"]),
        .init(4, .u16, "currentGlucoseDisplayValue"),
        .init(6, .i8, "rssi"),
        .init(
          7, .u8, "algorithmState",
          [
            2: "Warmup", 30: "Default Electronics Wakeup", 31: "Detecting Deployment",
            32: "Reportable Period Valid EGV", 33: "Reportable Period Invalid EG",
            34: "Session Stopped", 35: "Session Stopped", 36: "Session Stopped",
            37: "Session Stopped", 38: "Session Stopped", 39: "Session Stopped",
          ]),
        .init(8, .u32, "egvTimeStamp"),
        .init(13, .u8, "interval"),
        .init(14, .u16, "egvInfoBitmask", isMask: true, Words.readingBits),
      ]),
    EventLayout(
      404, "CGM_START_SESSION_FSL2",
      [
        .init(0, .u32, "sessionStartTime"),
        .init(7, .u8, "sessionDuration"),
      ]),
    EventLayout(
      405, "CGM_STOP_SESSION_FSL2",
      [
        .init(0, .u32, "sessionStartTime"),
        .init(4, .u32, "sessionStopTime"),
        .init(10, .u8, "sessionStopReason"),
        .init(11, .u8, "sessionDuration"),
      ]),
    EventLayout(
      406, "CGM_JOIN_SESSION_FSL2",
      [
        .init(0, .u32, "sessionStartTime"),
        .init(4, .u32, "sessionJoinTime"),
        .init(10, .u8, "sessionJoinReason"),
        .init(11, .u8, "sessionDuration"),
      ]),
    EventLayout(
      438, "CGM_CAL_G7",
      [
        .init(0, .u32, "bg")
      ]),
    EventLayout(
      439, "CGM_BLE_CALIBRATION_EVT_G7",
      [
        .init(3, .u8, "isCalibrationAccepted")
      ]),
    EventLayout(441, "CGM_INACTIVE_G7"),
    EventLayout(443, "CGM_STOP_SESSION_REQ_G7"),
    EventLayout(
      447, "CGM_STOP_SESSION_G7",
      [
        .init(0, .u32, "currentTransmitterTime"),
        .init(4, .u32, "sessionStartTime"),
        .init(8, .u32, "sessionStopTime"),
        .init(13, .u8, "stopSessionCode"),
        .init(14, .u8, "sessionStopReason"),
        .init(15, .u8, "sessionDuration"),
      ]),
    EventLayout(
      477, "CGM_JOIN_SESSION_FSL3",
      [
        .init(0, .u32, "sessionStartTime"),
        .init(4, .u32, "sessionJoinTime"),
        .init(8, .u8, "sessionDuration"),
        .init(9, .u8, "sessionJoinReason"),
      ]),
    EventLayout(
      480, "CGM_DATA_FSL3",
      [
        .init(0, .i16, "rate"),
        .init(
          2, .u8, "cgmDataType", isMask: true,
          [0: "Five Minute Reading", 1: "Backfill", 4: "None", 5: "One Minute Reading"]),
        .init(3, .u8, "glucoseValueStatus", Words.libreStatus),
        .init(4, .u16, "currentGlucoseDisplayValue"),
        .init(6, .i8, "rssi"),
        .init(7, .u8, "algorithmState", [100: "OK State"]),
        .init(8, .u32, "egvTimeStamp"),
        .init(13, .u8, "interval"),
        .init(
          14, .u16, "egvInfoBitmask", isMask: true,
          [
            0: "Five Minute Reading", 1: "Backfill", 4: "NO_EGV message", 5: "Valid timestamp",
            6: "Valid EGV", 7: "Valid algState", 8: "EGV was successfully added t",
            9: "OMR reading type", 11: "Sensor Type", 12: "Sensor Type", 13: "Sensor Type",
          ]),
      ]),
    EventLayout(
      486, "CGM_STOP_SESSION_FSL3",
      [
        .init(0, .u32, "sessionStartTime"),
        .init(4, .u32, "sessionStopTime"),
        .init(8, .u8, "sessionDuration"),
        .init(9, .u8, "sessionStopReason"),
      ]),
  ]
}
