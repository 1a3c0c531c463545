import Platform
import PumpModel

/// Compares the samples that a pump now has with those that its ledger held, and keeps the result:
/// fresh, unchanged, revised, withdrawn (N10).
struct SampleMerge {
  let rows: SampleRows
  /// The ledger's count of changes; each changed sample takes the next one.
  var change: UInt64

  /// Merges; the cursor's bodies are samples as `SampleCoding` writes them.
  mutating func merge(_ new: SpoolCursor) throws(SQLiteError) -> SampleOutcome {
    var outcome = SampleOutcome()
    var old = HeldSamples(rows: rows, chunks: try rows.chunks())
    try old.load()
    var writer = SampleRowWriter(rows: rows)
    while true {
      let key: SortKey
      switch (new.key, old.key) {
      case (let new?, let old?): key = old.precedes(new) ? old : new
      case (let new?, nil): key = new
      case (nil, let old?): key = old
      case (nil, nil):
        try writer.flush()
        return outcome
      }
      if old.key.map({ StoredSample.haveOneID($0, key) }) ?? false {
        try mergeHeld(key, new, &old, &writer, &outcome)
      } else {
        try takeFresh(key, new, &writer, &outcome)
      }
    }
  }

  /// Takes the samples of an id that the ledger never held.
  private mutating func takeFresh(
    _ key: SortKey, _ new: SpoolCursor, _ writer: inout SampleRowWriter,
    _ outcome: inout SampleOutcome
  ) throws(SQLiteError) {
    var ordinal: UInt16 = 1
    while let next = new.key, StoredSample.haveOneID(next, key) {
      var (sample, lineage) = read(new)
      try new.advance()
      sample.identity.ordinal = ordinal
      if ordinal > 1 { outcome.takenIdentities.note(sample.identity.first) }
      ordinal = ordinal == .max ? .max : ordinal + 1
      outcome.count(sample, \.fresh)
      try write(sample, revision: 1, isNew: true, lineage: lineage, key: next, &writer)
    }
  }

  /// Compares the samples of an id, one by one in their order, with those held.
  private mutating func mergeHeld(
    _ key: SortKey, _ new: SpoolCursor, _ old: inout HeldSamples, _ writer: inout SampleRowWriter,
    _ outcome: inout SampleOutcome
  ) throws(SQLiteError) {
    var held: [UInt16: (key: SortKey, sample: StoredSample)] = [:]
    while let next = old.key, StoredSample.haveOneID(next, key) {
      if let sample = old.sample { held[sample.sample.identity.ordinal] = (next, sample) }
      try old.advance()
    }
    var kept: [(key: SortKey, sample: StoredSample)] = []
    var ordinal: UInt16 = 1
    while let next = new.key, StoredSample.haveOneID(next, key) {
      var (sample, lineage) = read(new)
      try new.advance()
      sample.identity.ordinal = ordinal
      if ordinal > 1 { outcome.takenIdentities.note(sample.identity.first) }
      kept.append(
        (next, compare(sample, lineage, with: held.removeValue(forKey: ordinal)?.sample, &outcome)))
      ordinal = ordinal == .max ? .max : ordinal + 1
    }
    for (key, sample) in held.values.sorted(by: { $0.key.precedes($1.key) }) {
      kept.append((key, withdraw(sample, &outcome)))
    }
    // Entries of one id keep their ordinals apart by their keys alone, so order matters here only.
    for (key, sample) in kept {
      try writer.append(key, change: sample.change, isLive: !sample.isWithdrawn) { arena in
        SampleCoding.append(
          sample.sample, revision: sample.revision, change: sample.change,
          isWithdrawn: sample.isWithdrawn, lineage: sample.lineage, to: &arena)
      }
    }
  }

  private mutating func compare(
    _ sample: Sample, _ lineage: [EventReference], with held: StoredSample?,
    _ outcome: inout SampleOutcome
  ) -> StoredSample {
    var result = StoredSample(
      sample: sample, revision: 1, change: 0, isWithdrawn: false, lineage: lineage)
    guard let held else {
      outcome.count(sample, \.fresh)
      change += 1
      result.change = change
      return result
    }
    if !held.isWithdrawn, held.hasSameContent(as: sample) {
      outcome.count(sample, \.unchanged)
      result.revision = held.revision
      result.change = held.change
    } else {
      outcome.count(sample, \.revised)
      change += 1
      result.revision = held.revision + 1
      result.change = change
    }
    return result
  }

  private mutating func withdraw(
    _ held: StoredSample, _ outcome: inout SampleOutcome
  ) -> StoredSample {
    guard !held.isWithdrawn else { return held }
    outcome.count(held.sample, \.withdrawn)
    change += 1
    var result = held
    result.isWithdrawn = true
    result.change = change
    return result
  }

  private func read(_ cursor: SpoolCursor) -> (Sample, [EventReference]) {
    cursor.withBody { bytes in
      var lineage: [EventReference] = []
      SampleCoding.appendLineage(bytes, at: 0, to: &lineage)
      return (SampleCoding.sample(bytes, at: 0), lineage)
    }
  }

  private mutating func write(
    _ sample: Sample, revision: UInt32, isNew: Bool, lineage: [EventReference], key: SortKey,
    _ writer: inout SampleRowWriter
  ) throws(SQLiteError) {
    change += 1
    let change = change
    try writer.append(key, change: change, isLive: true) { arena in
      SampleCoding.append(
        sample, revision: revision, change: change, isWithdrawn: false, lineage: lineage,
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
  private(set) var key: SortKey?
  private(set) var sample: StoredSample?

  init(rows: SampleRows, chunks: [Int64]) {
    self.rows = rows
    self.chunks = chunks
  }

  /// Reads the sample that comes next.
  mutating func load() throws(SQLiteError) {
    while offset >= bytes.count {
      guard nextChunk < chunks.count else {
        key = nil
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
