import Deduplicate
import Normalize
import PumpModel

/// Normalizes again what records that are new, changed or gone can have changed, and nothing else.
///
/// Around each cluster of such records the history is normalized from a place before it, where the
/// normalizer's state is known, up to a place behind it where the state is again what it was:
/// from there on nothing can have changed. States are known by digests that were kept when the
/// history was normalized last; to come to one, records of some days before it are taken first.
struct RangeNormalization {
  private let normalization: PumpNormalization
  private let pump: LedgerPump
  private let change: HistoryChange
  private let marks: [SegmentMark]
  /// The pump's rows of exports; nil: it has none.
  private let rows: RowRenewal?

  /// How many pieces are taken to come to a state; twice as many where they do not lead to it.
  private static let approach = 3

  /// Looks whether what records can have changed is plain; nil: the whole history.
  init?(
    _ normalization: PumpNormalization, _ pump: LedgerPump, touched: TouchedRecords,
    rows: RowRenewal? = nil
  ) throws {
    guard let change = try HistoryChange(normalization, pump, touched: touched) else { return nil }
    self.normalization = normalization
    self.pump = pump
    self.change = change
    self.rows = rows
    marks = change.marks
  }

  /// Normalizes and says what changed; nil: more is near what changed than is compared without the whole
  /// history, and nothing of what was kept counts.
  ///
  /// - Throws: `LedgerError.checkFailed` if what comes out depends on where normalizing began.
  func run() throws -> SampleOutcome? {
    let ledger = normalization.ledger
    for (range, numbers) in change.missing {
      try ledger.keep(missingNumbers: numbers, of: pump.number, in: range)
    }
    try ledger.keep(
      HeldNormalization(
        version: PumpNormalizer.version, scan: change.scan.words, claims: change.claims.words,
        fetched: change.fetched.words, knowsRows: rows != nil),
      of: pump.number)
    let replacement = try PumpReplacement(ledger, pump: pump, isWhole: false)
    var clusters = change.clusters[...]
    var ranges = SampleRanges()
    while let cluster = clusters.popFirst() {
      ranges.windows.append(try renew(cluster, &clusters, replacement))
    }
    do {
      try rows?.run(into: replacement, replacing: &ranges)
    } catch is TooMuchNearby {
      return nil
    }
    let outcome = try replacement.finish(replacing: ranges)
    try normalization.finish(
      replacement, pump, change.timeline, changedFrom: marks.first?.start ?? .max)
    return outcome
  }

  /// Normalizes around a cluster, and those that follow before the state is what it was.
  private func renew(
    _ cluster: ClosedRange<UInt64>, _ clusters: inout ArraySlice<ClosedRange<UInt64>>,
    _ replacement: PumpReplacement
  ) throws -> SampleWindow {
    let first = marks.lastIndex { $0.start <= cluster.lowerBound } ?? 0
    let walk = try walk(to: first, over: Self.approach)
    var window = SampleWindow(
      from: walk.place, until: .max, inFlightBefore: walk.inFlight, inFlightAfter: [])
    var pieces: [Piece] = []
    var upper = cluster.upperBound
    var next = first
    repeat {
      next = mark(after: next, &upper, &clusters)
      let stop = next < marks.count ? marks[next].start : .max
      try renew(walk, upTo: stop, &pieces, replacement)
    } while next < marks.count && walk.state.digest != marks[next].digest
    if next < marks.count {
      window.until = marks[next].start
      window.inFlightAfter = walk.inFlight
    }
    // The next cluster has yet to be normalized, so only what comes before it is what it was.
    let following = clusters.first?.lowerBound ?? .max
    try check(pieces, from: first, followedBy: marks[next...].prefix { $0.start <= following })
    return window
  }

  /// The next mark behind all clusters that begin before it.
  private func mark(
    after mark: Int, _ upper: inout UInt64, _ clusters: inout ArraySlice<ClosedRange<UInt64>>
  ) -> Int {
    var next = mark + 1
    while true {
      while next < marks.count, marks[next].start <= upper { next += 1 }
      guard let following = clusters.first,
        next == marks.count || following.lowerBound < marks[next].start
      else { return next }
      upper = max(upper, following.upperBound)
      clusters.removeFirst()
    }
  }

  /// A piece that was normalized again.
  private struct Piece {
    var end: UInt64
    /// Of all that it gave.
    var digest: UInt64
  }

  /// Puts pieces in place of those that the ledger held, up to a place, or to the history's end.
  private func renew(
    _ walk: SegmentWalk, upTo stop: UInt64, _ pieces: inout [Piece],
    _ replacement: PumpReplacement
  ) throws {
    while walk.place != stop || stop == .max {
      var batch = NormalizedBatch()
      guard let segment = try walk.next(before: stop, { batch.append($0) }) else { return }
      try rows?.leave(from: segment.start, until: walk.place)
      try replacement.clear(from: segment.start, until: walk.place)
      try replacement.take(batch, segment: segment.start)
      try replacement.keep(segment)
      try rows?.take(batch, segment: segment.start, into: replacement)
      pieces.append(Piece(end: walk.place, digest: Self.digest(of: segment, batch)))
    }
  }

  /// Makes sure that the same comes out from a place twice as far before, and that the history
  /// goes on from it as it did.
  private func check(
    _ pieces: [Piece], from first: Int, followedBy next: ArraySlice<SegmentMark>
  ) throws {
    let walk = try walk(to: first, over: 2 * Self.approach)
    for piece in pieces {
      var batch = NormalizedBatch()
      let segment = try walk.next(before: piece.end) { batch.append($0) }
      guard let segment, walk.place == piece.end,
        Self.digest(of: segment, batch) == piece.digest
      else { throw Self.differs }
    }
    for mark in next.prefix(pieces.count) {
      while walk.place != mark.start { _ = try walk.next(before: mark.start) { _ in } }
      guard walk.state.digest == mark.digest else { throw Self.differs }
    }
  }

  /// A walk that stands at a mark and knows what came before it.
  private func walk(to mark: Int, over pieces: Int) throws -> SegmentWalk {
    var pieces = pieces
    while true {
      let from = try normalization.ledger.segmentStart(
        of: pump.number, around: marks[mark].start, back: pieces)
      let walk = try walk(from: from)
      while walk.place != marks[mark].start {
        _ = try walk.next(before: marks[mark].start) { _ in }
      }
      if walk.state.digest == marks[mark].digest { return walk }
      guard from > 0 else { throw Self.differs }
      pieces *= 2
    }
  }

  private func walk(from start: UInt64) throws -> SegmentWalk {
    let ledger = normalization.ledger
    let missing = MissingNumbers(
      known: try ledger.missingNumbers(of: pump.number, in: start >> 32...UInt64.max))
    return SegmentWalk(
      reader: try ledger.journal(of: pump, rules: PumpNormalization.copyRules, from: start),
      normalizer: normalization.normalizer(
        change.timeline, missing, change.claims, change.fetched, gathersCounterparts: rows != nil,
        seed: try ledger.seed(of: pump.number, at: start)),
      place: start, recordsPerSegment: normalization.recordsPerSegment)
  }

  private static let differs = LedgerError.checkFailed(
    "a part of the history gives something else when it is normalized again")

  private static func digest(of segment: StoredSegment, _ batch: NormalizedBatch) -> UInt64 {
    var digest = StateDigest()
    digest.mix(segment)
    digest.mix(batch)
    return digest.value
  }
}
