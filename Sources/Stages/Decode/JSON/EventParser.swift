import PumpModel

/// Reads event objects of the web service in place.
///
/// The object must lie in the span as a whole. Names are predicted (`GapMemory`), numbers are read
/// eight digits at once; anything unusual goes a slower way to the same result.
struct EventParser {
  private var memory: GapMemory
  private var assignments = GapMemory(kinds: 1)
  private var dates = DateText()
  private var assignmentReference: UInt32 = 0
  private let layouts = CompiledLayouts.shared

  /// What follows a gap, beside a name: a name that is not looked at, or the object's end.
  private static let other = 30
  private static let end = 31
  /// Longer ids are no ids.
  private static let longestAssignment = 256

  init() { memory = GapMemory(kinds: 1 + CompiledLayouts.shared.names.count) }

  /// Reads the object whose brace is at `start`; `JSONBytes.none` if it is malformed or cut.
  ///
  /// `depth` counts the lists and objects that are open around it. A name that stands twice has an
  /// unusable value, among the properties too.
  mutating func parse(
    _ bytes: RawSpan, at start: Int, depth: Int, into event: inout EventFields
  ) -> Int {
    event = EventFields()
    var position = start + 1
    var slot = memory.first(of: 0)
    var count = 0
    var (told, doubled): (UInt32, UInt32) = (0, 0)
    while true {
      let target = gap(bytes, &position, slot: slot, count: count, kind: -1)
      guard target != Self.end else { break }
      guard target >= 0 else { return JSONBytes.none }
      if let name = EventFields.Name(rawValue: target) {
        let bit = 1 &<< UInt32(truncatingIfNeeded: target)
        doubled |= told & bit
        told |= bit
        read(name, bytes, &position, depth: depth + 1, into: &event)
      } else {
        position = JSONBytes.skipValue(bytes, position, depth: depth + 1)
      }
      guard position >= 0 else { return JSONBytes.none }
      slot = GapMemory.after(slot)
      count &+= 1
    }
    // The code may have come after the properties.
    if event.has(.eventCode), let kind = layouts.kind(of: event.code),
      !event.properties.isEmpty, event.propertiesKind != kind
    {
      _ = properties(
        bytes, event.properties.lowerBound, kind: kind, depth: depth + 1, into: &event)
    }
    if doubled != 0 { event.refuse(names: doubled) }
    return position
  }

  /// The fields, as bits, that reject a record of this event's code if they are unusable.
  func ruleFields(of event: EventFields) -> UInt16 {
    layouts.kind(of: event.code).map { layouts.ruleFields[$0] } ?? 0
  }

  /// The run's reference for the event's pump, 0 if it names none.
  @inline(__always)
  mutating func pump(
    of event: EventFields, in bytes: RawSpan, _ consumer: any DocumentConsumer
  ) -> UInt32 {
    guard event.has(.deviceAssignmentId) else { return 0 }
    return event.isKnownAssignment
      ? assignmentReference : newPump(of: event, in: bytes, consumer)
  }

  @inline(never)
  private mutating func newPump(
    of event: EventFields, in bytes: RawSpan, _ consumer: any DocumentConsumer
  ) -> UInt32 {
    let text = JSONBytes.unescaped(bytes, event.assignment, limit: Self.longestAssignment)
    let reference = consumer.pump(assignment: text.span)
    let quoted = event.assignment.lowerBound - 1..<event.assignment.upperBound + 1
    let slot = assignments.first(of: 0)
    assignments.learn(bytes, quoted, slot: slot, target: 1)
    assignmentReference = reference
    return reference
  }

  /// Reads what stands before a value, a name or the end; gives the name's place, or -1.
  @inline(__always)
  private mutating func gap(
    _ bytes: RawSpan, _ position: inout Int, slot: Int, count: Int, kind: Int
  ) -> Int {
    if count < GapMemory.positions {
      let match = memory.match(bytes, at: position, slot: slot)
      if match.length > 0 {
        position &+= match.length
        return match.target
      }
    }
    return newGap(bytes, &position, slot: slot, count: count, kind: kind)
  }

