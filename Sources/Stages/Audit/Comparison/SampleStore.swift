import Platform
package import PumpModel

/// Two sets of samples, and what they differ in, in a private temporary database.
///
/// Memory is bounded by the database's cache: rows and sorts beyond it are in files without names
/// that only this process can read and that are gone with it. The cache is small, since rows are
/// added and sorted one after the other, and sources are read again while a store is there.
package final class SampleStore {
  let database: SQLiteConnection
  private let insertSample: SQLiteStatement
  private let insertID: SQLiteStatement
  private var next: Int64 = 1
  /// Whether the statement that inserts holds nothing of what few samples of an output tell.
  private var holdsNoDetails = false
  /// The ids of each set, by hashes.
  private var seen = [SeenHashes](repeating: SeenHashes(), count: SampleSide.allCases.count)
  /// The sets that may have an id more than once.
  private(set) var mayRepeatIDs: Set<SampleSide> = []
  private var runs = [SampleRuns](repeating: SampleRuns(), count: SampleSide.allCases.count)
  /// How many samples each set has.
  package private(set) var counts: [SampleSide: UInt64] = [:]

  /// Creates an empty store.
  ///
  /// - Throws: `AuditError` if there is no room for it.
  package init() throws(AuditError) {
    do throws(SQLiteError) {
      database = try SQLiteConnection(.temporary)
      try database.execute(
        """
        PRAGMA page_size = 16384;
        PRAGMA cache_size = -4096;
        PRAGMA temp_store = FILE;
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        BEGIN;
        CREATE TABLE samples (
          n INTEGER PRIMARY KEY, side INTEGER NOT NULL, id TEXT, type INTEGER NOT NULL,
          start INTEGER NOT NULL, stop INTEGER NOT NULL, amount INTEGER NOT NULL, device TEXT,
          place INTEGER NOT NULL, zone TEXT, metadata TEXT NOT NULL, lineage TEXT NOT NULL,
          event INTEGER
        ) STRICT;
        CREATE TABLE ids_again (side INTEGER NOT NULL, id TEXT NOT NULL) STRICT;
        CREATE TABLE unmatched (n INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE differences (
          kind INTEGER NOT NULL, first INTEGER, second INTEGER, fields TEXT NOT NULL
        ) STRICT;
        """)
      insertSample = try database.prepare(
        "INSERT INTO samples VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)")
      insertID = try database.prepare("INSERT INTO ids_again VALUES (?1,?2)")
    } catch {
      throw .store(error)
    }
  }

  /// Adds a sample to a set.
  package func add(_ sample: WrittenSample, to side: SampleSide) throws(AuditError) {
    insertSample.bind(1, next)
    insertSample.bind(2, side.rawValue)
    insertSample.bind(3, sample.externalID)
    insertSample.bind(4, sample.type.code)
    insertSample.bind(5, sample.start.unixSeconds)
    insertSample.bind(6, sample.end.unixSeconds)
    insertSample.bind(7, sample.amount.parts)
    insertSample.bind(8, sample.device)
    insertSample.bind(9, Int64(clamping: sample.place))
    bindDetails(of: sample)
    do throws(SQLiteError) {
      try insertSample.run()
      if let id = sample.externalID { try note(id, of: side) }
    } catch {
      throw .store(error)
    }
    runs[Int(side.rawValue)].add(sample, next)
    next += 1
    counts[side, default: 0] += 1
  }

  /// Binds what is nothing for all samples of some outputs; what was bound stays.
  private func bindDetails(of sample: WrittenSample) {
    let hasNone =
      sample.zone == nil && sample.metadata.lines.isEmpty && sample.lineage.isEmpty
      && sample.definingEvent == nil
    if hasNone, holdsNoDetails { return }
    holdsNoDetails = hasNone
    insertSample.bind(10, sample.zone)
    insertSample.bind(11, sample.metadata.lines)
    insertSample.bind(
      12, sample.lineage.map { "\($0.number)-\($0.seconds)" }.joined(separator: " "))
    insertSample.bind(13, sample.definingEvent.map { Int64($0) })
  }

  /// Keeps an id apart that may be there already: few are, so that doubled ids need not be looked for
  /// among all.
  private func note(_ id: String, of side: SampleSide) throws(SQLiteError) {
    guard !seen[Int(side.rawValue)].insert(id) else { return }
    mayRepeatIDs.insert(side)
    insertID.bind(1, side.rawValue)
    insertID.bind(2, id)
    try insertID.run()
  }

  /// Gives what the sets differ in, by time.
  ///
  /// - Throws: `AuditError` if the database fails, and whatever `body` throws.
  package func forEachDifference(_ body: (SampleDifference) throws -> Void) throws {
    let select = try storing { () throws(SQLiteError) in
      try database.prepare(
        """
        SELECT d.kind, d.fields, \(StoredRow.columns(of: "a")), \(StoredRow.columns(of: "b"))
        FROM differences d LEFT JOIN samples a ON a.n = d.first
          LEFT JOIN samples b ON b.n = d.second
        ORDER BY coalesce(a.start, b.start), coalesce(a.type, b.type), d.kind, a.n, b.n
        """)
    }
    while try storing({ () throws(SQLiteError) in try select.step() }) {
      guard let kind = SampleDifference.Kind(code: select.int64(0)) else { continue }
      try body(
        SampleDifference(
          kind, first: StoredRow(select, at: 2)?.sample,
          second: StoredRow(select, at: 2 + StoredRow.width)?.sample,
          fields: select.text(1).split(separator: ",").map(String.init)))
    }
  }

  /// Gives the samples of a set in order of time.
  ///
  /// - Parameters:
  ///   - side: the set.
  ///   - isBrief: whether place, zone, metadata, lineage and event are left out, which takes less time.
  ///   - body: takes the samples.
  /// - Throws: `AuditError` if the database fails, and whatever `body` throws.
  package func forEachSample(
    of side: SampleSide, isBrief: Bool = false, _ body: (WrittenSample) throws -> Void
  ) throws {
    let columns = isBrief ? WrittenSample.briefColumns : StoredRow.columns(of: "samples")
    func select(_ rest: String) throws(AuditError) -> SQLiteStatement {
      try storing { () throws(SQLiteError) in
        let select = try database.prepare(
          "SELECT \(columns) FROM samples WHERE side = ?1 \(rest)")
        select.bind(1, side.rawValue)
        return select
      }
    }
    func next(_ select: SQLiteStatement) throws(AuditError) -> WrittenSample? {
      guard try storing({ () throws(SQLiteError) in try select.step() }) else { return nil }
      return isBrief ? WrittenSample(brief: select) : StoredRow(select)?.sample
    }
    guard let ranges = runs[Int(side.rawValue)].ranges else {
      let select = try select("ORDER BY start, stop, type, amount, n")
      while let sample = try next(select) { try body(sample) }
      return
    }
    var heads: [RunHead] = []
    for range in ranges {
      let select = try select("AND n BETWEEN ?2 AND ?3 ORDER BY n")
      select.bind(2, range.lowerBound)
      select.bind(3, range.upperBound)
      if let sample = try next(select) { heads.append(RunHead(sample, of: select)) }
    }
    while let least = RunHead.least(of: heads) {
      try body(heads[least].sample)
      if let sample = try next(heads[least].select) {
        heads[least] = RunHead(sample, of: heads[least].select)
      } else {
        heads.remove(at: least)
      }
    }
  }

  /// The zones that the samples of a set tell, by time: each from the first sample that tells it after
  /// another one; at most 1,000.
  ///
  /// - Throws: `AuditError` if the database fails.
  package func zones(of side: SampleSide) throws(AuditError) -> [(start: Instant, name: String)] {
    var zones: [(start: Instant, name: String)] = []
    try storing { () throws(SQLiteError) in
      let select = try database.prepare(
        "SELECT start, zone FROM samples WHERE side = ? AND zone IS NOT NULL ORDER BY start, n")
      select.bind(1, side.rawValue)
      while zones.count < 1000, try select.step() {
        let name = select.text(1)
        guard name != zones.last?.name else { continue }
        zones.append((Instant(unixSeconds: select.int64(0)), name))
      }
    }
    return zones
  }

  /// Ends each basal of a set where the next one begins, as the programs mean it that tell rates, and
  /// takes those out that then give nothing.
  ///
  /// - Throws: `AuditError` if the database fails, and whatever `goesOn` throws.
  package func endRates(of side: SampleSide, goesOn: () throws -> Void) throws {
    let update = try storing { () throws(SQLiteError) in
      try database.prepare("UPDATE samples SET stop = ?2, amount = ?3 WHERE n = ?1")
    }
    let select = try storing { () throws(SQLiteError) in
      // What was sorted first does not see the changes.
      try database.execute(
        """
        CREATE TEMP TABLE steps AS
        SELECT start, stop, amount, lead(start) OVER (ORDER BY start, stop, min(n)) AS next FROM samples
        WHERE side = \(side.rawValue) AND type = \(SampleType.basal.code)
        GROUP BY start, stop, amount;
        -- One that stands twice stays twice: neither ends the other.
        CREATE TEMP TABLE rates AS
        SELECT n, start, stop, amount, next FROM samples JOIN temp.steps USING (start, stop, amount)
        WHERE side = \(side.rawValue) AND type = \(SampleType.basal.code);
        DROP TABLE temp.steps;
        """)
      return try database.prepare("SELECT * FROM temp.rates WHERE next < stop")
    }
    runs[Int(side.rawValue)].forget()
    var seen = 0
    while try storing({ () throws(SQLiteError) in try select.step() }) {
      seen += 1
      if seen % 4096 == 0 { try goesOn() }
      let (start, stop, next) = (select.int64(1), select.int64(2), select.int64(4))
      let parts = Int128(select.int64(3)) * Int128(next - start) / Int128(max(stop - start, 1))
      update.bind(1, select.int64(0))
      update.bind(2, next)
      update.bind(3, Int64(clamping: parts))
      try storing { () throws(SQLiteError) in try update.run() }
    }
    try storing { () throws(SQLiteError) in
      try database.execute(
        """
        DROP TABLE temp.rates;
        DELETE FROM samples
        WHERE side = \(side.rawValue) AND type = \(SampleType.basal.code) AND amount = 0;
        """)
      counts[side] = UInt64(
        clamping: try database.integer("SELECT count(*) FROM samples WHERE side = \(side.rawValue)")
          ?? 0)
    }
  }

  private func storing<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(AuditError) -> Result {
    do throws(SQLiteError) { return try body() } catch { throw .store(error) }
  }
}

