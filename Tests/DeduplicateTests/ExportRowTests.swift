@testable import Deduplicate
import Platform
import PumpModel
import Testing

/// Rows of exports in a ledger: how they are counted, and which of several holds (N9, N10).
@Suite("Rows of exports in ledgers")
struct ExportRowTests {
  private func bolus(
    _ time: Int64, _ amount: UInt32, place: UInt64, pump: UInt32 = 1, status: String? = nil,
    edit: (inout RowBolus) -> Void = { _ in }
  ) -> ExportRow {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 2, status: status)
    edit(&bolus)
    return ExportRow(source: .csv, pump: pump, time: time, place: place, content: .bolus(bolus))
  }

  /// Imports documents in a run of their own.
  private func importing(_ documents: [(name: String, rows: [ExportRow])], into ledger: Ledger)
    throws
  {
    let journal = JournalImport(ledger)
    for (index, document) in documents.enumerated() {
      try journal.append(rows: document.rows, document: UInt32(index))
    }
    try ledger.begin()
    _ = try journal.finish(
      documents.enumerated().map { index, document in
        var accepted = AcceptedDocument(
          index: UInt32(index), digest: Array(document.name.utf8), format: .sourceCSV,
          isComplete: false, bytes: 1, records: UInt64(document.rows.count), missingBodies: 0)
        accepted.references = [1, 2]
        return accepted
      },
      claims: PumpClaims(
        stated: [.serial("A"), .serial("B")], present: [1, 2], hasUnnamed: false, facts: [],
        serial: nil), count: UInt32(documents.count))
    try ledger.commit()
  }

  /// A pump's boluses that hold, as `time-ordinal:amount status`.
  private func rows(_ ledger: Ledger, of pump: Int64 = 1, readings: Bool = false) throws -> [String]
  {
    let reader = try ledger.rows(of: pump, from: .csv, readings ? .readings : .boluses)
    var found: [String] = []
    while let row = try reader.take() {
      switch row.row.content {
      case .bolus(let bolus):
        let status = bolus.normal?.status.map { " " + $0 } ?? ""
        found.append("\(row.row.time)-\(row.ordinal):\(bolus.normal?.amount ?? 0)\(status)")
      case .reading(let glucose, _): found.append("\(row.row.time)-\(row.ordinal):\(glucose)")
      case .rate, .meal: break
      }
    }
    return found
  }

  @Test("Rows of one second are counted by document, section and pump, in the order of the file")
  func ordinals() throws {
    let ledger = try Ledger.temporary()
    let reading = ExportRow(
      source: .csv, pump: 1, time: 100, place: 2, content: .reading(glucose: 140, isManual: false))
    try importing(
      [
        (
          "one",
          [
            bolus(100, 3000, place: 7), bolus(100, 1000, place: 5),
            bolus(100, 2000, place: 6, pump: 2), reading,
          ]
        )
      ], into: ledger)
    #expect(try rows(ledger) == ["100-0:1000", "100-1:3000"])
    #expect(try rows(ledger, of: 2) == ["100-0:2000"])
    #expect(try rows(ledger, readings: true) == ["100-0:140"])
  }

  @Test("The document first imported later holds; known documents say nothing new")
  func laterHolds() throws {
    let ledger = try Ledger.temporary()
    let first = ("one", [bolus(100, 5000, place: 1)])
    try importing([first], into: ledger)
    try importing([("two", [bolus(100, 1000, place: 1)])], into: ledger)
    #expect(try rows(ledger) == ["100-0:1000"])
    try importing([first], into: ledger)
    #expect(try rows(ledger) == ["100-0:1000"])
  }

  @Test("Within a run the greater row holds, whatever the order of the documents")
  func greaterHolds() throws {
    func held(_ left: ExportRow, _ right: ExportRow) throws -> [[String]] {
      try [[left, right], [right, left]].map { pair in
        let ledger = try Ledger.temporary()
        try importing([("one", [pair[0]]), ("two", [pair[1]])], into: ledger)
        return try rows(ledger)
      }
    }
    let greater = bolus(100, 2000, place: 1)
    #expect(try held(greater, bolus(100, 1000, place: 1)) == [["100-0:2000"], ["100-0:2000"]])
    let stopped = bolus(100, 2000, place: 1, status: "Stopped")
    #expect(
      try held(greater, stopped) == [["100-0:2000 Stopped"], ["100-0:2000 Stopped"]])
    let meal = bolus(100, 2000, place: 1) { $0.carbohydrate = 1 }
    #expect(try held(stopped, meal) == [["100-0:2000"], ["100-0:2000"]])
  }

  @Test("All that a row says is kept")
  func roundTrip() throws {
    let ledger = try Ledger.temporary()
    let row = bolus(100, 1234, place: 1, status: "Stopped") {
      $0.extended = RowDose(amount: 80_000, decimals: 9, status: "completed")
      $0.span = 40...7300
      $0.carbohydrate = 65_534_999
      $0.requestTime = -5
      $0.isAutomatic = true
      $0.isOverride = true
    }
    try importing([("one", [row])], into: ledger)
    let reader = try ledger.rows(of: 1, from: .csv, .boluses)
    #expect(try reader.take()?.row.content == row.content)
    let words = try ledger.statusWords()
    #expect(words.code(of: "Stopped") == StatusWords.firstCode)
    #expect(words.text(StatusWords.firstCode) == "Stopped")
  }

  @Test("A code for a word is never given twice")
  func codes() throws {
    let ledger = try Ledger.temporary()
    try importing([("one", [bolus(100, 1, place: 1, status: "Stopped")])], into: ledger)
    try ledger.begin()
    let scope = try #require(try ledger.scope(ofDocument: Array("one".utf8)))
    _ = try Forgetting(ledger).takeOut(scope)
    try ledger.commit()
    #expect(try ledger.statusWords().code(of: "Stopped") == nil)
    #expect(try !ledger.hasRows(of: 1))
    try importing([("two", [bolus(100, 1, place: 1, status: "Aborted")])], into: ledger)
    #expect(try ledger.statusWords().code(of: "Aborted") == StatusWords.firstCode + 1)
  }
}
