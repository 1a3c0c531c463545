import Platform
import PumpModel

/// Finds, of rows with ids of their own, those that hold (N10): for one id the document that a later
/// run read first wins, whatever time it gives the record, and whichever pump.
struct NamedRows {
  private struct Candidate {
    var content: ExportRow.Content
    var pump: Int64
    var section: Int64
    var time: Int64
    var ordinal: Int64
    var document: Int64
    var run: Int64
    var name: Int64
    var pumpName: String
  }

  private let database: SQLiteConnection

  /// The table that `hold` fills: the places of rows that hold, and when they are compared.
  static let table = "temp.held_rows"

  init(_ database: SQLiteConnection) { self.database = database }

  /// Notes which rows of a pump and a source hold.
  func hold(of pump: Int64, from source: ExportSource) throws(SQLiteError) {
    try database.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS held_rows (
        section INTEGER, time INTEGER, ordinal INTEGER, document INTEGER, at INTEGER,
        PRIMARY KEY (section, time, ordinal, document)) WITHOUT ROWID;
      DELETE FROM \(Self.table);
      """)
    let keep = try database.prepare("INSERT INTO \(Self.table) VALUES (?, ?, ?, ?, ?)")
    let rows = try database.prepare(
      """
      SELECT section, source, time, \(RowCoding.content), pump, ordinal, document, d.run, r.name,
        p.name
      FROM export_rows r JOIN documents d USING (document) JOIN pumps p USING (pump)
      WHERE r.name IN (
        SELECT name FROM export_rows WHERE pump = ? AND source = ? AND name IS NOT NULL)
      ORDER BY r.name
      """)
    rows.bind(1, pump)
    rows.bind(2, Int64(source.rawValue))
    let doses = try NumberedDoses(database)
    var candidate = try next(of: rows)
    while var best = candidate {
      candidate = try next(of: rows)
      while let other = candidate, other.name == best.name {
        if Self.holds(other, over: best) { best = other }
        candidate = try next(of: rows)
      }
      guard best.pump == pump else { continue }
      let at = try doses.time(of: best.content, near: best.time) ?? best.time
      let values = [best.section, best.time, best.ordinal, best.document, at]
      for (index, value) in values.enumerated() { keep.bind(Int32(index + 1), value) }
      try keep.run()
    }
  }

  private func next(of rows: SQLiteStatement) throws(SQLiteError) -> Candidate? {
    guard try rows.step() else { return nil }
    guard let row = RowCoding.row(rows, from: 0) else {
      throw .checkFailed("a row of an export cannot be read")
    }
    let after = 3 + Int32(RowCoding.count)
    return Candidate(
      content: row.content, pump: rows.int64(after), section: rows.int64(0), time: row.time,
      ordinal: rows.int64(after + 1), document: rows.int64(after + 2),
      run: rows.int64(after + 3), name: rows.int64(after + 4),
      pumpName: rows.text(after + 5))
  }

  /// Whether a row holds and not the other: the one that was read in a later run, else the greater.
  private static func holds(_ row: Candidate, over other: Candidate) -> Bool {
    if row.run != other.run { return row.run > other.run }
    if row.section != other.section { return row.section < other.section }
    if row.content != other.content { return RowOrder.precedes(other.content, row.content) }
    if row.time != other.time { return row.time > other.time }
    // They say the same but of which pump.
    return row.pumpName < other.pumpName
  }
}
