import Platform
package import PumpModel

/// The bytes of counterparts, one after the other.
enum CounterpartCoding {
  static let size = 32

  /// The first and the last time of some counterparts, on the pump's clock and in Unix seconds.
  struct Bounds {
    var times: ClosedRange<Int64>
    var instants: ClosedRange<Int64>

    /// As they stand in a ledger's columns.
    var words: [Int64] {
      [times.lowerBound, times.upperBound, instants.lowerBound, instants.upperBound]
    }
  }

  /// The condition that something of a row may have ended between the second and the third parameter.
  static func overlap(usesInstants: Bool) -> String {
    usesInstants
      ? "last_instant >= ?2 AND first_instant <= ?3" : "last_time >= ?2 AND first_time <= ?3"
  }

  static func append(_ counterpart: Counterpart, to arena: inout ByteArena) {
    arena.append(UInt32(counterpart.kind.rawValue))
    arena.append(counterpart.time.seconds)
    arena.append(counterpart.amount)
    arena.append(counterpart.number)
    arena.append(counterpart.instant.unixSeconds)
    arena.append(UInt32(clamping: counterpart.instant - counterpart.begin))
    arena.append(UInt32(bitPattern: counterpart.clockSeconds))
  }

  /// The entries of a row.
  static func arena(of counterparts: [Counterpart]) -> ByteArena {
    var arena = ByteArena(capacity: counterparts.count * size)
    for counterpart in counterparts { append(counterpart, to: &arena) }
    return arena
  }

  static func counterpart(_ bytes: RawSpan, at offset: Int = 0) -> Counterpart {
    func word(_ place: Int) -> UInt32 { bytes.load(offset + place, as: UInt32.self) }
    let instant = Instant(
      unixSeconds: Int64(bitPattern: UInt64(word(16)) | UInt64(word(20)) << 32))
    return Counterpart(
      kind: SampleKind(rawValue: UInt8(truncatingIfNeeded: word(0))) ?? .bolus,
      time: PumpTime(seconds: word(4)), instant: instant, begin: instant + -Int64(word(24)),
      clockSeconds: Int32(bitPattern: word(28)), amount: word(8), number: word(12))
  }

  /// All of a row's entries; of a length that is none, the whole ones.
  static func read(_ entries: [UInt8]) -> [Counterpart] {
    let bytes = unsafe entries.span.bytes
    return (0..<entries.count / size).map { counterpart(bytes, at: $0 * size) }
  }

  static func bounds(of counterparts: [Counterpart]) -> Bounds? {
    guard let first = counterparts.first else { return nil }
    var (low, high) = (first.time.wallSeconds, first.time.wallSeconds)
    var (from, until) = (first.instant.unixSeconds, first.instant.unixSeconds)
    for counterpart in counterparts.dropFirst() {
      (low, high) = (
        min(low, counterpart.time.wallSeconds), max(high, counterpart.time.wallSeconds)
      )
      from = min(from, counterpart.instant.unixSeconds)
      until = max(until, counterpart.instant.unixSeconds)
    }
    return Bounds(times: low...high, instants: from...until)
  }
}

extension Ledger {
  /// What events tell that ended between two seconds, on the pump's clock or in Unix seconds, as far
  /// as it is wanted; for a pump whose rows are known by pieces.
  package func counterparts(
    of pump: Int64, usesInstants: Bool, from first: Int64, through last: Int64,
    where isWanted: (Counterpart) -> Bool
  ) throws(LedgerError) -> [Counterpart] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT entries, checksum FROM counterparts
        WHERE pump = ?1 AND \(CounterpartCoding.overlap(usesInstants: usesInstants))
        ORDER BY segment
        """)
      select.bind(1, pump)
      select.bind(2, first)
      select.bind(3, last)
      return try counterparts(select, usesInstants: usesInstants, first...last, where: isWanted)
    }
  }

  /// Those of rows that end in a range of seconds and are wanted.
  func counterparts(
    _ select: SQLiteStatement, usesInstants: Bool, _ range: ClosedRange<Int64>,
    where isWanted: (Counterpart) -> Bool
  ) throws(SQLiteError) -> [Counterpart] {
    var found: [Counterpart] = []
    while try select.step() {
      for counterpart in CounterpartCoding.read(try RowChecksum.checkedBytes(of: select, 0)) {
        let seconds =
          usesInstants ? counterpart.instant.unixSeconds : counterpart.time.wallSeconds
        if range.contains(seconds), isWanted(counterpart) { found.append(counterpart) }
      }
    }
    return found
  }

  /// What the events of pieces of a pump's history tell that rows may tell too, and the local days
  /// of which they tell basal; of pieces from one start up to another, the greatest: to the end.
  package func counterparts(
    of pump: Int64, from start: UInt64, until end: UInt64
  ) throws(LedgerError) -> (counterparts: [Counterpart], basalDays: Set<Int64>) {
    try run { () throws(SQLiteError) in
      var found: [Counterpart] = []
      var days: Set<Int64> = []
      let last = end == .max ? Int64.max : ordered(end) - 1
      let select = try database.prepare(
        """
        SELECT entries, checksum FROM counterparts WHERE pump = ? AND segment BETWEEN ? AND ?
        """)
      let selectDays = try database.prepare(
        "SELECT day FROM basal_days WHERE pump = ? AND segment BETWEEN ? AND ?")
      for statement in [select, selectDays] {
        statement.bind(1, pump)
        statement.bind(2, ordered(start))
        statement.bind(3, last)
      }
      while try select.step() {
        found += CounterpartCoding.read(try RowChecksum.checkedBytes(of: select, 0))
      }
      while try selectDays.step() { days.insert(selectDays.int64(0)) }
      return (found, days)
    }
  }

  /// Those of some local days of which events tell basal.
  package func daysWithBasal(
    of pump: Int64, in days: ClosedRange<Int64>
  ) throws(LedgerError) -> Set<Int64> {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        "SELECT DISTINCT day FROM basal_days WHERE pump = ? AND day BETWEEN ? AND ?")
      select.bind(1, pump)
      select.bind(2, days.lowerBound)
      select.bind(3, days.upperBound)
      var found: Set<Int64> = []
      while try select.step() { found.insert(select.int64(0)) }
      return found
    }
  }
}

extension PumpReplacement {
  /// Keeps what the events of a piece of the history tell that rows may tell too.
  package func keep(
    _ counterparts: [Counterpart], daysWithBasal days: Set<Int64>, segment: UInt64
  ) throws(LedgerError) {
    try ledger.run { () throws(SQLiteError) in
      if let bounds = CounterpartCoding.bounds(of: counterparts) {
        let insert = try ledger.database.prepare(
          """
          INSERT INTO counterparts (
            pump, segment, first_time, last_time, first_instant, last_instant, checksum, entries)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """)
        let arena = CounterpartCoding.arena(of: counterparts)
        insert.bind(1, pump)
        insert.bind(2, ordered(segment))
        for (index, word) in bounds.words.enumerated() { insert.bind(Int32(index + 3), word) }
        arena.withBytes { insert.bind(7, RowChecksum.of($0)) }
        try arena.withBytes { bytes throws(SQLiteError) in try insert.run(blob: bytes, at: 8) }
      }
      guard !days.isEmpty else { return }
      let insert = try ledger.database.prepare("INSERT INTO basal_days VALUES (?, ?, ?)")
      for day in days {
        insert.bind(1, pump)
        insert.bind(2, ordered(segment))
        insert.bind(3, day)
        try insert.run()
      }
    }
  }
}
