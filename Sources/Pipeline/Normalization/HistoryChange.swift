import Deduplicate
import Normalize
import PumpModel

/// What records that are new, changed or gone mean for the history around them: where it is to be
/// normalized again, and the clock and the missing numbers as they are now.
///
/// There is none where it is not plain that the stretches of the clock are what they were.
struct HistoryChange {
  /// The pieces of the history as it was normalized last, from the first that changed on.
  private(set) var marks: [SegmentMark] = []
  /// Where records, or what is known of the numbers between them, changed; in order.
  private(set) var clusters: [ClosedRange<UInt64>]
  /// The clock.
  private(set) var scan: ClockScan
  /// The clock, placed.
  private(set) var timeline: Timeline
  /// Where the history is said to be complete.
  let claims: [CompletenessClaim]
  /// What was fetched from a live source, as before.
  let fetched: FetchedTime
  /// The numbers that are now known to be missing, in ranges in which they are others than before.
  private(set) var missing: [(range: ClosedRange<UInt64>, numbers: [UInt64])] = []

  private let normalization: PumpNormalization
  private let pump: LedgerPump

  /// A change that spans so many numbers is looked at as one of the whole history, unless it is a
  /// quarter of it at most.
  private static let mostNumbers: UInt64 = 4096

  /// Looks at what was touched; nil: the whole history is to be normalized.
  init?(_ normalization: PumpNormalization, _ pump: LedgerPump, touched: TouchedRecords) throws {
    let ledger = normalization.ledger
    guard !touched.isEverything, !touched.holdsClockChange, !pump.hasGroups,
      let held = try ledger.normalization(of: pump.number),
      held.version == PumpNormalizer.version, let scan = ClockScan(words: held.scan)
    else { return nil }
    fetched = try normalization.fetched(of: pump)
    guard held.fetched == fetched.words else { return nil }
    self.normalization = normalization
    self.pump = pump
    self.scan = scan
    claims = try normalization.claims(of: pump)
    timeline = normalization.timeline(of: scan)
    let sums = try ledger.segmentSums(of: pump.number)
    let counted = sums.map { $0.areCounted(now: normalization.now) ? $0.until : 0 } ?? 0
    clusters = TouchedRecords.joined(
      try touched.clusters + Self.differences(held.claims, claims)
        + ledger.segmentsDatedLate(of: pump.number, now: normalization.now, from: counted))
    let numbers = clusters.reduce(0) { $0 + ($1.upperBound >> 32 - $1.lowerBound >> 32) }
    guard try numbers <= Self.mostNumbers || numbers <= ledger.segmentRecords(of: pump.number) / 4,
      try ledger.hasFirstSegment(of: pump.number), try lookAround()
    else { return nil }
    guard let first = clusters.first?.lowerBound else { return }
    marks = try ledger.segmentMarks(
      of: pump.number, from: ledger.segmentStart(of: pump.number, around: first))
  }

  /// The numbers that lie within one claim and not within another, with those at its ends.
  private static func differences(
    _ before: [Int64], _ now: [CompletenessClaim]
  ) -> [ClosedRange<UInt64>] {
    guard before != now.words else { return [] }
    let old = stride(from: 0, to: before.count - 2, by: 3).map {
      UInt64(clamping: before[$0 + 1])...UInt64(clamping: before[$0 + 2])
    }
    let new = now.map { UInt64($0.numbers.lowerBound)...UInt64($0.numbers.upperBound) }
    // A log with one group of numbers has one claim at most.
    guard old.count == 1, new.count == 1 else { return (old + new).map(keys) }
    let lows = [old[0].lowerBound, new[0].lowerBound].sorted()
    let highs = [old[0].upperBound, new[0].upperBound].sorted()
    return [lows[0]...lows[1], highs[0]...highs[1]].filter { $0.count > 1 }.map(keys)
  }

