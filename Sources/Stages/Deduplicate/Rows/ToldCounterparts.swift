import Platform
package import PumpModel

extension Ledger {
  /// What rows of sources alone tell, of sections that are compared, as it is kept by their pieces: what
  /// ended between two seconds, on the pump's clock or in Unix seconds, as far as it is wanted.
  package func counterparts(
    of pump: Int64, toldBy sources: [ExportSource], _ section: RowSection, usesInstants: Bool,
    from first: Int64, through last: Int64, where isWanted: (Counterpart) -> Bool
  ) throws(LedgerError) -> [Counterpart] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT entries, checksum FROM row_counterparts
        WHERE pump = ?1 AND source = ?4 AND section = ?5
          AND \(CounterpartCoding.overlap(usesInstants: usesInstants))
        ORDER BY piece
        """)
      var found: [Counterpart] = []
      // Of sources whose times are instants, none is known on the pump's clock.
      for source in sources where usesInstants || !source.tellsInstants {
        select.bind(1, pump)
        select.bind(2, first)
        select.bind(3, last)
        select.bind(4, Int64(source.rawValue))
        select.bind(5, section.number)
        defer { select.reset() }
        found += try counterparts(
          select, usesInstants: usesInstants, first...last, where: isWanted)
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
        "INSERT INTO row_counterparts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      let arena = CounterpartCoding.arena(of: counterparts.sorted())
      let values =
        [pump, Int64(piece.source.rawValue), piece.day, section.number] + bounds.words
      for (index, value) in values.enumerated() { insert.bind(Int32(index + 1), value) }
      arena.withBytes { insert.bind(9, RowChecksum.of($0)) }
      try arena.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 10) }
    }
  }
}
