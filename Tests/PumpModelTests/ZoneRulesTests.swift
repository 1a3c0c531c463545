import PumpModel
import TestSupport
import Testing

@Suite struct ZoneRulesTests {
  private let newYork = TestZones.newYork

  @Test func knowsTheLawsDates() {
    // 2026: daylight saving from 8 March 07:00 UTC to 1 November 06:00 UTC.
    #expect(newYork.offset(at: Instant(unixSeconds: 1_772_953_199)) == -18_000)
    #expect(newYork.offset(at: Instant(unixSeconds: 1_772_953_200)) == -14_400)
    #expect(newYork.offset(at: Instant(unixSeconds: 1_793_512_799)) == -14_400)
    #expect(newYork.offset(at: Instant(unixSeconds: 1_793_512_800)) == -18_000)
    // Paris, 29 March and 25 October 2026, 01:00 UTC.
    #expect(TestZones.paris.offset(at: Instant(unixSeconds: 1_774_745_999)) == 3600)
    #expect(TestZones.paris.offset(at: Instant(unixSeconds: 1_774_746_000)) == 7200)
    #expect(TestZones.paris.offset(at: Instant(unixSeconds: 1_792_890_000)) == 3600)
  }

  @Test func readsAnOrdinaryTimeOnce() {
    let wall = wallSeconds(2026, 5, 4, 12, 0)
    #expect(newYork.readings(ofWall: wall) == .once(Instant(unixSeconds: 1_777_910_400)))
  }

  @Test func readsAnHourTwiceWhenClocksGoBack() {
    let wall = wallSeconds(2026, 11, 1, 1, 30)
    let earlier = Instant(unixSeconds: 1_793_511_000)
    #expect(newYork.readings(ofWall: wall) == .twice(earlier: earlier, later: earlier + 3600))
    #expect(newYork.readings(ofWall: wall).earlier(wall: wall) == earlier)
    #expect(newYork.readings(ofWall: wall).later(wall: wall) == earlier + 3600)
  }

  @Test func readsTheBordersOfTheDoubledHour() {
    let first = wallSeconds(2026, 11, 1, 1, 0)
    guard case .twice = newYork.readings(ofWall: first) else {
      Issue.record("01:00:00 is shown twice")
      return
    }
    guard case .once = newYork.readings(ofWall: first - 1),
      case .once = newYork.readings(ofWall: first + 3600)
    else {
      Issue.record("00:59:59 and 02:00:00 are shown once")
      return
    }
  }

  @Test func neverReadsTheHourThatIsSkipped() {
    let wall = wallSeconds(2026, 3, 8, 2, 30)
    let readings = newYork.readings(ofWall: wall)
    #expect(readings == .skipped(offsetBefore: -18_000))
    #expect(readings.earlier(wall: wall) == Instant(unixSeconds: wall + 18_000))
    guard case .once = newYork.readings(ofWall: wallSeconds(2026, 3, 8, 1, 59)),
      case .once = newYork.readings(ofWall: wallSeconds(2026, 3, 8, 3, 0))
    else {
      Issue.record("the minutes beside the gap are shown once")
      return
    }
  }

  /// Every instant is a reading of the wall time that it shows.
  @Test(arguments: TestZones.all)
  func readsBackWhatItShows(zone: ZoneRules) {
    var random = TestRandom(seed: 8)
    for _ in 0..<5000 {
      let instant = Instant(unixSeconds: Int64(random.integer(1_199_145_600...2_300_000_000)))
      let wall = instant.unixSeconds + zone.offset(at: instant)
      let readings = zone.readings(ofWall: wall)
      #expect(
        [readings.earlier(wall: wall), readings.later(wall: wall)].contains(instant),
        "\(zone.name) \(instant) \(random.describe)")
      if case .skipped = readings { Issue.record("\(zone.name) \(instant) was shown") }
    }
  }

  @Test func spansHoldTheirOffset() {
    let instant = TestZones.instant(2026, 7, 1, in: newYork)
    let span = newYork.span(at: instant)
    #expect(span.offset == -14_400)
    #expect(span.range == 1_772_953_200..<1_793_512_800)
    #expect(TestZones.tokyo.span(at: instant).range == .min..<Int64.max)
  }

  private func wallSeconds(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int)
    -> Int64
  {
    CivilTime.days(year: year, month: month, day: day) * 86_400 + Int64(hour * 3600 + minute * 60)
  }
}
