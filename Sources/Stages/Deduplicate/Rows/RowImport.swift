import Platform
import PumpModel

/// Rows of exports of a run, on their way into a ledger: they wait in a temporary table until it is
/// known which documents count and how pumps are named.
final class RowImport {
  private let database: SQLiteConnection
  private let table: String
  private var insert: SQLiteStatement?
  private let sha256 = Digest256()
  /// How many rows were taken.
  private(set) var count = 0

  /// Creates an import that has no rows yet.
  init(_ database: SQLiteConnection) {
    self.database = database
    table = "temp.new_rows"
  }

  /// Takes rows of a document, which the run counts from 0.
  func append(_ rows: [ExportRow], document: UInt32) throws(SQLiteError) {
    let statement: SQLiteStatement
    if let insert { statement = insert } else { statement = try open() }
    count += rows.count
    for row in rows {
      statement.bind(1, Int64(document))
      statement.bind(2, Int64(row.pump))
      statement.bind(3, Int64(clamping: row.place))
      RowCoding.bind(row, to: statement, from: 4)
      let base = row.name.map(row.source.idBase)
      statement.bind(7 + Int32(RowCoding.count), base)
      statement.bind(
        8 + Int32(RowCoding.count),
        base.map { Int64(bitPattern: NameKeeper.digest(of: $0, by: sha256)) })
      try statement.run()
    }
  }

  /// Makes one row of those that came more than once.
  ///
  /// - Returns: how many rows the document has then; 0 if two rows of one place differ.
  func unite(of document: UInt32) throws(SQLiteError) -> UInt64 {
    guard insert != nil else { return 0 }
    let delete = try database.prepare(
      """
      DELETE FROM \(table) WHERE document = ?1 AND rowid NOT IN (
        SELECT min(rowid) FROM \(table) WHERE document = ?1
        GROUP BY place, reference, section, source, time, \(RowCoding.content), base)
      """)
    delete.bind(1, Int64(document))
    try delete.run()
    let count = try database.prepare(
      "SELECT count(*), count(DISTINCT place) FROM \(table) WHERE document = ?")
    count.bind(1, Int64(document))
    guard try count.step(), count.int64(0) == count.int64(1) else { return 0 }
    return UInt64(count.int64(0))
  }

  /// Moves the rows of documents that count into the ledger.
  ///
  /// - Parameters:
  ///   - kept: the ledger's number of each document of the run; nil for those that do not count.
  ///   - pumps: the pump of each reference.
  /// - Returns: what is new, of the pumps that have rows which say something new.
  /// - Throws: `SQLiteError`.
  func finish(
    _ kept: [UInt32?], pumps: [UInt32: Int64]
  ) throws(SQLiteError) -> [Int64: TouchedRows] {
    guard insert != nil else { return [:] }
    insert = nil
    var touched: [Int64: TouchedRows] = [:]
    try name(pumps)
    try partMeals()
    let move = try database.prepare(
      """
      INSERT INTO export_rows
        (pump, section, source, time, ordinal, document, \(RowCoding.content), name)
      SELECT pump, section, source, time,
        row_number() OVER (PARTITION BY pump, section, source, time ORDER BY place) - 1, ?1,
        \(RowCoding.content), name
      FROM \(table) JOIN temp.new_pumps USING (reference) WHERE document = ?2
      """)
    let words = try StatusWordList(database)
    for (index, document) in kept.enumerated() {
      guard let document else { continue }
      try keepNames(of: Int64(index))
      move.bind(1, Int64(document))
      move.bind(2, Int64(index))
      try move.run()
      try PlacedNames(database).give(document: Int64(document))
      try note(rowsOf: Int64(document), in: &touched)
      try note(recordsOf: Int64(document), in: &touched)
      for word in try self.words(of: Int64(index)) {
        try words.keep(word)
      }
    }
    try database.execute("DROP TABLE \(table); DROP TABLE temp.new_pumps")
    return touched
  }

