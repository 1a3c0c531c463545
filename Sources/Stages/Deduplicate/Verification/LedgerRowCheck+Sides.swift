import Platform
import PumpModel

/// The rows that nothing can be made again of, and those that only runs look at.
extension LedgerRowCheck {
  /// What is wrong with the forms of a pump's samples that hold no longer.
  package func forms(of pump: LedgerPump) throws(LedgerError) -> [LedgerProblem] {
    try run { () throws(SQLiteError) in
      let newest = UInt64(
        try database.integer("SELECT value FROM settings WHERE name = 'change'") ?? 0)
      let rows = try database.prepare(
        """
        SELECT high, low, from_change, until_change, checksum, entry FROM superseded
        WHERE pump = ?
        """)
      rows.bind(1, pump.number)
      var faults = FaultCounts()
      while try rows.step() {
        let key = SortKey(
          partition: 0, high: unordered(rows.int64(0)), low: unordered(rows.int64(1)))
        let (from, until) = (rows.int64(2), UInt64(clamping: rows.int64(3)))
        let sum = rows.isNull(4) ? nil : rows.int64(4)
        rows.withBlob(5) { entry in
          if let sum, sum != SupersededForms.checksum(of: entry, until: until) {
            faults.note(Self.wrongChecksum)
          }
          guard SampleCoding.isSound(entry), entry.byteCount > 0,
            SampleCoding.size(entry, at: 0) == entry.byteCount
          else { return faults.note("rows that are no samples") }
          let form = SampleCoding.stored(entry, at: 0)
          if SupersededForms.key(of: form.sample) != key || form.change != UInt64(clamping: from) {
            faults.note("rows that stand in a wrong place")
          }
          if form.isWithdrawn || form.change >= until || until > newest {
            faults.note("forms of an impossible time")
          }
        }
      }
      return faults.problems(.superseded, pump: pump.label.name)
    }
  }

  /// What is wrong with the pieces of a pump's history, and with what its samples rest on beside
  /// the journal.
  package func pieces(of pump: LedgerPump) throws(LedgerError) -> [LedgerProblem] {
    try run { () throws(SQLiteError) in
      let rows = try database.prepare(
        """
        SELECT start, records, digest, counted_until, newest, seed, notes, checksum FROM segments
        WHERE pump = ?
        """)
      rows.bind(1, pump.number)
      var faults = FaultCounts()
      while try rows.step() {
        let sum = StoredSegment.checksum(
          (0..<4).map { rows.int64($0) }, newest: rows.isNull(4) ? nil : rows.int64(4),
          rows.words(5), rows.words(6))
        if !rows.isNull(7), rows.int64(7) != sum { faults.note(Self.wrongChecksum) }
      }
      let sums = try database.prepare(
        "SELECT until, sums, newest, is_late, checksum FROM segment_sums WHERE pump = ?")
      sums.bind(1, pump.number)
      while try sums.step() {
        if SegmentSums(row: sums).checksum != sums.int64(4) { faults.note(Self.wrongChecksum) }
      }
      let held = try database.prepare(
        "SELECT version, scan, claims, fetched, knows_rows, checksum FROM normalized WHERE pump = ?"
      )
      held.bind(1, pump.number)
      while try held.step() {
        let found = HeldNormalization(
          version: held.int64(0), scan: held.words(1), claims: held.words(2),
          fetched: held.words(3), knowsRows: held.int64(4) != 0)
        if !held.isNull(5), held.int64(5) != found.checksum { faults.note(Self.wrongChecksum) }
      }
      for table in ["counterparts", "row_counterparts"] {
        try check(
          """
          SELECT entries, checksum, first_time, last_time, first_instant, last_instant
          FROM \(table) WHERE pump = ?
          """, of: pump, &faults)
      }
      return faults.problems(.pieces, pump: pump.label.name)
    }
  }

  /// Checks rows of counterparts: entries, their checksum, and bounds that are made of them.
  private func check(
    _ sql: String, of pump: LedgerPump, _ faults: inout FaultCounts
  ) throws(SQLiteError) {
    let rows = try database.prepare(sql)
    rows.bind(1, pump.number)
    while try rows.step() {
      let entries = rows.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
      let found = CounterpartCoding.bounds(of: CounterpartCoding.read(entries))?.words ?? []
      if rows.int64(1) != RowChecksum.of(unsafe entries.span.bytes) {
        faults.note(Self.wrongChecksum)
      } else if found.isEmpty || found != found.indices.map({ rows.int64(Int32($0) + 2) }) {
        faults.note("rows that say something else of themselves")
      }
    }
  }
}
