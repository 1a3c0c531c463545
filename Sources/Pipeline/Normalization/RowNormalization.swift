import Deduplicate
import Normalize
import PumpModel

/// What events tell of a piece of a history that the samples of rows depend on.
struct EventsForRows {
  /// What rows may tell too.
  var counterparts: [Counterpart] = []
  /// The local days of which they tell basal.
  var daysWithBasal: Set<Int64> = []
}

/// Makes samples of all rows of exports of one pump, but for what its events tell too.
///
/// First it is given what events tell, in any order; then it goes through the rows by time.
final class RowNormalization {
  private let normalization: PumpNormalization
  private let pump: LedgerPump
  /// The sources of the rows, in order.
  let sources: [ExportSource]
  private var spools = CounterpartSpools()
  private let numbered: NumberedDoses
  private var normalizer: RowNormalizer

  /// Begins; counterparts are gathered as the pump's rows need them.
  init(_ normalization: PumpNormalization, _ pump: LedgerPump) throws {
    self.normalization = normalization
    self.pump = pump
    sources = try normalization.read.rowSources(of: pump.number)
    spools.begin(for: sources)
    normalizer = try normalization.rowNormalizer(tellsCounterparts: sources.count > 1)
    numbered = try normalization.read.numberedDoses()
  }

  /// Takes what events tell, and gives back what a ledger is to keep of it: of one that is gone after
  /// the run, which nobody asks again, only what is compared with another.
  func gather(
    _ batch: borrowing NormalizedBatch, keeping isKept: Bool, in told: inout EventsForRows
  ) throws {
    let days = normalizer.daysWithBasal(in: batch)
    normalizer.learn(daysWithBasal: days)
    let counterparts = batch.counterparts
    if isKept { told.counterparts += counterparts }
    told.daysWithBasal.formUnion(days)
    guard !counterparts.isEmpty else { return }
    try spools.append(counterparts)
    if sources.contains(.nightscout) { try numbered.keep(counterparts, of: pump.number) }
  }

  /// Makes the samples.
  func run(into replacement: PumpReplacement) throws {
    try spools.finish()
    for (index, source) in sources.enumerated() {
      let pass = RowPass(normalization, pump, source)
      spools.begin(for: sources[(index + 1)...])
      for section in normalization.rowSections {
        let window = try CounterpartWindow(spools.finished(for: source))
        var pieces = ToldPieces()
        try pass.run(section, &normalizer) { chunk in
          try window.take(
            from: chunk.range.lowerBound, through: chunk.range.upperBound,
            holdingFrom: chunk.firstToCome, where: chunk.isNear)
        } _: { batch, told, time in
          try spools.append(told.map(\.counterpart))
          try replacement.take(batch)
          pieces.add(told)
          for (piece, told) in pieces.takeEnded(before: time - Self.mostSteps) {
            try replacement.keep(told, toldBy: piece, section)
          }
        }
        for (piece, told) in pieces.takeAll() {
          try replacement.keep(told, toldBy: piece, section)
        }
      }
      try spools.finish()
      try pass.runRates(&normalizer) { try replacement.take($0) }
      for result in normalizer.takePieces() { try replacement.keep(result) }
    }
    spools.drop()
  }

  /// By how much a row's own time may be before that of a row which comes earlier: rows come by the times
  /// at which they are compared, which are 26 hours away at most.
  private static let mostSteps: Int64 = 2 * 93_600
}

/// What events tell, and what rows of the sources that were gone through alone tell, sorted as rows of
/// sources to come are compared with it: by the pump's clock, or by instants (Decisions 98).
private struct CounterpartSpools {
  private var finished: [CounterpartSpool] = []
  private var open: [CounterpartSpool] = []

  /// Begins to take what some sources are compared with.
  mutating func begin(for sources: some Sequence<ExportSource>) {
    open = Set(sources.map(\.tellsInstants)).map { CounterpartSpool(usesInstants: $0) }
  }

  func append(_ counterparts: [Counterpart]) throws {
    for spool in open { try spool.append(counterparts) }
  }

  /// Ends what was begun.
  mutating func finish() throws {
    for spool in open { try spool.finish() }
    finished += open
    open = []
  }

  /// What rows of a source are compared with.
  func finished(for source: ExportSource) -> [CounterpartSpool] {
    finished.filter { $0.usesInstants == source.tellsInstants }
  }

