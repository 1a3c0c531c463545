import Platform
import PumpModel

/// Compares the samples of one kind that a pump now has with those that its ledger held, and keeps
/// the result: fresh, unchanged, revised, withdrawn (N10).
///
/// Give the samples in the order of their keys, then `finish`. A comparison is of the whole kind, or
/// of one row, in which samples that were not made again stay as they are.
struct SampleMerge {
  private var writer: SampleRowWriter
  private var old: HeldSamples
  /// The samples of the last id, which others of the same id may follow.
  private var waiting: [New] = []
  private var waitingLineage: [EventReference] = []
  /// The key and ordinal of the last sample that came after all that the ledger held.
  private var lastFresh: (key: SortKey, ordinal: Int)?
  /// What was made again; nil: everything.
  private let ranges: SampleRanges?
  /// What became of the samples.
  private(set) var changes = SampleChanges()
  /// Samples that moved with the amounts that they had.
  private(set) var moved = MovedSamples()
  /// When samples lie, and lay, that are not what they were; of a whole kind it is not gathered.
  private(set) var touched = TouchedTime()

  private struct New {
    var key: SortKey
    var sample: Sample
    var lineage: Range<Int>
  }

  /// Begins with all rows of a kind.
  init(rows: SampleRows) throws(SQLiteError) {
    ranges = nil
    writer = SampleRowWriter(rows: rows)
    old = HeldSamples(rows: rows, chunks: try rows.places().map(\.chunk))
    try old.load()
  }

  /// Begins with one row, or with none where a kind has none yet.
  init(rows: SampleRows, chunk: Int64?, ranges: SampleRanges) throws(SQLiteError) {
    self.ranges = ranges
    writer = SampleRowWriter(rows: rows)
    let bytes = try chunk.map { chunk throws(SQLiteError) in try rows.entries(of: chunk) } ?? []
    if let chunk { writer.replace(chunk, holding: bytes) }
    old = HeldSamples(rows: rows, bytes: bytes)
    try old.load()
  }

  /// Takes the next sample; changed ones take the next number of the ledger's count of changes.
  @inline(__always)
  mutating func take(
    _ key: SortKey, _ sample: Sample, lineage: ArraySlice<EventReference>, change: inout UInt64
  ) throws(SQLiteError) {
    if let last = waiting.last, !StoredSample.haveOneID(last.key, key) {
      try Self.checkOrder(last.key, key)
      try settle(&change)
    }
    // Where the ledger holds nothing more, samples need not wait for others of their id.
    if waiting.isEmpty, old.sample == nil, ranges == nil {
      return try takeFresh(key, sample, lineage: lineage, change: &change)
    }
    let from = waitingLineage.count
    waitingLineage.append(contentsOf: lineage)
    waiting.append(New(key: key, sample: sample, lineage: from..<waitingLineage.count))
  }

  @inline(__always)
  private mutating func takeFresh(
    _ key: SortKey, _ sample: Sample, lineage: ArraySlice<EventReference>, change: inout UInt64
  ) throws(SQLiteError) {
    var ordinal = 1
    if let lastFresh {
      if StoredSample.haveOneID(lastFresh.key, key) {
        ordinal = lastFresh.ordinal + 1
      } else {
        try Self.checkOrder(lastFresh.key, key)
      }
    }
    lastFresh = (key, ordinal)
    var sample = sample
    sample.identity.ordinal = UInt16(clamping: ordinal)
    changes.fresh += 1
    change += 1
    try write(
      sample, revision: 1, change: change, isWithdrawn: false, lineage: lineage, key)
  }

  @inline(__always)
  private static func checkOrder(_ last: SortKey, _ key: SortKey) throws(SQLiteError) {
    // A ledger out of order would lose samples without a word: better to end the run.
    guard last.precedes(key) else {
      throw SQLiteError(code: 0, message: "samples were made out of order")
    }
  }

  /// Ends the kind: what the ledger holds beyond is withdrawn.
  mutating func finish(change: inout UInt64) throws(SQLiteError) {
    try settle(&change)
    try passHeld(upTo: nil, &change)
    try writer.finish()
  }

