import Normalize
import PumpModel
import TestSupport
import Testing

/// N3 read word by word, over arrays, against what works in one pass.
@Suite("The clock on random histories")
struct ClockPropertyTests {
  private static let day: Int64 = 86_400_000

  /// A record: milliseconds of the pump's clock, and its shift if it is a change.
  private struct Record {
    var time: Int64
    var shift: Int64?
    var before: Int64 { time - (shift ?? 0) }
  }

  /// Where each record lies, and how the pieces follow from each other.
  private struct Reading {
    /// The stretch of each record; nil: odd.
    var stretch: [Int?] = []
    /// The reset that each stretch belongs to.
    var reset: [Int?] = []
    var isEnded: [Bool] = []
    /// The stretch after each, with the shift between.
    var next: [(stretch: Int, shift: Int64)?] = []
    var opening: [Record?] = []
  }

  private func read(_ records: [Record], usesRecords: Bool) -> Reading {
    var result = Reading()
    var current = -1
    var previous: Record?
    var loss: (before: Int64, stretch: Int, reset: Int)?
    func open(_ opening: Record?) {
      result.reset.append(loss?.reset)
      result.next.append(nil)
      result.opening.append(opening)
      current = result.reset.count - 1
    }
    var index = 0
    while index < records.count {
      let record = records[index]
      if loss == nil, let previous, record.shift == nil, record.time > previous.time + Self.day,
        let back = wayBack(records, from: index, previous.time)
      {
        for _ in index..<back { result.stretch.append(nil) }
        index = back
        continue
      }
      if let previous, record.before < previous.time - Self.day {
        result.isEnded.append(false)
        loss = (
          loss?.before ?? previous.time, loss?.stretch ?? current, result.isEnded.count - 1
        )
        open(nil)
      } else if let now = loss, record.before >= now.before - Self.day,
        !usesRecords || record.before > (previous?.time ?? 0) + Self.day
      {
        loss = nil
        current = now.stretch
      }
      if let shift = record.shift, shift != 0 {
        if current < 0 { open(nil) }
        let left = current
        if let now = loss, record.time >= now.before - Self.day {
          result.isEnded[now.reset] = true
          loss = nil
        }
        open(record)
        result.next[left] = (current, shift)
      }
      if current < 0 { open(nil) }
      result.stretch.append(current)
      previous = record
      index += 1
    }
    return result
  }

  private func wayBack(_ records: [Record], from rise: Int, _ before: Int64) -> Int? {
    for index in rise + 1..<max(rise + 1, min(rise + 101, records.count)) {
      let record = records[index]
      if record.before >= before - Self.day, record.before < records[index - 1].time - Self.day {
        return index
      }
      if record.shift != nil { return nil }
    }
    return nil
  }

  /// The offset of each record in seconds; nil: no known time.
  private func offsets(_ records: [Record], _ reading: Reading, zone: ZoneRules) -> [Int64?] {
    func offset(_ stretch: Int) -> Int64? {
      if let reset = reading.reset[stretch], !reading.isEnded[reset] { return nil }
      if let next = reading.next[stretch] {
        return offset(next.stretch).map { rounded($0 * 1000 - next.shift) }
      }
      guard let newest = records.indices.last(where: { reading.stretch[$0] == stretch }) else {
        return nil
      }
      var wall = records[newest].time / 1000
      let opening = reading.opening[stretch]
      if let opening { wall = min(wall, opening.time / 1000 + 86_400) }
      let readings = zone.readings(ofWall: wall)
      let isBack = (opening?.shift ?? 0) < 0
      return wall
        - (isBack ? readings.later(wall: wall) : readings.earlier(wall: wall)).unixSeconds
    }
    return reading.stretch.map { $0.flatMap(offset) }
  }

  private func rounded(_ exact: Int64) -> Int64 {
    let unit: Int64 = exact >= -43_200_000 && exact <= 50_400_000 ? 900_000 : 1000
    var quotient = exact / unit
    var rest = exact % unit
    if rest < 0 {
      quotient -= 1
      rest += unit
    }
    if rest * 2 > unit || (rest * 2 == unit && quotient % 2 != 0) { quotient += 1 }
    return quotient * unit / 1000
  }

