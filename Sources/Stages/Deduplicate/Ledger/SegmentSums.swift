import Platform
package import PumpModel

/// What was noted of all pieces of a pump's history before one, added up: years lie before a night,
/// and need not be gone through for it.
package struct SegmentSums: Sendable {
  /// Where the first piece begins that was not added.
  package var until: UInt64
  /// The sums, as whoever added them up writes them.
  package var words: [Int64]
  /// The newest instant of the records, Unix seconds, if one is known.
  package var newest: Int64?
  /// Whether some were dated after the now that they were counted by.
  package var isLate: Bool

  /// Creates sums.
  package init(until: UInt64, words: [Int64], newest: Int64?, isLate: Bool) {
    self.until = until
    self.words = words
    self.newest = newest
    self.isLate = isLate
  }

  /// Whether none of the records is to be counted anew because of what now is.
  package func areCounted(now: Instant) -> Bool {
    !isLate && (newest ?? .min) <= now.unixSeconds
  }

  /// The checksum of their row.
  var checksum: Int64 {
    StoredSegment.checksum([ordered(until), isLate ? 1 : 0], newest: newest, [], words)
  }
}

extension Ledger {
  /// The sums that are held of a pump's history; nil: there are none.
  package func segmentSums(of pump: Int64) throws(LedgerError) -> SegmentSums? {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        "SELECT until, sums, newest, is_late, checksum FROM segment_sums WHERE pump = ?")
      select.bind(1, pump)
      defer { select.reset() }
      guard try select.step() else { return nil }
      let sums = SegmentSums(row: select)
      try RowChecksum.check(sums.checksum, of: select, 4)
      return sums
    }
  }

  /// Holds sums of a pump's history in place of those before, or none.
  package func keep(_ sums: SegmentSums?, of pump: Int64) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let delete = try database.prepare("DELETE FROM segment_sums WHERE pump = ?")
      delete.bind(1, pump)
      try delete.run()
      guard let sums else { return }
      let insert = try database.prepare("INSERT INTO segment_sums VALUES (?, ?, ?, ?, ?, ?)")
      insert.bind(1, pump)
      insert.bind(2, ordered(sums.until))
      insert.bind(3, words: sums.words)
      insert.bind(4, sums.newest)
      insert.bind(5, sums.isLate ? 1 as Int64 : 0)
      insert.bind(6, sums.checksum)
      try insert.run()
    }
  }
}

extension SegmentSums {
  /// Reads the columns `until`, `sums`, `newest` and `is_late`, with which a row begins.
  init(row: SQLiteStatement) {
    self.init(
      until: unordered(row.int64(0)), words: row.words(1),
      newest: row.isNull(2) ? nil : row.int64(2), isLate: row.int64(3) != 0)
  }
}