/// The sample that a run of samples in order has come to.
private struct RunHead {
  let sample: WrittenSample
  let key: SampleRuns.Key
  let select: SQLiteStatement

  init(_ sample: WrittenSample, of select: SQLiteStatement) {
    (self.sample, self.select) = (sample, select)
    key = SampleRuns.Key(sample)
  }

  /// The place of the first; of equal ones the one that came first.
  static func least(of heads: [RunHead]) -> Int? {
    var least = heads.indices.first
    for index in heads.indices.dropFirst() {
      if let first = least, heads[index].key.precedes(heads[first].key) { least = index }
    }
    return least
  }
}

/// A sample as a row of a store.
struct StoredRow {
  /// Its number, in the order in which samples were added.
  var number: Int64
  var side: SampleSide
  var sample: WrittenSample

  /// How many columns a row has.
  static let width: Int32 = 13

  /// The columns in the order in which they are read.
  static func columns(of table: String) -> String {
    [
      "n", "side", "id", "type", "start", "stop", "amount", "device", "zone", "metadata", "place",
      "lineage", "event",
    ].map { "\(table).\($0)" }.joined(separator: ", ")
  }

  /// Reads a row from a column on; nil if there is none.
  init?(_ statement: SQLiteStatement, at first: Int32 = 0) {
    func text(_ column: Int32) -> String? {
      statement.isNull(first + column) ? nil : statement.text(first + column)
    }
    guard !statement.isNull(first), let side = SampleSide(rawValue: statement.int64(first + 1)),
      let type = SampleType(code: statement.int64(first + 3))
    else { return nil }
    number = statement.int64(first)
    self.side = side
    sample = WrittenSample(
      externalID: text(2), type: type, device: text(7),
      start: Instant(unixSeconds: statement.int64(first + 4)),
      end: Instant(unixSeconds: statement.int64(first + 5)),
      amount: WrittenAmount(parts: statement.int64(first + 6)), zone: text(8),
      metadata: WrittenMetadata(lines: statement.text(first + 9)),
      place: UInt64(clamping: statement.int64(first + 10)))
    let lineage = statement.text(first + 11)
    sample.lineage = lineage.isEmpty ? [] : lineage.split(separator: " ").compactMap(Self.reference)
    sample.definingEvent = text(12).flatMap { UInt16($0) }
  }

