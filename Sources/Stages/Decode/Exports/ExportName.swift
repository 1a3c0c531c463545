/// The names of members that the objects of exports may have and that are looked at.
enum ExportName: String, CaseIterable {
  case type, eventDateTime, requestDateTime, serialNumber, description
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
    texts.first { ASCII.matches(bytes, range, $0.1) }?.0
  }
}

/// Why an object of an export cannot be used.
struct ExportFault: Error {
  /// For a person: no values, no names.
  let reason: String

  init(_ reason: String) { self.reason = reason }

  init(_ name: ExportName, _ what: String) { reason = "\(name.rawValue) \(what)" }
}
