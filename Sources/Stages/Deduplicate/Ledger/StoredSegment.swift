import Platform
package import PumpModel

/// A piece of a pump's history as a ledger keeps it.
package struct StoredSegment: Sendable {
  /// Its first record's number << 32 | pump seconds; 0 for the first piece, the greatest for what
  /// became certain at the history's end.
  package var start: UInt64
  /// The normalizer's state before it.
  package var state: NormalizerState
  /// What was noted of its records.
  package var notes: HistorySegment
  /// Records whose copies differ.
  package var differing: NotedNumbers
  /// Numbers under which different records stand.
  package var conflicting: NotedNumbers

  /// Creates a piece.
  package init(
    start: UInt64, state: NormalizerState, notes: HistorySegment,
    differing: NotedNumbers = NotedNumbers(), conflicting: NotedNumbers = NotedNumbers()
  ) {
    self.start = start
    self.state = state
    self.notes = notes
    self.differing = differing
    self.conflicting = conflicting
  }
}

/// What the last normalization of a pump rested on, beside its journal.
package struct HeldNormalization: Sendable {
  /// The version of the rules.
  package var version: Int64
  /// What was found of the clock.
  package var scan: [Int64]
  /// The numbers between which the history was said to be complete.
  package var claims: [Int64]
  /// What was fetched from a live source, where that is not in one piece.
  package var fetched: [Int64]
  /// Whether all is kept that is needed to make samples of some of its rows anew.
  package var knowsRows: Bool

  /// Creates what is to be held.
  package init(
    version: Int64, scan: [Int64], claims: [Int64], fetched: [Int64], knowsRows: Bool
  ) {
    self.version = version
    self.scan = scan
    self.claims = claims
    self.fetched = fetched
    self.knowsRows = knowsRows
  }
}

extension Ledger {
  /// What the last normalization of a pump rested on; nil if there was none.
  package func normalization(of pump: Int64) throws(LedgerError) -> HeldNormalization? {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        "SELECT version, scan, claims, fetched, knows_rows FROM normalized WHERE pump = ?")
      select.bind(1, pump)
      guard try select.step() else { return nil }
      return HeldNormalization(
        version: select.int64(0), scan: select.words(1), claims: select.words(2),
        fetched: select.words(3), knowsRows: select.int64(4) != 0)
    }
  }

  /// Keeps what the normalization of a pump rested on.
  package func keep(_ held: HeldNormalization, of pump: Int64) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare(
        "INSERT OR REPLACE INTO normalized VALUES (?, ?, ?, ?, ?, ?, ?)")
      insert.bind(1, pump)
      insert.bind(2, held.version)
      insert.bind(3, words: held.scan)
      insert.bind(4, words: held.claims)
      insert.bind(5, held.checksum)
      insert.bind(6, held.knowsRows ? 1 as Int64 : 0)
      insert.bind(7, words: held.fetched)
      try insert.run()
    }
  }

  /// The seed of a piece of a pump's history.
  package func seed(of pump: Int64, at start: UInt64) throws(LedgerError) -> NormalizerSeed {
    try run { () throws(SQLiteError) in
      let select = try database.prepare("SELECT seed FROM segments WHERE pump = ? AND start = ?")
      select.bind(1, pump)
      select.bind(2, ordered(start))
      guard try select.step() else { return NormalizerSeed() }
      return NormalizerSeed(words: select.words(0))
    }
  }

  /// Gives what was noted of the pieces of a pump's history from one on, in order, with the start of
  /// each; without what days got.
  package func forEachSegment(
    of pump: Int64, from start: UInt64 = 0,
    _ body: (
      _ start: UInt64, borrowing HistorySegment, _ differing: NotedNumbers,
      _ conflicting: NotedNumbers
    ) -> Void
  ) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT records, notes, start, counted_until, newest FROM segments
        WHERE pump = ? AND start >= ? ORDER BY start
        """)
      select.bind(1, pump)
      select.bind(2, ordered(start))
      // Years have thousands of pieces: they share the memory of one.
      var notes = HistorySegment(now: Instant(unixSeconds: 0))
      var reader = WordReader([])
      while try select.step() {
        notes.records = UInt64(clamping: select.int64(0))
        notes.now = Instant(unixSeconds: select.int64(3))
        notes.newest = select.isNull(4) ? nil : Instant(unixSeconds: select.int64(4))
        reader.restart { select.words(1, into: &$0) }
        let (differing, conflicting) = notes.read(&reader)
        guard reader.isAtEnd else { throw .checkFailed("a piece of the history cannot be read") }
        body(unordered(select.int64(2)), notes, differing, conflicting)
      }
    }
  }

  /// The numbers of a pump that are known to be missing, of those in a range of group << 32 |
  /// number; ascending.
  package func missingNumbers(
    of pump: Int64, in range: ClosedRange<UInt64>
  ) throws(LedgerError) -> [UInt64] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT number FROM missing_numbers WHERE pump = ? AND number BETWEEN ? AND ?
        ORDER BY number
        """)
      select.bind(1, pump)
      select.bind(2, ordered(range.lowerBound))
      select.bind(3, ordered(range.upperBound))
      var numbers: [UInt64] = []
      while try select.step() { numbers.append(unordered(select.int64(0))) }
      return numbers
    }
  }

  /// Keeps the numbers of a pump that are known to be missing in a range, in place of those held.
  package func keep(
    missingNumbers numbers: some Sequence<UInt64>, of pump: Int64, in range: ClosedRange<UInt64>
  ) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let delete = try database.prepare(
        "DELETE FROM missing_numbers WHERE pump = ? AND number BETWEEN ? AND ?")
      delete.bind(1, pump)
      delete.bind(2, ordered(range.lowerBound))
      delete.bind(3, ordered(range.upperBound))
      try delete.run()
      let insert = try database.prepare("INSERT INTO missing_numbers VALUES (?, ?)")
      for number in numbers {
        insert.bind(1, pump)
        insert.bind(2, ordered(number))
        try insert.run()
      }
    }
  }
}