  @inline(never)
  private mutating func newGap(
    _ bytes: RawSpan, _ position: inout Int, slot: Int, count: Int, kind: Int
  ) -> Int {
    let start = position
    var target = Self.end
    position = JSONBytes.skipSpace(bytes, position)
    guard position < bytes.byteCount else { return -1 }
    if bytes.byte(at: position) == 0x7D {
      position += 1
    } else {
      if count > 0 {
        guard bytes.byte(at: position) == 0x2C else { return -1 }
        position = JSONBytes.skipSpace(bytes, position + 1)
      }
      guard position < bytes.byteCount, bytes.byte(at: position) == 0x22 else { return -1 }
      let name = position + 1
      let end = JSONBytes.skipString(bytes, name)
      guard end >= 0 else { return -1 }
      target = find(bytes, name..<end - 1, kind: kind)
      position = JSONBytes.skipColon(bytes, end)
      guard position >= 0, position < bytes.byteCount else { return -1 }
    }
    if count < GapMemory.positions {
      memory.learn(bytes, start..<position, slot: slot, target: target)
    }
    return target
  }

  private func find(_ bytes: RawSpan, _ range: Range<Int>, kind: Int) -> Int {
    let names = kind < 0 ? EventFields.Name.texts : layouts.names[kind]
    if range.contains(where: { bytes.byte(at: $0) == 0x5C }) {
      let name = JSONBytes.unescaped(bytes, range, limit: 64)
      return names.firstIndex {
        unsafe ASCII.matches(name.span.bytes, 0..<name.count, $0)
      } ?? Self.other
    }
    return names.firstIndex { ASCII.matches(bytes, range, $0) } ?? Self.other
  }

  /// Reads one value of the event object.
  @inline(__always)
  private mutating func read(
    _ name: EventFields.Name, _ bytes: RawSpan, _ position: inout Int, depth: Int,
    into event: inout EventFields
  ) {
    switch name {
    case .deviceAssignmentId: readAssignment(bytes, &position, depth: depth, into: &event)
    case .eventCode:
      let code = Self.whole(name, bytes, &position, depth: depth, upTo: 4095, into: &event)
      event.code = UInt16(truncatingIfNeeded: code)
    case .sequenceGroup:
      event.group = Self.whole(name, bytes, &position, depth: depth, upTo: .max, into: &event)
    case .sequenceNumber:
      event.number = Self.whole(name, bytes, &position, depth: depth, upTo: .max, into: &event)
    case .pumpDateTime: readTime(bytes, &position, depth: depth, into: &event)
    case .estimatedDateTime: readEstimate(bytes, &position, depth: depth, into: &event)
    case .eventProperties: readProperties(bytes, &position, depth: depth, into: &event)
    }
  }

  /// A whole number of the event object, 0 if it is missing or unusable.
  @inline(__always)
  private static func whole(
    _ name: EventFields.Name, _ bytes: RawSpan, _ position: inout Int, depth: Int,
    upTo limit: UInt32, into event: inout EventFields
  ) -> UInt32 {
    var reading = NumberText.Reading.null
    if let value = NumberText.plainWhole(bytes, &position) {
      reading = .whole(Int64(truncatingIfNeeded: value))
    } else {
      reading = NumberText.whole(bytes, &position, depth: depth)
    }
    switch reading {
    case .whole(let value) where value >= 0 && value <= Int64(limit):
      event.note(name, isSeen: true)
      return UInt32(truncatingIfNeeded: value)
    case .null: event.note(name, isSeen: false)
    default: event.note(name, isSeen: true, isBad: true)
    }
    return 0
  }

  @inline(__always)
  private mutating func readAssignment(
    _ bytes: RawSpan, _ position: inout Int, depth: Int, into event: inout EventFields
  ) {
    let slot = assignments.first(of: 0)
    let match = assignments.match(bytes, at: position, slot: slot)
    event.isKnownAssignment = match.length > 0
    if match.length > 0 {
      position += match.length
      event.note(.deviceAssignmentId, isSeen: true)
    } else {
      event.assignment = Self.string(
        .deviceAssignmentId, bytes, &position, depth: depth, into: &event)
      if event.assignment.count > Self.longestAssignment {
        event.note(.deviceAssignmentId, isSeen: true, isBad: true)
      } else if event.assignment.isEmpty, !event.isBad(.deviceAssignmentId) {
        event.note(.deviceAssignmentId, isSeen: false)
      }
    }
  }