  /// Makes rows of their own of meals that lines tell with their boluses, of sources that tell them apart.
  private func partMeals() throws(SQLiteError) {
    let condition = """
      WHERE source IN (\(Self.sources(where: \.tellsMealsApart))) AND section = 0
        AND carbohydrate IS NOT NULL
      """
    try database.execute(
      """
      INSERT INTO \(table) (
        document, reference, place, section, source, time, carbohydrate, flags, base, name)
      SELECT document, reference, place, \(RowCoding.meals), source, coalesce(asked_at, time),
        carbohydrate, 0, base, name
      FROM \(table) \(condition);
      UPDATE \(table) SET carbohydrate = NULL, asked_at = NULL \(condition);
      """)
  }

  /// Notes the pieces in which a document says something new.
  ///
  /// Exports of a growing history tell most of it again: a row is new unless all that other documents
  /// tell under its name is the same. Records with ids of their own are looked at apart.
  private func note(
    rowsOf document: Int64, in touched: inout [Int64: TouchedRows]
  ) throws(SQLiteError) {
    let others = """
      SELECT 1 FROM export_rows o
      WHERE o.pump = r.pump AND o.section = r.section AND o.source = r.source
        AND o.time = r.time AND o.ordinal = r.ordinal AND o.document <> r.document
      """
    let isOther = Self.columns.map { "o.\($0) IS NOT r.\($0)" }.joined(separator: " OR ")
    let select = try database.prepare(
      """
      SELECT DISTINCT pump, source, section, time / 86400 - (time % 86400 < 0) FROM export_rows r
      WHERE document = ? AND source NOT IN (\(Self.named)) AND (NOT EXISTS (\(others)) OR EXISTS (\(others) AND (\(isOther))))
      """)
    try note(select, of: document, in: &touched)
  }

  /// Notes the pieces in which records stand, or stood before, of which a document says something new.
  ///
  /// One may have stood at another time before, or been told of another pump. A meal is of the record that
  /// it has the name of, but says nothing else of it.
  private func note(
    recordsOf document: Int64, in touched: inout [Int64: TouchedRows]
  ) throws(SQLiteError) {
    let isOther = (["pump", "section", "time"] + Self.columns).map { "x.\($0) IS NOT r.\($0)" }
    let meals = RowCoding.meals
    let isLike = "x.name = r.name AND (x.section = \(meals)) = (r.section = \(meals))"
    let select = try database.prepare(
      """
      SELECT DISTINCT o.pump, o.source, o.section, o.time / 86400 - (o.time % 86400 < 0)
      FROM export_rows r JOIN export_rows o ON o.name = r.name
      WHERE r.document = ?1 AND r.source IN (\(Self.named)) AND (
        NOT EXISTS (SELECT 1 FROM export_rows x WHERE \(isLike) AND x.document <> ?1)
        OR EXISTS (
          SELECT 1 FROM export_rows x WHERE \(isLike) AND (\(isOther.joined(separator: " OR ")))))
      """)
    try note(select, of: document, in: &touched)
  }

  /// Notes pieces that are selected of a document: pump, source, section, day.
  private func note(
    _ select: SQLiteStatement, of document: Int64, in touched: inout [Int64: TouchedRows]
  ) throws(SQLiteError) {
    select.bind(1, document)
    while try select.step() {
      guard let source = ExportSource(rawValue: UInt8(clamping: select.int64(1))) else { continue }
      touched[select.int64(0), default: TouchedRows()].note(
        RowPiece(source: source, day: select.int64(3)),
        hasRates: select.int64(2) == RowCoding.rates)
    }
  }

  /// The sources whose records have ids of their own, as SQL lists them.
  private static let named = sources(where: \.namesRecords)

