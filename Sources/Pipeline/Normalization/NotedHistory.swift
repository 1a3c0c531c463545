import Deduplicate
import Normalize
import PumpModel

/// What was noted of a pump's history, added up piece by piece: what is to be said of the whole.
struct NotedHistory {
  private(set) var account: PumpAccount
  private(set) var differing = NotedNumbers()
  private(set) var conflicting = NotedNumbers()
  private var newest: Instant?
  private var isLate = false

  /// So many pieces at the history's end are added up by each run, since nights change them.
  static let openPieces = 32

  /// Begins with nothing.
  init(timeline: Timeline) {
    account = PumpAccount(timeline: timeline)
  }

  /// Goes on from sums that were held; nil: they are of another clock.
  private init?(_ sums: SegmentSums, timeline: Timeline) {
    var reader = WordReader(sums.words)
    differing = NotedNumbers(&reader)
    conflicting = NotedNumbers(&reader)
    guard let account = PumpAccount(timeline: timeline, words: reader.rest()) else { return nil }
    self.account = account
    newest = sums.newest.map(Instant.init(unixSeconds:))
    isLate = sums.isLate
  }

  private func sums(until place: UInt64) -> SegmentSums {
    var writer = WordWriter()
    differing.put(into: &writer)
    conflicting.put(into: &writer)
    return SegmentSums(
      until: place, words: writer.words + account.words, newest: newest?.unixSeconds,
      isLate: isLate)
  }

  private mutating func add(
    _ piece: borrowing HistorySegment, _ differ: NotedNumbers, _ conflict: NotedNumbers
  ) {
    account.add(piece)
    differing.add(differ)
    conflicting.add(conflict)
    guard let instant = piece.newest else { return }
    newest = max(newest ?? instant, instant)
    if instant > piece.now { isLate = true }
  }

  /// What was noted of the whole history of a pump, of which nothing before `place` changed since
  /// it was added up last; holds the sums for the next time.
  static func whole(
    of pump: Int64, in ledger: Ledger, timeline: Timeline, changedFrom place: UInt64
  ) throws -> NotedHistory {
    var noted = NotedHistory(timeline: timeline)
    var start: UInt64 = 0
    let held = try ledger.segmentSums(of: pump)
    if let held, held.until <= place, let sum = NotedHistory(held, timeline: timeline) {
      (noted, start) = (sum, held.until)
    }
    let end = try ledger.segmentStart(of: pump, around: .max, back: openPieces)
    var sums = start > 0 ? held : nil
    try ledger.forEachSegment(of: pump, from: start) { own, piece, differ, conflict in
      if own == end, own > 0 { sums = noted.sums(until: own) }
      noted.add(piece, differ, conflict)
    }
    try ledger.keep(sums, of: pump)
    return noted
  }
}
