import Platform
package import PumpModel

extension Ledger {
  /// What rows of sources alone tell, of sections that are compared, as it is kept by their pieces: what
  /// ended between two instants, as far as it is wanted.
  package func counterparts(
    of pump: Int64, toldBy sources: [ExportSource], _ section: RowSection, from first: Int64,
    through last: Int64, where isWanted: (Counterpart) -> Bool
  ) throws(LedgerError) -> [Counterpart] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT entries, checksum FROM row_counterparts
        WHERE pump = ?1 AND source = ?2 AND section = ?3
          AND last_instant >= ?4 AND first_instant <= ?5
        ORDER BY piece
        """)
      var found: [Counterpart] = []
      for source in sources {
        select.bind(1, pump)
        select.bind(2, Int64(source.rawValue))
        select.bind(3, section.number)
        select.bind(4, first)
        select.bind(5, last)
        defer { select.reset() }
        while try select.step() {
          for counterpart in CounterpartCoding.read(try RowChecksum.checkedBytes(of: select, 0)) {
            let seconds = counterpart.instant.unixSeconds
            if seconds >= first, seconds <= last, isWanted(counterpart) {
              found.append(counterpart)
            }
          }
        }
      }
      return found
    }
  }

  /// What rows of a piece alone tell, as it is kept, in order.
  package func counterparts(
    of pump: Int64, toldBy piece: RowPiece, _ section: RowSection
  ) throws(LedgerError) -> [Counterpart] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT entries, checksum FROM row_counterparts
        WHERE pump = ? AND source = ? AND piece = ? AND section = ?
        """)
      select.bind(1, pump)
      select.bind(2, Int64(piece.source.rawValue))
      select.bind(3, piece.day)
      select.bind(4, section.number)
      guard try select.step() else { return [] }
      return CounterpartCoding.read(try RowChecksum.checkedBytes(of: select, 0))
    }
  }
}

extension PumpReplacement {
  /// Keeps what rows of a piece alone tell, in any order.
  package func keep(
    _ counterparts: [Counterpart], toldBy piece: RowPiece, _ section: RowSection
  ) throws(LedgerError) {
    try ledger.run { () throws(SQLiteError) in
      guard let bounds = CounterpartCoding.bounds(of: counterparts) else { return }
      let insert = try ledger.database.prepare(
        "INSERT INTO row_counterparts VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      let arena = CounterpartCoding.arena(of: counterparts.sorted())
      let values = [
        pump, Int64(piece.source.rawValue), piece.day, section.number, bounds.instants.lowerBound,
        bounds.instants.upperBound,
      ]
      for (index, value) in values.enumerated() { insert.bind(Int32(index + 1), value) }
      arena.withBytes { insert.bind(7, RowChecksum.of($0)) }
      try arena.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 8) }
    }
  }
}