  func drop() { for spool in finished { spool.drop() } }
}

/// What rows of a source alone tell, until all rows of a piece have come.
struct ToldPieces {
  private var pieces: [RowPiece: [Counterpart]] = [:]

  mutating func add(_ told: [ToldCounterpart]) {
    for one in told { pieces[one.piece, default: []].append(one.counterpart) }
  }

  /// Takes out those whose last second is before a time.
  mutating func takeEnded(before time: Int64) -> [(RowPiece, [Counterpart])] {
    guard pieces.count > 1 else { return [] }
    return take(pieces.keys.filter { $0.times.upperBound <= time })
  }

  /// Takes out all.
  mutating func takeAll() -> [(RowPiece, [Counterpart])] { take(Array(pieces.keys)) }

  private mutating func take(_ ended: [RowPiece]) -> [(RowPiece, [Counterpart])] {
    ended.sorted().map { ($0, pieces.removeValue(forKey: $0) ?? []) }
  }
}

extension PumpNormalization {
  /// A normalizer of rows; of those of some pieces, or of all.
  func rowNormalizer(
    of pieces: Set<RowPiece>? = nil, tellsCounterparts: Bool = false
  ) throws -> RowNormalizer {
    RowNormalizer(
      schedule: schedule, concentration: concentration, makesGlucose: makesGlucose,
      words: try read.statusWords(), derivesBasal: derivesBasal, pieces: pieces,
      tellsCounterparts: tellsCounterparts)
  }

  /// The sections of rows that are compared with events.
  var rowSections: [RowSection] { makesGlucose ? [.boluses, .readings] : [.boluses] }
}

/// Rows of one source at hand, which are compared together.
struct RowChunk {
  /// When they ended, in the seconds in which they are compared.
  let ends: SortedSeconds
  /// Rows to come tell nothing that ended before this.
  let firstToCome: Int64
  /// How much earlier or later than a row what it tells can have ended.
  let margins: (before: Int64, behind: Int64)
  fileprivate let source: ExportSource
  fileprivate let section: RowSection

  /// Between which seconds that ended which they may tell; from one chunk to the next, it never begins
  /// earlier.
  var range: ClosedRange<Int64> {
    let near = ends.range(widenedBy: RowNormalizer.reach)
    return min(near.lowerBound - margins.before, firstToCome)...near.upperBound + margins.behind
  }

  /// The same in ranges, where they lie far from one another.
  var ranges: [Range<Int64>] { ends.ranges(widenedBy: RowNormalizer.reach, and: margins) }

  /// Whether one of them may tell it.
  func isNear(_ counterpart: Counterpart) -> Bool {
    counterpart.isDose == (section == .boluses)
      && ends.hasAny(within: RowNormalizer.comparedSpan(of: counterpart, source))
  }
}

/// Goes through rows of one source, in chunks that no possible pair of a row and an event reaches
/// across.
struct RowPass {
  private let normalization: PumpNormalization
  private let pump: LedgerPump
  private let source: ExportSource
  /// Of which times; nil: all.
  private let times: [Range<Int64>]?

  /// How many rows a chunk has at most: no pump gives so many that any two that follow each other are
  /// joined.
  private static let longestChunk = 65_536

  /// Creates a pass through rows of some times, given in order, or through all.
  init(
    _ normalization: PumpNormalization, _ pump: LedgerPump, _ source: ExportSource,
    times: [Range<Int64>]? = nil
  ) {
    self.normalization = normalization
    self.pump = pump
    self.source = source
    self.times = times
  }

