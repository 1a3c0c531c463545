import Decode
import Foundation
import PumpModel
import TestSupport
import Testing

/// Tables of a Glooko export (FORMATS G).
@Suite("Glooko tables")
struct GlookoTests {
  static let noon = TableFixture.noon

  /// Documents for cuts and damage.
  static let documents: [String] = encoders.flatMap { encoder in
    [encoder.boluses(boluses), encoder.rates(rates), encoder.readings(readings)]
  }

  /// Encoders of every form.
  static let encoders: [GlookoExport] = {
    var plain = GlookoExport()
    plain.hasTitle = false
    var translated = GlookoExport()
    (translated.isTranslated, translated.hasSeconds, translated.isMillimoles) = (true, false, true)
    return [GlookoExport(), plain, translated]
  }()

  static let boluses: [GlookoExport.Row] = [
    ("900001", row(bolus(2350) { $0.carbohydrate = 30_000 })),
    ("900002", row(bolus(500), at: noon + 60)),
    (
      "900001",
      row(
        bolus(1650) {
          $0.extended = RowDose(amount: 3350, decimals: 2)
          $0.span = noon + 86_400 * 20...noon + 86_400 * 20
        }, at: noon + 86_400 * 20)
    ),
  ]
  static let rates: [GlookoExport.Row] = [
    ("900001", row(.rate(milliunitsPerHour: 800, seconds: 1800))),
    ("900001", row(.rate(milliunitsPerHour: 1250, seconds: 300), at: noon + 86_400 * 20)),
  ]
  static let readings: [GlookoExport.Row] = [
    ("900001", row(.reading(glucose: 142, isManual: false))),
    ("900001", row(.reading(glucose: 55, isManual: false), at: noon + 86_400 * 20)),
  ]

