import Platform
package import PumpModel

/// Replaces what a ledger holds of one pump beside its journal, by what normalizing gave: all of it,
/// or pieces of its history.
///
/// Take batches as they come, then `finish`; then the days, then what is said of the whole history.
/// The ledger must be in its transaction.
package final class PumpReplacement {
  let ledger: Ledger
  let pump: Int64
  private let isWhole: Bool
  private let isDemo: Bool
  private let spool: SortSpool
  /// The comparisons of all kinds, as ledgers count kinds; none before they are begun.
  private var merges: [SampleMerge] = []
  private var change: UInt64
  /// Whether samples that come in the order of events are compared as they come.
  private let isOrdered: Bool
  let tables: SideTables
  /// When samples lie, and lay, that are not what they were; empty where all of the pump is replaced.
  package private(set) var touched = TouchedTime()

  private static let memory = 10 << 20
  /// How many kinds ledgers count.
  private static let kinds = 8

  /// Kinds whose samples are made in the order of events: basal, readings, rates of zero.
  private static func isOrdered(_ kind: UInt64) -> Bool {
    kind == 0 || kind == 4 || kind == 5 || kind == 7
  }

  /// Begins a replacement: takes the old rows out, all of them or what is said of the history as a
  /// whole.
  package init(_ ledger: Ledger, pump: LedgerPump, isWhole: Bool = true) throws(LedgerError) {
    self.ledger = ledger
    self.pump = pump.number
    self.isWhole = isWhole
    isDemo = pump.isDemo
    // Where a log has several groups, numbers begin anew within it.
    isOrdered = isWhole && !pump.hasGroups
    spool = SortSpool(memory: Self.memory)
    do {
      tables = try SideTables(ledger.database, pump: pump.number)
      if isWhole { try tables.clear() } else { try tables.clearWhole() }
      change = try ledger.change
    } catch {
      throw LedgerError(error)
    }
  }

  /// Takes out what came of pieces of the history, from one start up to another; the greatest:
  /// to the end.
  package func clear(from start: UInt64, until end: UInt64) throws(LedgerError) {
    do { try tables.clear(from: start, until: end) } catch { throw LedgerError(error) }
  }

  /// Takes what some events of a piece of the history made certain.
  package func take(
    _ batch: borrowing NormalizedBatch, segment: UInt64 = 0
  ) throws(LedgerError) {
    do {
      try takeSamples(of: batch)
      try tables.keep(batch, ordered(segment))
    } catch {
      throw LedgerError(error)
    }
  }

  /// Keeps a piece of the history.
  package func keep(_ segment: StoredSegment) throws(LedgerError) {
    do { try tables.keep(segment) } catch { throw LedgerError(error) }
  }

  /// Compares the samples with those held before; of pieces, those that came of some ranges.
  package func finish(
    replacing ranges: SampleRanges = SampleRanges()
  ) throws(LedgerError) -> SampleOutcome {
    do {
      var outcome = SampleOutcome()
      if isWhole {
        try takeSpooled()
        for kind in merges.indices {
          try merges[kind].finish(change: &change)
          outcome.add(merges[kind].changes, moved: merges[kind].moved, ofStorage: kind)
        }
      } else {
        try spool.finish()
        for kind in 0..<Self.kinds {
          let own = try mergeRows(UInt64(kind), ranges)
          outcome.add(own.changes, moved: own.moved, ofStorage: kind)
          touched.add(own.touched)
        }
        try outcome.countUnchanged(among: ledger.sampleCounts(of: pump))
      }
      merges = []
      try ledger.setChange(change)
      spool.drop()
      let taken = try ledger.takenIdentities(of: pump)
      if taken.count > 0 {
        let text =
          "\(taken.count) samples would have had the id of another; numbers \(taken.text)."
        try tables.keep(Finding(.identityTaken, text: text), nil, day: nil)
      }
      return outcome
    } catch let error as LedgerError {
      throw error
    } catch let error as SQLiteError {
      throw LedgerError(error)
    } catch {
      throw .checkFailed("\(type(of: error))")
    }
  }

  /// Takes out the totals and findings of every day that was touched, the given ones among them, and
  /// gives what each got from all pieces of the history, in order.
  package func takeDays(besides others: Set<Int64> = []) throws(LedgerError) -> [DayPart] {
    try ledger.run { () throws(SQLiteError) in
      for day in others { tables.touch(day: day) }
      var parts: [DayPart] = []
      for day in try tables.touchedDays() {
        try tables.clear(day: day)
        if let part = try tables.sum(of: day) { parts.append(part) }
      }
      return parts
    }
  }

  /// Keeps the totals of days, with what their samples add up to, by day, and adds up the weeks of all
  /// days that were touched.
  package func keep(
    _ days: [DayTotals], given: [Int64: SampleTotals] = [:]
  ) throws(LedgerError) {
    try ledger.run { () throws(SQLiteError) in
      for day in days { try tables.keep(day, given: given[day.day]) }
      try tables.addUpWeeks()
    }
  }

  /// Keeps a finding of the history as a whole, or of a day.
  package func add(_ finding: Finding, day: Int64? = nil) throws(LedgerError) {
    do { try tables.keep(finding, nil, day: day) } catch { throw LedgerError(error) }
  }

  /// Keeps what is said of the history as a whole: findings, pending parts, stretches of the clock.
  package func keep(
    whole batch: borrowing NormalizedBatch, clocks: [ClockRow]
  ) throws(LedgerError) {
    do {
      try tables.keep(batch, nil)
      try tables.keep(clocks)
    } catch {
      throw LedgerError(error)
    }
  }

  private func takeSamples(of batch: borrowing NormalizedBatch) throws(SQLiteError) {
    // Taken out, so that they are values that nothing else can reach meanwhile.
    if isOrdered { try beginMerges() }
    var merges: [SampleMerge] = []
    swap(&merges, &self.merges)
    var change = self.change
    defer {
      swap(&merges, &self.merges)
      self.change = change
    }
    for index in batch.samples.indices {
      var sample = batch.samples[index]
      if isDemo { sample.metadata.flags.insert(.demo) }
      let lineage = batch.lineage[batch.lineage(of: index)]
      let kind = StoredSample.storageKind(sample)
      var key = StoredSample.key(of: sample)
      if isOrdered, Self.isOrdered(kind), sample.identity.scheme == .event {
        try merges[Int(kind)].take(key, sample, lineage: lineage, change: &change)
      } else {
        key.partition = UInt32(kind)
        try spool.append(key) { arena in
          SampleCoding.append(
            sample, revision: 0, change: 0, isWithdrawn: false, lineage: lineage, to: &arena)
        }
      }
    }
  }

  private func rows(_ kind: UInt64) throws(SQLiteError) -> SampleRows {
    try SampleRows(ledger.database, pump: pump, storageKind: kind)
  }

  private func beginMerges() throws(SQLiteError) {
    guard merges.isEmpty else { return }
    for kind in 0..<Self.kinds { merges.append(try SampleMerge(rows: rows(UInt64(kind)))) }
  }

  private func mergeRows(
    _ kind: UInt64, _ ranges: SampleRanges
  ) throws(SQLiteError) -> SampleRangeMerge.Outcome {
    var entries: EntryStream?
    if spool.partitions.contains(UInt32(kind)) {
      entries = try EntryStream(try spool.entries(UInt32(kind)))
    }
    let merge = SampleRangeMerge(rows: try rows(kind), kind: kind, ranges: ranges)
    return try merge.merge(&entries, change: &change)
  }

  private func takeSpooled() throws(SQLiteError) {
    try beginMerges()
    try spool.finish()
    for kind in spool.partitions {
      var entries = try EntryStream(try spool.entries(kind))
      var lineage: [EventReference] = []
      while !entries.isAtEnd {
        lineage.removeAll(keepingCapacity: true)
        let sample = entries.withBody { bytes in
          SampleCoding.appendLineage(bytes, at: 0, to: &lineage)
          return SampleCoding.sample(bytes, at: 0)
        }
        try merges[Int(kind)].take(
          StoredSample.key(of: sample), sample, lineage: lineage[...], change: &change)
        try entries.advance()
      }
    }
  }
}
