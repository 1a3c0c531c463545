import Platform
package import PumpModel

/// What a pump's records tell of doses whose numbers rows tell, by number, so that a row is compared at
/// the time that the pump's log gives its dose (N10).
package final class NumberedDoses {
  private let insert: SQLiteStatement
  private let select: SQLiteStatement

  /// Zones are at most so far apart: whatever clock wrote the row's time, it is not further away.
  private static let reach: Int64 = 26 * 3600

  init(_ database: SQLiteConnection) throws(SQLiteError) {
    try database.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS numbered_doses (
        number INTEGER, kind INTEGER, at INTEGER, amount INTEGER,
        PRIMARY KEY (number, kind, at, amount)) WITHOUT ROWID
      """)
    insert = try database.prepare(
      """
      INSERT OR IGNORE INTO temp.numbered_doses SELECT ?2, ?3, ?4, ?5
      WHERE EXISTS (SELECT 1 FROM export_rows WHERE pump = ?1 AND number = ?2)
      """)
    select = try database.prepare(
      """
      SELECT at FROM temp.numbered_doses
      WHERE number = ?1 AND kind = ?2 AND abs(at - ?3) <= \(Self.reach)
        AND abs(amount - ?4) <= \(RowDose.numberedTolerance)
      ORDER BY abs(at - ?3), at LIMIT 1
      """)
  }

  /// Keeps those of a pump's doses that rows tell the number of.
  package func keep(_ doses: [Counterpart], of pump: Int64) throws(LedgerError) {
    do throws(SQLiteError) {
      for dose in doses where dose.isDose {
        insert.bind(1, pump)
        insert.bind(2, Int64(dose.number))
        insert.bind(3, Int64(dose.kind.rawValue))
        insert.bind(4, dose.instant.unixSeconds)
        insert.bind(5, Int64(dose.amount))
        try insert.run()
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// When the pump's log says that the dose of a row ended, whose time is an instant; nil where the row
  /// tells no number, or the log has no such dose under it.
  func time(of content: ExportRow.Content, near time: Int64) throws(SQLiteError) -> Int64? {
    guard case .bolus(let bolus) = content, let number = bolus.number,
      let dose = bolus.normal ?? bolus.extended
    else { return nil }
    let kind: SampleKind = bolus.normal == nil ? .extended : .bolus
    select.bind(1, Int64(number))
    select.bind(2, Int64(kind.rawValue))
    select.bind(3, time)
    select.bind(4, Int64(dose.amount))
    defer { select.reset() }
    return try select.step() ? select.int64(0) : nil
  }
}

extension Ledger {
  /// What a pump's records tell of doses whose numbers rows tell; nothing yet.
  package func numberedDoses() throws(LedgerError) -> NumberedDoses {
    try run { () throws(SQLiteError) in
      let doses = try NumberedDoses(database)
      try database.execute("DELETE FROM temp.numbered_doses")
      return doses
    }
  }
}
