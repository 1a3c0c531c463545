import PumpModel
import TestSupport
import Testing

@Suite struct ZoneScheduleTests {
  /// Midnight of 2026-06-10 on the pump's clock.
  private let june = CivilTime.days(year: 2026, month: 6, day: 10) * 86_400

  @Test func needsAFirstEntryFromTheBeginning() {
    #expect(ZoneSchedule([]) == nil)
    #expect(ZoneSchedule([entry(TestZones.paris, june)]) == nil)
    #expect(ZoneSchedule([entry(TestZones.paris, nil)]) != nil)
  }

  @Test func takesEntriesInTheOrderOfTimeOnly() {
    let first = entry(TestZones.newYork, nil)
    #expect(ZoneSchedule([first, entry(TestZones.paris, nil)]) == nil)
    #expect(
      ZoneSchedule([first, entry(TestZones.paris, june), entry(TestZones.tokyo, june)]) == nil)
    #expect(
      ZoneSchedule([first, entry(TestZones.paris, june), entry(TestZones.tokyo, june - 1)]) == nil)
    #expect(
      ZoneSchedule([first, entry(TestZones.paris, june), entry(TestZones.tokyo, june + 1)]) != nil)
  }

  @Test func asksTheWallClockForAnchors() throws {
    let schedule = try #require(
      ZoneSchedule([entry(TestZones.newYork, nil), entry(TestZones.paris, june)]))
    #expect(schedule.rules(atWall: june - 1).name == "America/New_York")
    #expect(schedule.rules(atWall: june).name == "Europe/Paris")
  }

  @Test func asksTheEntrysOwnZoneForInstants() throws {
    let schedule = try #require(
      ZoneSchedule([entry(TestZones.newYork, nil), entry(TestZones.paris, june)]))
    // Paris shows that midnight at 22:00 UTC of the day before.
    let shown = Instant(unixSeconds: june - 7200)
    #expect(schedule.rules(at: shown + -1).name == "America/New_York")
    #expect(schedule.rules(at: shown).name == "Europe/Paris")
    let before = schedule.span(at: shown + -1)
    #expect(before.entry == 0)
    #expect(before.offset == -14_400)
    #expect(before.range.upperBound == shown.unixSeconds)
    let after = schedule.span(at: shown)
    #expect(after.entry == 1)
    #expect(after.offset == 7200)
    #expect(after.range.lowerBound == shown.unixSeconds)
  }

  /// Flying west: the later entry's zone shows its time long after an earlier entry has begun.
  @Test func takesTheLatestEntryThatHasShownItsTime() throws {
    let schedule = try #require(
      ZoneSchedule([
        entry(TestZones.newYork, nil), entry(TestZones.losAngeles, june),
        entry(TestZones.tokyo, june + 3600),
      ]))
    // Tokyo shows 01:00 nine hours before UTC does, Los Angeles midnight seven hours after.
    let tokyo = Instant(unixSeconds: june + 3600 - 32_400)
    #expect(schedule.rules(at: tokyo + -1).name == "America/New_York")
    #expect(schedule.rules(at: tokyo).name == "Asia/Tokyo")
    #expect(schedule.rules(at: Instant(unixSeconds: june + 7 * 3600)).name == "Asia/Tokyo")
  }

  /// A kept span never answers differently from a fresh question.
  @Test func spansAnswerLikeSingleQuestions() throws {
    let schedule = try #require(
      ZoneSchedule([
        entry(TestZones.newYork, nil), entry(TestZones.losAngeles, june),
        entry(TestZones.tokyo, june + 3600), entry(TestZones.paris, june + 40 * 86_400),
      ]))
    var random = TestRandom(seed: 3)
    for _ in 0..<5000 {
      let instant = Instant(unixSeconds: june + Int64(random.integer(-9_000_000...9_000_000)))
      let span = schedule.span(at: instant)
      #expect(span.range.contains(instant.unixSeconds), "\(random.describe)")
      for edge in [span.range.lowerBound, span.range.upperBound - 1] where abs(edge) < 1 << 50 {
        let there = Instant(unixSeconds: edge)
        #expect(schedule.index(at: there) == span.entry, "\(edge) \(random.describe)")
        #expect(schedule.rules(at: there).offset(at: there) == span.offset, "\(edge)")
      }
    }
  }

  private func entry(_ zone: ZoneRules, _ from: Int64?) -> ZoneSchedule.Entry {
    ZoneSchedule.Entry(rules: zone, from: from)
  }
}
