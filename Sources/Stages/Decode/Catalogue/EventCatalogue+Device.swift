extension EventCatalogue {
  /// Clock, cartridge, settings and the device itself (EVENTS 1 and 2).
  static let deviceLayouts: [EventLayout] = [
    EventLayout(
      13, "TIME_CHANGED",
      [
        .init(0, .u32, "timePrior"),
        .init(4, .u32, "timeAfter"),
        .init(8, .u32, "rawRtcTime"),
      ]),
    EventLayout(
      14, "DATE_CHANGED",
      [
        .init(0, .u32, "datePrior"),
        .init(4, .u32, "dateAfter"),
        .init(8, .u32, "rawRtcTime"),
      ]),
    EventLayout(
      33, "CARTRIDGE_FILLED",
      [
        .init(0, .u32, "insulinVolume"),
        .init(4, .f32, "v2Volume"),
      ]),
    EventLayout(
      53, "SHELF_MODE",
      [
        .init(0, .u32, "msecSinceReset"),
        .init(4, .u8, "liPoIbc"),
        .init(5, .u8, "liPoAbc"),
        .init(6, .i16, "liPoCurrent"),
        .init(8, .u32, "liPoRemCap"),
        .init(12, .u32, "liPoMV"),
      ]),
    EventLayout(
      60, "DATA_LOG_CORRUPTION",
      [
        .init(0, .u32, "block"),
        .init(7, .u8, "reason"),
      ]),
    EventLayout(
      61, "CANNULA_FILLED",
      [
        .init(0, .f32, "primeSize"),
        .init(4, .u32, "completionStatus", Words.fillStatus),
      ]),
    EventLayout(
      63, "TUBING_FILLED",
      [
        .init(0, .f32, "primeSize"),
        .init(4, .u32, "completionStatus", Words.fillStatus),
        .init(8, .u32, "position"),
      ]),
    EventLayout(
      99, "ARM_INIT",
      [
        .init(0, .u32, "version"),
        .init(4, .u32, "configABits"),
        .init(8, .u32, "configBBits"),
        .init(12, .u32, "numLogEntries"),
      ]),
    EventLayout(
      191, "VERSION_INFO",
      [
        .init(0, .u32, "version"),
        .init(4, .u32, "configABits"),
        .init(8, .u32, "configBBits"),
        .init(14, .u16, "armCrc"),
      ]),
    EventLayout(
      203, "UPDATE_STATUS",
      [
        .init(0, .u16, "metadataAndVersionStatus"),
        .init(2, .u16, "swUpdateStatus"),
        .init(4, .u16, "fileDlAndSideloadStatus"),
        .init(6, .u16, "fullDlAndCrcStatus"),
        .init(9, .u8, "updateSuccessful", [0: "Update Not Successful", 1: "Update Successful"]),
        .init(10, .u16, "externalFlashStatus"),
        .init(12, .u32, "swPartNum"),
      ]),
    EventLayout(
      229, "AA_USER_MODE_CHANGE",
      [
        .init(
          1, .u8, "requestedAction",
          [
            0: "No User Request", 1: "Start Sleep", 2: "Stop Sleep", 3: "Start Exercise",
            4: "Stop Exercise", 5: "Stop All", 6: "Start Eating Soon", 7: "Stop Eating Soon",
          ]),
        .init(2, .u8, "previousUserMode", Words.userMode),
        .init(3, .u8, "currentUserMode", Words.userMode),
        .init(
          6, .u8, "activeSleepSchedule", isMask: true,
          [
            0: "Sleep Schedule 1 is Active", 1: "Sleep Schedule 2 is Active",
            2: "Sleep Schedule 3 is Active", 3: "Sleep Schedule 4 is Active",
          ]),
        .init(7, .u8, "sleepStartedByGui", Words.upperTruth),
        .init(8, .u16, "exerciseTime"),
        .init(10, .u8, "exerciseChoice", [0: "Continuous", 1: "Timed"]),
        .init(11, .u8, "exerciseStoppedByTimer", Words.truth),
        .init(15, .u8, "eatingSoonStoppedByTimer", Words.truth),
      ]),
    EventLayout(
      230, "AA_PCM_CHANGE",
      [
        .init(0, .u8, "calculationAvailable", Words.upperTruth),
        .init(1, .u8, "pumpSuspended", Words.upperTruth),
        .init(2, .u8, "previousPcm", Words.loopMode),
        .init(3, .u8, "currentPcm", Words.loopMode),
        .init(5, .u8, "sufficientClosedLoopParams", Words.upperTruth),
        .init(6, .u8, "closedLoopPreferred", Words.upperTruth),
        .init(7, .u8, "cgmAvailable", Words.upperTruth),
      ]),
    EventLayout(
      307, "VERSIONS_A",
      [
        .init(0, .u32, "armPartNumber"),
        .init(4, .u32, "armSwVersion"),
        .init(8, .u32, "blePartNumber"),
        .init(12, .u32, "bleSwVersion"),
      ]),
    EventLayout(
      313, "AA_DAILY_STATUS",
      [
        .init(
          1, .u8, "sensorType",
          [
            0: "CGM_TYPE_NONE", 1: "CGM_TYPE_DEXCOM_G6", 2: "CGM_TYPE_LIBRE2",
            3: "CGM_TYPE_DEXCOM_G7",
          ]),
        .init(2, .u8, "usermode", [0: "Normal", 1: "Sleeping", 2: "Exercising"]),
        .init(
          3, .u8, "pumpControlState",
          [0: "PCM No Control", 1: "PCM Open Loop", 2: "PCM Pining", 3: "PCM Closed Loop"]),
      ]),
    EventLayout(
      36, "USB_CONNECTED",
      [
        .init(0, .f32, "negotiatedCurrent")
      ]),
    EventLayout(
      37, "USB_DISCONNECTED",
      [
        .init(0, .f32, "negotiatedCurrent")
      ]),
    EventLayout(31, "CARTRIDGE_REMOVED"),
    EventLayout(32, "CARTRIDGE_INSERTED"),
    EventLayout(41, "CONFIRM_CARTRIDGE_FILLED"),
    EventLayout(
      57, "IDP_MSG2",
      [
        .init(3, .u8, "idp")
      ]),
    EventLayout(
      67, "USB_ENUMERATED",
      [
        .init(3, .u8, "negotiatedCurrentMilliAmps")
      ]),
    EventLayout(
      68, "IDP_TD_SEG",
      [
        .init(0, .u8, "modificationType"),
        .init(1, .u8, "segmentIndex"),
        .init(2, .u8, "status"),
        .init(3, .u8, "idp"),
        .init(4, .u16, "basalRate"),
        .init(6, .u16, "startTime"),
        .init(8, .u16, "targetBg"),
        .init(10, .u16, "isf"),
        .init(12, .u32, "carbRatio"),
      ]),
    EventLayout(
      69, "IDP",
      [
        .init(1, .u8, "sourceIdp"),
        .init(2, .u8, "status"),
        .init(3, .u8, "idp"),
      ]),
    EventLayout(
      70, "IDP_BOLUS",
      [
        .init(1, .u8, "bolusStatus"),
        .init(2, .u8, "modification"),
        .init(3, .u8, "idp"),
        .init(4, .u16, "maxBolusSize"),
        .init(6, .u16, "insulinDuration"),
        .init(11, .u8, "bolusEntryType"),
      ]),
    EventLayout(
      71, "IDP_LIST",
      [
        .init(3, .u8, "numProfiles"),
        .init(4, .u8, "slot4"),
        .init(5, .u8, "slot3"),
        .init(6, .u8, "slot2"),
        .init(7, .u8, "slot1"),
        .init(10, .u8, "slot6"),
        .init(11, .u8, "slot5"),
      ]),
    EventLayout(
      73, "PARAM_PUMP_SETTINGS",
      [
        .init(0, .u16, "status"),
        .init(3, .u8, "modification"),
        .init(4, .u8, "autoShutdownEnabled"),
        .init(5, .u8, "isFeatureLocked"),
        .init(6, .u8, "cannulaPrimeSize"),
        .init(7, .u8, "lowInsulinThreshold"),
        .init(8, .u16, "autoShutdownDuration"),
        .init(10, .u8, "oledTimeout"),
      ]),
    EventLayout(
      74, "PARAM_GLOBAL_SETTINGS",
      [
        .init(0, .u8, "qbDataEntryType"),
        .init(1, .u8, "qbActive"),
        .init(2, .u8, "qbDataStatus"),
        .init(3, .u8, "modifiedData"),
        .init(4, .u16, "qbIncrementCarbs"),
        .init(6, .u16, "qbIncrementUnits"),
        .init(8, .u8, "reminderVolume"),
        .init(9, .u8, "bolusVolume"),
        .init(10, .u8, "qbVolume"),
        .init(11, .u8, "buttonVolume"),
        .init(15, .u8, "alertVolume"),
      ]),
    EventLayout(82, "FACTORY_RESET"),
    EventLayout(
      96, "PARAM_REMINDER",
      [
        .init(0, .u8, "enable"),
        .init(1, .u8, "status"),
        .init(2, .u8, "reminderId"),
        .init(3, .u8, "modification"),
        .init(4, .u32, "frequencyMinutes"),
        .init(8, .u16, "endTime"),
        .init(10, .u16, "startTime"),
        .init(15, .u8, "activeDays"),
      ]),
    EventLayout(
      97, "PARAM_CHANGE_REM_SETTINGS",
      [
        .init(2, .u8, "status"),
        .init(3, .u8, "modification"),
        .init(4, .u16, "highBgThreshold"),
        .init(6, .u16, "lowBgThreshold"),
        .init(11, .u8, "siteChangeDays"),
      ]),
    EventLayout(98, "FILL_ESTIMATE_FINAL"),
    EventLayout(142, "BASAL_IQ_SETTINGS_CHANGE"),
    EventLayout(235, "AA_SLEEP_SCHEDULE_CHANGE"),
    EventLayout(238, "AA_DELIVERY_STATUS_CHANGE"),
    EventLayout(
      244, "AA_ENABLE_SETTING_CHANGE",
      [
        .init(3, .u8, "enabled")
      ]),
    EventLayout(245, "AA_TDI_SETTING_CHANGE"),
    EventLayout(246, "AA_WEIGHT_SETTING_CHANGE"),
    EventLayout(283, "WUMP_OCCLUSION_DEBUG"),
    EventLayout(288, "AA_AUTO_BOLUS_REJECTED"),
    EventLayout(291, "TIPSC_REQ_PRIME_CANNULA"),
    EventLayout(301, "WUMP_CARTRIDGE_FILLED"),
    EventLayout(302, "WUMP_CARTRIDGE_REMOVED"),
    EventLayout(318, "AA_EXERCISE_TIME_CHANGE"),
    EventLayout(319, "AA_EXERCISE_CHOICE_CHANGE"),
    EventLayout(332, "AA_TDIEST_CHANGE"),
    EventLayout(348, "PRIME_INPROCESS"),
    EventLayout(
      419, "TIPS_ERROR",
      [
        .init(0, .u8, "isDataMasked"),
        .init(1, .u8, "errorCode"),
        .init(2, .u8, "requestCode"),
        .init(3, .u8, "messageType"),
      ]),
  ]
}
