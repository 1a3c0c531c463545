import PumpModel

/// Reads one piece of fetched time in place: `assignmentId`, `from` and `until` by the pump's clock,
/// and `state`, as a pull writes them beside the answers that it keeps.
enum FetchedParser {
  /// What an object of the list says.
  struct Reading {
    /// The position after the object; `JSONBytes.none` if it is malformed or cut.
    var end = JSONBytes.none
    /// What was fetched; nil if it does not say all of it.
    var statement: FetchedStatement?
  }

  private static let names = ["assignmentid", "from", "until", "state"].map { Array($0.utf8) }
  private static let longestText = 256
  /// What a pump's clock can show, in seconds since 2008.
  private static let times = 0...Int64(UInt32.max)

  /// Reads the object whose brace is at `start`, `depth` lists and objects being open around it.
  static func parse(_ bytes: RawSpan, at start: Int, depth: Int) -> Reading {
    var reading = Reading()
    var values = [Range<Int>?](repeating: nil, count: names.count)
    var position = JSONBytes.skipSpace(bytes, start + 1)
    guard position < bytes.byteCount else { return reading }
    if bytes.byte(at: position) == 0x7D {
      reading.end = position + 1
      return reading
    }
    while true {
      guard position < bytes.byteCount, bytes.byte(at: position) == 0x22 else { return reading }
      let name = position + 1
      let nameEnd = JSONBytes.skipString(bytes, name)
      guard nameEnd >= 0 else { return reading }
      let value = JSONBytes.skipColon(bytes, nameEnd)
      guard value >= 0 else { return reading }
      position = JSONBytes.skipValue(bytes, value, depth: depth + 1)
      guard position >= 0 else { return reading }
      if let field = names.firstIndex(where: { ASCII.matches(bytes, name..<nameEnd - 1, $0) }),
        bytes.byte(at: value) == 0x22
      {
        values[field] = value + 1..<position - 1
      }
      position = JSONBytes.skipSpace(bytes, position)
      guard position < bytes.byteCount else { return reading }
      if bytes.byte(at: position) == 0x7D { break }
      guard bytes.byte(at: position) == 0x2C else { return reading }
      position = JSONBytes.skipSpace(bytes, position + 1)
    }
    reading.end = position + 1
    reading.statement = statement(bytes, values)
    return reading
  }

  private static func statement(_ bytes: RawSpan, _ values: [Range<Int>?]) -> FetchedStatement? {
    guard let assignment = values[0], !assignment.isEmpty, let from = values[1],
      let until = values[2], let word = values[3]
    else { return nil }
    var dates = DateText()
    guard case .seconds(let start) = dates.read(bytes, from),
      case .seconds(let end) = dates.read(bytes, until), start < end, times.contains(start),
      times.contains(end),
      let state = FetchedRange.State(
        text: String(
          decoding: JSONBytes.unescaped(bytes, word, limit: longestText), as: UTF8.self))
    else { return nil }
    let name = JSONBytes.unescaped(bytes, assignment, limit: longestText)
    let epoch = PumpTime.epochInUnixSeconds
    return FetchedStatement(
      assignment: String(decoding: name, as: UTF8.self),
      range: FetchedRange(start + epoch..<end + epoch, state))
  }
}
