import Platform
package import PumpModel

extension Ledger {
  /// The sources of which something is kept in pieces of a pump's rows.
  package func keptRowSources(of pump: Int64) throws(LedgerError) -> Set<ExportSource> {
    try run { () throws(SQLiteError) in
      let select = try database.prepare("SELECT source FROM row_accounts WHERE pump = ?")
      select.bind(1, pump)
      var found: Set<ExportSource> = []
      while try select.step() {
        if let source = ExportSource(rawValue: UInt8(clamping: select.int64(0))) {
          found.insert(source)
        }
      }
      return found
    }
  }

  /// The digest of what a piece of a pump's rows gave; nil if nothing is kept of it.
  package func digest(of piece: RowPiece, of pump: Int64) throws(LedgerError) -> UInt64? {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        "SELECT digest FROM row_pieces WHERE pump = ? AND source = ? AND piece = ?")
      select.bind(1, pump)
      select.bind(2, Int64(piece.source.rawValue))
      select.bind(3, piece.day)
      return try select.step() ? UInt64(bitPattern: select.int64(0)) : nil
    }
  }

  /// The nearest piece of a pump's rows of the same source before another, and the nearest behind it.
  package func neighbours(
    of piece: RowPiece, of pump: Int64
  ) throws(LedgerError) -> [RowPiece] {
    try run { () throws(SQLiteError) in
      var found: [RowPiece] = []
      for (end, side) in [("max", "<"), ("min", ">")] {
        let select = try database.prepare(
          """
          SELECT \(end)(piece) FROM row_pieces
          WHERE pump = ?1 AND source = ?2 AND piece \(side) ?3
          """)
        select.bind(1, pump)
        select.bind(2, Int64(piece.source.rawValue))
        select.bind(3, piece.day)
        if try select.step(), !select.isNull(0) {
          found.append(RowPiece(source: piece.source, day: select.int64(0)))
        }
      }
      return found
    }
  }

  /// Gives a pump's rows of a source whose own times lie in a range, those included that do not
  /// hold; of boluses also those whose extended parts ended in it.
  package func forEachRow(
    of pump: Int64, from source: ExportSource, _ section: RowSection, in times: Range<Int64>,
    _ body: (ExportRow) -> Void
  ) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      try forEachRow(
        of: pump, from: source, "WHERE section IN (\(section.list(of: source))) AND time", times,
        body)
      guard section == .boluses else { return }
      try forEachRow(
        of: pump, from: source,
        "INDEXED BY export_rows_by_extended WHERE section = 0 AND extended_until", times, body)
    }
  }

  private func forEachRow(
    of pump: Int64, from source: ExportSource, _ where: String, _ times: Range<Int64>,
    _ body: (ExportRow) -> Void
  ) throws(SQLiteError) {
    // Without insulin a bolus is compared for its meal.
    let content =
      !source.tellsMealsApart
      ? RowCoding.content
      : RowCoding.content.replacing(
        " carbohydrate,",
        with: """
           coalesce((
            SELECT max(m.carbohydrate) FROM export_rows m
            WHERE m.name = r.name AND m.section = \(RowCoding.meals)), carbohydrate),
          """)
    let select = try database.prepare(
      """
      SELECT DISTINCT section, source, time, \(content) FROM export_rows r
      \(`where`) BETWEEN ?3 AND ?4 AND pump = ?1 AND source = ?2
      """)
    select.bind(1, pump)
    select.bind(2, Int64(source.rawValue))
    select.bind(3, times.lowerBound)
    select.bind(4, times.upperBound - 1)
    try Self.forEachRow(of: select, body)
  }

  private static func forEachRow(
    of select: SQLiteStatement, _ body: (ExportRow) -> Void
  ) throws(SQLiteError) {
    while try select.step() {
      guard let row = RowCoding.row(select, from: 0) else {
        throw .checkFailed("a row of an export cannot be read")
      }
      body(row)
    }
  }
}

extension PumpReplacement {
  /// Takes out what came of a piece of the pump's rows.
  package func clear(_ piece: RowPiece) throws(LedgerError) {
    try ledger.run { () throws(SQLiteError) in try tables.clear(piece) }
  }

  /// Keeps what came of a piece of the pump's rows, beside its samples.
  package func keep(_ result: RowPieceResult) throws(LedgerError) {
    try ledger.run { () throws(SQLiteError) in try tables.keep(result) }
  }
}

extension SideTables {
  /// Takes out what came of a piece of rows.
  func clear(_ piece: RowPiece) throws(SQLiteError) {
    let select = try database.prepare(
      "SELECT day FROM row_day_parts WHERE pump = ? AND source = ? AND piece = ?")
    bind(piece, to: select)
    while try select.step() { touch(day: select.int64(0)) }
    for table in ["row_day_parts", "row_pieces", "row_counterparts"] {
      let delete = try database.prepare(
        "DELETE FROM \(table) WHERE pump = ? AND source = ? AND piece = ?")
      bind(piece, to: delete)
      try delete.run()
    }
  }

  /// Keeps what came of a piece of rows.
  func keep(_ result: RowPieceResult) throws(SQLiteError) {
    let insert = try database.prepare(
      "INSERT INTO row_pieces VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    bind(result.piece, to: insert)
    for (index, count) in result.account.counts.enumerated() {
      insert.bind(Int32(index + 4), Int64(clamping: count))
    }
    insert.bind(12, Int64(bitPattern: result.digest))
    insert.bind(13, Int64(clamping: result.account.mealsAlone))
    try insert.run()
    let insertPart = try database.prepare(
      "INSERT INTO row_day_parts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for part in result.days {
      touch(day: part.day)
      bind(result.piece, to: insertPart)
      let words = [
        part.day, part.rateSeconds, part.bolus, part.carbohydrate, part.delivered, part.zero,
        part.within, part.activeFrom, part.activeUntil,
      ]
      for (index, word) in words.enumerated() { insertPart.bind(Int32(index + 4), word) }
      try insertPart.run()
    }
  }

  private func bind(_ piece: RowPiece, to statement: SQLiteStatement) {
    statement.bind(1, pump)
    statement.bind(2, Int64(piece.source.rawValue))
    statement.bind(3, piece.day)
  }
}
