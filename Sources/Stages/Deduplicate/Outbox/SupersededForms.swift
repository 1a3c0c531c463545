import Platform
import PumpModel

/// Keeps the forms of a pump's samples that some sink was given last and that hold no longer, so
/// that the sink can be told what to delete.
///
/// A form holds from the change that made it until the change that ended it. A sink whose mark lies
/// between was given that form; where no mark does, the form is forgotten.
final class SupersededForms {
  private let pump: Int64
  /// The newest mark that any sink has, or is about to have.
  private let newestMark: UInt64
  private let insert: SQLiteStatement

  /// Creates access to a pump's forms.
  init(_ database: SQLiteConnection, pump: Int64) throws(SQLiteError) {
    self.pump = pump
    newestMark = UInt64(
      try database.integer(
        """
        SELECT max(mark) FROM (
          SELECT mark FROM sinks WHERE is_database = 0
          UNION ALL SELECT mark FROM outbox WHERE mark IS NOT NULL)
        """) ?? 0)
    insert = try database.prepare("INSERT OR REPLACE INTO superseded VALUES (?, ?, ?, ?, ?, ?, ?)")
  }

  /// Keeps a form that a change ends, if a sink may have been given it.
  func keep(_ held: StoredSample, until change: UInt64) throws(SQLiteError) {
    guard !held.isWithdrawn, held.change <= newestMark else { return }
    let key = Self.key(of: held.sample)
    var arena = ByteArena(capacity: SampleCoding.header + 8 * held.lineage.count)
    SampleCoding.append(
      held.sample, revision: held.revision, change: held.change, isWithdrawn: false,
      lineage: held.lineage[...], to: &arena)
    insert.bind(1, pump)
    insert.bind(2, ordered(key.high))
    insert.bind(3, ordered(key.low))
    insert.bind(4, Int64(clamping: held.change))
    insert.bind(5, Int64(clamping: change))
    try arena.withBytes { bytes throws(SQLiteError) in
      insert.bind(7, Self.checksum(of: bytes, until: change))
      try insert.run(blob: bytes, at: 6)
    }
  }

  /// The checksum of a form that held until a change.
  static func checksum(of entry: RawSpan, until change: UInt64) -> Int64 {
    var digest = StateDigest()
    digest.mix(RowChecksum.of(entry))
    digest.mix(change)
    return Int64(bitPattern: digest.value)
  }

  /// What all forms of one sample share: the place of its id, and its count among equal ids.
  static func key(of sample: Sample) -> SortKey {
    let key = StoredSample.key(of: sample)
    return SortKey(
      partition: 0, high: key.high,
      low: (key.low >> 56) << 56 | UInt64(sample.identity.ordinal))
  }

  /// Forgets the forms that no sink was given last.
  static func forgetUnneeded(_ database: SQLiteConnection) throws(SQLiteError) {
    try database.execute(
      """
      DELETE FROM superseded WHERE NOT EXISTS (
        SELECT 1 FROM sinks
        WHERE is_database = 0 AND mark >= from_change AND mark < until_change)
      AND NOT EXISTS (
        SELECT 1 FROM outbox WHERE mark >= from_change AND mark < until_change)
      """)
  }
}

/// The superseded forms of a range of samples, read to be asked sample by sample.
struct FormsOfRange {
  private var forms: [SortKey: [Form]] = [:]

  private struct Form {
    var held: Range<UInt64>
    var sample: StoredSample
  }

  /// Reads the forms of a pump's samples whose keys begin with these bits.
  init(_ select: SQLiteStatement, pump: Int64, high: ClosedRange<UInt64>) throws(SQLiteError) {
    select.bind(1, pump)
    select.bind(2, ordered(high.lowerBound))
    select.bind(3, ordered(high.upperBound))
    while try select.step() {
      let from = UInt64(select.int64(0))
      let until = max(from, UInt64(select.int64(1)))
      let sample = select.withBlob(2) { SampleCoding.stored($0, at: 0) }
      forms[SupersededForms.key(of: sample.sample), default: []].append(
        Form(held: from..<until, sample: sample))
    }
    select.reset()
  }

  /// What `init` reads by: pump, lowest and highest bits.
  static let query = """
    SELECT from_change, until_change, entry FROM superseded
    WHERE pump = ? AND high BETWEEN ? AND ?
    """

  /// The form of a sample at a mark; nil if it had none that anybody can have been given.
  func form(of current: StoredSample, at mark: UInt64) -> StoredSample? {
    if current.change <= mark { return current.isWithdrawn ? nil : current }
    return forms[SupersededForms.key(of: current.sample)]?
      .first { $0.held.contains(mark) }?.sample
  }
}