  /// Takes the samples that the ledger held before a key, whose ids nothing new has.
  private mutating func passHeld(upTo key: SortKey?, _ change: inout UInt64) throws(SQLiteError) {
    guard let held = old.sample, key.map({ isBefore($0) }) ?? true else { return }
    // Those that wait are not of these ids.
    var others: ([New], [EventReference]) = ([], [])
    swap(&others.0, &waiting)
    swap(&others.1, &waitingLineage)
    defer {
      waiting = others.0
      waitingLineage = others.1
    }
    var next: StoredSample? = held
    while let sample = next, key.map({ isBefore($0) }) ?? true {
      if ranges == nil {
        try write(try withdraw(sample, &change), old.key)
        try old.advance()
      } else {
        try settleHeld(old.key, &change)
        waiting.removeAll(keepingCapacity: true)
        waitingLineage.removeAll(keepingCapacity: true)
      }
      next = old.sample
    }
  }

  private func isBefore(_ key: SortKey) -> Bool {
    old.key.precedes(key) && !StoredSample.haveOneID(old.key, key)
  }

  /// Compares the samples of one id, one by one in their order, with those held.
  private mutating func settle(_ change: inout UInt64) throws(SQLiteError) {
    guard let key = waiting.first?.key else { return }
    try passHeld(upTo: key, &change)
    if old.sample != nil, StoredSample.haveOneID(old.key, key) {
      try settleHeld(key, &change)
    } else {
      for index in waiting.indices {
        var new = waiting[index]
        new.sample.identity.ordinal = UInt16(clamping: index + 1)
        changes.fresh += 1
        change += 1
        touch(new.sample)
        try write(
          new.sample, revision: 1, change: change, isWithdrawn: false,
          lineage: waitingLineage[new.lineage], new.key)
      }
    }
    waiting.removeAll(keepingCapacity: true)
    waitingLineage.removeAll(keepingCapacity: true)
  }

  private mutating func settleHeld(_ key: SortKey, _ change: inout UInt64) throws(SQLiteError) {
    var held: [UInt16: (key: SortKey, sample: StoredSample)] = [:]
    if ranges != nil, let sample = old.sample {
      let own = old.key
      try old.advance()
      let isAlone = old.sample == nil || !StoredSample.haveOneID(old.key, key)
      if isAlone, sample.sample.identity.ordinal == 1, try settle(sample, own, &change) { return }
      held[sample.sample.identity.ordinal] = (own, sample)
      stay(sample, own)
    }
    while let sample = old.sample, StoredSample.haveOneID(old.key, key) {
      held[sample.sample.identity.ordinal] = (old.key, sample)
      stay(sample, old.key)
      try old.advance()
    }
    if ranges != nil { try orderWaiting() }
    var kept: [(key: SortKey, sample: StoredSample)] = []
    for index in waiting.indices {
      var new = waiting[index]
      let ordinal = UInt16(clamping: index + 1)
      new.sample.identity.ordinal = ordinal
      let before = held.removeValue(forKey: ordinal)?.sample
      kept.append((new.key, try compare(new, with: before, &change)))
    }
    for (key, sample) in held.values.sorted(by: { $0.key.precedes($1.key) }) {
      kept.append((key, try withdraw(sample, &change)))
    }
    kept.sort { $0.key.precedes($1.key) }
    for (key, sample) in kept { try write(sample, key) }
  }

  /// Settles the only sample held of an id with the only new one, or with none, as almost all are;
  /// false: there are more.
  private mutating func settle(
    _ held: StoredSample, _ key: SortKey, _ change: inout UInt64
  ) throws(SQLiteError) -> Bool {
    switch (waiting.count, stays(held)) {
    case (0, true):
      changes.unchanged += 1
      try write(held, key)
    case (0, false):
      try write(try withdraw(held, &change), key)
    case (1, false):
      var new = waiting[0]
      new.sample.identity.ordinal = 1
      try write(try compare(new, with: held, &change), new.key)
    default:
      return false
    }
    return true
  }

  private mutating func orderWaiting() throws(SQLiteError) {
    waiting.sort { $0.key.precedes($1.key) }
    for index in waiting.indices.dropFirst() where waiting[index - 1].key == waiting[index].key {
      // It would be given twice.
      throw .checkFailed("a sample came of two ranges of the history")
    }
  }

  /// Whether a sample was not made again, and holds.
  private func stays(_ held: StoredSample) -> Bool {
    guard let ranges else { return false }
    return !held.isWithdrawn && !ranges.replace(held.sample.identity)
  }