  private static func keys(_ numbers: ClosedRange<UInt64>) -> ClosedRange<UInt64> {
    numbers.lowerBound << 32...(numbers.upperBound << 32 | UInt64(UInt32.max))
  }

  /// Looks at the records around each cluster; false: the whole history is to be normalized.
  private mutating func lookAround() throws -> Bool {
    for index in clusters.indices {
      guard try look(around: index) else { return false }
    }
    clusters = TouchedRecords.joined(clusters)
    let now = normalization.timeline(of: scan)
    guard now.agrees(with: timeline) else { return false }
    timeline = now
    return true
  }

  private mutating func look(around index: Int) throws -> Bool {
    let touched = clusters[index]
    let reach = UInt64(MissingNumbers.influence)
    let low = touched.lowerBound >> 32
    let decided = (low > reach ? low - reach : 0)...(touched.upperBound >> 32 + reach)
    let seen = (low > 2 * reach ? low - 2 * reach : 0)...(touched.upperBound >> 32 + 2 * reach)
    var around = Neighbourhood(
      clock: ClockContinuation(scan, touched: touched), touched: touched, decided: decided,
      seen: seen)
    // Enough records before it to judge the clock.
    let start = try normalization.ledger.segmentStart(
      of: pump.number, records: UInt64(ClockContinuation.reach), before: touched.lowerBound)
    try read(from: min(start, seen.lowerBound << 32), into: &around)
    guard let scan = around.clock.finish() else { return false }
    self.scan = scan
    around.missing.finish()
    let known = around.missing.known.filter(decided.contains)
    var renewed = touched.lowerBound...max(touched.upperBound, around.next ?? 0)
    if known != (try normalization.ledger.missingNumbers(of: pump.number, in: decided)) {
      missing.append((decided, known))
      renewed = decided.lowerBound << 32...max(renewed.upperBound, around.afterDecided)
    }
    clusters[index] = renewed
    return true
  }

  private func read(from start: UInt64, into around: inout Neighbourhood) throws {
    let journal = try normalization.ledger.journal(
      of: pump, rules: PumpNormalization.copyRules, from: start)
    var records: [PumpRecord] = []
    var events: [PumpEvent] = []
    while !around.isSeen, try journal.next(into: &records, atMost: 512) {
      PumpNormalization.decode(records, into: &events)
      for event in events { around.take(event) }
    }
  }
}

/// The records around a cluster, as far as they are needed to judge it.
private struct Neighbourhood {
  var clock: ClockContinuation
  var missing = MissingNumbers()
  let touched: ClosedRange<UInt64>
  /// The numbers of which it may have changed whether they are known to be missing.
  let decided: ClosedRange<UInt64>
  /// The numbers that decide on those.
  let seen: ClosedRange<UInt64>
  /// The first record after the cluster.
  private(set) var next: UInt64?
  /// The first record after the numbers that are decided on, or the end of those.
  private(set) var afterDecided: UInt64
  private var hasPassedDecided = false
  private var hasPassedSeen = false

  init(
    clock: ClockContinuation, touched: ClosedRange<UInt64>, decided: ClosedRange<UInt64>,
    seen: ClosedRange<UInt64>
  ) {
    self.clock = clock
    self.touched = touched
    self.decided = decided
    self.seen = seen
    afterDecided = decided.upperBound << 32 | UInt64(UInt32.max)
  }

  var isSeen: Bool { hasPassedSeen && next != nil }

  mutating func take(_ event: borrowing PumpEvent) {
    clock.take(event)
    let number = UInt64(event.number)
    let key = number << 32 | UInt64(event.time.seconds)
    if next == nil, key > touched.upperBound { next = key }
    if !hasPassedDecided, number > decided.upperBound {
      hasPassedDecided = true
      afterDecided = key
    }
    if number > seen.upperBound { hasPassedSeen = true }
    if seen.contains(number) { missing.take(group: 0, number: event.number) }
  }
}
