import Decode
import PumpModel
import TestSupport
import Testing

/// Headers, and what tables that a spreadsheet saved leave open.
@Suite("Headers and forms of tables")
struct TableHeaderTests {
  @Test("A column that is missing is named, and its section gives nothing")
  func missingColumn() {
    for name in ["InsulinDelivered", "CarbSize", "BolexInsulinDelivered", "SerialNumber"] {
      let text = TableFixture.source([[:], [:]]).replacing("," + name + ",", with: ",Other,")
      let recording = Recording.of(text)
      #expect(recording.verdict == .whole(.sourceCSV))
      #expect(recording.rows == [])
      #expect(recording.rejects.map(\.position) == [.line(4)])
      #expect(recording.rejects.first?.reason.contains(name) == true)
      let ignored = recording.calls.count { $0 == .ignore(.otherRow, nil) }
      #expect(ignored == 2)
    }
  }

  @Test("A column that nobody knows is told, and one that is there twice is refused")
  func oddColumns() {
    let text = TableFixture.source([[:]])
    let unknown = Recording.of(text.replacing("CorrectionFactor", with: "Mood \u{7}"))
    #expect(unknown.calls.contains(.unknownColumn("Mood ?")))
    #expect(unknown.rows.count == 1)
    let twice = Recording.of(text.replacing("FoodDelivered", with: "InsulinDelivered"))
    #expect(twice.rows == [])
    #expect(twice.rejects.first?.reason.contains("InsulinDelivered") == true)
  }

  @Test("Readings without a unit are refused")
  func unit() {
    let recording = Recording.of(
      TableFixture.sourceHead + "DeviceType,SerialNumber,Description,EventDateTime,Readings\n"
        + "x,90000001,EGV,2026-05-04T12:00:00,142\n")
    #expect(recording.rows == [])
    #expect(recording.rejects.count == 1)
  }

  private static func verdict(
    _ rows: [[Int: String]], separator: String = ";", _ forms: CellForms = CellForms()
  ) -> Recording {
    let rows = rows.map { [7: "0"].merging($0) { $1 } }
    return Recording.of(
      Array(TableFixture.source(rows, separator: separator).utf8), forms: forms)
  }

  private static func amounts(_ recording: Recording) -> [UInt32]? {
    guard case .whole = recording.verdict else { return nil }
    return recording.rows.compactMap {
      if case .bolus(let bolus) = $0.content { bolus.normal?.amount } else { nil }
    }
  }

  @Test("A number with one reading settles those with two; without one the table is refused")
  func decimals() {
    let (plain, one, two) = ([6: "2"], [6: "2,35"], [6: "1,250"])
    #expect(Self.amounts(Self.verdict([plain])) == [2000])
    #expect(Self.amounts(Self.verdict([two, one])) == [1250, 2350])
    #expect(Self.amounts(Self.verdict([one, two])) == [2350, 1250])
    #expect(Self.amounts(Self.verdict([[6: "0,500"], two])) == [500, 1250])
    #expect(Self.amounts(Self.verdict([[6: "1.250"], [6: "2.35"]])) == [1250, 2350])
    for rows in [
      [two], [two, plain], [one, [6: "2.35"]], [two, [6: "2.35"]], [one, [6: "1.250"]],
    ] {
      guard case .damaged(.sourceCSV, let reject)? = Self.verdict(rows).verdict else {
        Issue.record("\(rows)")
        continue
      }
      #expect(reject.reason.contains("--decimal"))
    }
  }

  @Test("What is said of decimals holds, and what contradicts it is rejected by the row")
  func saidDecimals() {
    let comma = CellForms(decimal: .comma)
    #expect(Self.amounts(Self.verdict([[6: "1,250"]], comma)) == [1250])
    #expect(Self.amounts(Self.verdict([[6: "1.250"], [6: "2,5"]], comma)) == [2500])
    #expect(Self.amounts(Self.verdict([[6: "\"1,250\""]], separator: ",", comma)) == [1250])
    let point = CellForms(decimal: .point)
    #expect(Self.amounts(Self.verdict([[6: "1.250"], [6: "2,5"]], point)) == [1250])
  }

  private static func times(_ recording: Recording) -> [Int64]? {
    guard case .whole = recording.verdict else { return nil }
    return recording.rows.map(\.time)
  }

  private static let may4: Int64 = 1_777_897_860
  private static let april5 = may4 - 29 * 86_400

  @Test("A day above 12 anywhere settles the order of all dates; without one they are refused")
  func dates() {
    let doubtful = [5: "4/5/2026 12:31"]
    let day = may4(plus: 16)
    #expect(
      Self.times(Self.verdict([doubtful, [5: "20/5/2026 12:31:00"]])) == [Self.may4, day])
    #expect(
      Self.times(Self.verdict([[5: "5/20/2026 12:31 PM"], doubtful])) == [day, Self.april5])
    #expect(Self.times(Self.verdict([[5: "5.5.2026 12:31"]])) == [may4(plus: 1)])
    #expect(Self.times(Self.verdict([[5: "2026/5/4 12:31"]])) == [Self.may4])
    for rows in [
      [doubtful], [doubtful, [:]], [[5: "4/5/26 12:31"]],
      [[5: "20/5/2026 12:31"], [5: "5/20/2026 12:31"]],
      [doubtful, [5: "20/5/2026 12:31"], [5: "5/20/2026 12:31"]],
    ] {
      guard case .damaged(.sourceCSV, let reject)? = Self.verdict(rows).verdict else {
        Issue.record("\(rows)")
        continue
      }
      #expect(reject.reason.contains("--date-order"))
    }
  }

  private func may4(plus days: Int64) -> Int64 { Self.may4 + days * 86_400 }

  @Test("What is said of dates holds, and what contradicts it is rejected by the row")
  func saidDates() {
    let doubtful = [5: "4/5/2026 12:31"]
    for (order, time) in [(DateOrder.dmy, Self.may4), (.mdy, Self.april5)] {
      let recording = Self.verdict([doubtful], CellForms(dates: order))
      #expect(Self.times(recording) == [time])
    }
    let recording = Self.verdict([[5: "20/5/2026 12:31"], doubtful], CellForms(dates: .mdy))
    #expect(Self.times(recording) == [Self.april5])
    #expect(recording.rejects.count == 1)
    #expect(
      Self.times(Self.verdict([[5: "26/5/4 12:31"]], CellForms(dates: .ymd))) == [Self.may4])
  }

  @Test("Rows that wait for the order of dates keep their place among the others")
  func waiting() {
    let rows: [[Int: String]] = [
      [5: "4/5/2026 12:31"], [6: "x"], [5: "5/5/2026 12:31"], [0: "Other"],
      [5: "20/5/2026 12:31"],
    ]
    let recording = Self.verdict(rows)
    #expect(recording.rows.map(\.place) == [5, 7, 9])
    #expect(recording.rejects.map(\.position) == [.line(6)])
    #expect(recording.calls.contains(.ignore(.otherRow, nil)))
  }

  @Test("More rows than may wait are refused")
  func mostWaiting() {
    let text =
      TableFixture.sourceHead
      + "DeviceType,SerialNumber,Description,EventDateTime,Readings (mg/dL)\n"
      + String(repeating: "x,1,EGV,4/5/2026 1:00,99\n", count: 16_385)
      + "x,1,EGV,20/5/2026 1:00,99\n"
    guard case .damaged(.sourceCSV, _)? = Recording.of(text).verdict else {
      Issue.record("not refused")
      return
    }
  }
}
