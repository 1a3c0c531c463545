import Platform
package import PumpModel

/// Replaces all that a ledger holds of one pump beside its journal, by what normalizing gave.
///
/// Take batches as they come, then `finish`. The ledger must be in its transaction.
package final class PumpReplacement {
  private let ledger: Ledger
  private let pump: Int64
  private let spool: SortSpool
  /// The comparisons of each kind, as ledgers count kinds; begun when the kind's turn comes.
  private var merges: [SampleMerge?]
  private var change: UInt64
  /// Whether samples that come in the order of events come in the order of their keys.
  private let isOrdered: Bool
  private let insertPending: SQLiteStatement
  private let insertHole: SQLiteStatement
  private let insertFinding: SQLiteStatement
  private let insertIncomplete: SQLiteStatement

  private static let memory = 10 << 20

  /// Kinds whose samples are made in the order of events: basal, readings, rates of zero.
  private static func isOrdered(_ kind: UInt64) -> Bool {
    kind == 0 || kind == 4 || kind == 5 || kind == 7
  }

  /// Begins a replacement: takes the old rows out.
  package init(_ ledger: Ledger, pump: LedgerPump) throws(LedgerError) {
    self.ledger = ledger
    self.pump = pump.number
    merges = Array(repeating: nil, count: 8)
    // Where a log has several groups, numbers begin anew within it.
    isOrdered = !pump.hasGroups
    let database = ledger.database
    spool = SortSpool(database: database, name: "samples", memory: Self.memory)
    do {
      for table in ["pending", "holes", "findings", "incomplete", "clocks", "days"] {
        let delete = try database.prepare("DELETE FROM \(table) WHERE pump = ?")
        delete.bind(1, pump.number)
        try delete.run()
      }
      change = try ledger.change
      insertPending = try database.prepare("INSERT INTO pending VALUES (?, ?, ?, ?, ?, ?)")
      insertHole = try database.prepare("INSERT INTO holes VALUES (?, ?, ?, ?)")
      insertFinding = try database.prepare("INSERT INTO findings VALUES (?, ?, ?, ?, ?)")
      insertIncomplete = try database.prepare("INSERT INTO incomplete VALUES (?, ?, ?)")
    } catch {
      throw LedgerError(error)
    }
  }

  /// Takes what some events made certain.
  package func take(_ batch: borrowing NormalizedBatch) throws(LedgerError) {
    do {
      try takeSamples(of: batch)
      for index in batch.pending.indices { try keep(batch.pending[index]) }
      for index in batch.holes.indices { try keep(batch.holes[index]) }
      for index in batch.findings.indices { try keep(batch.findings[index]) }
      for index in batch.incomplete.indices { try keep(batch.incomplete[index]) }
    } catch {
      throw LedgerError(error)
    }
  }

  /// Keeps a finding of the pump.
  package func add(_ finding: Finding) throws(LedgerError) {
    do { try keep(finding) } catch { throw LedgerError(error) }
  }

  /// Ends the replacement: compares the samples with those held before.
  package func finish(days: [DayTotals], clocks: [ClockRow]) throws(LedgerError) -> SampleOutcome {
    do {
      try keep(days)
      try keep(clocks)
      try takeSpooled()
      var outcome = SampleOutcome()
      for kind in merges.indices {
        if merges[kind] == nil { merges[kind] = try merge(UInt64(kind)) }
        try merges[kind]?.finish(change: &change)
        // Rates of zero are no samples unless somebody asks for them, so they do not count.
        if let merge = merges[kind], let kind = SampleKind(rawValue: UInt8(kind)) {
          outcome.add(
            merge.changes, of: kind, taken: merge.takenIdentities, moved: merge.moved)
        }
      }
      try ledger.setChange(change)
      try spool.drop()
      if outcome.takenIdentities.count > 0 {
        try keep(
          Finding(
            .identityTaken,
            text: "\(outcome.takenIdentities.count) samples would have had the id of another; "
              + "numbers \(outcome.takenIdentities.text)."))
      }
      return outcome
    } catch {
      throw LedgerError(error)
    }
  }

  private func takeSamples(of batch: borrowing NormalizedBatch) throws(SQLiteError) {
    // Taken out, so that they are values that nothing else can reach meanwhile.
    var merges: [SampleMerge?] = []
    swap(&merges, &self.merges)
    var change = self.change
    defer {
      swap(&merges, &self.merges)
      self.change = change
    }
    for index in batch.samples.indices {
      let sample = batch.samples[index]
      let lineage = batch.lineage[batch.lineage(of: index)]
      let kind = StoredSample.storageKind(sample)
      var key = StoredSample.key(of: sample)
      if isOrdered, Self.isOrdered(kind) {
        if merges[Int(kind)] == nil { merges[Int(kind)] = try merge(kind) }
        try merges[Int(kind)]?.take(key, sample, lineage: lineage, change: &change)
      } else {
        key.partition = UInt32(kind)
        try spool.append(key) { arena in
          SampleCoding.append(
            sample, revision: 0, change: 0, isWithdrawn: false, lineage: lineage, to: &arena)
        }
      }
    }
  }

  private func merge(_ kind: UInt64) throws(SQLiteError) -> SampleMerge {
    try SampleMerge(rows: SampleRows(ledger.database, pump: pump, storageKind: kind))
  }

  private func takeSpooled() throws(SQLiteError) {
    try spool.finish()
    for kind in spool.partitions {
      if merges[Int(kind)] == nil { merges[Int(kind)] = try merge(UInt64(kind)) }
      var entries = try EntryStream(try spool.entries(kind))
      var lineage: [EventReference] = []
      while !entries.isAtEnd {
        lineage.removeAll(keepingCapacity: true)
        let sample = entries.withBody { bytes in
          SampleCoding.appendLineage(bytes, at: 0, to: &lineage)
          return SampleCoding.sample(bytes, at: 0)
        }
        try merges[Int(kind)]?.take(
          StoredSample.key(of: sample), sample, lineage: lineage[...], change: &change)
        try entries.advance()
      }
    }
  }

  private func keep(_ part: PendingPart) throws(SQLiteError) {
    insertPending.bind(1, pump)
    insertPending.bind(2, part.kind.rawValue)
    insertPending.bind(3, part.start?.unixSeconds)
    insertPending.bind(4, Int64(part.number))
    insertPending.bind(5, part.extent.map { Int64($0.lastNumber) })
    insertPending.bind(6, part.extent.map { Int64(clamping: $0.count) })
    try insertPending.run()
  }

  private func keep(_ hole: Hole) throws(SQLiteError) {
    insertHole.bind(1, pump)
    insertHole.bind(2, hole.start.unixSeconds)
    insertHole.bind(3, hole.end?.unixSeconds)
    insertHole.bind(4, hole.reason.rawValue)
    try insertHole.run()
  }

  private func keep(_ finding: Finding) throws(SQLiteError) {
    insertFinding.bind(1, pump)
    insertFinding.bind(2, finding.code.rawValue)
    insertFinding.bind(3, finding.start?.unixSeconds)
    insertFinding.bind(4, finding.end?.unixSeconds)
    insertFinding.bind(5, finding.text)
    try insertFinding.run()
  }

  private func keep(_ request: IncompleteRequest) throws(SQLiteError) {
    insertIncomplete.bind(1, pump)
    insertIncomplete.bind(2, Int64(request.bolus))
    insertIncomplete.bind(3, request.start.unixSeconds)
    try insertIncomplete.run()
  }

  private func keep(_ days: [DayTotals]) throws(SQLiteError) {
    let insert = try ledger.database.prepare(
      "INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for day in days {
      insert.bind(1, pump)
      insert.bind(2, day.day)
      insert.bind(3, day.basal)
      insert.bind(4, day.bolus)
      insert.bind(5, day.carbohydrate)
      insert.bind(6, day.deliveredSeconds)
      insert.bind(7, day.zeroSeconds)
      insert.bind(8, day.suspendedSeconds)
      insert.bind(9, day.unknownSeconds)
      insert.bind(10, day.pumpBasal)
      insert.bind(11, day.difference)
      insert.bind(12, day.active?.lowerBound.unixSeconds)
      insert.bind(13, day.active?.upperBound.unixSeconds)
      try insert.run()
    }
  }

  private func keep(_ clocks: [ClockRow]) throws(SQLiteError) {
    let insert = try ledger.database.prepare(
      "INSERT INTO clocks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (position, clock) in clocks.enumerated() {
      insert.bind(1, pump)
      insert.bind(2, Int64(position))
      insert.bind(3, clock.usesRecords ? 1 as Int64 : 0)
      insert.bind(4, clock.opening.rawValue)
      insert.bind(5, clock.start?.unixSeconds)
      insert.bind(6, clock.end?.unixSeconds)
      insert.bind(7, clock.offset)
      insert.bind(8, clock.driftMilliseconds)
      insert.bind(9, Int64(clamping: clock.records))
      try insert.run()
    }
  }
}
