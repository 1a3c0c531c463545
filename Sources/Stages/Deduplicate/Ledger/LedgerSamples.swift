import Platform
package import PumpModel

extension Ledger {
  /// The samples of a pump whose id another had already: how many, and the first numbers.
  func takenIdentities(of pump: Int64) throws(SQLiteError) -> NotedNumbers {
    let select = try database.prepare(
      """
      SELECT entries, checksum FROM samples WHERE pump = ? AND taken > 0 AND high < ?
      ORDER BY high, low
      """)
    select.bind(1, pump)
    // Rates of zero do not count.
    select.bind(2, ordered(7 << 58))
    var noted = NotedNumbers()
    while try select.step() {
      let row = try RowChecksum.checkedBytes(of: select, 0)
      let bytes = unsafe row.span.bytes
      var offset = 0
      while offset < bytes.byteCount {
        let identity = SampleCoding.sample(bytes, at: offset).identity
        if identity.ordinal > 1, !SampleCoding.isWithdrawn(bytes, at: offset) {
          noted.note(identity.first)
        }
        offset += SampleCoding.size(bytes, at: offset)
      }
    }
    return noted
  }

  /// Gives a pump's live insulin and carbohydrate samples that touch a time, and others of the same
  /// rows; rates of zero are left out.
  package func forEachSample(
    of pump: Int64, touching time: Range<Int64>, _ body: (Sample) -> Void
  ) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT entries, checksum FROM samples
        WHERE pump = ?1 AND (high < ?2 OR high BETWEEN ?5 AND ?6) AND live > 0
          AND (is_ordered = 0 OR (first_start < ?3 AND newest_end >= ?4))
        """)
      select.bind(1, pump)
      select.bind(2, ordered(4 << 58))
      select.bind(3, time.upperBound)
      select.bind(4, time.lowerBound)
      select.bind(5, ordered(StoredSample.derivedBasal << 58))
      select.bind(6, ordered((StoredSample.derivedBasal + 1) << 58 - 1))
      while try select.step() {
        let row = try RowChecksum.checkedBytes(of: select, 0)
        let bytes = unsafe row.span.bytes
        var offset = 0
        while offset < bytes.byteCount {
          if !SampleCoding.isWithdrawn(bytes, at: offset) {
            body(SampleCoding.sample(bytes, at: offset))
          }
          offset += SampleCoding.size(bytes, at: offset)
        }
      }
    }
  }
}
