import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

/// For every finding that an import gives: inputs that have it, and ones that just have not.
///
/// Those of a pump's history have their histories in the tests of normalizing, those of outputs their
/// samples in the tests of audits.
@Suite("Both sides of each finding of an import")
struct FindingSidesTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.write("pumper.json", Histories.pumper())
    try work.write("meal.json", Histories.pumpLogs(Self.meal))
  }

  private static let meal = Histories.meal()
  private static let later = Histories.noon + 86_400

  @Test("Some inputs have it, and others just have not", arguments: FindingCode.allCases)
  func sides(of code: FindingCode) throws {
    guard let (has, hasNot) = try inputs(code) else { return }
    #expect(try codes(has).contains(code.rawValue))
    #expect(try !codes(hasNot).contains(code.rawValue))
  }

  /// The codes of the last of some runs into one ledger.
  private func codes(_ runs: [Run]) throws -> Set<String> {
    let ledger = work.path("ledger-\(UUID().uuidString)")
    var codes: Set<String> = []
    for run in runs {
      var request = work.request(run.inputs)
      request.ledger = ledger
      request.serial = run.serial
      codes = Set(try work.report(request).findings.map(\.code))
    }
    return codes
  }

  /// What one run reads.
  private struct Run {
    var inputs: [String]
    var serial: String?

    init(_ inputs: String..., serial: String? = nil) {
      self.inputs = inputs
      self.serial = serial
    }
  }

  private func inputs(_ code: FindingCode) throws -> (has: [Run], hasNot: [Run])? {
    switch code {
    case .madeUp:
      try work.write(
        "demo.json", Self.meal(of: DemoData.assignmentPrefix + "0000-4000-8000-000000000001"))
      return ([Run("demo.json")], [Run("meal.json")])
    case .pumpWithoutSerial: return ([Run("meal.json")], [Run("meal.json", "pumper.json")])
    case .pumpRenamed:
      try work.write("records.bin", Self.meal.flatMap { RecordEncoder.bytes($0) })
      let named = Run("records.bin", serial: PumpIdentity(1).serial)
      return (
        [Run("meal.json"), named, Run("pumper.json")], [Run("meal.json", "pumper.json"), named]
      )
    case .pumpsOverlap:
      try work.write("at-once.json", Histories.pumpLogs(Self.meal, pump: 2))
      try work.write("later.json", Histories.pumpLogs(Histories.meal(from: Self.later), pump: 2))
      return ([Run("meal.json", "at-once.json")], [Run("meal.json", "later.json")])
    case .estimatedTimeOdd:
      // In May New York is four hours behind UTC, and never five.
      try work.write("five.json", estimated("17"))
      try work.write("four.json", estimated("16"))
      return ([Run("five.json")], [Run("four.json")])
    case .sequenceConflict:
      var other = Self.meal[5]
      other.seconds += 1
      try work.write("conflict.json", Histories.pumpLogs([other]))
      other.number = 1 + (Self.meal.map(\.number).max() ?? 0)
      try work.write("apart.json", Histories.pumpLogs([other]))
      return ([Run("meal.json", "conflict.json")], [Run("meal.json", "apart.json")])
    case .copiesDiffer:
      let index = Self.meal.firstIndex { $0.eventID == 279 } ?? 0
      var other = Self.meal[index]
      try work.write("same.json", Histories.pumpLogs([other]))
      // The rate that was commanded, in mU/h.
      other.payload.word1 ^= 1
      try work.write("differs.json", Histories.pumpLogs([other]))
      return ([Run("meal.json", "differs.json")], [Run("meal.json", "same.json")])
    case .identityTaken:
      try work.write("group.json", Histories.pumpLogs(Self.inGroup(1, numbersFrom: 0)))
      try work.write("numbers.json", Histories.pumpLogs(Self.inGroup(1, numbersFrom: 100_000)))
      return ([Run("meal.json", "group.json")], [Run("meal.json", "numbers.json")])
    case .bodyMissing:
      try work.write("lacking.har", Self.capture(.missing))
      try work.write("whole.har", Self.capture(.plain))
      return ([Run("lacking.har")], [Run("whole.har")])
    case .exportWithoutBasal:
      try work.write("table.csv", TableEncoder(.source).bytes(Self.rows))
      return ([Run("table.csv")], [Run("meal.json", "pumper.json")])
    case .basalLeftOut, .mealWithoutBolus, .historyMoved:
      // Tests of legacy exports, and of history that moves, have both sides.
      return nil
    case .clockByZone, .clockNotChangedForDaylightSaving, .clockDrift, .clockUnknown,
      .eventInFuture, .evidenceStepsBack, .tempRateAbsurd, .tempRateWithoutBase,
      .continuityUnknown, .logDamaged, .basalTotalDiffers:
      return nil
    case .basalOverlaps, .rateImpossible, .amountImpossible, .sampleInFuture, .idDoubled,
      .idContradicts, .sampleDoubled, .sampleOnTwoPumps, .tableMalformed, .metadataMalformed,
      .documentInvalid, .databaseDamaged:
      return nil
    }
  }

  private static func meal(of assignment: String) -> [UInt8] {
    let text = String(decoding: Histories.pumpLogs(meal), as: UTF8.self)
    return Array(text.replacing(PumpIdentity(1).assignment, with: assignment).utf8)
  }

  /// The meal's records with `estimatedDateTime` at another hour.
  private func estimated(_ hour: String) -> [UInt8] {
    let text = String(decoding: Histories.pumpLogs(Self.meal), as: UTF8.self)
    let minute = text.replacing(/"estimatedDateTime":"2026-05-04T12/) { _ in
      #""estimatedDateTime":"2026-05-04T\#(hour)"#
    }
    return Array(
      minute.replacing(/"estimatedDateTime":"2026-05-04T13/) { _ in
        #""estimatedDateTime":"2026-05-04T\#(hour == "16" ? "17" : "18")"#
      }.utf8)
  }

  private static func inGroup(_ group: UInt32, numbersFrom first: UInt32) -> [PumpRecord] {
    meal.map { record in
      var record = record
      record.group = group
      record.hasGroup = true
      record.number += first
      return record
    }
  }

  private static func capture(_ body: HarCapture.Body) -> [UInt8] {
    var capture = HarCapture()
    capture.add(Histories.pumpLogs(meal.prefix(20)))
    capture.add(Histories.pumpLogs(meal.dropFirst(20)), as: body)
    return capture.bytes
  }

  private static var rows: [TableEncoder.Row] {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: 2350, decimals: 2, status: "completed")
    return [
      (
        PumpIdentity(1).serial,
        ExportRow(
          source: .csv, pump: 0, time: Histories.noon.unixSeconds, place: 0,
          content: .bolus(bolus))
      )
    ]
  }
}
