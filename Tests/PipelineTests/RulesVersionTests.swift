import Deduplicate
import Foundation
import Normalize
import Platform
import PumpModel
import TestSupport
import Testing

@testable import Pipeline

/// A ledger keeps what earlier rules made until the version of the rules is raised: nobody is to
/// change them and forget that.
@Suite("The version of the rules")
struct RulesVersionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "RulesVersion.txt")

  /// What was recorded: which rules made what of which records.
  private struct Line: Equatable {
    var version: Int64
    var records: String
    var result: String

    var text: String { "\(version) \(records) \(result)\n" }

    init(version: Int64, records: String, result: String) {
      (self.version, self.records, self.result) = (version, records, result)
    }

    init?(_ text: String) {
      let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
      guard words.count == 3, let version = Int64(words[0]) else { return nil }
      self.init(version: version, records: words[1], result: words[2])
    }
  }

  @Test("Other samples, notes or states of the same records need another version")
  func raised() throws {
    let now = try current()
    let kept = (try? String(contentsOf: Self.file, encoding: .utf8)).flatMap { Line($0) }
    guard now != kept else { return }
    let isRaised = kept.map { now.version > $0.version } ?? true
    // Other records say nothing of the rules.
    guard isRaised || now.records != kept?.records else {
      Issue.record(
        """
        The rules make something else of the same records, or tell another digest of the same \
        state: raise PumpNormalizer.version, then record with PUMPLINE_RECORD=1.
        """)
      return
    }
    if ProcessInfo.processInfo.environment["PUMPLINE_RECORD"] != nil {
      try now.text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    Issue.record("RulesVersion.txt is not of these rules; PUMPLINE_RECORD=1 records it anew")
  }

  /// What the rules make of histories that hold all that is hard, and of values at their limits.
  private func current() throws -> Line {
    let (records, result) = (Digest256(), Digest256())
    for seed in 1...8 as ClosedRange<UInt64> {
      var history = try JournalHistory(seed: 60_000 + seed)
      history.settings.makesGlucose = true
      let ledger = try JournalHarness(history.settings, at: folder.path + "/ledger-\(seed)")
      let documents =
        [HarnessDocument(name: "history", records: history.records)]
        + (seed == 1 ? [Self.limits] : [])
      for document in documents {
        for record in document.records { records.update(text: "\(record)") }
      }
      try ledger.run(documents)
      for line in try ledger.ruledContent() { result.update(text: line) }
      var counts: [UInt64: UInt64] = [:]
      try ledger.ledger.forEachSegment(of: 1) { start, piece, _, _ in
        counts[start] = piece.records
      }
      for mark in try ledger.ledger.segmentMarks(of: 1, from: 0) {
        result.update(text: "\(mark.start) \(counts[mark.start] ?? 0) \(mark.digest)")
      }
    }
    return Line(
      version: PumpNormalizer.version, records: records.finish().hex, result: result.finish().hex)
  }

  /// Boluses and rates at and above their limits, long after all others.
  private static let limits = HarnessDocument(
    name: "limits",
    records: [79.9996, 80, 80.0004, 80.0006].enumerated().flatMap { index, amount -> [PumpRecord] in
      let units = Float(amount)
      return [
        record(
          index * 2, 20,
          .bolusCompleted(
            bolus: UInt16(index), status: 3, iob: 0, delivered: units, requested: units)),
        record(index * 2 + 1, 3, PumpRecord.Payload(((units - 65) as Float).bitPattern)),
      ]
    })

  private static func record(
    _ index: Int, _ id: UInt16, _ payload: PumpRecord.Payload
  ) -> PumpRecord {
    var record = PumpRecord(
      number: UInt32(9_000_000 + index), seconds: UInt32(700_000_000 + index * 60), eventID: id,
      payload: payload, form: .binary)
    record.pump = 1
    return record
  }
}

extension Digest256 {
  fileprivate func update(text: String) {
    let bytes = Array(text.utf8) + [0x0A]
    update(unsafe bytes.span.bytes)
  }
}
