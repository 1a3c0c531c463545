/// The names of members that the objects of exports may have and that are looked at.
///
/// Each format lists its own (`ExportMembers`); no other is read of its objects.
enum ExportName: String, CaseIterable {
  case type, eventDateTime, requestDateTime, serialNumber
  case bolusType, bolusRequestOptions, userOverride, carbSize
  case standard, bolex, insulinDelivered, value, completionDateTime, bolexStartDateTime
  case completionStatusId, completionStatusDesc, bolusIsComplete, extendedBolusIsComplete
  case bolusRequestId
  case egv, estimatedGlucoseValue, bg
  case x, y, duration
  case suspendReason, eventType
  case _id, identifier, created_at, enteredBy, insulin, carbs, notes, rate, absolute, pump_event_id
  case oid = "$oid"
  case id, time, deviceId, deviceSerialNumber, uploadId, subType, deliveryType, units
  case normal, extended, bolus, carbInput, carbUnits

  private static let texts = allCases.map { ($0, $0.rawValue.utf8.map(ASCII.lowercased)) }

  /// The name that characters are, whatever the case of their letters; nil if none is.
  static func find(_ bytes: RawSpan, _ range: Range<Int>) -> ExportName? {
    if let found = texts.first(where: { ASCII.matches(bytes, range, $0.1) }) { return found.0 }
    guard range.contains(where: { bytes.byte(at: $0) == 0x5C }) else { return nil }
    // Nobody writes letters so, but what does must not pass for another name.
    let text = LineJSON.text(bytes, range.lowerBound - 1..<range.upperBound + 1, limit: 64)
    return texts.first { $0.1 == text?.map(ASCII.lowercased) }?.0
  }
}

/// The members that are read of the objects of a format, and of the objects in those.
///
/// All others are passed over. The format's page has the same list.
struct ExportMembers {
  let names: [ExportName]

  init(_ names: ExportName...) { self.names = names }

  /// Whether a member is read.
  func contains(_ name: ExportName) -> Bool { names.contains(name) }
}

/// Why an object of an export cannot be used.
struct ExportFault: Error {
  /// For a person: no values, no names.
  let reason: String

  init(_ reason: String) { self.reason = reason }

  init(_ name: ExportName, _ what: String) { reason = "\(name.rawValue) \(what)" }
}
