import Platform
import PumpModel

/// Walks over a pump's live samples of one kind that a selection shows, in the ledger's order.
///
/// Keys order by start; the ledger's order is by number, so whoever needs starts to ascend must
/// have checked that they do.
final class SampleCursor: SpoolCursor {
  private let statement: SQLiteStatement
  private let selection: SampleSelection
  private let partition: UInt32
  private let kind: UInt8
  private let rank: UInt64
  private let isZero: Bool
  private var row: [UInt8] = []
  private var offset = 0
  private var size = 0

  /// Creates a cursor over the samples of a storage kind: rates of zero are kept apart (7).
  ///
  /// `rank` orders samples of equal start before their ids do.
  init(
    _ database: SQLiteConnection, pump: Int64, storageKind: UInt64, selection: SampleSelection,
    partition: UInt32, rank: UInt64
  ) throws(SQLiteError) {
    statement = try database.prepare(
      """
      SELECT entries FROM samples WHERE pump = ?1 AND live > 0 AND high < ?3
      AND high >= coalesce(
        (SELECT max(high) FROM samples WHERE pump = ?1 AND high <= ?2), ?2)
      ORDER BY high, low
      """)
    statement.bind(1, pump)
    statement.bind(2, ordered(storageKind << 58))
    statement.bind(3, ordered((storageKind + 1) << 58))
    self.selection = selection
    self.partition = partition
    self.rank = rank
    kind = storageKind == 7 ? SampleKind.basal.rawValue : UInt8(storageKind)
    isZero = storageKind == 7
    super.init()
    try look()
  }

  private func look() throws(SQLiteError) {
    while true {
      while offset >= row.count {
        guard try statement.step() else {
          key = nil
          return
        }
        row = statement.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
        offset = 0
      }
      if read() { return }
      offset += size
    }
  }

  /// Reads the entry at the offset; false if it is not shown.
  private func read() -> Bool {
    let row = self.row
    let bytes = unsafe row.span.bytes
    size = SampleCoding.size(bytes, at: offset)
    guard SampleCoding.kind(bytes, at: offset) == kind, !SampleCoding.isWithdrawn(bytes, at: offset)
    else { return false }
    let start = SampleCoding.start(bytes, at: offset)
    let amount = SampleCoding.amount(bytes, at: offset)
    guard (kind != SampleKind.basal.rawValue || (amount == 0) == isZero),
      selection.contains(start: start, kind: kind, amount: amount)
    else { return false }
    key = SortKey(partition: partition, high: UInt64(bitPattern: start) ^ 1 << 63, low: rank)
    return true
  }

  override func advance() throws(SQLiteError) {
    offset += size
    try look()
  }

  override func withBody<Result>(_ body: (RawSpan) -> Result) -> Result {
    let row = self.row
    let bytes = unsafe row.span.bytes
    return body(bytes.extracting(offset..<offset + size))
  }
}