  private static func reference(_ text: Substring) -> EventReference? {
    let parts = text.split(separator: "-").compactMap { UInt32($0) }
    return parts.count == 2 ? EventReference(number: parts[0], seconds: parts[1]) : nil
  }
}

extension WrittenSample {
  /// The columns of what a sample must tell, with its id and pump, in the order in which they are read.
  fileprivate static let briefColumns = "id, type, start, stop, amount, device"

  /// Reads these columns; nil if there is no such type.
  fileprivate init?(brief statement: SQLiteStatement) {
    guard let type = SampleType(code: statement.int64(1)) else { return nil }
    self.init(
      externalID: statement.isNull(0) ? nil : statement.text(0), type: type,
      device: statement.isNull(5) ? nil : statement.text(5),
      start: Instant(unixSeconds: statement.int64(2)),
      end: Instant(unixSeconds: statement.int64(3)),
      amount: WrittenAmount(parts: statement.int64(4)))
  }
}

extension SampleType {
  /// Its place in the list of types, which orders them.
  var code: Int64 { Int64(Self.allCases.firstIndex(of: self) ?? 0) }

  init?(code: Int64) {
    guard code >= 0, code < Self.allCases.count else { return nil }
    self = Self.allCases[Int(code)]
  }
}

extension SampleDifference.Kind {
  /// Its place in the list of kinds.
  var code: Int64 { Int64(Self.allCases.firstIndex(of: self) ?? 0) }

  init?(code: Int64) {
    guard code >= 0, code < Self.allCases.count else { return nil }
    self = Self.allCases[Int(code)]
  }
}
