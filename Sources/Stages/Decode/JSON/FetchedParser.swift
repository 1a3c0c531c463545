import PumpModel

/// Reads one piece of fetched time in place: `assignmentId`, `from` and `until` by the pump's clock,
/// and `state`, as a pull writes them beside the answers that it keeps.
enum FetchedParser {
  /// What an object of the list says.
  struct Reading {
    /// The position after the object; `JSONBytes.none` if it is malformed or cut.
    var end = JSONBytes.none
    /// What was fetched; nil if it does not say all of it, or something twice.
    var statement: FetchedStatement?
  }

  private static let names = ["assignmentid", "from", "until", "state"].map { Array($0.utf8) }
  private static let longestText = 256
  /// What a pump's clock can show, in seconds since 2008.
  private static let times = 0...Int64(UInt32.max)

  /// Reads the object whose brace is at `start`, `depth` lists and objects being open around it.
  static func parse(_ bytes: RawSpan, at start: Int, depth: Int) -> Reading {
    let members = ObjectMembers(bytes, at: start, depth: depth, names: names)
    var reading = Reading()
    reading.end = members.end
    guard members.end >= 0, !members.hasDoubled else { return reading }
    reading.statement = statement(
      bytes,
      members.values.map { value in
        value.flatMap { bytes.byte(at: $0.lowerBound) == 0x22 ? $0.dropFirst().dropLast() : nil }
      })
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
