import PumpModel

/// What an account answer tells of its pumps.
package struct SourceAccount: Sendable, Equatable {
  /// The answer as it came.
  package let bytes: [UInt8]
  /// The pumps, each assignment id once, in the order of the answer.
  package let pumps: [SourcePump]

  /// Reads an answer of `pumper`; nil if it is none.
  package init?(_ bytes: [UInt8]) {
    guard let list = ReplyJSON.value(of: bytes)?["pumps"]?.elements else { return nil }
    var pumps: [SourcePump] = []
    for element in list {
      guard let pump = SourcePump(element) else { return nil }
      guard !pumps.contains(where: { $0.assignment == pump.assignment }) else { continue }
      pumps.append(pump)
    }
    self.bytes = bytes
    self.pumps = pumps
  }
}

/// A pump of an account.
package struct SourcePump: Sendable, Equatable {
  /// The id that its logs are asked for by.
  package var assignment: String
  /// The serial number; nil if the account names none.
  package var serial: String?
  /// The model's name; nil if the account names none.
  package var modelName: String?
  /// What the account says can be had, in seconds since 1970 of the pump's clock; nil if it says
  /// nothing, or something that is no range.
  package var available: Range<Int64>?
  /// The newest event, in the same seconds; nil if there is none.
  package var newest: Int64?
  /// When something was uploaded last, as the account writes it; nil: never.
  package var lastUpload: String?

  /// Creates a pump.
  package init(
    assignment: String, serial: String? = nil, modelName: String? = nil,
    available: Range<Int64>? = nil, newest: Int64? = nil, lastUpload: String? = nil
  ) {
    self.assignment = assignment
    self.serial = serial
    self.modelName = modelName
    self.available = available
    self.newest = newest
    self.lastUpload = lastUpload
  }

  init?(_ value: ReplyValue) {
    guard let assignment = value["assignmentId"]?.text, isPathWord(assignment) else { return nil }
    self.assignment = assignment
    serial = value["serialNumber"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    modelName = value["modelName"]?.text
    newest = value["maxDateOfEvents"]?.text.flatMap(wallSeconds)
    lastUpload = value["lastUploadDate"]?.text
    if let start = value["availableDataRange"]?["start"]?.text.flatMap(wallSeconds),
      let end = value["availableDataRange"]?["end"]?.text.flatMap(wallSeconds), start <= end
    {
      available = start..<end + 1
    }
  }

  /// What people call it.
  package var name: String { serial ?? assignment }

  /// Whether nothing of it ever came to the service.
  package var isEmpty: Bool { available == nil && newest == nil && lastUpload == nil }
}

/// Seconds since 1970 of a time without a zone, `YYYY-MM-DDTHH:MM:SS` or a date alone; what follows
/// the seconds means nothing here (FORMATS A2).
private func wallSeconds(_ text: String) -> Int64? {
  let bytes = Array(text.utf8)
  func number(_ range: Range<Int>) -> Int? {
    guard bytes.count >= range.upperBound,
      bytes[range].allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
  func isAt(_ place: Int, _ character: Unicode.Scalar) -> Bool {
    bytes.count > place && bytes[place] == UInt8(ascii: character)
  }
  guard let year = number(0..<4), isAt(4, "-"), let month = number(5..<7), isAt(7, "-"),
    let day = number(8..<10), (1...12).contains(month), day >= 1,
    day <= CivilTime.days(inMonth: month, of: year)
  else { return nil }
  let midnight = CivilTime.days(year: year, month: month, day: day) * 86_400
  guard bytes.count > 10 else { return midnight }
  guard isAt(10, "T"), let hour = number(11..<13), isAt(13, ":"), let minute = number(14..<16),
    isAt(16, ":"), let second = number(17..<19), hour < 24, minute < 60, second < 60
  else { return nil }
  return midnight + Int64(hour * 3600 + minute * 60 + second)
}
