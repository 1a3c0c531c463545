import Platform
import PumpModel

/// Compares what a ledger holds of a pump with what another one, made from nothing, holds of it.
package struct LedgerComparison {
  private let ledger: Ledger
  private let fromNothing: Ledger
  private let pump: LedgerPump

  /// Creates a comparison; both ledgers know the pump by its number.
  package init(of pump: LedgerPump, in ledger: Ledger, with fromNothing: Ledger) {
    self.ledger = ledger
    self.fromNothing = fromNothing
    self.pump = pump
  }

  /// Compares the samples that are not withdrawn: content, ids, and the events that they rest on.
  package func samples() throws(LedgerError) -> [LedgerProblem] {
    do {
      var faults = FaultCounts()
      for kind in 0..<8 as Range<UInt64> {
        var held = try LiveSamples(ledger.database, pump: pump.number, storageKind: kind)
        var made = try LiveSamples(fromNothing.database, pump: pump.number, storageKind: kind)
        try compare(&held, &made, &faults)
      }
      return faults.problems(.samples, pump: pump.label.name)
    } catch {
      throw LedgerError(error)
    }
  }

  private func compare(
    _ held: inout LiveSamples, _ made: inout LiveSamples, _ faults: inout FaultCounts
  ) throws(SQLiteError) {
    while held.next != nil || made.next != nil {
      guard let made1 = made.next, !held.precedes(made1.key) else {
        faults.note("samples that the journal does not give", number: held.next?.number)
        try held.advance()
        continue
      }
      guard let held1 = held.next, !made.precedes(held1.key) else {
        faults.note("samples that the journal gives and the ledger lacks", number: made1.number)
        try made.advance()
        continue
      }
      let (left, right) = (held1.stored, made1.stored)
      if !left.hasSameContent(as: right.sample) || left.sample.identity != right.sample.identity {
        faults.note("samples that say something else than the journal gives", number: held1.number)
      } else if left.lineage != right.lineage {
        faults.note("samples that rest on other events", number: held1.number)
      }
      try held.advance()
      try made.advance()
    }
  }

  /// Compares what stands beside the samples.
  ///
  /// Events dated after now are left out: they depend on when a run was, not on the journal.
  package func others() throws(LedgerError) -> [LedgerProblem] {
    let tables = try Self.tables + totals()
    do {
      var problems: [LedgerProblem] = []
      for (area, columns, condition) in tables {
        if Self.ofRows.contains(area), try !keepsRows() { continue }
        let sql =
          "SELECT \(columns) FROM \(area.rawValue) WHERE pump = ? \(condition) ORDER BY "
          + (1...columns.split(separator: ",").count).map(String.init).joined(separator: ", ")
        if let text = try difference(sql, columns: columns.split(separator: ",").count) {
          problems.append(LedgerProblem(area, pump: pump.label.name, text))
        }
      }
      return problems
    } catch {
      throw LedgerError(error)
    }
  }

  private static let ofRows: Set<LedgerProblem.Area> = [
    .rowPieces, .rowDayParts, .rowCounterparts, .basalDays,
  ]

  private static let tables: [(LedgerProblem.Area, columns: String, condition: String)] = [
    (.pending, "kind, start_at, number, last_number, records", ""),
    (.holes, "start_at, end_at, reason", ""),
    (
      .findings, "code, start_at, end_at, text",
      "AND code <> '\(FindingCode.eventInFuture.rawValue)'"
    ),
    (
      .rowPieces,
      """
      source, piece, rows, matched, unmatched, meals_of_events, readings, matched_readings, rates, \
      derived, digest, meals_alone
      """, ""
    ),
    (
      .rowDayParts,
      """
      source, piece, day, rate_seconds, bolus, carbohydrate, delivered, zero, within, active_from, \
      active_until
      """, ""
    ),
    (
      .rowCounterparts,
      "source, piece, section, first_time, last_time, first_instant, last_instant, checksum", ""
    ),
    // How a history is cut into pieces depends on the order of imports.
    (.basalDays, "DISTINCT day", ""),
    (
      .dayParts,
      // Of totals of the pump, of which a day may have several, pieces keep the last each.
      """
      day, sum(rate_seconds), sum(bolus), sum(carbohydrate), sum(delivered), sum(zero), \
      sum(suspended), max(has_hole), min(active_from), max(active_until)
      """, "GROUP BY day"
    ),
    (.incomplete, "bolus, start_at", ""),
    (
      .clocks,
      "position, uses_records, opening, start_at, end_at, offset_seconds, drift_milliseconds, records",
      ""
    ),
    (
      .days,
      """
      day, basal, bolus, carbohydrate, delivered, zero, suspended, unknown, pump_basal, \
      difference, active_from, active_until
      """, ""
    ),
  ]

  /// What samples add up to; a ledger of an older version does not say until a run adds them up.
  private func totals() throws(LedgerError)
    -> [(LedgerProblem.Area, columns: String, condition: String)]
  {
    guard try !ledger.lacksTotals() else { return [] }
    return [
      (
        .days,
        "day, given_basal, derived_basal, basal_samples, bolus_samples, carbohydrate_samples", ""
      ),
      (
        .weeks,
        """
        monday, days, known, basal, derived_basal, bolus, carbohydrate, basal_samples, \
        bolus_samples, carbohydrate_samples
        """, ""
      ),
    ]
  }

  /// Whether the ledger keeps what came of rows by pieces; one of an older version does not until a
  /// run makes the pump's samples anew.
  private func keepsRows() throws(SQLiteError) -> Bool {
    let select = try ledger.database.prepare(
      """
      SELECT 1 FROM normalized WHERE pump = ?1 AND knows_rows = 1
      UNION ALL SELECT 1 FROM row_pieces WHERE pump = ?1
      """)
    select.bind(1, pump.number)
    return try select.step()
  }

  /// Says if the samples were made by other rules than those of this pumpline.
  package func rules() throws(LedgerError) -> [LedgerProblem] {
    guard let held = try ledger.normalization(of: pump.number),
      let made = try fromNothing.normalization(of: pump.number), held.version != made.version
    else { return [] }
    return [
      LedgerProblem(
        .pieces, pump: pump.label.name,
        "its samples were made by other rules; the next run makes them again")
    ]
  }

  /// Says how many rows there are and how many of them, in order, are equal; nil if all are.
  private func difference(_ sql: String, columns: Int) throws(SQLiteError) -> String? {
    let held = try ledger.database.prepare(sql)
    let made = try fromNothing.database.prepare(sql)
    held.bind(1, pump.number)
    made.bind(1, pump.number)
    var (heldCount, madeCount, unequal) = (0, 0, 0)
    while true {
      let (isHeld, isMade) = (try held.step(), try made.step())
      guard isHeld || isMade else { break }
      heldCount += isHeld ? 1 : 0
      madeCount += isMade ? 1 : 0
      if !isHeld || !isMade {
        unequal += 1
      } else if !(0..<Int32(columns)).allSatisfy({
        held.isNull($0) == made.isNull($0) && held.text($0) == made.text($0)
      }) {
        unequal += 1
      }
    }
    guard unequal > 0 else { return nil }
    return "the ledger holds \(heldCount) rows, the journal gives \(madeCount), "
      + "and \(unequal) of them differ"
  }
}