  /// Some sources, as SQL lists them.
  private static func sources(where isMeant: (ExportSource) -> Bool) -> String {
    ExportSource.allCases.filter(isMeant).map { "\($0.rawValue)" }.joined(separator: ", ")
  }

  /// The columns that hold what a row says.
  private static let columns = RowCoding.content.split(separator: ",").map {
    $0.filter { $0 != " " }
  }

  /// Keeps the names of a document's rows.
  private func keepNames(of document: Int64) throws(SQLiteError) {
    let names = try NameKeeper(database)
    let select = try database.prepare(
      "SELECT DISTINCT base, name FROM \(table) WHERE document = ? AND base IS NOT NULL")
    select.bind(1, document)
    while try select.step() {
      try names.keep(select.text(0), under: UInt64(bitPattern: select.int64(1)))
    }
  }

  private func name(_ pumps: [UInt32: Int64]) throws(SQLiteError) {
    try database.execute(
      "CREATE TEMP TABLE new_pumps (reference INTEGER PRIMARY KEY, pump INTEGER NOT NULL)")
    let name = try database.prepare("INSERT INTO temp.new_pumps VALUES (?, ?)")
    for (reference, pump) in pumps {
      name.bind(1, Int64(reference))
      name.bind(2, pump)
      try name.run()
    }
  }

  /// The words of a document for which there are no codes of the pump.
  private func words(of document: Int64) throws(SQLiteError) -> [String] {
    let select = try database.prepare(
      """
      SELECT normal_status FROM \(table) WHERE document = ?1 AND normal_status IS NOT NULL
      UNION
      SELECT extended_status FROM \(table) WHERE document = ?1 AND extended_status IS NOT NULL
      """)
    select.bind(1, document)
    let known = StatusWords()
    var found: [String] = []
    while try select.step() {
      let word = select.text(0)
      if known.code(of: word) == nil { found.append(word) }
    }
    return found
  }

  private func open() throws(SQLiteError) -> SQLiteStatement {
    try database.execute(
      """
      CREATE TABLE \(table) (
        document INTEGER NOT NULL, reference INTEGER NOT NULL, place INTEGER NOT NULL,
        section INTEGER NOT NULL, source INTEGER NOT NULL, time INTEGER NOT NULL,
        \(RowCoding.content), base TEXT, name INTEGER);
      CREATE INDEX temp.new_rows_of ON new_rows (document, reference);
      """)
    let marks = Array(repeating: "?", count: 8 + RowCoding.count).joined(separator: ", ")
    let statement = try database.prepare("INSERT INTO \(table) VALUES (\(marks))")
    insert = statement
    return statement
  }
}

/// The columns that hold what a row says.
enum RowCoding {
  /// Their names, in order, after section, source and time.
  static let content = """
    normal, normal_decimals, normal_status, extended, extended_decimals, extended_status, \
    extended_from, extended_until, carbohydrate, asked_at, flags, amount, seconds, number
    """
  /// How many they are.
  static let count = 14

  /// The section of rates.
  static let rates: Int64 = 3
  /// The section of meals whose boluses are told by other records.
  static let meals: Int64 = 4
  /// All sections, as SQL lists them.
  static let allSections = "0, 1, 2, 3, 4"

  private static let automatic: Int64 = 1
  private static let override: Int64 = 2

  /// Which section a row belongs to: rows are counted within it.
  static func section(of row: ExportRow) -> Int64 {
    switch row.content {
    case .bolus: 0
    case .reading(_, false): 1
    case .reading(_, true): 2
    case .rate: rates
    case .meal: meals
    }
  }

