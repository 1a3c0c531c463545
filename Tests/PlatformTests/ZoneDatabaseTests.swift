import Foundation
import Platform
import PumpModel
import Testing

@Suite("Zone names and rules")
struct ZoneDatabaseTests {
  private let zones = ZoneDatabase()

  private func transition(_ name: String, near unix: Int64) throws -> ZoneRules.Transition? {
    try zones.rules(named: name).transitions.first { abs($0.at.unixSeconds - unix) < 86_400 }
  }

  @Test(
    "Exact names with a slash, and UTC, are accepted",
    arguments: [
      "America/New_York", "US/Eastern", "Etc/GMT-11", "Etc/UTC", "UTC", "Asia/Kathmandu",
      "America/Argentina/Buenos_Aires", "Antarctica/Troll",
    ])
  func accepted(_ name: String) throws {
    #expect(try zones.rules(named: name).name == name)
  }

  @Test(
    "Everything else is refused",
    arguments: [
      "", "EST", "PST", "EST5EDT", "GMT", "UTC+11", "utc", "america/new_york", "America/new_york",
      "posix/America/New_York", "right/America/New_York", "America/../Europe/Berlin",
      "/America/New_York", "America//New_York", "America/New_York/", "./America/New_York",
      "America", "America/", "../zoneinfo/Europe/Berlin", "America/New_York\0", "\0",
      "Europe/Berlim",
      "Cuba", "localtime", "zone.tab", " UTC", "/etc/localtime",
    ])
  func refused(_ name: String) {
    #expect(throws: ZoneError.self) { try zones.rules(named: name) }
  }

  @Test(
    "A refused name names what may have been meant",
    arguments: [
      ("america/new_york", "America/New_York"), ("New York", "America/New_York"),
      ("Europe/New_York", "America/New_York"), ("EST", "America/New_York"),
      ("PST", "America/Los_Angeles"), ("UTC+11", "Etc/GMT-11"), ("Europe/Berlim", "Europe/Berlin"),
      ("utc", "UTC"), ("berlin", "Europe/Berlin"),
    ])
  func nearest(_ typed: String, _ meant: String) {
    let error = #expect(throws: ZoneError.self) { try zones.rules(named: typed) }
    #expect(error?.nearest.first == meant)
    #expect((error?.nearest.count ?? 9) <= 3)
  }

  @Test("New York changes its clocks to the second")
  func newYork() throws {
    let rules = try zones.rules(named: "America/New_York")
    #expect(rules.firstOffset == -18_000)
    // 2026-03-08T07:00:00Z and 2026-11-01T06:00:00Z.
    #expect(
      rules.transitions.contains(.init(at: Instant(unixSeconds: 1_772_953_200), offset: -14_400)))
    #expect(
      rules.transitions.contains(.init(at: Instant(unixSeconds: 1_793_512_800), offset: -18_000)))
    // Far in the future the rules go on: 2144 has a summer.
    #expect(rules.offset(at: Instant(unixSeconds: 5_507_000_000)) == -14_400)
  }

  @Test("Kathmandu keeps one offset")
  func kathmandu() throws {
    let rules = try zones.rules(named: "Asia/Kathmandu")
    #expect(rules.firstOffset == 20_700 && rules.transitions.isEmpty)
  }

  @Test("Havana changes at midnight")
  func havana() throws {
    // 2026-03-08T05:00:00Z: the day begins at one o'clock.
    let change = try transition("America/Havana", near: 1_772_946_000)
    #expect(change == .init(at: Instant(unixSeconds: 1_772_946_000), offset: -14_400))
  }

  @Test("Lord Howe changes by half an hour")
  func lordHowe() throws {
    // 2026-04-04T15:00:00Z: from +11:00 to +10:30.
    let change = try transition("Australia/Lord_Howe", near: 1_775_314_800)
    #expect(change == .init(at: Instant(unixSeconds: 1_775_314_800), offset: 37_800))
  }

  @Test("Casablanca goes back for Ramadan")
  func casablanca() throws {
    // 2026-02-15T02:00:00Z, and back on 2026-03-22T02:00:00Z.
    #expect(
      try transition("Africa/Casablanca", near: 1_771_120_800)
        == .init(at: Instant(unixSeconds: 1_771_120_800), offset: 0))
    #expect(
      try transition("Africa/Casablanca", near: 1_774_144_800)
        == .init(at: Instant(unixSeconds: 1_774_144_800), offset: 3600))
  }

  @Test("Transitions ascend and each changes the offset")
  func shape() throws {
    for name in ["Africa/Casablanca", "America/Sao_Paulo", "Pacific/Apia", "Europe/Dublin"] {
      let rules = try zones.rules(named: name)
      var (at, offset) = (Instant(unixSeconds: .min), rules.firstOffset)
      for transition in rules.transitions {
        #expect(transition.at > at && transition.offset != offset)
        (at, offset) = (transition.at, transition.offset)
      }
    }
  }

  @Test("Every zone's rules give the offsets that Foundation gives, before and after each change")
  func everyZone() throws {
    for name in zones.allNames {
      let (rules, zone) = (try zones.rules(named: name), try #require(TimeZone(identifier: name)))
      var seconds = Array(stride(from: Int64(1_196_467_200), to: 5_554_051_200, by: 11 * 86_400))
      for transition in rules.transitions {
        seconds += [transition.at.unixSeconds - 1, transition.at.unixSeconds]
      }
      let wrong = seconds.filter {
        Int(rules.offset(at: Instant(unixSeconds: $0)))
          != zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval($0)))
      }
      #expect(wrong.isEmpty, "\(name)")
    }
  }

  @Test("The host's zone data work")
  func usable() { #expect(zones.isUsable) }
}
