import Decode
import PumpModel
import TestSupport
import Testing

/// What cells say, and what becomes of rows whose cells say nothing.
@Suite("Cells of tables")
struct TableCellTests {
  private static func bolus(_ recording: Recording) -> RowBolus? {
    guard case .bolus(let bolus)? = recording.rows.first?.content else { return nil }
    return bolus
  }

  private static func ignored(_ recording: Recording) -> [IgnoredReason] {
    recording.calls.compactMap {
      if case .ignore(let reason, _) = $0 { reason } else { nil }
    }
  }

  @Test(
    "An amount is taken exactly as it is written, and rounded to 0.001 half to even",
    arguments: [
      ("2.35", 2350, 2), ("0", 0, 0), ("80", 80_000, 0), ("0.0005", 0, 4), ("0.0015", 2, 4),
      ("0.0025", 2, 4), ("2.0829997", 2083, 7), ("0.123456789", 123, 9), ("007.50", 7500, 2),
      ("80.000", 80_000, 3),
    ] as [(String, UInt32, UInt8)])
  func amounts(text: String, amount: UInt32, decimals: UInt8) {
    let bolus = Self.bolus(Recording.of(TableFixture.source([[6: text]])))
    #expect(
      bolus?.normal == RowDose(amount: amount, decimals: decimals, status: "completed"))
  }

  @Test(
    "A cell that says nothing sure rejects its row alone, with the line and the column",
    arguments: [
      (
        6,
        [
          "1.x", "-1", "80.001", "80.0000001", "1e1", "0x10", "1 2", "\"1,250\"", "\"2,35\"",
          "1.250.000", "\"1,250.5\"", ".5", "5.", "+1", "NaN", "1.0000000001", "9999999999", "٣",
          "−1", "1'250", "",
        ], "InsulinDelivered"
      ),
      (
        5,
        [
          "2026-02-30T12:00:00", "2026-05-04", "2026-05-04T24:00:00", "2026-05-04T12:00:00Z",
          "2007-12-31T23:59:59", "2026-05-04T12:61:00", "yesterday", "30/2/2026 12:00",
        ],
        "CompletionDateTime"
      ),
      (16, ["-1", "65535", "65534.9999", "100000", "x", "1e2", "\"48,5\""], "CarbSize"),
      (
        4, ["9.0E+7", "a b", "1:2", "90.000.001", "\u{1}", String(repeating: "9", count: 65)],
        "SerialNumber"
      ),
      (9, ["12", String(repeating: "x", count: 101), "a\u{1}b"], "CompletionStatusDesc"),
      (12, ["-3", "81", "x", "3.00"], "Bolex"),
    ] as [(Int, [String], String)])
  func rejectedRows(place: Int, cells: [String], column: String) {
    for cell in cells {
      // An extended part is told, but not when.
      let extended = place == 12 ? [11: "2026-05-04T13:00:00"] : [:]
      let changes = extended.merging([place: cell]) { $1 }
      let recording = Recording.of(TableFixture.source([[:], changes, [:]]))
      #expect(recording.verdict == .whole(.sourceCSV), "\(cell)")
      #expect(recording.rows.map(\.place) == [5, 7], "\(cell)")
      #expect(recording.rejects.map(\.position) == [.line(6)], "\(cell)")
      let reason = recording.rejects.first?.reason ?? ""
      #expect(reason.contains(column), "\(cell): \(reason)")
      #expect(cell.isEmpty || cell.count < 2 || !reason.contains(cell), "the reason tells a value")
    }
  }

  @Test(
    "A row whose cells are shifted or too few is rejected",
    arguments: ["2,35", "2.35,,", "2.3\n5"])
  func shiftedRows(cell: String) {
    for auto in [[:], [2: "Auto", 16: "", 17: "", 18: "", 19: ""]] {
      let recording = Recording.of(TableFixture.source([auto.merging([6: cell]) { $1 }]))
      #expect(recording.rows == [])
      #expect(!recording.rejects.isEmpty)
    }
  }

  @Test("235 U never come of 2,35, however the table is saved")
  func decimalComma() {
    for separator in [",", ";", "\t"] {
      for cell in ["2,35", "\"2,35\""] {
        for forms in [nil, DecimalMark.point, .comma].map({ CellForms(decimal: $0) }) {
          let text = TableFixture.source(
            [[6: cell, 7: "0"], [6: "1,5", 7: "0"]], separator: separator)
          let recording = Recording.of(Array(text.utf8), forms: forms)
          guard case .whole = recording.verdict else { continue }
          for row in recording.rows {
            guard case .bolus(let bolus) = row.content else { continue }
            #expect([2350, 1500].contains(bolus.normal?.amount), "\(separator) \(cell) \(forms)")
          }
        }
      }
    }
  }

  @Test("Automatic, override and status are taken as the cells say them")
  func words() {
    let expected: [([Int: String], Bool, Bool, String?)] = [
      ([1: "Auto"], true, false, "completed"), ([2: "Auto"], true, false, "completed"),
      ([1: "Override"], false, true, "completed"), ([9: "Aborted"], false, false, "Aborted"),
      ([9: ""], false, false, nil), ([9: "Abgebrochen é"], false, false, "Abgebrochen é"),
      ([9: "rejected"], false, false, "rejected"),
    ]
    for (changes, isAutomatic, isOverride, status) in expected {
      let bolus = Self.bolus(Recording.of(TableFixture.source([changes])))
      #expect(bolus?.isAutomatic == isAutomatic && bolus?.isOverride == isOverride)
      #expect(bolus?.normal?.status == status)
    }
  }

  @Test("Words that are no UTF-8 are read as Windows-1252")
  func codePage() {
    var bytes = Array(TableFixture.source([[9: "Abgebrochen X"]]).utf8)
    let place = bytes.firstIndex(of: UInt8(ascii: "X"))
    bytes[place ?? 0] = 0x80
    #expect(Self.bolus(Recording.of(bytes))?.normal?.status == "Abgebrochen €")
  }

  @Test("A bolus that has not ended is counted, and so is a row that is none")
  func notBoluses() {
    let recording = Recording.of(TableFixture.source([[5: ""], [0: "Basal"], [:]]))
    #expect(Self.ignored(recording) == [.incompleteRow, .otherRow])
    #expect(recording.rows.count == 1)
  }

  @Test("An extended part that has not ended is left out, and one without a start is rejected")
  func extendedParts() {
    let start = [10: "2026-05-04T12:31:00", 12: "3.00"]
    let running = Self.bolus(Recording.of(TableFixture.source([start])))
    #expect(running?.normal?.amount == 2350)
    #expect(running?.extended == nil)
    let whole = start.merging([11: "2026-05-04T14:31:00", 13: "Completed"]) { $1 }
    let bolus = Self.bolus(Recording.of(TableFixture.source([whole])))
    #expect(bolus?.extended == RowDose(amount: 3000, decimals: 2, status: "completed"))
    #expect(bolus?.span == 1_777_897_860...1_777_905_060)
    // The clock was set back in between; by more than a day none is.
    for (start, isRow) in [
      ("2026-05-04T14:31:01", true), ("2026-05-05T16:31:00", true), ("2026-05-05T16:31:01", false),
    ] {
      let recording = Recording.of(TableFixture.source([whole.merging([10: start]) { $1 }]))
      let span = Self.bolus(recording)?.span
      #expect(span == (isRow ? 1_777_905_060...1_777_905_060 : nil))
      #expect(recording.rejects.isEmpty == isRow)
    }
    for wrong in [[10: ""], [10: "2026-05-06T14:31:00"]] {
      let recording = Recording.of(TableFixture.source([whole.merging(wrong) { $1 }]))
      #expect(recording.rows == [])
      #expect(recording.rejects.first?.reason.hasPrefix("BolexStartDateTime") == true)
    }
  }

  @Test(
    "Readings are whole mg/dL; what the pump did not show is counted",
    arguments: [
      ("mg/dL", "142", 142), ("mg/dL", "0", nil), ("mg/dL", "High", nil), ("mg/dL", "", nil),
      ("mmol/L", "8.6", 155), ("mmol/L", "22.2", 400), ("mmol/L", "0.0", nil),
      ("mmol/L", "Låg", nil), ("MMOL/L", "5", 90), ("mg/dL", "1000", 1000),
      ("mg/dL", "20", 20), ("mg/dL", "142.0", 142), ("mmol/L", "33.3", 600),
    ] as [(String, String, UInt16?)])
  func readings(unit: String, cell: String, glucose: UInt16?) {
    let recording = Recording.of(
      TableFixture.sourceHead
        + "DeviceType,SerialNumber,Description,EventDateTime,Readings (\(unit))\n"
        + "x,90000001,EGV,2026-05-04T12:00:00,\(cell)\nx,90000001,CAL,2026-05-04T12:00:00,5\n")
    #expect(
      recording.rows.map(\.content)
        == (glucose.map { [.reading(glucose: $0, isManual: false)] } ?? []))
    #expect(recording.rejects == [])
    #expect(
      Self.ignored(recording) == (glucose == nil ? [.glucoseNotShown] : []) + [.otherRow])
  }

  @Test(
    "A reading that cannot be in the unit of its header is rejected: the other one may be meant",
    arguments: [
      ("mg/dL", "8.6"), ("mg/dL", "19"), ("mg/dL", "142.5"), ("mg/dL", "1001"), ("mmol/L", "33.4"),
      ("mmol/L", "55"), ("mmol/L", "142"),
    ])
  func otherUnit(unit: String, cell: String) {
    let recording = Recording.of(
      TableFixture.sourceHead
        + "DeviceType,SerialNumber,Description,EventDateTime,Readings (\(unit))\n"
        + "x,90000001,EGV,2026-05-04T12:00:00,\(cell)\n")
    #expect(recording.rows.isEmpty && recording.rejects.map(\.position) == [.line(5)])
  }

  @Test("A reading that may be in another unit, or is none, is rejected")
  func doubtfulReadings() {
    let head =
      "Tandem Diabetes Care Inc.\nt:connect Therapy Timeline Data Export\n\n"
      + "DeviceType,SerialNumber,Description,EventDateTime,Readings (CGM / BGM)\n"
    for (cell, isSound) in [
      ("235", true), ("235.0", true), ("8.6", false), ("12", false), ("-5", false), ("1001", false),
      ("1x", false),
    ] {
      let recording = Recording.of(
        head + "\"x\",\"90000001\",\"EGV\",\"2021-04-01T00:01:33\",\"\(cell)\",\n")
      #expect(recording.rows.count == (isSound ? 1 : 0), "\(cell)")
      #expect(recording.rejects.count == (isSound ? 0 : 1), "\(cell)")
    }
  }

  @Test("A quote that is not closed in its row is a reject, and over rows it damages the table")
  func quotes() {
    let inside = Recording.of(TableFixture.source([[9: "\"a\"b"], [:]]))
    #expect(inside.rejects.map(\.position) == [.line(5)])
    #expect(inside.rows.count == 1)
    for cell in ["\"a", "\"a\nb\"c"] {
      guard
        case .damaged(.sourceCSV, let reject)? =
          Recording.of(TableFixture.source([[:], [9: cell], [:]])).verdict
      else {
        Issue.record("\(cell)")
        continue
      }
      #expect(reject.position == .line(6))
    }
  }

  @Test("A row longer than any is one reject, in memory of its own")
  func longRow() {
    let recording = Recording.of(
      TableFixture.source([[:], [3: String(repeating: "x", count: 200_000)], [:]]))
    #expect(recording.rejects.map(\.position) == [.line(6)])
    #expect(recording.rows.count == 2)
  }
}
