import PumpModel

/// Reads one pump of an account answer in place.
enum PumpFactsParser {
  /// What an object of the list of pumps says.
  struct Reading {
    /// The position after the object; `JSONBytes.none` if it is malformed or cut.
    var end = JSONBytes.none
    /// The pump; nil if it has no serial number or no assignment id.
    var facts: PumpFacts?
    /// Whether it names an assignment or a serial number at all.
    var looksLikePump = false
    /// Whether it says one thing twice; then there is no pump.
    var tellsTwice = false
  }

  private static let names = [
    "assignmentid", "serialnumber", "modelname", "modelnumber", "softwareversion",
  ].map { Array($0.utf8) }

  /// Longer texts are cut: they are no names of pumps.
  private static let longestText = 256

  /// Reads the object whose brace is at `start`, `depth` lists and objects being open around it.
  static func parse(_ bytes: RawSpan, at start: Int, depth: Int) -> Reading {
    let members = ObjectMembers(bytes, at: start, depth: depth, names: names)
    var reading = Reading()
    reading.end = members.end
    guard members.end >= 0 else { return reading }
    reading.looksLikePump = members.values[0] != nil || members.values[1] != nil
    reading.tellsTwice = members.hasDoubled
    guard !members.hasDoubled else { return reading }
    let texts = members.values.map { $0.flatMap { text(bytes, $0) } }
    guard let assignment = texts[0], let serial = texts[1] else { return reading }
    reading.facts = PumpFacts(
      assignment: assignment, serial: serial, modelName: texts[2], modelNumber: texts[3],
      softwareVersion: texts[4])
    return reading
  }

  /// A text, or a number as it is written; nil for anything else and for nothing.
  private static func text(_ bytes: RawSpan, _ range: Range<Int>) -> String? {
    switch bytes.byte(at: range.lowerBound) {
    case 0x22:
      let inner = range.lowerBound + 1..<range.upperBound - 1
      let characters = JSONBytes.unescaped(bytes, inner, limit: longestText)
      return characters.isEmpty ? nil : String(decoding: characters, as: UTF8.self)
    case 0x30...0x39:
      return String(
        decoding: JSONBytes.unescaped(bytes, range, limit: longestText), as: UTF8.self)
    default: return nil
    }
  }
}