extension HeldNormalization {
  /// The checksum of its row.
  var checksum: Int64 {
    // Rows that were written before say nothing of rows of exports, nor of what was fetched.
    StoredSegment.checksum(
      knowsRows ? [version, 1] : [version], newest: nil, scan, claims + fetched)
  }
}

extension StoredSegment {
  /// The checksum of what is kept of it.
  var checksum: Int64 {
    Self.checksum(
      [
        ordered(start), Int64(clamping: notes.records), Int64(bitPattern: state.digest),
        notes.now.unixSeconds,
      ], newest: notes.newest?.unixSeconds, state.seed.words, words)
  }

  /// The checksum of a row: of its numbers, of which the newest may be missing, and of its words.
  static func checksum(
    _ numbers: [Int64], newest: Int64?, _ seed: [Int64], _ notes: [Int64]
  ) -> Int64 {
    var digest = StateDigest()
    for number in numbers { digest.mix(number) }
    digest.mix(newest)
    for words in [seed, notes] {
      digest.mix(Int64(words.count))
      for word in words { digest.mix(word) }
    }
    return Int64(bitPattern: digest.value)
  }

  /// What was noted, as words; what days got stands apart.
  var words: [Int64] {
    var writer = WordWriter()
    writer.put(Int64(clamping: notes.gaps.count))
    writer.put(Int64(clamping: notes.gaps.numbers))
    for times in [notes.damage, notes.future] {
      writer.put(Int64(clamping: times.count))
      writer.put(times.first)
      writer.put(times.last)
    }
    for noted in [differing, conflicting] { noted.put(into: &writer) }
    writer.put(Int64(notes.spans.count))
    for span in notes.spans {
      writer.put(span.from)
      writer.put(Int64(clamping: span.records))
      writer.put(span.first)
      writer.put(span.last)
    }
    return writer.words
  }
}

extension HistorySegment {
  /// Reads what `StoredSegment` writes.
  fileprivate mutating func read(
    _ reader: inout WordReader
  ) -> (differing: NotedNumbers, conflicting: NotedNumbers) {
    gaps.count = UInt64(clamping: reader.number())
    gaps.numbers = UInt64(clamping: reader.number())
    damage = Times(&reader)
    future = Times(&reader)
    let noted = (NotedNumbers(&reader), NotedNumbers(&reader))
    spans.removeAll(keepingCapacity: true)
    for _ in 0..<reader.count() {
      let from = reader.position()
      let records = UInt64(clamping: reader.number())
      spans.append(
        Span(from: from, records: records, first: reader.instant(), last: reader.instant()))
    }
    return noted
  }
}

extension HistorySegment.Times {
  fileprivate init(_ reader: inout WordReader) {
    self.init()
    count = UInt64(clamping: reader.number())
    first = reader.instant()
    last = reader.instant()
  }
}

extension NotedNumbers {
  /// Writes them for `init` to read.
  package func put(into writer: inout WordWriter) {
    writer.put(Int64(clamping: count))
    writer.put(Int64(first.count))
    for number in first { writer.put(Int64(number)) }
  }

  /// Reads what was written.
  package init(_ reader: inout WordReader) {
    let count = UInt64(clamping: reader.number())
    let held = reader.count()
    guard count > 0 || held > 0 else {
      self.init()
      return
    }
    let first = (0..<held).map { _ in UInt32(truncatingIfNeeded: reader.number()) }
    self.init(count: count, first: first)
  }
}

extension NormalizerSeed {
  /// The seed as words.
  var words: [Int64] {
    var writer = WordWriter()
    writer.put(isTemp ? 1 : 0 as Int64)
    writer.put(changeRate.map(Int64.init))
    writer.put(newDayRate.map(Int64.init))
    writer.put(newest)
    return writer.words
  }

  fileprivate init(words: [Int64]) {
    self.init()
    var reader = WordReader(words)
    isTemp = reader.number() != 0
    changeRate = reader.optional().map { Int32(truncatingIfNeeded: $0) }
    newDayRate = reader.optional().map { Int32(truncatingIfNeeded: $0) }
    newest = reader.optional()
  }
}

extension SQLiteStatement {
  /// Binds words as a blob.
  func bind(_ index: Int32, words: [Int64]) { unsafe bind(index, blob: words.span.bytes) }

  /// A column of words.
  func words(_ column: Int32) -> [Int64] {
    withBlob(column) { bytes in
      let count = bytes.byteCount / 8
      return unsafe [Int64](unsafeUninitializedCapacity: count) { words, filled in
        unsafe bytes.extracting(first: count * 8).withUnsafeBytes { source in
          unsafe UnsafeMutableRawBufferPointer(words).copyMemory(from: source)
        }
        filled = count
      }
    }
  }

  /// Puts a column of words in place of those that an array holds.
  func words(_ column: Int32, into words: inout [Int64]) {
    words.removeAll(keepingCapacity: true)
    withBlob(column) { bytes in
      let count = bytes.byteCount / 8
      words.append(addingCapacity: count) { words in
        unsafe words.withUnsafeMutableBufferPointer { slots, filled in
          unsafe bytes.extracting(first: count * 8).withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(slots).copyMemory(from: source)
          }
          filled = count
        }
      }
    }
  }
}
