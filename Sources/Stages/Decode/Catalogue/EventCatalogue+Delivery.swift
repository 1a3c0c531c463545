extension EventCatalogue {
  /// The events that speak of insulin and carbohydrate (EVENTS 1 and 2).
  static let deliveryLayouts: [EventLayout] = [
    EventLayout(
      0, "LOG_ERASED",
      [
        .init(0, .u32, "numErased")
      ]),
    EventLayout(
      2, "TEMP_RATE_ACTIVATED",
      [
        .init(0, .f32, "percent"),
        .init(4, .f32, "duration"),
        .init(8, .u16, "tempRateId"),
      ]),
    EventLayout(
      3, "BASAL_RATE_CHANGE",
      [
        .init(0, .f32, "commandedBasalRate"),
        .init(4, .f32, "baseBasalRate"),
        .init(8, .f32, "maxBasalRate"),
        .init(
          13, .u8, "changeType", isMask: true,
          [
            0: "timed segment", 1: "new profile", 2: "temp rate start", 3: "temp rate end",
            4: "pump suspended", 5: "pump resumed", 6: "pump shut down", 7: "basal limit",
          ]),
        .init(14, .u16, "idp"),
      ]),
    EventLayout(
      11, "PUMPING_SUSPENDED",
      [
        .init(0, .u32, "preSuspendState"),
        .init(4, .u8, "rpaTimeout"),
        .init(
          5, .u8, "suspendReason",
          [
            0: "User Aborted", 1: "Terminated by Alarm", 2: "Terminated by Malfunction",
            6: "Auto Suspend by PLGS",
          ]),
        .init(6, .u16, "insulinAmount"),
      ]),
    EventLayout(
      12, "PUMPING_RESUMED",
      [
        .init(0, .u32, "preResumeState"),
        .init(6, .u16, "insulinAmount"),
      ]),
    EventLayout(
      15, "TEMP_RATE_COMPLETED",
      [
        .init(0, .u16, "tempRateId"),
        .init(4, .u32, "timeLeft"),
      ]),
    EventLayout(
      20, "BOLUS_COMPLETED",
      [
        .init(0, .u16, "bolusId"),
        .init(2, .u16, "completionStatus", Words.completionStatus),
        .init(4, .f32, "iob"),
        .init(8, .f32, "insulinDelivered"),
        .init(12, .f32, "insulinRequested"),
      ]),
    EventLayout(
      21, "BOLEX_COMPLETED",
      [
        .init(0, .u16, "bolusId"),
        .init(2, .u16, "completionStatus", Words.completionStatus),
        .init(4, .f32, "iob"),
        .init(8, .f32, "insulinDelivered"),
        .init(12, .f32, "insulinRequested"),
      ]),
    EventLayout(
      48, "CARBS_ENTERED",
      [
        .init(0, .f32, "carbs")
      ]),
    EventLayout(
      55, "BOLUS_ACTIVATED",
      [
        .init(1, .u8, "selectedIob", Words.selectedIob),
        .init(2, .u16, "bolusId"),
        .init(4, .f32, "iob"),
        .init(8, .f32, "bolusSize"),
      ]),
    EventLayout(
      59, "BOLEX_ACTIVATED",
      [
        .init(1, .u8, "selectedIob", Words.selectedIob),
        .init(2, .u16, "bolusId"),
        .init(4, .f32, "iob"),
        .init(8, .f32, "bolexSize"),
      ]),
    EventLayout(
      64, "BOLUS_REQUESTED_MSG1",
      [
        .init(0, .u8, "correctionBolusIncluded", Words.yesNo),
        .init(
          1, .u8, "bolusType", [0: "Insulin", 1: "Carb", 2: "Automatic Correction", 3: "Remote"]),
        .init(2, .u16, "bolusId"),
        .init(4, .u16, "bg"),
        .init(6, .u16, "carbAmount"),
        .init(8, .f32, "iob"),
        .init(12, .u32, "carbRatio"),
      ]),
    EventLayout(
      65, "BOLUS_REQUESTED_MSG2",
      [
        .init(0, .u8, "standardPercent"),
        .init(
          1, .u8, "options",
          [
            0: "Standard Bolus", 1: "Extended Bolus", 2: "Quick Bolus", 3: "Automatic Bolus",
            4: "BLE Standard Bolus", 5: "BLE Extended Bolus", 6: "Eating Soon Automatic Bolus",
            7: "Late Bolus",
          ]),
        .init(2, .u16, "bolusId"),
        .init(6, .u16, "duration"),
        .init(8, .u16, "targetBg"),
        .init(10, .u16, "isf"),
        .init(13, .u8, "selectedIob", Words.selectedIob),
        .init(14, .u8, "declinedCorrection", Words.yesNo),
        .init(15, .u8, "userOverride", Words.yesNo),
      ]),
    EventLayout(
      66, "BOLUS_REQUESTED_MSG3",
      [
        .init(2, .u16, "bolusId"),
        .init(4, .f32, "foodBolusSize"),
        .init(8, .f32, "correctionBolusSize"),
        .init(12, .f32, "totalBolusSize"),
      ]),
    EventLayout(
      81, "DAILY_BASAL",
      [
        .init(0, .f32, "dailyTotalBasal"),
        .init(4, .f32, "lastBasalRate"),
        .init(8, .f32, "iob"),
        .init(12, .u16, "batteryMillivolts"),
        .init(14, .u8, "batteryChargePercent"),
        .init(15, .u8, "finalEventForDay"),
      ]),
    EventLayout(
      90, "NEW_DAY",
      [
        .init(0, .f32, "commandedBasalRate"),
        .init(4, .u32, "featuresBitmask"),
        .init(8, .u32, "featureBitmaskIndex"),
      ]),
    EventLayout(
      93, "CORRECTION_DECLINED",
      [
        .init(0, .u16, "bolusId"),
        .init(2, .u16, "bg"),
        .init(4, .f32, "iob"),
        .init(8, .u16, "isf"),
        .init(10, .u16, "targetBg"),
      ]),
    EventLayout(
      279, "BASAL_DELIVERY",
      [
        .init(
          2, .u16, "commandedRateSource",
          [
            0: "Suspended", 1: "Profile", 2: "Temp Rate", 3: "Algorithm",
            4: "Temp Rate and Algorithm",
          ]),
        .init(4, .u16, "profileBasalRate"),
        .init(6, .u16, "commandedRate"),
        .init(8, .u16, "tempRate"),
        .init(10, .u16, "algorithmRate"),
      ]),
    EventLayout(
      280, "BOLUS_DELIVERY",
      [
        .init(
          0, .u8, "bolusType", isMask: true,
          [0: "Now", 1: "Later", 2: "Override", 3: "Correction", 4: "Carb", 5: "Eating Soon Mode"]),
        .init(1, .u8, "bolusDeliveryStatus", [0: "Bolus Completed", 1: "Bolus Started"]),
        .init(2, .u16, "bolusId"),
        .init(4, .u16, "requestedNow"),
        .init(6, .u8, "remoteId"),
        .init(
          7, .u8, "bolusSource",
          [
            0: "Pump Button", 1: "Pump GUI", 5: "Remote", 7: "Algorithm", 8: "BLE",
            9: "Eating Soon Bolus",
          ]),
        .init(8, .u16, "correction"),
        .init(10, .u16, "requestedLater"),
        .init(12, .u16, "deliveredTotal"),
        .init(14, .u16, "extendedDurationRequested"),
      ]),
  ]
}