  /// Clocks that run, jump, fall, come back and are set, often near the limits.
  private func history(_ random: inout TestRandom) -> [Record] {
    let jumps: [Int64] = [
      86_400, 86_401, -86_400, -86_401, 172_800, -172_800, 400_000, -400_000, 0,
    ]
    let start = WallText.wall("2026-10-30 12:00")
    var wall = start
    var records: [Record] = []
    for _ in 0..<random.integer(1...140) {
      wall += Int64(random.integer(0...900))
      switch random.integer(0...99) {
      case 0...5: wall += jumps[random.integer(0...8)]
      case 6...8: wall = PumpTime.epochInUnixSeconds + Int64(random.integer(0...200_000))
      case 9...11: wall = start + Int64(random.integer(-90_000...200_000))
      case 12...16:
        var shift =
          [
            jumps[random.integer(0...8)], Int64(random.integer(-4000...4000)), start - wall, 3600,
          ][random.integer(0...3)] * 1000
        if random.happens(inThousand: 300) { shift += 500 }
        if abs(shift) < 500 { shift = 3_600_000 }
        wall += shift / 1000
        wall = max(wall, PumpTime.epochInUnixSeconds)
        records.append(Record(time: wall * 1000, shift: shift))
        continue
      default: break
      }
      wall = max(wall, PumpTime.epochInUnixSeconds)
      records.append(Record(time: wall * 1000, shift: nil))
    }
    return records
  }

  private func scan(_ records: [Record], usesRecords: Bool) -> ClockScan {
    var scanner = ClockScanner(usesRecords: usesRecords)
    for (index, record) in records.enumerated() {
      scanner.process(
        ClockScanner.Record(
          position: position(index, record), shift: record.shift))
    }
    return scanner.finish()
  }

  private func position(_ index: Int, _ record: Record) -> EventPosition {
    let seconds = UInt32(record.time / 1000 - PumpTime.epochInUnixSeconds)
    return EventPosition(
      group: 0, number: UInt32(index), time: PumpTime(seconds: seconds), id: 6)
  }

  @Test(
    "By records, every record is placed as the rule says", arguments: 1...300 as ClosedRange<UInt64>
  )
  func byRecords(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let records = history(&random)
    let schedule = try #require(ZoneSchedule([.init(rules: TestZones.newYork, from: nil)]))
    let timeline = Timeline(
      scan(records, usesRecords: true), schedule: schedule, usesRecords: true)
    let expected = offsets(
      records, read(records, usesRecords: true), zone: TestZones.newYork)
    var cursor = timeline.cursor()
    for (index, record) in records.enumerated() {
      let place = position(index, record)
      let event = PumpEvent(
        group: 0, number: UInt32(index), time: place.time, id: 6, payload: .other)
      let offset = cursor.instant(of: event).map { place.time.wallSeconds - $0.unixSeconds }
      #expect(offset == expected[index], "record \(index), \(random.describe)")
    }
    let unknown = expected.count { $0 == nil }
    #expect(timeline.unknown.reduce(0) { $0 + $1.records } == unknown, "\(random.describe)")
  }

  @Test(
    "By the zone, what lies in resets and odd runs is unknown",
    arguments: 1...200 as ClosedRange<UInt64>)
  func byZone(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let records = history(&random)
    let schedule = try #require(ZoneSchedule([.init(rules: TestZones.newYork, from: nil)]))
    let timeline = Timeline(
      scan(records, usesRecords: false), schedule: schedule, usesRecords: false)
    let reading = read(records, usesRecords: false)
    var cursor = timeline.cursor()
    for (index, record) in records.enumerated() {
      let event = PumpEvent(
        group: 0, number: UInt32(index), time: position(index, record).time, id: 6,
        payload: .other)
      let isKnown = reading.stretch[index].map { reading.reset[$0] == nil } ?? false
      #expect(
        (cursor.instant(of: event) != nil) == isKnown, "record \(index), \(random.describe)")
    }
  }
}
