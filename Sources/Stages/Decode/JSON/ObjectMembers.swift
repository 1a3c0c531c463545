import PumpModel

/// Where the members of some names stand in an object that is read in place.
struct ObjectMembers {
  /// The position after the object; `JSONBytes.none` if it is malformed or cut.
  private(set) var end = JSONBytes.none
  /// The value of each name, quotes and all; of doubled members the last.
  private(set) var values: [Range<Int>?]
  /// Whether one of the names stands twice: which value is meant nobody knows.
  private(set) var hasDoubled = false

  /// Reads the object whose brace is at `start`, `depth` lists and objects being open around it; names
  /// are in small letters, and match in any.
  init(_ bytes: RawSpan, at start: Int, depth: Int, names: [[UInt8]]) {
    values = Array(repeating: nil, count: names.count)
    var position = JSONBytes.skipSpace(bytes, start + 1)
    guard position < bytes.byteCount else { return }
    if bytes.byte(at: position) == 0x7D {
      end = position + 1
      return
    }
    while true {
      guard position < bytes.byteCount, bytes.byte(at: position) == 0x22 else { return }
      let name = position + 1
      let nameEnd = JSONBytes.skipString(bytes, name)
      guard nameEnd >= 0 else { return }
      let value = JSONBytes.skipColon(bytes, nameEnd)
      guard value >= 0 else { return }
      position = JSONBytes.skipValue(bytes, value, depth: depth + 1)
      guard position >= 0 else { return }
      if let field = names.firstIndex(where: { ASCII.matches(bytes, name..<nameEnd - 1, $0) }) {
        hasDoubled = hasDoubled || values[field] != nil
        values[field] = value..<position
      }
      position = JSONBytes.skipSpace(bytes, position)
      guard position < bytes.byteCount else { return }
      if bytes.byte(at: position) == 0x7D { break }
      guard bytes.byte(at: position) == 0x2C else { return }
      position = JSONBytes.skipSpace(bytes, position + 1)
    }
    end = position + 1
  }
}
