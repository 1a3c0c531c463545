import PumpModel

/// The keys that a kind of object may have.
protocol LineKey: CaseIterable, RawRepresentable, Sendable where RawValue == UInt64 {
  /// The keys with their characters, made once.
  static var names: LineNames<Self> { get }
}

/// The characters of keys.
struct LineNames<Key: LineKey>: Sendable {
  private let names: [(name: [UInt8], key: Key)]

  init() { names = Key.allCases.map { (Array("\($0)".utf8), $0) } }

  /// The key that stands in a range, written without escapes; nil for any other name.
  func find(_ bytes: RawSpan, _ range: Range<Int>) -> Key? {
    for (name, key) in names where name.count == range.count {
      if name.indices.allSatisfy({ bytes.byte(at: range.lowerBound + $0) == name[$0] }) {
        return key
      }
    }
    return nil
  }
}

/// Where the values of an object's known keys stand; none stands twice, and `null` is no value.
struct LineValues<Key: LineKey> {
  private var ranges: InlineArray<40, Range<Int>> = InlineArray(repeating: 0..<0)

  /// Reads the object that is the whole line; other keys are passed over.
  init(line bytes: RawSpan) throws(LineFault) {
    let end: Int
    (self, end) = try Self.read(bytes, at: JSONBytes.skipSpace(bytes, 0))
    guard JSONBytes.skipSpace(bytes, end) == bytes.byteCount else { throw .notAnObject }
  }

  /// Reads the object that is the value of a key; nil if the value is no object.
  init?(object value: Range<Int>, of bytes: RawSpan) throws(LineFault) {
    guard bytes.byte(at: value.lowerBound) == 0x7B else { return nil }
    self = try Self.read(bytes, at: value.lowerBound).values
  }

  private init() {}

  private static func read(
    _ bytes: RawSpan, at start: Int
  ) throws(LineFault) -> (values: Self, end: Int) {
    var values = Self()
    var ranges = values.ranges
    var seen: UInt64 = 0
    let end = try LineJSON.members(bytes, at: start) {
      name, value throws(LineFault) in
      guard let key = Key.names.find(bytes, name) else { return }
      guard seen & 1 << key.rawValue == 0 else { throw .doubled("\(key)") }
      seen |= 1 << key.rawValue
      if !LineJSON.isNull(bytes, value) { ranges[Int(key.rawValue)] = value }
    }
    guard end >= 0 else { throw .notAnObject }
    values.ranges = ranges
    return (values, end)
  }

  /// Where the value of a key stands; nil if there is none.
  subscript(key: Key) -> Range<Int>? {
    let range = ranges[Int(key.rawValue)]
    return range.isEmpty ? nil : range
  }

  /// What a value that must be there is.
  func required<Value>(
    _ key: Key, _ read: (Range<Int>) -> Value?
  ) throws(LineFault) -> Value {
    guard let value = try optional(key, read) else { throw .missing("\(key)") }
    return value
  }

  /// What a value is; nil if there is none.
  func optional<Value>(
    _ key: Key, _ read: (Range<Int>) -> Value?
  ) throws(LineFault) -> Value? {
    guard let range = self[key] else { return nil }
    guard let value = read(range) else { throw .unusable("\(key)") }
    return value
  }
}
