extension EventCatalogue {
  /// Alarms, alerts, reminders and malfunctions (EVENTS 1 and 2).
  static let alertsLayouts: [EventLayout] = [
    EventLayout(
      4, "ALERT_ACTIVATED",
      [
        .init(0, .u32, "alertId", Words.alerts),
        .init(4, .u32, "faultLocatorData"),
        .init(8, .u32, "param1"),
        .init(12, .f32, "param2"),
      ]),
    EventLayout(
      5, "ALARM_ACTIVATED",
      [
        .init(0, .u32, "alarmId", Words.alarms),
        .init(4, .u32, "faultLocatorData"),
        .init(8, .u32, "param1"),
        .init(12, .f32, "param2"),
      ]),
    EventLayout(
      6, "MALFUNCTION_ACTIVATED",
      [
        .init(0, .u32, "malfId"),
        .init(4, .u32, "faultLocatorData"),
        .init(8, .u32, "param1"),
        .init(12, .f32, "param2"),
      ]),
    EventLayout(
      7, "MALFUNCTION_ACK",
      [
        .init(0, .u32, "malfId")
      ]),
    EventLayout(
      8, "ALARM_ACK",
      [
        .init(0, .u32, "alarmId")
      ]),
    EventLayout(
      25, "REMINDER_ACTIVATED",
      [
        .init(0, .u32, "reminderId")
      ]),
    EventLayout(
      26, "ALERT_CLEARED",
      [
        .init(0, .u32, "alertId", Words.alerts),
        .init(4, .u32, "faultLocatorData"),
      ]),
    EventLayout(
      27, "ALERT_ACK",
      [
        .init(0, .u32, "alertId")
      ]),
    EventLayout(
      28, "ALARM_CLEARED",
      [
        .init(0, .u32, "alarmId", Words.alarms)
      ]),
    EventLayout(
      29, "REMINDER_DISMISSED",
      [
        .init(0, .u32, "reminderId")
      ]),
    EventLayout(
      30, "REMINDER_SNOOZED",
      [
        .init(0, .u32, "reminderId")
      ]),
    EventLayout(
      171, "CGM_ALERT_ACTIVATED",
      [
        .init(0, .u32, "dalertId"),
        .init(4, .u32, "faultLocatorData"),
        .init(8, .u32, "param1"),
        .init(12, .f32, "param2"),
      ]),
    EventLayout(
      172, "CGM_ALERT_CLEARED",
      [
        .init(0, .u32, "dalertId")
      ]),
    EventLayout(
      173, "CGM_ALERT_ACK",
      [
        .init(0, .u32, "alertId")
      ]),
    EventLayout(187, "CGM_UNEXPECTED_GE_ALERT"),
    EventLayout(
      369, "CGM_ALERT_ACTIVATED_DEX",
      [
        .init(2, .u8, "sensorType", Words.dexcomSensor),
        .init(3, .u8, "dalertId"),
        .init(4, .u32, "faultLocatorData"),
        .init(8, .u32, "param1"),
        .init(12, .f32, "param2"),
      ]),
    EventLayout(
      370, "CGM_ALERT_CLEARED_DEX",
      [
        .init(2, .u8, "sensorType", Words.dexcomSensor),
        .init(3, .u8, "dalertId"),
      ]),
    EventLayout(
      371, "CGM_ALERT_ACK_DEX",
      [
        .init(2, .u8, "sensorType", Words.dexcomSensor),
        .init(3, .u8, "dalertId"),
        .init(
          4, .u32, "ackSource",
          [0: "Alert Acknowledged by User", 1: "Alert Acknowledged by Softwa"]),
      ]),
    EventLayout(
      460, "CGM_ALERT_ACTIVATED_FSL2",
      [
        .init(2, .u8, "sensorType", Words.libreSensor),
        .init(3, .u8, "dalertId"),
        .init(4, .u32, "faultLocatorData"),
        .init(8, .u32, "param1"),
        .init(12, .f32, "param2"),
      ]),
    EventLayout(
      461, "CGM_ALERT_CLEARED_FSL2",
      [
        .init(2, .u8, "sensorType", Words.libreSensor),
        .init(3, .u8, "dalertId"),
      ]),
    EventLayout(286, "SNOOZE_ACTIVATED"),
  ]
}
