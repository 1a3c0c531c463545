package import PumpModel

/// Finds stretches, power losses and odd records in one pump's events, taken in order (N3).
///
/// It needs only each event's place, its time and what it moved the clock by, and looks at most a
/// hundred records ahead. Memory grows with the number of clock changes, not of events.
package struct ClockScanner {
  private let usesRecords: Bool
  private var ahead = RecordQueue()
  private var scan = ClockScan(
    stretches: [], odd: [], resets: [], spans: [], hasClockChanges: false)
  /// The stretch that records now fall into.
  private var current = 0
  /// The last record that is not odd.
  private var previous: PumpTime?
  /// Set while in a power loss.
  private var loss: PowerLoss?

  /// How far ahead a record may lie that makes those before it odd.
  static let reach = 100
  static let day: Int64 = 86_400

  /// A power loss that is going on.
  private struct PowerLoss {
    /// The time of the record before the first fall.
    var before: Int64
    /// The stretch that goes on if the clock comes back.
    var stretchBefore: Int
    /// The index in `scan.resets`.
    var reset: Int
  }

  /// Creates a scanner.
  ///
  /// `usesRecords` says whether clock-change records place the pump's time; by the zone's rules a
  /// clock comes back from a power loss in smaller steps too.
  package init(usesRecords: Bool) {
    self.usesRecords = usesRecords
  }

  /// Takes the next record in order.
  package mutating func process(_ record: Record) {
    if record.shift != nil { scan.hasClockChanges = true }
    if goesOn(with: record) {
      scan.stretches[current].newest = record.position.time
      scan.stretches[current].records += 1
      previous = record.position.time
      return
    }
    // Nearly no record needs those ahead of it to be judged.
    if ahead.count == 0, !needsLook(ahead: record) { return take(record) }
    ahead.append(record)
    if ahead.count > Self.reach { takeFirst() }
    while ahead.count > 0, !needsLook(ahead: ahead[0]) {
      take(ahead[0])
      ahead.removeFirst()
    }
  }

  /// Ends the history and gives what was found.
  package consuming func finish() -> ClockScan {
    while ahead.count > 0 { takeFirst() }
    return scan
  }

  /// One record as the scanner sees it.
  package struct Record: Sendable {
    /// Its place in the order, with its time.
    package var position: EventPosition
    /// What it moved the clock by, in milliseconds, if it is a clock change.
    package var shift: Int64?

    /// Creates a record.
    package init(position: EventPosition, shift: Int64?) {
      self.position = position
      self.shift = shift
    }

    var seconds: Int64 { Int64(position.time.seconds) }

    /// Whether it is a change of the clock; one by nothing is a record like any other.
    var movesClock: Bool { shift ?? 0 != 0 }

    /// The time just before the record: of a clock change, its own less its shift.
    ///
    /// In milliseconds, since shifts need not be whole seconds.
    var millisecondsBefore: Int64 { seconds &* 1000 &- (shift ?? 0) }
  }
}

extension ClockScanner {
  /// Whether nothing happens at a record, as at nearly all: it lies within a day of the one before,
  /// in the same stretch.
  @inline(__always)
  private func goesOn(with record: Record) -> Bool {
    guard ahead.count == 0, loss == nil, !record.movesClock, let previous,
      case .stretch(current)? = scan.spans.last?.content
    else { return false }
    let step = record.seconds - Int64(previous.seconds)
    return step >= -Self.day && step <= Self.day
  }

  private mutating func takeFirst() {
    let record = ahead[0]
    if let odd = oddRecordsAhead(of: record) {
      takeOdd(odd)
    } else {
      take(record)
      ahead.removeFirst()
    }
  }

  /// Whether the next record may be odd, which those ahead of it tell: one that is dated more than
  /// a day after the one before.
  @inline(__always)
  private func needsLook(ahead record: Record) -> Bool {
    guard loss == nil, let previous, !record.movesClock else { return false }
    return record.seconds > Int64(previous.seconds) + Self.day
  }