  /// Binds section, source, time and content.
  static func bind(_ row: ExportRow, to statement: SQLiteStatement, from first: Int32) {
    statement.bind(first, section(of: row))
    statement.bind(first + 1, Int64(row.source.rawValue))
    statement.bind(first + 2, row.time)
    let content = first + 3
    for index in 0..<Int32(count) { statement.bind(content + index, nil as Int64?) }
    statement.bind(content + 10, 0 as Int64)
    switch row.content {
    case .bolus(let bolus): bind(bolus, to: statement, from: content)
    case .reading(let glucose, _): statement.bind(content + 11, Int64(glucose))
    case .rate(let rate, let seconds):
      statement.bind(content + 11, Int64(rate))
      statement.bind(content + 12, Int64(seconds))
    case .meal(let carbohydrate): statement.bind(content + 8, Int64(carbohydrate))
    }
  }

  private static func bind(
    _ bolus: RowBolus, to statement: SQLiteStatement, from content: Int32
  ) {
    if let normal = bolus.normal {
      statement.bind(content, Int64(normal.amount))
      statement.bind(content + 1, Int64(normal.decimals))
      statement.bind(content + 2, normal.status)
    }
    if let extended = bolus.extended {
      statement.bind(content + 3, Int64(extended.amount))
      statement.bind(content + 4, Int64(extended.decimals))
      statement.bind(content + 5, extended.status)
    }
    statement.bind(content + 6, bolus.span?.lowerBound)
    statement.bind(content + 7, bolus.span?.upperBound)
    statement.bind(content + 8, bolus.carbohydrate.map(Int64.init))
    statement.bind(content + 9, bolus.requestTime)
    statement.bind(content + 13, bolus.number.map(Int64.init))
    statement.bind(
      content + 10,
      (bolus.isAutomatic ? automatic : 0) | (bolus.isOverride ? override : 0))
  }

  /// Reads section, source, time and content; nil if they are of no row.
  static func row(_ statement: SQLiteStatement, from first: Int32) -> ExportRow? {
    guard let source = ExportSource(rawValue: UInt8(clamping: statement.int64(first + 1))),
      let content = content(statement, section: statement.int64(first), from: first + 3)
    else { return nil }
    return ExportRow(
      source: source, pump: 0, time: statement.int64(first + 2), place: 0, content: content)
  }

  private static func content(
    _ statement: SQLiteStatement, section: Int64, from first: Int32
  ) -> ExportRow.Content? {
    let amount = statement.int64(first + 11)
    switch section {
    case 0: return .bolus(bolus(statement, from: first))
    case 1, 2: return .reading(glucose: UInt16(clamping: amount), isManual: section == 2)
    case rates:
      return .rate(
        milliunitsPerHour: UInt32(clamping: amount),
        seconds: UInt32(clamping: statement.int64(first + 12)))
    case meals: return .meal(carbohydrate: UInt32(clamping: statement.int64(first + 8)))
    default: return nil
    }
  }

  private static func bolus(_ statement: SQLiteStatement, from first: Int32) -> RowBolus {
    var bolus = RowBolus()
    bolus.normal = dose(statement, from: first)
    bolus.extended = dose(statement, from: first + 3)
    if !statement.isNull(first + 6), !statement.isNull(first + 7) {
      let (from, until) = (statement.int64(first + 6), statement.int64(first + 7))
      bolus.span = min(from, until)...until
    }
    if !statement.isNull(first + 8) {
      bolus.carbohydrate = UInt32(clamping: statement.int64(first + 8))
    }
    if !statement.isNull(first + 9) { bolus.requestTime = statement.int64(first + 9) }
    if !statement.isNull(first + 13) {
      bolus.number = UInt32(clamping: statement.int64(first + 13))
    }
    let flags = statement.int64(first + 10)
    bolus.isAutomatic = flags & automatic != 0
    bolus.isOverride = flags & override != 0
    return bolus
  }

  private static func dose(_ statement: SQLiteStatement, from first: Int32) -> RowDose? {
    guard !statement.isNull(first) else { return nil }
    return RowDose(
      amount: UInt32(clamping: statement.int64(first)),
      decimals: UInt8(clamping: statement.int64(first + 1)),
      status: statement.isNull(first + 2) ? nil : statement.text(first + 2))
  }
}
