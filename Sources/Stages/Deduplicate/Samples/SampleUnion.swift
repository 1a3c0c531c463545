import Platform
import PumpModel

/// Adds samples of one pump and kind to those that a ledger holds, row by row: rows that no new
/// sample belongs to are not touched.
struct SampleUnion {
  private let rows: SampleRows
  private var writer: SampleRowWriter
  /// The ledger's count of changes.
  private(set) var change: UInt64
  /// What became of the samples.
  private(set) var changes = SampleChanges()
  /// How many were set aside, since another of the same id counts.
  private(set) var superseded: UInt64 = 0

  init(rows: SampleRows, change: UInt64) {
    self.rows = rows
    self.change = change
    writer = SampleRowWriter(rows: rows)
  }

  /// A sample as it came, of those with its key the one that counts.
  private struct New {
    var key: SortKey
    var order: UInt64
    var sample: StoredSample

    /// Whether it counts, rather than another one of the same key.
    func counts(over other: New) -> Bool {
      let (own, others) = (sample, other.sample)
      if own.revision != others.revision { return own.revision > others.revision }
      // A sample that comes back counts on, so of one revision the withdrawal is the later one.
      if own.isWithdrawn != others.isWithdrawn { return own.isWithdrawn }
      return order > other.order
    }
  }

  /// Adds samples, sorted by key, each with the order in which it came before its bytes.
  mutating func add(_ stream: consuming EntryStream) throws(SQLiteError) {
    var stream = stream
    var next = try take(&stream)
    let places = try rows.places()
    for (index, place) in places.enumerated() {
      let end = index + 1 < places.count ? places[index + 1].key : nil
      guard let new = next, end.map({ new.key.precedes($0) }) ?? true else { continue }
      let bytes = try rows.take(place.chunk)
      var offset = 0
      while offset < bytes.count {
        let held = SampleCoding.stored(unsafe bytes.span.bytes, at: offset)
        offset += SampleCoding.size(unsafe bytes.span.bytes, at: offset)
        let key = StoredSample.key(of: held.sample)
        while let new = next, new.key.precedes(key) {
          try write(new, over: nil)
          next = try take(&stream)
        }
        if let new = next, new.key == key {
          try write(new, over: held)
          next = try take(&stream)
        } else {
          try append(held, key)
        }
      }
      while let new = next, end.map({ new.key.precedes($0) }) ?? true {
        try write(new, over: nil)
        next = try take(&stream)
      }
      try writer.finish()
    }
    while let new = next {
      try write(new, over: nil)
      next = try take(&stream)
    }
    try writer.finish()
  }

  /// Takes the samples of the next key, and gives the one that counts.
  private mutating func take(_ stream: inout EntryStream) throws(SQLiteError) -> New? {
    guard !stream.isAtEnd else { return nil }
    var best = Self.read(stream)
    try stream.advance()
    while !stream.isAtEnd, stream.key.high == best.key.high, stream.key.low == best.key.low {
      let other = Self.read(stream)
      if other.counts(over: best) { best = other }
      superseded += 1
      try stream.advance()
    }
    return best
  }

  private static func read(_ stream: borrowing EntryStream) -> New {
    let key = SortKey(partition: 0, high: stream.key.high, low: stream.key.low)
    return stream.withBody { bytes in
      New(
        key: key, order: bytes.load(0, as: UInt64.self),
        sample: SampleCoding.stored(bytes, at: 8))
    }
  }

  private mutating func write(_ new: New, over held: StoredSample?) throws(SQLiteError) {
    guard var result = try compared(new, with: held) else { return }
    if result.change == 0 {
      change += 1
      result.change = change
    }
    try append(result, new.key)
  }

  /// What is kept of a sample, with a change of 0 if it is new or different; nil for nothing.
  private mutating func compared(
    _ new: New, with held: StoredSample?
  ) throws(SQLiteError) -> StoredSample? {
    var result = new.sample
    guard let held else {
      if result.isWithdrawn { return nil }
      changes.fresh += 1
      return result
    }
    if result.isWithdrawn {
      guard result.revision >= held.revision else { return held }
      changes.withdrawn += 1
      return nil
    }
    if held.hasSameContent(as: result.sample) {
      changes.unchanged += 1
      result.revision = held.revision
      result.change = held.change
    } else {
      changes.revised += 1
      result.revision = max(result.revision, held.revision &+ 1)
    }
    return result
  }

  private mutating func append(_ stored: StoredSample, _ key: SortKey) throws(SQLiteError) {
    try writer.append(
      key, change: stored.change, isLive: true, isTaken: stored.sample.identity.ordinal > 1,
      start: stored.sample.start.unixSeconds, end: stored.sample.end.unixSeconds
    ) { arena in
      SampleCoding.append(
        stored.sample, revision: stored.revision, change: stored.change, isWithdrawn: false,
        lineage: stored.lineage[...], to: &arena)
    }
  }
}