  /// Normalizes rows that are compared with events.
  ///
  /// `counterparts` gives all that rows of a chunk may tell; `sink` takes what came of rows, what they
  /// alone tell, and the last one's own time.
  func run(
    _ section: RowSection, _ normalizer: inout RowNormalizer,
    _ counterparts: (RowChunk) throws -> [Counterpart],
    _ sink: (borrowing NormalizedBatch, [ToldCounterpart], Int64) throws -> Void
  ) throws {
    // Rows come by their own times, in which those of their ends need not ascend.
    let steps = try stepsBack(section, normalizer)
    let reader = try reader(section)
    var batch = NormalizedBatch()
    var rows: [NumberedRow] = []
    var wanted = normalization.rowsPerChunk
    var latest = Int64.min
    var next = try reader.take()
    while next != nil || !rows.isEmpty {
      while rows.count < wanted, let row = next {
        rows.append(row)
        latest = max(latest, normalizer.comparedEnds(of: row).min() ?? latest)
        next = try reader.take()
      }
      let margins = normalizer.margins(of: source)
      let firstToCome =
        next == nil ? Int64.max : latest - steps - RowNormalizer.reach - margins.before
      let found = try counterparts(
        RowChunk(
          ends: SortedSeconds(rows.flatMap { normalizer.comparedEnds(of: $0) }),
          firstToCome: firstToCome, margins: margins, source: source, section: section))
      var count = rows.count
      // What is told of a reading is not taken from others.
      if section == .boluses, next != nil {
        count = normalizer.settled(rows, with: found, before: latest - steps)
        if count == 0, rows.count >= Self.longestChunk { count = rows.count }
      }
      guard count > 0, let last = rows[..<count].last else {
        wanted = rows.count * 2
        continue
      }
      batch.removeAll()
      let told = normalizer.process(Array(rows[..<count]), with: found, into: &batch)
      try sink(batch, told, last.row.time)
      rows.removeFirst(count)
      wanted = rows.count + normalization.rowsPerChunk
    }
  }

  /// Takes the rates of the source, and ends them.
  func runRates(
    _ normalizer: inout RowNormalizer, _ sink: (borrowing NormalizedBatch) throws -> Void
  ) throws {
    let reader = try reader(.rates)
    var batch = NormalizedBatch()
    while let row = try reader.take() {
      normalizer.process(rate: row, into: &batch)
      guard batch.samples.count >= normalization.rowsPerChunk else { continue }
      try sink(batch)
      batch.removeAll()
    }
    normalizer.endRates(into: &batch)
    try sink(batch)
  }

  private func reader(_ section: RowSection) throws -> RowReader {
    try normalization.read.rows(of: pump.number, from: source, section, in: times)
  }

  /// By how much rows end at most before ones that come before them.
  private func stepsBack(_ section: RowSection, _ normalizer: RowNormalizer) throws -> Int64 {
    let reader = try reader(section)
    var latest: Int64?
    var steps: Int64 = 0
    while let row = try reader.take() {
      guard let first = normalizer.comparedEnds(of: row).min() else { continue }
      steps = max(steps, (latest ?? first) - first)
      latest = max(latest ?? first, first)
    }
    return steps
  }
}

/// Seconds in their order, to find those near others.
struct SortedSeconds {
  private let seconds: [Int64]

  init(_ seconds: some Sequence<Int64>) { self.seconds = seconds.sorted() }

  /// From the first to the last, and so far beyond.
  func range(widenedBy reach: Int64) -> ClosedRange<Int64> {
    (seconds.first ?? 0) - reach...(seconds.last ?? 0) + reach
  }

  /// Whether one of them is so near a second that a row and an event there may be a pair.
  func hasAny(near second: Int64, within reach: Int64 = RowNormalizer.reach) -> Bool {
    hasAny(within: second...second, reach: reach)
  }

  /// Whether one of them lies so near a span that a row there may tell a dose of the span.
  func hasAny(within span: ClosedRange<Int64>, reach: Int64 = RowNormalizer.reach) -> Bool {
    var (low, high) = (0, seconds.count)
    while low < high {
      let middle = (low + high) / 2
      if seconds[middle] < span.lowerBound - reach { low = middle + 1 } else { high = middle }
    }
    return low < seconds.count && seconds[low] <= span.upperBound + reach
  }

  /// Ranges that hold all of them, and so far beyond, before and behind them further by margins; those
  /// that lie near one another are one.
  func ranges(
    widenedBy reach: Int64, and margins: (before: Int64, behind: Int64) = (0, 0)
  ) -> [Range<Int64>] {
    Self.joined(
      seconds.map { $0 - reach - margins.before..<$0 + reach + margins.behind + 1 }, over: 43_200)
  }

  /// Joins ranges, given in order of their beginnings, that are no further apart than some seconds.
  static func joined(_ ranges: [Range<Int64>], over gap: Int64) -> [Range<Int64>] {
    var joined: [Range<Int64>] = []
    for range in ranges {
      if let last = joined.last, range.lowerBound <= last.upperBound + gap {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
