@testable import Decode
import PumpModel
import TestSupport
import Testing

/// JSON of the closed t:connect service (FORMATS F).
@Suite("Legacy JSON")
struct LegacyJSONTests {
  static let noon = CivilTime.days(year: 2022, month: 7, day: 21) * 86_400 + 12 * 3600

  /// Documents for cuts and damage.
  static let documents: [String] = [
    LegacyExport.therapyEvents([bolus(), reading(174)], serial: "90000001"),
    LegacyExport.timeline([rate(800, seconds: 300), rate(0, seconds: 60)], suspensions: 1),
    LegacyExport.suspensions(count: 2),
  ]

  static func bolus(
    _ amount: UInt32 = 4170, at end: Int64 = noon, _ change: (inout RowBolus) -> Void = { _ in }
  ) -> ExportRow {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 3, status: "completed")
    bolus.requestTime = end - 105
    change(&bolus)
    return ExportRow(source: .legacy, pump: 0, time: end, place: 0, content: .bolus(bolus))
  }

  static func reading(_ glucose: UInt16, isManual: Bool = false) -> ExportRow {
    ExportRow(
      source: .legacy, pump: 0, time: noon + 8, place: 0,
      content: .reading(glucose: glucose, isManual: isManual))
  }

  static func rate(_ rate: UInt32, at time: Int64 = noon, seconds: UInt32) -> ExportRow {
    ExportRow(
      source: .legacy, pump: 0, time: time, place: 0,
      content: .rate(milliunitsPerHour: rate, seconds: seconds))
  }

  /// What a document gave, without places and pumps.
  private func rows(_ recording: Recording) -> [ExportRow] {
    recording.rows.map {
      ExportRow(source: $0.source, pump: 0, time: $0.time, place: 0, content: $0.content)
    }
  }

  private func ignored(_ recording: Recording) -> [IgnoredReason] {
    recording.calls.compactMap { if case .ignore(let reason, _) = $0 { reason } else { nil } }
  }

  @Test("Boluses and readings of TherapyEvents become rows, with the pump that they name")
  func therapyEvents() {
    let given = [Self.reading(174), Self.reading(160, isManual: true), Self.bolus()]
    let recording = Recording.of(LegacyExport.therapyEvents(given, serial: "90000001"))
    #expect(recording.verdict == .whole(.therapyEvents))
    #expect(rows(recording) == given)
    #expect(recording.calls.contains(.serial("90000001")))
    #expect(recording.rejects.isEmpty)
  }

  @Test("Automatic corrections, overrides, meals, extended parts and words of status are read")
  func details() {
    let given = Self.bolus { bolus in
      bolus.normal?.status = "Stopped by user"
      bolus.extended = RowDose(amount: 200, decimals: 3, status: "completed")
      bolus.span = Self.noon + 5...Self.noon + 900
      bolus.carbohydrate = 25_000
      bolus.isAutomatic = true
      bolus.isOverride = true
    }
    #expect(rows(Recording.of(LegacyExport.therapyEvents([given]))) == [given])
  }

  private func event(_ members: String) -> String {
    "{\"type\": \"Bolus\", \"eventDateTime\": \"2022-07-21T12:00:00\", \(members)}"
  }

  private func standard(_ members: String) -> String {
    event(
      "\"standard\": {\"insulinDelivered\": {\"value\": 0.2, "
        + "\"completionDateTime\": \"2022-07-21T12:00:00\"}, \"bolusRequestId\": 7\(members)}")
  }

  @Test("Two states of one bolus are one row, the fuller one, whichever came first")
  func states() {
    let extended = """
      , "bolex": {"insulinDelivered": {"value": 0.3, "completionDateTime": "2022-07-21T12:15:00"}, \
      "bolexStartDateTime": "2022-07-21T12:00:00", "extendedBolusIsComplete": 1}}
      """
    let begun = standard("")
    let ended = String(begun.dropLast()) + extended
    for events in [[begun, ended], [ended, begun]] {
      let recording = Recording.of(LegacyExport.events(events))
      #expect(recording.rows.count == 1)
      guard case .bolus(let bolus) = recording.rows.first?.content else {
        Issue.record("no bolus")
        return
      }
      #expect(bolus.normal?.amount == 200)
      #expect(bolus.extended?.amount == 300)
      #expect(ignored(recording) == [.repeatedRow])
    }
    // Two boluses that only look alike stay two.
    let other = begun.replacing("\"bolusRequestId\": 7", with: "\"bolusRequestId\": 8")
    #expect(Recording.of(LegacyExport.events([begun, other])).rows.count == 2)
  }

  @Test("A bolus of which no part has ended is counted, and gives nothing")
  func unfinished() {
    let open = standard(", \"bolusIsComplete\": 0")
    let never = event(
      "\"standard\": {\"insulinDelivered\": {\"value\": 1, \"completionDateTime\": "
        + "\"0001-01-01T00:00:00\"}}")
    let recording = Recording.of(LegacyExport.events([open, never]))
    #expect(recording.rows.isEmpty)
    #expect(ignored(recording) == [.incompleteRow, .incompleteRow])
  }

  @Test("A bolus that the pump refused is a row that says so")
  func refused() {
    let recording = Recording.of(LegacyExport.events([standard(", \"completionStatusId\": 5")]))
    guard case .bolus(let bolus) = recording.rows.first?.content else {
      Issue.record("no bolus")
      return
    }
    #expect(bolus.normal?.status == StatusWords.rejected)
  }

  @Test(
    "Impossible values reject their own row, and hide no other",
    arguments: [
      Replacement(old: "\"value\": 0.2", new: "\"value\": 80.1"),
      Replacement(old: "\"value\": 0.2", new: "\"value\": -1"),
      Replacement(old: "\"value\": 0.2", new: "\"value\": \"2,35\""),
      Replacement(old: "\"value\": 0.2", new: "\"value\": {}"),
      Replacement(old: "\"value\": 0.2", new: "\"value\": 1e999"),
      Replacement(old: "2022-07-21T12:00:00\"}", new: "2022-02-30T12:00:00\"}"),
      Replacement(old: "2022-07-21T12:00:00\"}", new: "2022-07-21T12:00:00Z\"}"),
      Replacement(old: "2022-07-21T12:00:00\"}", new: "1999-07-21T12:00:00\"}"),
      Replacement(old: "\"standard\": {", new: "\"carbSize\": 65535, \"standard\": {"),
      Replacement(old: "\"standard\": {", new: "\"serialNumber\": \"9.0E7\", \"standard\": {"),
      Replacement(old: "\"standard\": {", new: "\"userOverride\": 2, \"standard\": {"),
      Replacement(old: "\"standard\": {", new: "\"standard\": 3, \"bolex\": {"),
    ])
  func impossible(replacement: Replacement) {
    let good = standard("")
    let bad = good.replacing(replacement.old, with: replacement.new)
    #expect(bad != good)
    let recording = Recording.of(LegacyExport.events([bad, good]))
    #expect(recording.verdict == .whole(.therapyEvents))
    #expect(recording.rejects.count == 1)
    #expect(recording.rows.count == 1)
  }

  @Test("A reading that may be in mmol/L is refused, for no unit is named")
  func smallReadings() {
    let text = LegacyExport.therapyEvents([Self.reading(174)])
    for (value, rejects, shown) in [
      ("8.6", 1, 0), ("9", 1, 0), ("1001", 1, 0), ("0", 0, 0), ("34", 0, 1), ("\"120\"", 0, 1),
    ] {
      let recording = Recording.of(text.replacing("174", with: value))
      #expect(recording.rejects.count == rejects, "\(value)")
      #expect(recording.rows.count == shown, "\(value)")
    }
  }

  @Test("Deliveries of the timeline become rates; what else it lists is counted")
  func timeline() {
    let given = [Self.rate(797, seconds: 300), Self.rate(0, at: Self.noon + 300, seconds: 2693)]
    let text = LegacyExport.timeline(given, suspensions: 2)
    let recording = Recording.of(text)
    #expect(recording.verdict == .whole(.timelineJSON))
    #expect(Set(rows(recording).map(\.time)) == Set(given.map(\.time)))
    #expect(rows(recording).count == 2)
    #expect(ignored(recording).count { $0 == .suspensionRow } == 2)
    // The programmed profile is nothing that was delivered.
    #expect(ignored(recording).count { $0 == .otherRow } == 1)
  }

  @Test("Activities may stand before the deliveries, under the name of the pump's events")
  func activities() {
    let text = """
      {"events": [{"eventType": 1, "duration": 60, "x": 1615878000, "timeZoneId": "a"}, {}], \
      "basal": {"algorithmDeliveryEvents": [{"x": 1615879521, "y": 0.797, "duration": 300}]}}
      """
    let recording = Recording.of(text)
    #expect(recording.verdict == .whole(.timelineJSON))
    #expect(recording.rejects.isEmpty)
    #expect(ignored(recording) == [.otherRow, .otherRow])
    #expect(recording.rows.count == 1)
  }

  @Test(
    "Impossible rates reject their own row",
    arguments: [
      Replacement(old: "0.800", new: "15.001"), Replacement(old: "0.800", new: "-0.1"),
      Replacement(old: "0.800", new: "null"),
      Replacement(old: "\"duration\": 300", new: "\"duration\": 93601"),
      Replacement(old: "\"duration\": 300", new: "\"duration\": 1.5"),
      Replacement(old: "\"x\"", new: "\"x\": 12, \"z\""),
      Replacement(old: "\"duration\": 300", new: "\"z\": 300"),
    ])
  func impossibleRates(replacement: Replacement) {
    let text = LegacyExport.timeline([
      Self.rate(800, seconds: 300), Self.rate(700, at: Self.noon + 600, seconds: 600),
    ])
    let bad = text.replacing(replacement.old, with: replacement.new)
    #expect(bad != text)
    let recording = Recording.of(bad)
    #expect(recording.verdict == .whole(.timelineJSON))
    #expect(recording.rejects.count >= 1)
    #expect(recording.rows.count + recording.rejects.count == 2)
  }

  @Test("The wall clock of Los Angeles shows what the law says")
  func pacificClock() {
    for transition in TestZones.losAngeles.transitions {
      for shift in [-86_400, -1, 0, 1, 86_400] as [Int64] {
        let at = transition.at.unixSeconds + shift
        let offset = TestZones.losAngeles.offset(at: Instant(unixSeconds: at))
        #expect(PacificClock.wallSeconds(at: at) == at + Int64(offset))
      }
    }
  }

  @Test("Suspensions are counted, called or not")
  func suspensions() {
    let called = LegacyExport.suspensions(count: 3)
    for text in [
      called, "\u{FEFF} " + called, String(called.dropLast()),
      String(called.dropFirst(3).dropLast(2)),
    ] {
      let recording = Recording.of(text)
      #expect(recording.verdict == .whole(.suspensionsJSON))
      #expect(ignored(recording) == [.suspensionRow, .suspensionRow, .suspensionRow])
      #expect(recording.rejects.isEmpty)
    }
    guard case .damaged(.suspensionsJSON, _) = Recording.of(String(called.dropLast(2))).verdict
    else {
      Issue.record("a call without its end is cut")
      return
    }
  }

  @Test("Empty answers are answers")
  func empty() {
    #expect(Recording.of("{\"event\": []}").verdict == .whole(.therapyEvents))
    #expect(Recording.of(LegacyExport.timeline([])).verdict == .whole(.timelineJSON))
    #expect(Recording.of("cb({\"BasalSuspension\": []})").verdict == .whole(.suspensionsJSON))
  }

  @Test(
    "Lists of other services with these names are none of ours",
    arguments: [
      "{\"event\": [\"GET\", 1]}", "{\"event\": [{\"name\": \"click\"}]}", "{\"event\": {}}",
      "{\"basal\": [{\"x\": 1, \"y\": 2}]}", "{\"basal\": {\"profileRates\": []}}",
      "{\"BasalSuspension\": [1]}", "f({\"a\": 1})", "f([1])", "f", "f(",
    ])
  func foreign(text: String) {
    #expect(Recording.of(text).verdict == .unrecognised)
  }

  @Test("What an export tells comes back from it", arguments: 1...20 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let given = (0..<40).map { index in
      Self.bolus(.random(in: 0...80_000, using: &random), at: Self.noon + Int64(index) * 400) {
        if random.happens(inThousand: 300) {
          $0.carbohydrate = .random(in: 1...200_000, using: &random)
        }
        $0.isAutomatic = random.happens(inThousand: 300)
        $0.isOverride = random.happens(inThousand: 300)
        guard random.happens(inThousand: 300) else { return }
        $0.extended = RowDose(
          amount: .random(in: 0...80_000, using: &random), decimals: 3, status: "Alarm")
        $0.span = Self.noon...Self.noon + .random(in: 0...9999, using: &random)
      }
    }
    #expect(rows(Recording.of(LegacyExport.therapyEvents(given))) == given)
    let rates = (0..<40).map { _ in
      Self.rate(
        .random(in: 0...15_000, using: &random),
        at: Self.noon + .random(in: 0...40_000_000, using: &random),
        seconds: .random(in: 1...93_600, using: &random))
    }.filter { Self.isOnPacificClock($0.time) }
    func sorted(_ rows: [ExportRow]) -> [String] { rows.map { "\($0)" }.sorted() }
    #expect(sorted(rows(Recording.of(LegacyExport.timeline(rates)))) == sorted(rates))
  }

  /// Whether a clock in Los Angeles shows a time at all: not in the hour that it leaves out.
  private static func isOnPacificClock(_ time: Int64) -> Bool {
    PacificClock.wallSeconds(at: LegacyExport.instant(ofWall: time)) == time
  }

  @Test("Real answers are read in full", .enabled(if: SharedFiles.areThere))
  func realFiles() throws {
    let events = Recording.of(try #require(SharedFiles.bytes("data/tconnect_therapyevents.json")))
    #expect(events.verdict == .whole(.therapyEvents))
    #expect(events.rejects.isEmpty)
    // A reading, three boluses, and the first state of the extended one.
    #expect(events.rows.count == 4)
    #expect(ignored(events) == [.repeatedRow])
    for (name, rates, suspensions) in [("", 4, 1), ("_manual_suspend", 3, 2)] {
      let bytes = SharedFiles.bytes("data/tconnect_controliq_therapytimeline\(name).json")
      let timeline = Recording.of(try #require(bytes))
      #expect(timeline.verdict == .whole(.timelineJSON))
      #expect(timeline.rejects.isEmpty)
      #expect(timeline.rows.count == rates)
      #expect(ignored(timeline).count { $0 == .suspensionRow } == suspensions)
    }
  }
}

/// A piece of text and what is to stand in its place.
struct Replacement: Sendable, CustomStringConvertible {
  let old: String
  let new: String

  var description: String { new }
}
