/// Builds pump-logs answers for tests.
enum EventText {
  static let pump = "0a1b2c3d-0000-4000-8000-0000000000a1"

  static func event(
    _ code: Int, number: Int = 1, at time: String = "2026-05-04T12:00:00", properties: String
  ) -> String {
    """
    {"deviceAssignmentId": "\(pump)", "eventCode": \(code), "sequenceGroup": 0, \
    "sequenceNumber": \(number), "pumpDateTime": "\(time)", \
    "eventProperties": {\(properties)}, "estimatedDateTime": "\(time)Z"}
    """
  }

  static func document(_ events: [String], clockChanges: [String] = []) -> String {
    """
    {"events": [\(events.joined(separator: ",\n"))], \
    "clockChanges": [\(clockChanges.joined(separator: ", "))]}
    """
  }
}
