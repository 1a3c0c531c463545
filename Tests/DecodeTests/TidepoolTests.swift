import Decode
import PumpModel
import TestSupport
import Testing

/// Records of a Tidepool export (FORMATS G).
@Suite("Tidepool records")
struct TidepoolTests {
  static let noon = LegacyJSONTests.noon

  /// A document for cuts and damage.
  static let document = TidepoolExport.document([
    row("a1", bolus { $0.carbohydrate = 30_000 }), row("a2", extended),
    row("a3", .rate(milliunitsPerHour: 800, seconds: 300)),
    row("a4", .reading(glucose: 142, isManual: false)),
  ])

  static func bolus(
    _ amount: UInt32 = 2350, _ change: (inout RowBolus) -> Void = { _ in }
  ) -> ExportRow.Content {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 3)
    change(&bolus)
    return .bolus(bolus)
  }

  private static let extended = bolus(1650) { bolus in
    bolus.extended = RowDose(amount: 3350, decimals: 3)
    bolus.span = noon...noon + 3600
  }

  static func row(
    _ name: String, _ content: ExportRow.Content, at time: Int64 = noon
  ) -> ExportRow {
    ExportRow(source: .tidepool, pump: 0, time: time, place: 0, name: name, content: content)
  }

  private func rows(_ recording: Recording) -> [ExportRow] {
    recording.rows.map { row in
      var row = row
      (row.place, row.pump) = (0, 0)
      return row
    }
  }

  private func ignored(_ recording: Recording) -> [IgnoredReason] {
    recording.calls.compactMap { if case .ignore(let reason, _) = $0 { reason } else { nil } }
  }

  private func record(_ content: ExportRow.Content = bolus()) -> String {
    TidepoolExport.records(Self.row("2", content))[0]
  }

  @Test(
    "Boluses with their meals, rates and readings become rows of the pump that the device names")
  func rows() {
    let given = [
      Self.row("a3", .rate(milliunitsPerHour: 797, seconds: 301)),
      Self.row("a4", .reading(glucose: 142, isManual: false)),
      Self.row("a5", .reading(glucose: 55, isManual: true)),
      Self.row(
        "a1",
        Self.bolus {
          $0.carbohydrate = 30_000
          $0.requestTime = Self.noon - 40
        }),
      Self.row("a2", Self.extended), Self.row("a6", Self.bolus(50) { $0.isAutomatic = true }),
    ]
    let recording = Recording.of(TidepoolExport.document(given))
    #expect(recording.verdict == .whole(.tidepool))
    var told = given
    told[3] = Self.row("a1", Self.bolus())
    told.insert(Self.row("a1", .meal(carbohydrate: 30_000), at: Self.noon - 40), at: 4)
    #expect(rows(recording) == told)
    #expect(recording.calls.contains(.serial("900001")))
    #expect(recording.rejects.isEmpty && ignored(recording).isEmpty)
  }

  @Test("A meal is a row under the name of its bolus, whether that is there or not")
  func meals() {
    let records = TidepoolExport.records(Self.row("a1", Self.bolus { $0.carbohydrate = 30_000 }))
    let meal = Self.row("a1", .meal(carbohydrate: 30_000))
    let before = Recording.of(TidepoolExport.list(records.reversed()))
    #expect(rows(before) == [meal, Self.row("a1", Self.bolus())])
    let alone = Recording.of(TidepoolExport.list([records[1]]))
    #expect(rows(alone) == [meal] && ignored(alone).isEmpty)
    #expect(alone.calls.contains(.serial("900001")))
  }

  @Test("A calculator's record without a bolus, or without a meal, is counted and no row")
  func calculators() {
    let meal = TidepoolExport.records(Self.row("a1", .meal(carbohydrate: 30_000)))[0]
    let lone = meal.replacing("\"bolus\": \"a1\", ", with: "")
    let odd = meal.replacing("\"bolus\": \"a1\"", with: "\"bolus\": \"a b\"")
    let correction = meal.replacing("30.000", with: "0")
    let recording = Recording.of(TidepoolExport.list([lone, odd, correction]))
    #expect(recording.rows.isEmpty && recording.rejects.isEmpty)
    #expect(ignored(recording) == [.incompleteRow, .incompleteRow, .otherRow])
  }

  @Test("Other devices are left alone, whatever they say, and counted")
  func others() {
    let pen = record().replacing("tandemCIQ1002717900001", with: "InsOmn-130-12345")
    let cgm = record(.reading(glucose: 100, isManual: false))
      .replacing("\"deviceId\": \"tandemCIQ1002717900001\",", with: "")
    let settings = record().replacing("\"bolus\"", with: "\"pumpSettings\"")
    let recording = Recording.of(TidepoolExport.list([pen, cgm, settings, record()]))
    #expect(recording.rows.count == 1)
    #expect(ignored(recording) == [.otherOrigin, .otherOrigin, .otherRow])
  }

  @Test("Where a device's serial number begins is known, or the record is rejected")
  func serials() {
    for (device, serial) in [
      ("tandem1002717900001", "900001"), ("tandemCIQ100271790000123", "90000123"),
      ("tandemCIQ1002717DEMO0000001", "DEMO0000001"), ("tandem1002717DEMO", nil),
      ("tandem1002717demo0000001", nil), ("tandem1002717DEMOX000001", nil),
      ("tandem900001", nil), ("tandem1002717-900001", nil), ("tandem", nil),
    ] as [(String, String?)] {
      let recording = Recording.of(
        TidepoolExport.list([record().replacing("tandemCIQ1002717900001", with: device)]))
      #expect(recording.rows.count == (serial == nil ? 0 : 1), "\(device)")
      #expect(recording.rejects.count == (serial == nil ? 1 : 0), "\(device)")
      if let serial { #expect(recording.calls.contains(.serial(serial))) }
    }
    let named = record().replacing(
      "\"uploadId\"", with: "\"deviceSerialNumber\": \"7900001\", \"u\"")
    let recording = Recording.of(
      TidepoolExport.list([named.replacing("1002717900001", with: "47900001")]))
    #expect(recording.calls.contains(.serial("7900001")))
  }

  @Test("A suspension is a rate of zero")
  func suspension() {
    let suspended = record(.rate(milliunitsPerHour: 0, seconds: 600))
      .replacing("automated", with: "suspend").replacing("\"rate\": 0.000, ", with: "")
    let recording = Recording.of(TidepoolExport.list([suspended]))
    #expect(
      rows(recording) == [Self.row("2", .rate(milliunitsPerHour: 0, seconds: 600))])
  }

  @Test(
    "Impossible values reject their own record, and hide no other",
    arguments: [
      Replacement(old: "\"normal\": 2.350", new: "\"normal\": 80.5"),
      Replacement(old: "\"normal\": 2.350", new: "\"normal\": \"2,35\""),
      Replacement(old: "\"normal\": 2.350", new: "\"normal\": -1"),
      Replacement(old: "\"normal\": 2.350", new: "\"norma\": 1"),
      Replacement(old: "\"normal\": 2.350", new: "\"extended\": 1"),
      Replacement(old: "\"normal\": 2.350", new: "\"extended\": 1, \"duration\": 90000000"),
      Replacement(old: "\"id\": \"2\"", new: "\"id\": \"a b\""),
      Replacement(old: "12:00:00.000Z", new: "12:00:00"),
    ])
  func impossible(replacement: Replacement) {
    let bad = record().replacing(replacement.old, with: replacement.new)
    #expect(bad != record())
    let recording = Recording.of(TidepoolExport.list([record(), bad]))
    #expect(recording.verdict == .whole(.tidepool))
    #expect(recording.rejects.count == 1 && recording.rows.count == 1)
  }

  @Test("Glucose without a unit, meals that are no grams, and rates without a length are rejected")
  func unknownUnits() {
    let glucose = record(.reading(glucose: 100, isManual: false))
      .replacing("\"units\": \"mmol/L\", ", with: "")
    let meal = TidepoolExport.records(Self.row("2", Self.bolus { $0.carbohydrate = 30_000 }))[1]
      .replacing("\"bgInput\"", with: "\"carbUnits\": \"exchanges\", \"bgInput\"")
    let rate = record(.rate(milliunitsPerHour: 800, seconds: 300))
      .replacing("\"duration\": 300000, ", with: "")
    let recording = Recording.of(TidepoolExport.list([glucose, meal, rate]))
    #expect(recording.rows.isEmpty && recording.rejects.count == 3)
  }
}
