@testable import Normalize
import PumpModel
import TestSupport
import Testing

/// N10: a row's dose and an event's dose are one dose, matched one to one.
@Suite("Matching doses")
struct DoseMatchingTests {
  private func part(
    _ row: Int, at end: Int64, _ amount: UInt32 = 1000, tolerance: UInt32 = 5,
    kind: SampleKind = .bolus
  ) -> DoseMatching.Part {
    DoseMatching.Part(row: row, kind: kind, end: end, amount: amount, tolerance: tolerance)
  }

  private func event(
    _ number: UInt32, at end: Int64, _ amount: UInt32 = 1000, kind: SampleKind = .bolus
  ) -> Counterpart {
    Counterpart(
      kind: kind, time: PumpTime(seconds: UInt32(end)), instant: Instant(unixSeconds: end),
      amount: amount, number: number)
  }

  private func match(_ parts: [DoseMatching.Part], _ events: [Counterpart]) -> [Int?] {
    DoseMatching.match(parts, with: events) {
      $0.begin.unixSeconds...$0.instant.unixSeconds
    }
  }

  @Test("Doses match up to a minute apart and half a unit of the last digit, no further")
  func reach() {
    #expect(match([part(0, at: 100)], [event(1, at: 160)]) == [0])
    #expect(match([part(0, at: 100)], [event(1, at: 161)]) == [nil])
    #expect(match([part(0, at: 100)], [event(1, at: 40, 1005)]) == [0])
    #expect(match([part(0, at: 100)], [event(1, at: 100, 1006)]) == [nil])
    #expect(match([part(0, at: 100)], [event(1, at: 100, kind: .extended)]) == [nil])
  }

  @Test("The amount of the event whose number a row tells may be a hundredth away, no other's")
  func numbered() {
    var named = part(0, at: 100)
    named.number = 7
    #expect(match([named], [event(7, at: 160, 1010)]) == [0])
    #expect(match([named], [event(7, at: 40, 990)]) == [0])
    #expect(match([named], [event(7, at: 100, 1011)]) == [nil])
    #expect(match([named], [event(7, at: 161, 1000)]) == [nil])
    #expect(match([named], [event(8, at: 100, 1006)]) == [nil])
    #expect(match([named], [event(8, at: 100, 1005)]) == [0])
    #expect(match([named], [event(8, at: 100, 1010), event(7, at: 110, 1010)]) == [1])
  }

  @Test("Two rows and one event leave the row that is further away")
  func oneToOne() {
    #expect(match([part(0, at: 100), part(1, at: 130)], [event(1, at: 125)]) == [nil, 0])
    #expect(match([part(0, at: 100), part(1, at: 100)], [event(1, at: 100)]) == [0, nil])
  }

  @Test("As many pairs as possible come before seconds apart")
  func mostPairs() {
    // The second row's closest event is the only one that the first row can have.
    let found = match(
      [part(0, at: 0), part(1, at: 65)], [event(1, at: 60), event(2, at: 120)])
    #expect(found == [0, 1])
  }

  @Test("Of equal distances, pairs that come first hold")
  func ranks() {
    let found = match(
      [part(0, at: 100), part(1, at: 100)], [event(7, at: 100), event(3, at: 100)])
    #expect(found == [1, 0])
  }

  @Test(
    "Chains of random doses give the best pairs that any choice gives",
    arguments: 1...60 as ClosedRange<UInt64>)
  func bestOfAll(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let parts = (0..<Int.random(in: 1...4, using: &random)).map {
      part($0, at: Int64.random(in: 0...150, using: &random))
    }.sorted { $0.end < $1.end }
    let events = (0..<Int.random(in: 1...4, using: &random)).map {
      event(UInt32($0), at: Int64.random(in: 0...150, using: &random))
    }
    let found = match(parts, events)
    let best = Self.choices(parts, events, from: 0, used: []).min {
      $0.lexicographicallyPrecedes($1)
    }
    let pairs = zip(parts, found).compactMap { part, event in
      event.map { abs(events[$0].instant.unixSeconds - part.end) }
    }
    #expect(Set(found.compactMap(\.self)).count == pairs.count, "seed \(seed)")
    #expect([-Int64(pairs.count), pairs.reduce(0, +)] == best, "seed \(seed)")
  }

  /// Every choice of pairs as the negative of how many they are, and their seconds apart.
  private static func choices(
    _ parts: [DoseMatching.Part], _ events: [Counterpart], from index: Int, used: Set<Int>
  ) -> [[Int64]] {
    guard index < parts.count else { return [[0, 0]] }
    var all = choices(parts, events, from: index + 1, used: used)
    for event in events.indices where !used.contains(event) {
      let apart = abs(events[event].instant.unixSeconds - parts[index].end)
      guard apart <= 60 else { continue }
      all += choices(parts, events, from: index + 1, used: used.union([event])).map {
        [$0[0] - 1, $0[1] + apart]
      }
    }
    return all
  }

  @Test("More doses within minutes than any pump can give are matched in bounded time")
  func manyDoses() {
    let parts = (0..<1000).map { part($0, at: Int64($0 / 50)) }
    let events = (0..<1000).map { event(UInt32($0), at: Int64($0 / 50)) }
    let found = match(parts, events).compactMap(\.self)
    #expect(found.count == 1000 && Set(found).count == found.count)
  }
}
