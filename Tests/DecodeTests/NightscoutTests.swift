import Decode
import PumpModel
import TestSupport
import Testing

/// Treatments of Nightscout that tconnectsync wrote (FORMATS G).
@Suite("Nightscout treatments")
struct NightscoutTests {
  static let noon = LegacyJSONTests.noon

  /// A document for cuts and damage.
  static let document = NightscoutExport.document([
    row("5f01", bolus { $0.carbohydrate = 30_000 }),
    row("5f02", .rate(milliunitsPerHour: 800, seconds: 300)),
  ])

  static func bolus(
    _ amount: UInt32 = 2350, _ change: (inout RowBolus) -> Void = { _ in }
  ) -> ExportRow.Content {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 3)
    bolus.number = 104
    change(&bolus)
    return .bolus(bolus)
  }

  static func row(
    _ name: String, _ content: ExportRow.Content, at time: Int64 = noon
  ) -> ExportRow {
    ExportRow(source: .nightscout, pump: 0, time: time, place: 0, name: name, content: content)
  }

  private static let extended = bolus(800) { bolus in
    bolus.extended = bolus.normal
    bolus.normal = nil
    bolus.span = noon...noon
  }

  private func treatment(_ content: ExportRow.Content = bolus()) throws -> String {
    try #require(NightscoutExport.treatment(Self.row("2", content)))
  }

  private func rows(_ recording: Recording) -> [ExportRow] {
    recording.rows.map { row in
      var row = row
      row.place = 0
      return row
    }
  }

  private func ignored(_ recording: Recording) -> [IgnoredReason] {
    recording.calls.compactMap { if case .ignore(let reason, _) = $0 { reason } else { nil } }
  }

  @Test("Boluses end when they were created; rates hold for their minutes; ids stay")
  func rows() {
    let given = [
      Self.row("5f01", Self.bolus { $0.carbohydrate = 30_000 }),
      Self.row("5f02", Self.extended),
      Self.row("5f03", Self.bolus { ($0.isAutomatic, $0.isOverride) = (true, true) }),
      Self.row("5f04", .rate(milliunitsPerHour: 797, seconds: 301)),
    ]
    let recording = Recording.of(NightscoutExport.document(given))
    #expect(recording.verdict == .whole(.nightscout))
    #expect(rows(recording) == given)
    #expect(recording.rejects.isEmpty)
  }

  @Test("Event ids in place of the log's numbers name no dose, but tell the part")
  func eventTypes() throws {
    let plain = try treatment().replacing("\"104,98,99,100\"", with: "\"20,64,65,66\"")
    let later = try treatment(Self.extended).replacing("\"104\"", with: "\"21\"")
    let first = later.replacing("\"21\"", with: "\"20,64,65,66\"")
    let numbers = try treatment().replacing("\"104,98,99,100\"", with: "\"20,17,18,19\"")
    let recording = Recording.of(NightscoutExport.list([plain, later, first, numbers]))
    let boluses = recording.rows.compactMap { row -> RowBolus? in
      if case .bolus(let bolus) = row.content { bolus } else { nil }
    }
    #expect(boluses.map(\.number) == [nil, nil, nil, 20])
    #expect(boluses.map { $0.extended != nil } == [false, true, false, false])
  }

  @Test("An answer of the newer interface and an export of the database are the same records")
  func otherForms() throws {
    let plain = try treatment()
    let newer = plain.replacing("\"_id\"", with: "\"identifier\"")
    let exported = plain.replacing("\"_id\": \"2\"", with: "\"_id\": {\"$oid\": \"2\"}")
    for document in [
      NightscoutExport.answer([newer]), NightscoutExport.list([newer]),
      NightscoutExport.list([exported]),
    ] {
      let recording = Recording.of(document)
      #expect(recording.verdict == .whole(.nightscout))
      #expect(rows(recording) == [Self.row("2", Self.bolus())])
    }
  }

  @Test("What others wrote is left alone, whatever it says, and counted")
  func others() throws {
    let ours = try treatment()
    let theirs = ours.replacing(NightscoutExport.signature, with: "AndroidAPS")
    let unsigned = ours.replacing(
      "\"enteredBy\": \"\(NightscoutExport.signature)\",", with: "")
    let site = ours.replacing("Combo Bolus", with: "Site Change")
    let recording = Recording.of(NightscoutExport.list([theirs, unsigned, ours, site]))
    #expect(recording.verdict == .whole(.nightscout))
    #expect(recording.rows.map(\.name) == ["2"])
    #expect(ignored(recording) == [.otherOrigin, .otherOrigin, .otherRow])
  }

  @Test("Which part of an extended bolus it is follows from the records that it rests on")
  func parts() throws {
    let second = try treatment(Self.extended)
    let first = second.replacing("\"104\"", with: "\"104,98,99,100\"")
    #expect(rows(Recording.of(NightscoutExport.list([first]))) == [Self.row("2", Self.bolus(800))])
    #expect(rows(Recording.of(NightscoutExport.list([second]))) == [Self.row("2", Self.extended)])
    for unknown in ["\"\"", "null", "\"210;211\""] {
      let recording = Recording.of(
        NightscoutExport.list([second.replacing("\"104\"", with: unknown)]))
      #expect(recording.rows.isEmpty && recording.rejects.count == 1, "\(unknown)")
    }
  }

  @Test("An extended bolus in the older form is refused, not guessed")
  func olderForm() throws {
    let old = try treatment().replacing("Standard Bolus", with: "Extended 50.00%/4.70 (Extended)")
    let recording = Recording.of(NightscoutExport.list([old]))
    #expect(recording.rows.isEmpty && recording.rejects.count == 1)
  }

  @Test("A rate without a length holds for no known time")
  func openRate() throws {
    let rate = try treatment(.rate(milliunitsPerHour: 800, seconds: 300))
    let open = rate.replacing("\"duration\": 5.0", with: "\"duration\": null")
    let recording = Recording.of(NightscoutExport.list([open]))
    #expect(open != rate && recording.rows.isEmpty && ignored(recording) == [.basalRow])
  }

  @Test("Times are read with their offset, and without one refused")
  func times() throws {
    let ours = try treatment()
    for (text, seconds) in [
      ("2022-07-21 12:00:00+02:00", -7200), ("2022-07-21T12:00:00-0400", 14_400),
      ("2022-07-21T12:00:00Z", 0), ("2022-07-21T12:00:00.999Z", 0),
      ("2022-07-21T12:00:00+05:45", -20_700), ("2022-07-21T12:00:00", nil),
      ("2022-07-21T12:00:00+2", nil), ("2022-07-21T12:00:00+15:00", nil),
      ("2022-07-21T12:00:00+0:200", nil), ("2022-07-21T12:00:00.Z", nil),
      ("1999-07-21T12:00:00Z", nil), ("noon", nil),
    ] as [(String, Int64?)] {
      let recording = Recording.of(
        NightscoutExport.list([ours.replacing("2022-07-21T12:00:00.000Z", with: text)]))
      #expect(
        recording.rows.map(\.time) == [seconds].compactMap(\.self).map { Self.noon + $0 },
        "\(text)")
      #expect(recording.rejects.count == (seconds == nil ? 1 : 0), "\(text)")
    }
  }

  @Test(
    "Impossible values reject their own treatment, and hide no other",
    arguments: [
      Replacement(old: "\"insulin\": 2.350", new: "\"insulin\": 80.5"),
      Replacement(old: "\"insulin\": 2.350", new: "\"insulin\": \"2,35\""),
      Replacement(old: "\"insulin\": 2.350", new: "\"insulin\": -1"),
      Replacement(old: "\"insulin\": 2.350", new: "\"insulin\": null"),
      Replacement(old: "\"carbs\": 0.000", new: "\"carbs\": 65535"),
      Replacement(old: "\"_id\": \"2\"", new: "\"_id\": \"a:b\""),
      Replacement(old: "\"_id\": \"2\"", new: "\"_id\": null"),
      Replacement(old: "\"created_at\"", new: "\"createdAt\""),
    ])
  func impossible(replacement: Replacement) throws {
    let good = try treatment()
    let bad = good.replacing(replacement.old, with: replacement.new)
    #expect(bad != good)
    let recording = Recording.of(NightscoutExport.list([good, bad]))
    #expect(recording.verdict == .whole(.nightscout))
    #expect(recording.rejects.count == 1 && recording.rows.count == 1)
  }

  @Test(
    "Other lists of Nightscout are none of ours",
    arguments: [
      "[{\"sgv\": 120, \"dateString\": \"2022-07-21T12:00:00Z\", \"type\": \"sgv\"}]",
      "[{\"created_at\": \"2022-07-21T12:00:00Z\", \"pump\": {}}]",
      "[{\"defaultProfile\": \"Default\", \"store\": {}}]",
      "{\"status\": 200, \"result\": []}",
      "{\"status\": 200, \"result\": [{\"sgv\": 120}]}",
      "{\"status\": 200, \"result\": [7]}",
    ])
  func foreign(text: String) {
    #expect(Recording.of(text).verdict == .unrecognised)
  }

  @Test(
    "A member that stands twice is refused: which of them is meant nobody knows",
    arguments: [
      "\"ins\\u0075lin\": 0.5", "\"insulin\": 0.5", "\"Insulin\": 8.0", "\"created_at\": null",
      "\"_id\": \"7\"",
    ])
  func doubled(member: String) throws {
    let text = try treatment().replacing("\"eventType\"", with: member + ", \"eventType\"")
    let recording = Recording.of(NightscoutExport.list([text]))
    #expect(recording.rows.isEmpty)
    #expect(recording.rejects.map(\.reason).first?.hasSuffix("stands twice") == true)
    // What is not read may stand as often as it likes.
    let other = try treatment().replacing("\"glucose\"", with: "\"glucose\": 1, \"glucose\"")
    #expect(Recording.of(NightscoutExport.list([other])).rows.count == 1)
  }

  @Test(
    "A member of the wrong kind on which it depends what an amount means rejects the treatment",
    arguments: [
      ("\"notes\": \"Standard Bolus\"", "\"notes\": 5"),
      ("\"notes\": \"Standard Bolus\"", "\"notes\": [\"Extended Bolus\"]"),
      ("\"notes\": \"Standard Bolus\"", "\"notes\": \"\(String(repeating: "x", count: 300))\""),
      ("\"insulin\": 0.800", "\"insulin\": true"), ("\"insulin\": 0.800", "\"insulin\": [0.8]"),
      ("\"insulin\": 0.800", "\"insulin\": \"0,8\""), ("\"insulin\": 0.800", "\"insulin\": 1e400"),
      ("\"insulin\": 0.800", "\"insulin\": -0.8"), ("\"insulin\": 0.800", "\"insulin\": {}"),
      ("\"pump_event_id\": \"104,98,99,100\"", "\"pump_event_id\": 1.5"),
    ])
  func wrongKinds(old: String, new: String) throws {
    let text = try treatment(Self.bolus(800))
    #expect(text.contains(old))
    let recording = Recording.of(NightscoutExport.list([text.replacing(old, with: new)]))
    #expect(recording.rows.isEmpty && recording.rejects.count == 1)
  }
}
