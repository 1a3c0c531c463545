import Platform
package import PumpModel

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

    var isMeal: Bool { section == RowCoding.meals }

    /// The grams and the time of a meal.
    var meal: (milligrams: Int64, at: Int64)? {
      guard case .meal(let milligrams) = content else { return nil }
      return (Int64(milligrams), time)
    }
  }

  /// What documents tell under one name.
  private struct Group {
    /// The sections in which they tell it.
    var sections: Set<Int64> = []
    /// The row that holds, of those that are no meals.
    var record: Candidate?
    /// The meal that holds.
    var meal: Candidate?

    mutating func take(_ row: Candidate) {
      sections.insert(row.section)
      let known = row.isMeal ? meal : record
      guard known.map({ NamedRows.holds(row, over: $0) }) ?? true else { return }
      if row.isMeal { meal = row } else { record = row }
    }

    /// Whether the record is a bolus, so that the meal is its.
    var isMealOfBolus: Bool { record?.section == 0 }
  }

  private let database: SQLiteConnection

  /// The table that `hold` fills: the places of rows that hold, when they are compared, and the meals of
  /// boluses.
  static let table = "temp.held_rows"

  init(_ database: SQLiteConnection) { self.database = database }

  /// Notes which rows of a pump and a source hold; of all records, or of those that some document tells
  /// at times in some ranges.
  ///
  /// - Returns: of records of ranges, those that hold within them, and those that are another pump's, by
  ///   the sections in which any document tells them.
  func hold(
    of pump: Int64, from source: ExportSource, in times: [Range<Int64>]? = nil
  ) throws(SQLiteError) -> [RowSection: Set<UInt64>] {
    try database.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS held_rows (
        section INTEGER, time INTEGER, ordinal INTEGER, document INTEGER, at INTEGER,
        meal INTEGER, meal_at INTEGER, PRIMARY KEY (section, time, ordinal, document)) WITHOUT ROWID;
      DELETE FROM \(Self.table);
      """)
    let keep = try database.prepare("INSERT INTO \(Self.table) VALUES (?, ?, ?, ?, ?, ?, ?)")
    if let times { try gather(of: pump, from: source, in: times) }
    let names =
      times == nil
      ? "SELECT name FROM export_rows WHERE pump = ? AND source = ? AND name IS NOT NULL"
      : "SELECT name FROM temp.wanted_names"
    let rows = try database.prepare(
      """
      SELECT section, source, time, \(RowCoding.content), pump, ordinal, document, d.run, r.name,
        p.name
      FROM export_rows r JOIN documents d USING (document) JOIN pumps p USING (pump)
      WHERE r.name IN (\(names))
      ORDER BY r.name
      """)
    if times == nil {
      rows.bind(1, pump)
      rows.bind(2, Int64(source.rawValue))
    }
    var found: [RowSection: Set<UInt64>] = [:]
    let doses = try NumberedDoses(database)
    func hold(
      _ row: Candidate?, with meal: (milligrams: Int64, at: Int64)?
    ) throws(SQLiteError) {
      guard let row, row.pump == pump else { return }
      let at = try doses.time(of: row.content, near: row.time) ?? row.time
      let values = [row.section, row.time, row.ordinal, row.document, at]
      for (index, value) in values.enumerated() { keep.bind(Int32(index + 1), value) }
      keep.bind(6, meal?.milligrams)
      keep.bind(7, meal?.at)
      try keep.run()
    }
    var candidate = try next(of: rows)
    while let first = candidate {
      var group = Group()
      while let row = candidate, row.name == first.name {
        group.take(row)
        candidate = try next(of: rows)
      }
      if let times, let best = group.record ?? group.meal,
        best.pump != pump || Self.hold(times, best.time)
      {
        for section in group.sections {
          found[RowSection(number: section), default: []].insert(
            UInt64(bitPattern: first.name))
        }
      }
      try hold(group.record, with: group.isMealOfBolus ? group.meal?.meal : nil)
      // A meal whose bolus no record tells is a row of its own.
      if !group.isMealOfBolus { try hold(group.meal, with: nil) }
    }
    return found
  }

  /// Whether one of some ranges, which are in order, holds a time.
  private static func hold(_ times: [Range<Int64>], _ time: Int64) -> Bool {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle].upperBound <= time { low = middle + 1 } else { high = middle }
    }
    return low < times.count && times[low].contains(time)
  }

  /// Gathers the names of records that documents tell at times in some ranges.
  private func gather(
    of pump: Int64, from source: ExportSource, in times: [Range<Int64>]
  ) throws(SQLiteError) {
    try database.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS wanted_names (name INTEGER PRIMARY KEY);
      DELETE FROM temp.wanted_names;
      """)
    let insert = try database.prepare(
      """
      INSERT OR IGNORE INTO temp.wanted_names SELECT name FROM export_rows
      WHERE pump = ? AND section IN (\(RowCoding.allSections)) AND source = ? AND time >= ? AND time < ?
        AND name IS NOT NULL
      """)
    for range in times {
      let values = [pump, Int64(source.rawValue), range.lowerBound, range.upperBound]
      for (index, value) in values.enumerated() { insert.bind(Int32(index + 1), value) }
      try insert.run()
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

extension Ledger {
  /// The digests of the names of records, or of rows that have one, that hold in ranges of a source's times.
  ///
  /// Ranges must be given in order. Of records, also those are among them that are another pump's by now.
  /// They come by the sections in which documents tell them.
  package func names(
    of pump: Int64, from source: ExportSource, in times: [Range<Int64>]
  ) throws(LedgerError) -> [RowSection: Set<UInt64>] {
    try run { () throws(SQLiteError) in
      if source.namesRecords {
        return try NamedRows(database).hold(of: pump, from: source, in: times)
      }
      let select = try database.prepare(
        """
        SELECT DISTINCT name, section FROM export_rows
        WHERE pump = ? AND section IN (\(RowCoding.allSections)) AND source = ? AND time >= ? AND time < ?
          AND name IS NOT NULL
        """)
      var found: [RowSection: Set<UInt64>] = [:]
      for range in times {
        let values = [pump, Int64(source.rawValue), range.lowerBound, range.upperBound]
        for (index, value) in values.enumerated() { select.bind(Int32(index + 1), value) }
        defer { select.reset() }
        while try select.step() {
          found[RowSection(number: select.int64(1)), default: []].insert(
            UInt64(bitPattern: select.int64(0)))
        }
      }
      return found
    }
  }
}