/// The samples of one kind that are not withdrawn, one after the other.
private struct LiveSamples {
  private let rows: SQLiteStatement
  private var bytes: [UInt8] = []
  private var offset = 0
  /// The sample that comes next; nil at the end.
  private(set) var next: (key: SortKey, stored: StoredSample, number: UInt32)?

  init(_ database: SQLiteConnection, pump: Int64, storageKind: UInt64) throws(SQLiteError) {
    rows = try database.prepare(
      """
      SELECT entries FROM samples WHERE pump = ? AND high BETWEEN ? AND ? ORDER BY high, low
      """)
    rows.bind(1, pump)
    rows.bind(2, ordered(storageKind << 58))
    rows.bind(3, ordered((storageKind + 1) << 58 - 1))
    try advance()
  }

  /// Whether the next sample comes before a key.
  func precedes(_ key: SortKey) -> Bool { next?.key.precedes(key) ?? false }

  mutating func advance() throws(SQLiteError) {
    while true {
      while offset >= bytes.count {
        guard try rows.step() else {
          next = nil
          return
        }
        bytes = rows.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
        offset = 0
      }
      let stored = SampleCoding.stored(unsafe bytes.span.bytes, at: offset)
      offset += SampleCoding.size(unsafe bytes.span.bytes, at: offset)
      guard !stored.isWithdrawn else { continue }
      next = (StoredSample.key(of: stored.sample), stored, stored.sample.identity.first)
      return
    }
  }
}