  /// How many records from the first in the queue on are odd; nil if none are.
  private func oddRecordsAhead(of record: Record) -> Int? {
    guard needsLook(ahead: record), let previous else { return nil }
    let before = Int64(previous.seconds)
    for index in 1..<max(1, ahead.count) {
      let candidate = ahead[index]
      let time = candidate.millisecondsBefore
      if time >= (before - Self.day) * 1000, time < (ahead[index - 1].seconds - Self.day) * 1000 {
        return index
      }
      if candidate.movesClock { return nil }
    }
    return nil
  }

  private mutating func takeOdd(_ count: Int) {
    var entry = UnknownTime(
      reason: .oddRecords, firstNumber: ahead[0].position.number, lastNumber: 0, records: 0)
    scan.spans.append(
      ClockSpan(from: ahead[0].position, content: .odd(scan.odd.count)))
    for _ in 0..<count {
      entry.lastNumber = ahead[0].position.number
      entry.records += 1
      ahead.removeFirst()
    }
    scan.odd.append(entry)
  }

  private mutating func take(_ record: Record) {
    if let previous, record.millisecondsBefore < (Int64(previous.seconds) - Self.day) * 1000 {
      fall(at: record, from: previous)
    } else if let loss, hasComeBack(record, loss) {
      current = loss.stretchBefore
      self.loss = nil
    }
    if record.movesClock { change(at: record, by: record.shift ?? 0) }
    place(record)
    previous = record.position.time
  }

  /// Whether the clock is right again without a record of how (for a clock change: just before it).
  private func hasComeBack(_ record: Record, _ loss: PowerLoss) -> Bool {
    guard record.millisecondsBefore >= (loss.before - Self.day) * 1000 else { return false }
    guard usesRecords, let previous else { return true }
    return record.millisecondsBefore > (Int64(previous.seconds) + Self.day) * 1000
  }

  private mutating func fall(at record: Record, from previous: PumpTime) {
    let number = record.position.number
    scan.resets.append(
      ClockScan.Reset(
        records: UnknownTime(
          reason: .powerLoss, firstNumber: number, lastNumber: number, records: 0),
        isEnded: false))
    loss = PowerLoss(
      before: loss?.before ?? Int64(previous.seconds),
      stretchBefore: loss?.stretchBefore ?? current, reset: scan.resets.count - 1)
    open(.powerLoss)
  }

  private mutating func change(at record: Record, by shift: Int64) {
    if scan.stretches.isEmpty { open(.beginning) }
    let left = current
    if let loss, record.seconds >= loss.before - Self.day {
      scan.resets[loss.reset].isEnded = true
      self.loss = nil
    }
    open(.change(to: record.position.time, shiftMilliseconds: shift))
    scan.stretches[left].next = Stretch.Next(stretch: current, shiftMilliseconds: shift)
  }

  private mutating func open(_ opening: Stretch.Opening) {
    scan.stretches.append(Stretch(opening: opening, reset: loss?.reset))
    current = scan.stretches.count - 1
  }

  private mutating func place(_ record: Record) {
    if scan.stretches.isEmpty { open(.beginning) }
    Self.note(record.position.time, in: &scan.stretches[current])
    if let loss {
      scan.resets[loss.reset].records.lastNumber = record.position.number
      scan.resets[loss.reset].records.records += 1
    }
    if scan.spans.last?.content != .stretch(current) {
      scan.spans.append(ClockSpan(from: record.position, content: .stretch(current)))
    }
  }
}

extension ClockScanner {
  private static func note(_ time: PumpTime, in stretch: inout Stretch) {
    stretch.newest = time
    if stretch.oldest == nil { stretch.oldest = time }
    stretch.records += 1
  }
}

/// The records that the scanner has not taken yet: a ring, since every record passes through it.
private struct RecordQueue {
  private var slots = [ClockScanner.Record?](repeating: nil, count: 128)
  private var first = 0
  private(set) var count = 0

  mutating func append(_ record: ClockScanner.Record) {
    slots[(first + count) & 127] = record
    count += 1
  }

  mutating func removeFirst() {
    first = (first + 1) & 127
    count -= 1
  }

  subscript(index: Int) -> ClockScanner.Record {
    slots[(first + index) & 127]
      ?? ClockScanner.Record(
        position: EventPosition(group: 0, number: 0, time: PumpTime(seconds: 0), id: 0), shift: nil)
  }
}
