import Platform
package import PumpModel

/// What a ledger holds of one pump, in numbers.
package struct PumpContents: Sendable {
  /// The pump.
  package var pump: LedgerPump
  /// The assignment ids that lead to it, in order.
  package var assignments: [String] = []
  /// The copies of records in its journal.
  package var records: UInt64 = 0
  /// Its samples that are not withdrawn, by kind.
  package var samples: [SampleKind: UInt64] = [:]
  /// The first and last instant of its records, as far as their time is known.
  package var span: ClosedRange<Instant>?
  /// The stretches of local days, counted from 1970-01-01, of which delivery is known.
  package var days: [ClosedRange<Int64>] = []
  /// What would still become a sample.
  package var pending: UInt64 = 0
  /// Where delivery is not known.
  package var holes: UInt64 = 0
}

/// Documents of one format.
package struct DocumentCount: Sendable {
  /// The format's name.
  package var format: String
  /// How many there are.
  package var documents: UInt64
  /// How many records they hold, each document for itself.
  package var records: UInt64
}

extension Ledger {
  /// How many steps led to its tables.
  package func schemaVersion() throws(LedgerError) -> Int64 {
    try run { () throws(SQLiteError) in try database.integer("PRAGMA user_version") ?? 0 }
  }

  /// How many bytes its file takes once all is written to it.
  package func size() throws(LedgerError) -> Int64 {
    try run { () throws(SQLiteError) in
      (try database.integer("PRAGMA page_count") ?? 0)
        * (try database.integer("PRAGMA page_size") ?? 0)
    }
  }

  /// The documents that were read, by format.
  package func documentCounts() throws(LedgerError) -> [DocumentCount] {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT format, count(*), sum(records) FROM documents GROUP BY format ORDER BY format")
      var counts: [DocumentCount] = []
      while try statement.step() {
        counts.append(
          DocumentCount(
            format: statement.text(0), documents: UInt64(statement.int64(1)),
            records: UInt64(clamping: statement.int64(2))))
      }
      return counts
    }
  }

  /// How many archives it knows.
  package func archiveCount() throws(LedgerError) -> Int64 {
    try run { () throws(SQLiteError) in
      try database.integer("SELECT count(*) FROM archives") ?? 0
    }
  }

  /// What it holds of a pump.
  package func contents(of pump: LedgerPump) throws(LedgerError) -> PumpContents {
    var contents = PumpContents(pump: pump)
    contents.samples = try sampleCounts(of: pump.number)
    try run { () throws(SQLiteError) in
      let number = pump.number
      let names = try select(
        "SELECT assignment FROM assignments WHERE pump = ? ORDER BY assignment", number)
      while try names.step() { contents.assignments.append(names.text(0)) }
      contents.records =
        try count(
          "SELECT sum(length(entries)) FROM journal WHERE pump = ?", number)
        / UInt64(JournalEntry.size)
      contents.pending = try count("SELECT count(*) FROM pending WHERE pump = ?", number)
      contents.holes = try count("SELECT count(*) FROM holes WHERE pump = ?", number)
      let span = try select(
        "SELECT min(min(start_at, end_at)), max(max(start_at, end_at)) FROM clocks WHERE pump = ?",
        number)
      if try span.step(), let first = span.instant(0), let last = span.instant(1) {
        contents.span = first...last
      }
      contents.days = try days(of: number)
    }
    return contents
  }

  private func days(of pump: Int64) throws(SQLiteError) -> [ClosedRange<Int64>] {
    let statement = try select(
      "SELECT day FROM days WHERE pump = ? AND delivered + zero + suspended > 0 ORDER BY day",
      pump)
    var spans: [ClosedRange<Int64>] = []
    while try statement.step() {
      let day = statement.int64(0)
      if let last = spans.last, last.upperBound + 1 == day {
        spans[spans.count - 1] = last.lowerBound...day
      } else {
        spans.append(day...day)
      }
    }
    return spans
  }

  private func select(_ sql: String, _ pump: Int64) throws(SQLiteError) -> SQLiteStatement {
    let statement = try database.prepare(sql)
    statement.bind(1, pump)
    return statement
  }

  private func count(_ sql: String, _ pump: Int64) throws(SQLiteError) -> UInt64 {
    let statement = try select(sql, pump)
    guard try statement.step() else { return 0 }
    return UInt64(clamping: statement.int64(0))
  }
}
