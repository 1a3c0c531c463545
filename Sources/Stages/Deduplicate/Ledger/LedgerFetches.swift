import Platform
package import PumpModel

/// What a ledger remembers of the live service: what was fetched of each pump, by assignment id, and
/// what was asked.
extension Ledger {
  /// What is known of a pump's logs.
  package func fetches(of assignment: String) throws(LedgerError) -> PumpFetches {
    try run { () throws(SQLiteError) in
      var fetches = PumpFetches()
      let ranges = try database.prepare(
        "SELECT start_at, end_at, state FROM fetched WHERE assignment = ?")
      ranges.bind(1, assignment)
      while try ranges.step() {
        guard ranges.int64(0) < ranges.int64(1) else { continue }
        let range = ranges.int64(0)..<ranges.int64(1)
        switch FetchedRange.State(rawValue: ranges.int64(2)) {
        case .held: fetches.held.insert(range)
        case .emptyOnce: fetches.emptyOnce.insert(range)
        case .emptyTwice: fetches.emptyTwice.insert(range)
        case nil: continue
        }
      }
      let lost = try database.prepare(
        "SELECT start_at, end_at FROM lost_history WHERE assignment = ? AND start_at < end_at")
      lost.bind(1, assignment)
      while try lost.step() { fetches.toldLost.insert(lost.int64(0)..<lost.int64(1)) }
      let seen = try database.prepare(
        "SELECT last_upload, newest FROM source_pumps WHERE assignment = ?")
      seen.bind(1, assignment)
      if try seen.step() {
        fetches.seen = PumpFetches.Seen(
          lastUpload: seen.isNull(0) ? nil : seen.text(0),
          newest: seen.isNull(1) ? nil : seen.int64(1))
      }
      return fetches
    }
  }

  /// The time of a pump's clock of which it is settled what its logs hold, through all its assignment
  /// ids.
  package func fetchedTime(of pump: Int64) throws(LedgerError) -> WallRanges {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT start_at, end_at FROM assignments JOIN fetched USING (assignment)
        WHERE pump = ? AND state <> ? AND start_at < end_at ORDER BY start_at
        """)
      select.bind(1, pump)
      select.bind(2, FetchedRange.State.emptyOnce.rawValue)
      var time = WallRanges()
      while try select.step() { time.insert(select.int64(0)..<select.int64(1)) }
      return time
    }
  }

  /// Keeps what an answer proves, with the document that it is; what is kept already stays.
  ///
  /// What forgets the document forgets that it was fetched. The ledger must be in its transaction,
  /// and know the document.
  package func keep(
    fetched ranges: [FetchedRange], of assignment: String, document digest: [UInt8]
  ) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare(
        """
        INSERT INTO fetched (document, assignment, start_at, end_at, state)
        SELECT document, ?2, ?3, ?4, ?5 FROM documents WHERE digest = ?1 AND NOT EXISTS (
          SELECT 1 FROM fetched WHERE fetched.document = documents.document
            AND assignment = ?2 AND start_at = ?3 AND end_at = ?4 AND state = ?5)
        """)
      for range in ranges {
        insert.bind(1, blob: unsafe digest.span.bytes)
        insert.bind(2, assignment)
        insert.bind(3, range.seconds.lowerBound)
        insert.bind(4, range.seconds.upperBound)
        insert.bind(5, range.state.rawValue)
        try insert.run()
      }
    }
  }

  /// Keeps that history was said to be lost.
  package func keep(lost ranges: WallRanges, of assignment: String) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare("INSERT OR IGNORE INTO lost_history VALUES (?, ?, ?)")
      for range in ranges.ranges {
        insert.bind(1, assignment)
        insert.bind(2, range.lowerBound)
        insert.bind(3, range.upperBound)
        try insert.run()
      }
    }
  }

  /// Keeps what the account said of a pump whose changes were read.
  package func keep(seen: PumpFetches.Seen, of assignment: String) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare("INSERT OR REPLACE INTO source_pumps VALUES (?, ?, ?)")
      insert.bind(1, assignment)
      insert.bind(2, seen.lastUpload)
      insert.bind(3, seen.newest)
      try insert.run()
    }
  }

  /// How many requests are remembered.
  private static let mostRequests = 10_000

  /// Adds requests to the log, which keeps the last ten thousand.
  package func keep(requests: [RequestNote]) throws(LedgerError) {
    guard !requests.isEmpty else { return }
    try run { () throws(SQLiteError) in
      let insert = try database.prepare(
        """
        INSERT INTO requests (at, purpose, status, first_day, last_day, milliseconds)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
      for request in requests {
        insert.bind(1, request.at.unixSeconds)
        insert.bind(2, request.purpose)
        insert.bind(3, request.status.map(Int64.init))
        insert.bind(4, request.days?.lowerBound)
        insert.bind(5, request.days?.upperBound)
        insert.bind(6, request.milliseconds)
        try insert.run()
      }
      try database.execute(
        """
        DELETE FROM requests WHERE request <= (SELECT max(request) FROM requests) - \
        \(Self.mostRequests)
        """)
    }
  }

  /// The requests that are remembered, in order.
  package func requests() throws(LedgerError) -> [RequestNote] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT at, purpose, status, first_day, last_day, milliseconds FROM requests
        ORDER BY request
        """)
      var notes: [RequestNote] = []
      while try select.step() {
        let hasDays = !select.isNull(3) && !select.isNull(4) && select.int64(3) <= select.int64(4)
        notes.append(
          RequestNote(
            at: Instant(unixSeconds: select.int64(0)), purpose: select.text(1),
            status: select.isNull(2) ? nil : Int(select.int64(2)),
            days: hasDays ? select.int64(3)...select.int64(4) : nil,
            milliseconds: select.int64(5)))
      }
      return notes
    }
  }

  private static let pulledSetting = "pulled"

  /// When the last pull ended that got all it asked for; nil: never.
  package func lastPull() throws(LedgerError) -> Instant? {
    try run { () throws(SQLiteError) in
      try database.integer("SELECT value FROM settings WHERE name = '\(Self.pulledSetting)'")
        .map(Instant.init(unixSeconds:))
    }
  }

  /// Keeps that a pull got all it asked for.
  package func keep(pulledAt instant: Instant) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      try set(Self.pulledSetting, integer: instant.unixSeconds)
    }
  }
}
