import PumpModel

/// What one event object said, before it is judged.
struct EventFields {
  /// The names of an event object.
  enum Name: Int, CaseIterable {
    case deviceAssignmentId, eventCode, sequenceGroup, sequenceNumber, pumpDateTime
    case eventProperties, estimatedDateTime

    /// The name in small letters.
    static let texts = allCases.map { "\($0)".utf8.map(ASCII.lowercased) }
  }

  /// The names that were there with a value other than `null`, as bits.
  var seen: UInt8 = 0
  /// The names whose value is unusable, as bits.
  var bad: UInt8 = 0
  var code: UInt16 = 0
  var group: UInt32 = 0
  var number: UInt32 = 0
  /// The pump's clock, since 2008, unchecked.
  var seconds: Int64 = 0
  /// The same as `estimatedDateTime` has it.
  var estimatedSeconds: Int64 = 0
  /// Where the characters of `deviceAssignmentId` stand.
  var assignment = 0..<0
  /// Whether the assignment id is the one that the parser remembers.
  var isKnownAssignment = false
  /// Where the properties stand, and for which kind they were read, -1 for none.
  var properties = 0..<0
  var propertiesKind = -1
  /// The properties' fields.
  var words: InlineArray<4, UInt32> = [0, 0, 0, 0]
  var present: UInt16 = 0
  var badFields: UInt16 = 0

  /// Whether a name had a usable value.
  @inline(__always)
  func has(_ name: Name) -> Bool { (seen & ~bad) & (1 << UInt8(name.rawValue)) != 0 }

  /// Whether a name's value was unusable.
  @inline(__always)
  func isBad(_ name: Name) -> Bool { bad & (1 << UInt8(name.rawValue)) != 0 }

  /// Notes that a name's value is usable, missing or unusable.
  @inline(__always)
  mutating func note(_ name: Name, isSeen: Bool, isBad: Bool = false) {
    let bit = 1 << UInt8(name.rawValue) as UInt8
    seen = isSeen ? seen | bit : seen & ~bit
    bad = isBad ? bad | bit : bad & ~bit
  }

  /// Sets a field's bits, or notes that it is missing or unusable.
  @inline(__always)
  mutating func set(_ field: Int, _ code: CompiledLayouts.Code, bits: UInt32) {
    let bit = 1 << UInt16(truncatingIfNeeded: field) as UInt16
    let (word, shift) = (Int(code.word & 3), UInt32(code.shift))
    words[word] = words[word] & ~(code.mask &<< shift) | bits &<< shift
    present |= bit
    badFields &= ~bit
  }

  /// Notes that a field has no value, or an unusable one.
  mutating func clear(_ field: Int, isBad: Bool) {
    let bit = 1 << UInt16(truncatingIfNeeded: field) as UInt16
    present &= ~bit
    badFields = isBad ? badFields | bit : badFields & ~bit
  }

  /// Notes that names, as bits, stand twice: which of their values is meant nobody knows.
  mutating func refuse(names: UInt32) {
    seen |= UInt8(truncatingIfNeeded: names)
    bad |= UInt8(truncatingIfNeeded: names)
  }

  /// Notes the same of properties.
  mutating func refuse(properties: UInt32) {
    present &= ~UInt16(truncatingIfNeeded: properties)
    badFields |= UInt16(truncatingIfNeeded: properties)
  }

  /// Whether the object looks like an event at all; first elements of lists are judged by this.
  var looksLikeEvent: Bool {
    let known: [Name] = [.eventCode, .sequenceNumber, .pumpDateTime, .eventProperties]
    return known.count { seen & (1 << UInt8($0.rawValue)) != 0 } >= 2
  }
}
