import Deduplicate
import PumpModel

/// What a run changed, pump by pump added up.
struct RunChanges {
  private(set) var byKind: [SampleKind: SampleChanges] = [:]
  /// The pumps whose samples moved, in order.
  private(set) var moves: [PumpMoves] = []

  /// Takes in the samples of a pump of which nothing new was read.
  mutating func add(unchanged counts: [SampleKind: UInt64]) {
    for (kind, count) in counts { byKind[kind, default: SampleChanges()].unchanged += count }
  }

  mutating func add(_ outcome: SampleOutcome, of pump: LedgerPump) {
    if !outcome.moved.moves.isEmpty {
      moves.append(PumpMoves(pump: pump, moves: outcome.moved.moves))
    }
    for (kind, changes) in outcome.changes { byKind[kind, default: SampleChanges()] += changes }
  }

  /// All changes; those of glucose only if it was asked for.
  func total(includingGlucose: Bool) -> SampleChanges {
    byKind.filter { includingGlucose || !$0.key.isGlucose }.values
      .reduce(into: SampleChanges()) { $0 += $1 }
  }
}

extension SampleKind {
  /// Whether samples of the kind are glucose readings.
  var isGlucose: Bool { self == .cgm || self == .meter }
}

/// Makes the few lines that a person reads at the end of a run.
struct RunSummary {
  let ledger: Ledger
  let reader: ImportReader
  let outcome: ImportOutcome
  let changes: RunChanges
  let pumpNames: [Int64: String]

  /// The summary, without its outputs.
  func summary(includingGlucose: Bool) throws -> ConvertSummary {
    var summary = ConvertSummary()
    summary.documents = reader.documents.count { $0.format != nil }
    summary.records = records
    try reader.rejects.forEach { document, reject in
      summary.rejects.add(RejectedPart(document: try reader.name(of: document), reject: reject))
    }
    for (kind, changes) in changes.byKind where includingGlucose || !kind.isGlucose {
      summary.changes[kind.type, default: ChangeCounts()] += changes
    }
    try ledger.forEachPending { _, _ in summary.pending += 1 }
    try ledger.forEachHole { _, _ in summary.holes += 1 }
    for pump in changes.moves {
      for finding in pump.findings { summary.add(finding, pump: pump.pump.label.name) }
    }
    try LedgerFindings(ledger: ledger).forEach { pump, finding in
      summary.add(finding, pump: pump)
    }
    return summary
  }

  private var records: RecordCounts {
    var counts = RecordCounts()
    for document in reader.documents {
      let own = document.counts(outcome)
      counts.used += Int(clamping: own.used)
      counts.duplicates += Int(clamping: own.duplicates)
      counts.ignored += Int(clamping: own.ignored)
      counts.rejected += Int(clamping: document.rejectedRecords)
    }
    counts.read = counts.used + counts.duplicates + counts.ignored + counts.rejected
    return counts
  }
}

extension ChangeCounts {
  /// Adds what became of samples of one kind.
  static func += (sum: inout ChangeCounts, changes: SampleChanges) {
    sum.fresh += Int(clamping: changes.fresh)
    sum.unchanged += Int(clamping: changes.unchanged)
    sum.revised += Int(clamping: changes.revised)
    sum.withdrawn += Int(clamping: changes.withdrawn)
  }
}

extension ImportReader {
  /// The documents whose records go into the journal.
  func accepted(isComplete: Bool) -> [AcceptedDocument] {
    documents.compactMap { document in
      guard document.isWhole, let format = document.format else { return nil }
      var accepted = AcceptedDocument(
        index: document.index, digest: document.content.digest, format: format,
        isComplete: isComplete || document.isComplete, bytes: document.bytes,
        records: document.accepted, missingBodies: document.content.missingBodies)
      accepted.references = document.content.references
      accepted.facts = document.content.facts
      accepted.isMadeUp = document.content.isMadeUp
      accepted.parent = document.parent
      return accepted
    }
  }

  /// What the documents say of pumps.
  func claims(serial: String?) -> PumpClaims {
    let whole = documents.filter(\.isWhole)
    return PumpClaims(
      stated: statedPumps, present: whole.reduce(into: []) { $0.formUnion($1.content.references) },
      hasUnnamed: whole.contains { $0.content.references.contains(0) },
      facts: whole.flatMap(\.content.facts),
      serial: serial)
  }
}
