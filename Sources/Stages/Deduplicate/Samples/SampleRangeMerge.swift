import Platform
import PumpModel

/// Compares the samples that were made again of ranges of a pump's history with those of one kind
/// that its ledger held, row by row: rows that cannot hold any are not read.
struct SampleRangeMerge {
  let rows: SampleRows
  let kind: UInt64
  let ranges: SampleRanges

  /// What became of the samples of a kind.
  struct Outcome {
    /// Of samples that stay only those in rows that were read are counted.
    var changes = SampleChanges()
    /// Samples that moved with the amounts that they had.
    var moved = MovedSamples()
    /// When samples lie, and lay, that are not what they were.
    var touched = TouchedTime()
  }

  /// Takes the new samples, in the order of their keys, and gives what changed.
  func merge(
    _ new: inout EntryStream?, change: inout UInt64
  ) throws(SQLiteError) -> Outcome {
    var outcome = Outcome()
    let spans = spans()
    var least = spans.map(\.low)
    if let new, !new.isAtEnd { least.append(StoredSample.key(of: sample(new))) }
    guard let first = least.min(by: { $0.precedes($1) }) else { return outcome }
    let places = try rows.places(from: first)
    var toRead = Self.rows(of: spans, in: places)[...]
    while toRead.first != nil || new.map({ !$0.isAtEnd }) ?? false {
      var row = toRead.first
      if let new, !new.isAtEnd {
        let own = Self.row(of: StoredSample.key(of: sample(new)), in: places)
        row = min(row ?? own, own)
      }
      guard let row else { break }
      if toRead.first == row { toRead.removeFirst() }
      let end = row + 1 < places.count ? places[row + 1].key : nil
      var merge = try SampleMerge(
        rows: rows, chunk: places.isEmpty ? nil : places[row].chunk, ranges: ranges)
      try take(&new, upTo: end, into: &merge, &change)
      try merge.finish(change: &change)
      outcome.changes += merge.changes
      outcome.moved.add(merge.moved)
      outcome.touched.add(merge.touched)
    }
    return outcome
  }

  private func take(
    _ new: inout EntryStream?, upTo end: SortKey?, into merge: inout SampleMerge,
    _ change: inout UInt64
  ) throws(SQLiteError) {
    guard var entries = new.take() else { return }
    var lineage: [EventReference] = []
    while !entries.isAtEnd {
      let sample = sample(entries)
      let key = StoredSample.key(of: sample)
      if let end, !key.precedes(end) || StoredSample.haveOneID(key, end) { break }
      lineage.removeAll(keepingCapacity: true)
      entries.withBody { SampleCoding.appendLineage($0, at: 0, to: &lineage) }
      try merge.take(key, sample, lineage: lineage[...], change: &change)
      try entries.advance()
    }
    new = entries
  }

  private func sample(_ entries: borrowing EntryStream) -> Sample {
    entries.withBody { SampleCoding.sample($0, at: 0) }
  }

  /// The keys between which samples stand that came of the ranges.
  private func spans() -> [(low: SortKey, high: SortKey)] {
    var spans: [(low: SortKey, high: SortKey)] = []
    for window in ranges.windows {
      spans.append((key(window.from), key(window.until)))
      for event in window.inFlightBefore {
        let key = self.key(UInt64(event.number) << 32 | UInt64(event.time.seconds))
        spans.append((key, key))
      }
    }
    // Records alone give the pump's own basal, and rates of zero.
    guard kind != UInt64(SampleKind.basal.rawValue), kind != StoredSample.zeroBasal else {
      return spans
    }
    for (scheme, seconds) in ranges.rows {
      let scheme = kind << 58 | UInt64(scheme.rawValue & 3) << 56
      let low = SortKey(
        partition: 0, high: scheme | UInt64(seconds.lowerBound) << 24, low: 0)
      let high = SortKey(
        partition: 0, high: scheme | UInt64(seconds.upperBound) << 24 | 0xFF_FFFF, low: .max)
      spans.append((low, high))
    }
    let named = kind << 58 | UInt64(SampleIdentity.Scheme.named.rawValue) << 56
    let section = StoredSample.kind(ofStorage: kind).map { RowSection(of: $0) }
    for name in section.flatMap({ ranges.names[$0] }) ?? [] {
      let key = SortKey(partition: 0, high: named | name >> 8, low: name << 56)
      spans.append((key, key))
    }
    return spans
  }

  /// The rows that may hold samples of some spans, ascending.
  private static func rows(
    of spans: [(low: SortKey, high: SortKey)], in places: [RowPlace]
  ) -> [Int] {
    guard !places.isEmpty else { return [] }
    var found: Set<Int> = []
    for (low, high) in spans {
      let first = row(of: low, in: places)
      found.formUnion(first...max(first, row(of: high, in: places)))
    }
    return found.sorted()
  }

  /// The least key of a sample of the kind that is named after an event of a number and pump
  /// seconds.
  private func key(_ event: UInt64) -> SortKey {
    SortKey(partition: 0, high: kind << 58 | event >> 8, low: event << 56)
  }

  /// The row in which samples of a key's id stand, or would stand.
  static func row(of key: SortKey, in places: [RowPlace]) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      let first = places[middle].key
      if first.precedes(key) || StoredSample.haveOneID(first, key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return max(0, low - 1)
  }
}