  static func bolus(
    _ amount: UInt32, _ change: (inout RowBolus) -> Void = { _ in }
  ) -> ExportRow.Content {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 2)
    change(&bolus)
    return .bolus(bolus)
  }

  static func row(_ content: ExportRow.Content, at time: Int64 = noon) -> ExportRow {
    ExportRow(source: .glooko, pump: 0, time: time, place: 0, content: content)
  }

  /// What rows say, decimals left out.
  private func texts(_ rows: [ExportRow]) -> [String] {
    rows.map { row in
      var row = row
      (row.place, row.pump) = (0, 0)
      if case .bolus(var bolus) = row.content {
        bolus.normal?.decimals = 0
        bolus.extended?.decimals = 0
        row.content = .bolus(bolus)
      }
      return "\(row)"
    }
  }

  private func ignored(_ recording: Recording) -> [IgnoredReason] {
    recording.calls.compactMap { if case .ignore(let reason, _) = $0 { reason } else { nil } }
  }

  @Test("Boluses and rates are read in every language, with a title and without", arguments: 0..<3)
  func tables(index: Int) {
    let encoder = Self.encoders[index]
    for (text, given) in [
      (encoder.boluses(Self.boluses), Self.boluses), (encoder.rates(Self.rates), Self.rates),
    ] {
      let recording = Recording.of(text)
      #expect(recording.verdict == .whole(.glooko))
      #expect(texts(recording.rows) == texts(given.map(\.row)))
      #expect(recording.rejects.isEmpty && ignored(recording).isEmpty)
      #expect(recording.calls.contains(.serial("900001")))
    }
  }

  @Test("Readings are of the sensor or of the meter, in either unit", arguments: 0..<3)
  func readings(index: Int) {
    let encoder = Self.encoders[index]
    let manual: [GlookoExport.Row] = [
      ("900001", Self.row(.reading(glucose: 101, isManual: true), at: Self.noon + 86_400 * 20))
    ]
    for (text, given) in [
      (encoder.readings(Self.readings), Self.readings),
      (encoder.readings(manual, isManual: true), manual),
    ] {
      let recording = Recording.of(text)
      #expect(recording.verdict == .whole(.glooko))
      for (found, row) in zip(recording.rows, given) {
        guard case .reading(let glucose, let isManual) = found.content,
          case .reading(let wanted, let wasManual) = row.row.content
        else {
          Issue.record("no reading")
          continue
        }
        #expect(isManual == wasManual && abs(Int(glucose) - Int(wanted)) <= 1)
      }
      #expect(recording.rows.count == given.count)
    }
  }

  @Test("Every cut gives the same calls", arguments: documents.indices)
  func cuts(index: Int) {
    let document = Array(Self.documents[index].utf8)
    let whole = Recording.of(document)
    for cut in 1..<document.count where Recording.of(document, cutAt: cut).calls != whole.calls {
      Issue.record("cut at \(cut)")
      return
    }
    #expect(Recording.of(document, pieces: 1).calls == whole.calls)
  }

  @Test("A text that breaks off anywhere gives no row but those of the whole", arguments: 0..<3)
  func brokenOff(index: Int) {
    let document = Array(Self.encoders[index].boluses(Self.boluses).utf8)
    let rows = Recording.of(document).rows
    for end in document.indices {
      let cut = Recording.of(Array(document.prefix(end)))
      guard case .whole = cut.verdict else { continue }
      for row in cut.rows where !rows.contains(row) {
        Issue.record("cut at \(end): \(row)")
      }
    }
  }

  @Test("Other tables of an export are recognised and passed over, row by row")
  func others() {
    let totals = GlookoExport().table(
      "Timestamp,Total Bolus (U),Total Insulin (U),Total Basal (U),Serial Number",
      [["2026-05-04 00:00", "20.0", "40.0", "20.0", "900001"]])
    let alarms = GlookoExport().table(
      "Timestamp,Alarm/Event,Serial Number", [["2026-05-04 00:00", "tandem_controliq_low", "9"]])
    for text in [totals, alarms] {
      let recording = Recording.of(text)
      #expect(recording.verdict == .whole(.glooko))
      #expect(recording.rows.isEmpty && ignored(recording) == [.otherRow])
    }
  }

  private func bolus(_ changes: [Int: String]) -> String {
    let cells = [
      "2026-05-04 12:00", "Normal", "120.0", "30.0", "10.0", "5.0", "", "", "900001",
    ]
    return GlookoExport().table(
      """
      Timestamp,Insulin Type,Blood Glucose Input (mg/dl),Carbs Input (g),Carbs Ratio,\
      Insulin Delivered (U),Initial Delivery (U),Extended Delivery (U),Serial Number
      """, [cells.enumerated().map { changes[$0.offset] ?? $0.element }])
  }

  @Test(
    "Parts that do not add up, and impossible values, reject their row",
    arguments: [
      [5: "80.5"], [5: "-1"], [5: "\"1,250.5\""], [5: "x"], [5: ""], [0: "noon"], [0: ""],
      [0: "1999-01-01 12:00"], [3: "65535"], [8: "1.5"], [6: "50.0", 7: "50.0"],
      [6: "2.0", 7: "2.0"], [6: "2.0", 7: "0.0"], [7: "2.0"],
    ] as [[Int: String]])
  func impossible(changes: [Int: String]) {
    let recording = Recording.of(bolus(changes))
    #expect(recording.verdict == .whole(.glooko))
    #expect(recording.rows.isEmpty && recording.rejects.count == 1)
  }

  @Test("What was given at once is all, where nothing was given later")
  func parts() {
    for changes in [[:], [6: "5.0", 7: "0.0"], [6: "5.0"], [6: "0.0", 7: "0.0"]] as [[Int: String]]
    {
      guard case .bolus(let found) = Recording.of(bolus(changes)).rows.first?.content else {
        Issue.record("no bolus")
        continue
      }
      #expect(found.normal?.amount == 5000 && found.extended == nil)
    }
  }

  @Test("A column that is missing is named, and its rows give nothing")
  func missing() {
    let recording = Recording.of(
      bolus([:]).replacing("Insulin Delivered (U)", with: "Insulin (U)"))
    #expect(recording.rows.isEmpty)
    #expect(recording.rejects.first?.reason.contains("Insulin Delivered (U)") == true)
  }

  @Test(
    "Below a title each table is known by any of its own columns, in any order", arguments: 0...8)
  func renamed(column: Int) {
    let lines = bolus([:]).split(separator: "\r\n").map(String.init)
    var names = lines[1].components(separatedBy: ",")
    let old = names[column]
    names[column] = "Renamed"
    let text = [lines[0], names.joined(separator: ","), lines[2], ""].joined(separator: "\r\n")
    let recording = Recording.of(text)
    let isUsed = ![1, 2, 4].contains(column)
    #expect(recording.rows.count == (isUsed ? 0 : 1))
    #expect(recording.rejects.count == (isUsed ? 1 : 0))
    #expect(!isUsed || recording.rejects[0].reason.contains(old))

    let order = [8, 7, 6, 5, 4, 3, 2, 1, 0]
    let mixed = lines.dropFirst().map { line in
      let cells = line.components(separatedBy: ",")
      return order.map { cells[$0] }.joined(separator: ",")
    }
    for title in [[lines[0]], []] {
      let other = Recording.of((title + mixed + [""]).joined(separator: "\r\n"))
      #expect(other.rows.map(\.content) == Recording.of(bolus([:])).rows.map(\.content))
    }
  }

  @Test(
    "A table that a spreadsheet saved with other separators, or padded, is Glooko's all the same")
  func savedAgain() {
    let plain = Recording.of(bolus([3: "30", 2: "", 4: "", 5: "5"])).rows
    let text = bolus([3: "30", 2: "", 4: "", 5: "5"])
    let lines = text.split(separator: "\r\n").map(String.init)
    for other in [
      text.replacing(",", with: ";"), text.replacing(",", with: "\t"),
      ([lines[0] + ",,,,,,,"] + lines.dropFirst() + [""]).joined(separator: "\r\n"),
      "\u{FEFF}\"" + lines[0].replacing(",", with: "\",\"") + "\"\n" + lines[1] + "\n" + lines[2]
        + "\n",
    ] {
      #expect(Recording.of(other).rows.map(\.content) == plain.map(\.content), "\(other)")
    }
  }

  @Test("235 U never come of 2,35, with quotes or without, alone or beside points")
  func decimalComma() {
    for cell in ["2,35", "\"2,35\""] {
      for other in ["", "2.5", "\"2,5\""] {
        for forms in [
          CellForms(), CellForms(decimal: .point), CellForms(decimal: .comma),
        ] {
          let text = bolus([5: cell, 6: "", 7: "", 3: ""]) + (other.isEmpty ? "" : second(other))
          let recording = Recording.of(Array(text.utf8), forms: forms)
          let amounts = recording.rows.compactMap { row -> UInt32? in
            guard case .bolus(let bolus) = row.content else { return nil }
            return bolus.normal?.amount
          }
          #expect(amounts.allSatisfy { [2350, 2500].contains($0) }, "\(cell) \(other): \(amounts)")
        }
      }
    }
  }

  @Test("Numbers with points and with commas in one table are refused, and the flag is named")
  func mixedDecimals() {
    let recording = Recording.of(bolus([5: "\"2,35\"", 6: "", 7: "", 3: ""]) + second("2.5"))
    guard case .damaged(.glooko, let reject) = recording.verdict else {
      Issue.record("\(recording.calls)")
      return
    }
    #expect(reject.reason.contains("contradict") && reject.reason.hasSuffix("with --decimal"))
    #expect(reject.position == .line(4))
  }

  /// A second row of boluses.
  private func second(_ amount: String) -> String {
    "2026-05-04 13:00:00,Normal,,,,\(amount),,,900001\r\n"
  }

  @Test("Numbers of two readings damage a table that nothing settles")
  func doubtful() {
    let spanish = GlookoTests.encoders[2]
    let row = Self.row(Self.bolus(1250), at: Self.noon + 86_400 * 20)
    let doubtful = spanish.boluses([("900001", row)])
      .replacing("\"1,25\"", with: "\"1,250\"").replacing("\"0,0\"", with: "0")
      .replacing("\"120.0\"", with: "").replacing("120.0", with: "").replacing("10.0", with: "")
    guard case .damaged(.glooko, let reject) = Recording.of(doubtful).verdict else {
      Issue.record("\(Recording.of(doubtful).calls)")
      return
    }
    #expect(reject.reason.contains("--decimal"))
    let said = Recording.of(Array(doubtful.utf8), forms: CellForms(decimal: .comma))
    #expect(texts(said.rows) == texts([row]))
  }

  @Test(
    "Where commas part cells, three decimals are decimals if thousands would be beyond the column",
    arguments: [
      (["1.234", ""], 1234), (["80.000", ""], 80_000), (["2.350", "45.000"], 2350),
      (["5", "45.000"], nil), (["\"1,234\"", ""], nil), (["5", "70.000"], 5000),
    ] as [([String], UInt32?)])
  func settled(cells: [String], amount: UInt32?) {
    let text = bolus([5: cells[0], 6: "", 7: "", 3: cells[1]])
    let recording = Recording.of(text)
    let found = recording.rows.first.flatMap { row -> UInt32? in
      if case .bolus(let bolus) = row.content { bolus.normal?.amount } else { nil }
    }
    #expect(found == amount)
    // Between other separators the same numbers are left open.
    let other = text.replacing("\"1,234\"", with: "1,234").split(separator: "\r\n").map { line in
      line.contains("Timestamp") || line.contains("2026")
        ? String(line).replacing(",", with: ";") : String(line)
    }
    if amount != nil, cells[0] != "5" {
      #expect(Recording.of(other.joined(separator: "\r\n") + "\r\n").rows.isEmpty)
    }
  }

  @Test("A number with a comma contradicts one that was settled by its column")
  func settledAndComma() {
    let text = bolus([5: "1.234", 6: "", 7: "", 3: ""]) + second("\"2,35\"")
    guard case .damaged(.glooko, let reject) = Recording.of(text).verdict else {
      Issue.record("\(Recording.of(text).calls)")
      return
    }
    #expect(reject.reason.contains("contradict"))
  }

  @Test("A percentage leaves open what a rate was, so nothing is made of it")
  func percentage() {
    let text = GlookoExport().rates([Self.rates[0]]).replacing(",,0.8,", with: ",50.0,0.8,")
    let recording = Recording.of(text)
    #expect(recording.rows.isEmpty && ignored(recording) == [.basalRow])
  }

  @Test(
    "Other texts are none of Glooko's",
    arguments: [
      "Timestamp,Alarm/Event,Serial Number\r\n2026-05-04 00:00,x,9\r\n",
      "Name:A,Date Range:soon - later\r\nTimestamp,CGM\r\n", "Dear diary,\nall is well\n",
      "Name:A\r\n", "Timestamp",
    ])
  func foreign(text: String) {
    #expect(Recording.of(text).verdict == .unrecognised)
  }
}
