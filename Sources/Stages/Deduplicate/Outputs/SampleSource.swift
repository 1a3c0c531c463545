import Platform
import PumpModel

/// Gives a pump's live samples of one kind that a selection shows, in the ledger's order.
///
/// Keys order by start; the ledger's order is by number, so whoever needs starts to ascend must
/// have checked that they do (`SampleScan`).
final class SampleSource: ChunkSource {
  private let statement: SQLiteStatement
  private let selection: SampleSelection
  private let partition: UInt32
  private let rank: UInt64

  /// Creates a source of a storage kind: the kind as ledgers order by it, rates of zero apart (7).
  ///
  /// `rank` orders samples of equal start before their ids do.
  init(
    _ database: SQLiteConnection, pump: Int64, storageKind: UInt64, selection: SampleSelection,
    partition: UInt32, rank: UInt64
  ) throws(SQLiteError) {
    statement = try database.prepare(
      """
      SELECT entries, checksum FROM samples
      WHERE pump = ?1 AND live > 0 AND high BETWEEN ?2 AND ?3 AND change > ?4 ORDER BY high, low
      """)
    statement.bind(1, pump)
    statement.bind(2, ordered(storageKind << 58))
    statement.bind(3, ordered((storageKind + 1) << 58 - 1))
    statement.bind(4, Int64(clamping: selection.changedAfter))
    self.selection = selection
    self.partition = partition
    self.rank = rank
  }

  func nextChunk(into arena: inout ByteArena) throws(SQLiteError) -> Bool {
    while arena.count == 0 {
      guard try statement.step() else { return false }
      let isChecked = !statement.isNull(1)
      let (sum, isWhole) = statement.withBlob(0) { row in
        let isWhole = copy(row, into: &arena)
        return (isChecked ? RowChecksum.of(row) : 0, isWhole)
      }
      try RowChecksum.check(sum, of: statement, 1)
      guard isWhole else { throw .checkFailed("a row of samples is cut or damaged") }
    }
    return true
  }

  /// Copies what the selection shows; false if the row ends within a sample.
  private func copy(_ row: RawSpan, into arena: inout ByteArena) -> Bool {
    var offset = 0
    while offset < row.byteCount {
      guard row.byteCount - offset >= SampleCoding.header else { return false }
      let size = SampleCoding.size(row, at: offset)
      guard size <= row.byteCount - offset else { return false }
      defer { offset += size }
      let start = SampleCoding.start(row, at: offset)
      guard !SampleCoding.isWithdrawn(row, at: offset), selection.contains(start: start),
        SampleCoding.change(row, at: offset) > selection.changedAfter
      else { continue }
      let key = SortKey(partition: partition, high: UInt64(bitPattern: start) ^ 1 << 63, low: rank)
      EntryStream.appendHeader(key, length: size, to: &arena)
      arena.append(row.extracting(offset..<offset + size))
    }
    return true
  }
}

/// What is to be known of a pump's samples of one kind before they are read for an output.
struct SampleScan {
  /// How many a selection shows.
  var count = 0
  /// Whether their starts ascend.
  var isOrdered = true
  /// The newest end.
  var newestEnd = Int64.min

  /// Looks at rows, or at samples where a selection may cut a row.
  init(
    _ database: SQLiteConnection, pump: Int64, storageKind: UInt64, selection: SampleSelection
  ) throws(SQLiteError) {
    if selection.from == nil, selection.until == nil, selection.changedAfter == 0 {
      try lookAtRows(database, pump, storageKind)
    } else {
      try lookAtSamples(database, pump, storageKind, selection)
    }
  }

  private mutating func lookAtRows(
    _ database: SQLiteConnection, _ pump: Int64, _ storageKind: UInt64
  ) throws(SQLiteError) {
    let statement = try database.prepare(
      """
      SELECT live, is_ordered, first_start, last_start, newest_end FROM samples
      WHERE pump = ? AND live > 0 AND high BETWEEN ? AND ? ORDER BY high, low
      """)
    statement.bind(1, pump)
    statement.bind(2, ordered(storageKind << 58))
    statement.bind(3, ordered((storageKind + 1) << 58 - 1))
    var last = Int64.min
    while try statement.step() {
      count += Int(statement.int64(0))
      if statement.int64(1) == 0 || statement.int64(2) < last { isOrdered = false }
      last = statement.int64(3)
      newestEnd = max(newestEnd, statement.int64(4))
    }
  }

  private mutating func lookAtSamples(
    _ database: SQLiteConnection, _ pump: Int64, _ storageKind: UInt64,
    _ selection: SampleSelection
  ) throws(SQLiteError) {
    let source = try SampleSource(
      database, pump: pump, storageKind: storageKind, selection: selection, partition: 0, rank: 0)
    var entries = try EntryStream(source)
    var last: UInt64 = 0
    while !entries.isAtEnd {
      if entries.key.high < last { isOrdered = false }
      last = entries.key.high
      count += 1
      newestEnd = max(newestEnd, entries.withBody { SampleCoding.end($0, at: 0) })
      try entries.advance()
    }
  }
}