  @inline(__always)
  private mutating func readTime(
    _ bytes: RawSpan, _ position: inout Int, depth: Int, into event: inout EventFields
  ) {
    if let seconds = dates.readQuoted(bytes, &position) {
      event.seconds = seconds
      return event.note(.pumpDateTime, isSeen: true)
    }
    let range = Self.string(.pumpDateTime, bytes, &position, depth: depth, into: &event)
    guard event.has(.pumpDateTime) else { return }
    switch dates.read(bytes, range) {
    case .seconds(let seconds): event.seconds = seconds
    case .unusable: event.note(.pumpDateTime, isSeen: true, isBad: true)
    }
  }

  @inline(__always)
  private mutating func readEstimate(
    _ bytes: RawSpan, _ position: inout Int, depth: Int, into event: inout EventFields
  ) {
    if let seconds = dates.readQuoted(bytes, &position) {
      event.estimatedSeconds = seconds
      return event.note(.estimatedDateTime, isSeen: true)
    }
    let range = Self.string(.estimatedDateTime, bytes, &position, depth: depth, into: &event)
    guard event.has(.estimatedDateTime) else { return }
    switch dates.read(bytes, range) {
    case .seconds(let seconds): event.estimatedSeconds = seconds
    case .unusable: event.note(.estimatedDateTime, isSeen: true, isBad: true)
    }
  }

  /// The characters of a string value, as they stand between its quotes; empty if it is none.
  @inline(__always)
  private static func string(
    _ name: EventFields.Name, _ bytes: RawSpan, _ position: inout Int, depth: Int,
    into event: inout EventFields
  ) -> Range<Int> {
    let start = JSONBytes.skipSpace(bytes, position)
    guard start < bytes.byteCount, bytes.byte(at: start) == 0x22 else {
      position = JSONBytes.skipValue(bytes, start, depth: depth)
      let isNull = position >= 0 && bytes.byte(at: start) == 0x6E
      event.note(name, isSeen: !isNull, isBad: !isNull)
      return 0..<0
    }
    position = JSONBytes.skipString(bytes, start + 1)
    event.note(name, isSeen: true)
    return position < 0 ? 0..<0 : start + 1..<position - 1
  }

  @inline(__always)
  private mutating func readProperties(
    _ bytes: RawSpan, _ position: inout Int, depth: Int, into event: inout EventFields
  ) {
    let start = JSONBytes.skipSpace(bytes, position)
    event.propertiesKind = -1
    event.properties = 0..<0
    guard start < bytes.byteCount, bytes.byte(at: start) == 0x7B else {
      // No rule looks at a property of such an event, or the fields it needs are missing.
      (event.present, event.badFields) = (0, 0)
      position = JSONBytes.skipValue(bytes, start, depth: depth)
      event.note(.eventProperties, isSeen: false)
      return
    }
    event.note(.eventProperties, isSeen: true)
    if event.has(.eventCode), let kind = layouts.kind(of: event.code) {
      position = properties(bytes, start, kind: kind, depth: depth, into: &event)
    } else {
      position = JSONBytes.skipValue(bytes, start, depth: depth)
    }
    if position >= 0 { event.properties = start..<position }
  }

  /// Reads the properties whose brace is at `start` by the layout of a kind.
  @inline(__always)
  private mutating func properties(
    _ bytes: RawSpan, _ start: Int, kind: Int, depth: Int, into event: inout EventFields
  ) -> Int {
    guard depth < JSONReader.maximalDepth else { return JSONBytes.none }
    event.propertiesKind = kind
    (event.present, event.badFields, event.words) = (0, 0, [0, 0, 0, 0])
    var position = start + 1
    var slot = memory.first(of: kind + 1)
    var count = 0
    var (told, doubled): (UInt32, UInt32) = (0, 0)
    while true {
      let target = gap(bytes, &position, slot: slot, count: count, kind: kind)
      if target < CompiledLayouts.fieldsPerKind {
        guard target >= 0 else { return JSONBytes.none }
        let code = layouts.codes[kind * CompiledLayouts.fieldsPerKind + target]
        let bit = 1 &<< UInt32(truncatingIfNeeded: target)
        doubled |= told & bit
        told |= bit
        Self.readField(target, code, bytes, &position, depth: depth + 1, into: &event)
      } else if target == Self.end {
        if doubled != 0 { event.refuse(properties: doubled) }
        return position
      } else if NumberText.plainWhole(bytes, &position) == nil {
        position = JSONBytes.skipValue(bytes, position, depth: depth + 1)
      }
      guard position >= 0 else { return JSONBytes.none }
      slot = GapMemory.after(slot)
      count &+= 1
    }
  }
}