  /// Counts a sample that was not made again among the new ones.
  private mutating func stay(_ held: StoredSample, _ key: SortKey) {
    guard stays(held) else { return }
    let from = waitingLineage.count
    waitingLineage.append(contentsOf: held.lineage)
    waiting.append(
      New(key: key, sample: held.sample, lineage: from..<waitingLineage.count))
  }

  private mutating func compare(
    _ new: New, with held: StoredSample?, _ change: inout UInt64
  ) throws(SQLiteError) -> StoredSample {
    let sample = new.sample
    var result = StoredSample(
      sample: sample, revision: 1, change: 0, isWithdrawn: false,
      lineage: Array(waitingLineage[new.lineage]))
    guard let held else {
      changes.fresh += 1
      change += 1
      result.change = change
      touch(sample)
      return result
    }
    if !held.isWithdrawn, held.hasSameContent(as: sample) {
      changes.unchanged += 1
      result.revision = held.revision
      result.change = held.change
    } else {
      if !held.isWithdrawn { moved.note(held.sample, now: sample) }
      changes.revised += 1
      change += 1
      try writer.rows.superseded.keep(held, until: change)
      result.revision = held.revision + 1
      result.change = change
      touch(held.sample)
      touch(sample)
    }
    return result
  }

  private mutating func withdraw(
    _ held: StoredSample, _ change: inout UInt64
  ) throws(SQLiteError) -> StoredSample {
    guard !held.isWithdrawn else { return held }
    changes.withdrawn += 1
    change += 1
    try writer.rows.superseded.keep(held, until: change)
    var result = held
    result.isWithdrawn = true
    result.change = change
    touch(held.sample)
    return result
  }

  private mutating func touch(_ sample: Sample) {
    guard ranges != nil else { return }
    touched.note(from: sample.start.unixSeconds, until: sample.end.unixSeconds)
  }

  private mutating func write(_ stored: StoredSample, _ key: SortKey) throws(SQLiteError) {
    try write(
      stored.sample, revision: stored.revision, change: stored.change,
      isWithdrawn: stored.isWithdrawn, lineage: stored.lineage[...], key)
  }

  @inline(__always)
  private mutating func write(
    _ sample: Sample, revision: UInt32, change: UInt64, isWithdrawn: Bool,
    lineage: ArraySlice<EventReference>, _ key: SortKey
  ) throws(SQLiteError) {
    try writer.append(
      key, change: change, isLive: !isWithdrawn, isTaken: sample.identity.ordinal > 1,
      start: sample.start.unixSeconds, end: sample.end.unixSeconds
    ) { arena in
      SampleCoding.append(
        sample, revision: revision, change: change, isWithdrawn: isWithdrawn, lineage: lineage,
        to: &arena)
    }
  }
}

/// Takes the samples that a ledger held out of it, one after the other.
private struct HeldSamples {
  private let rows: SampleRows
  private let chunks: [Int64]
  private var nextChunk = 0
  private var bytes: [UInt8] = []
  private var offset = 0
  /// The key of the sample that comes next.
  private(set) var key = SortKey(partition: 0, high: 0, low: 0)
  /// The sample that comes next; nil at the end.
  private(set) var sample: StoredSample?

  /// All samples of some rows, which are taken out one after the other.
  init(rows: SampleRows, chunks: [Int64]) {
    self.rows = rows
    self.chunks = chunks
  }

  /// The samples of one row, which stays where it is.
  init(rows: SampleRows, bytes: [UInt8]) {
    self.init(rows: rows, chunks: [])
    self.bytes = bytes
  }

  /// Reads the sample that comes next.
  mutating func load() throws(SQLiteError) {
    while offset >= bytes.count {
      guard nextChunk < chunks.count else {
        sample = nil
        return
      }
      bytes = try rows.take(chunks[nextChunk])
      nextChunk += 1
      offset = 0
    }
    let stored = SampleCoding.stored(unsafe bytes.span.bytes, at: offset)
    sample = stored
    key = StoredSample.key(of: stored.sample)
  }

  mutating func advance() throws(SQLiteError) {
    offset += SampleCoding.size(unsafe bytes.span.bytes, at: offset)
    try load()
  }
}
