import Deduplicate
import Normalize
import PumpModel

/// Makes samples of one pump's rows of exports, but for what its events tell too.
///
/// First it is given what events tell, in any order; then it goes through the rows by time, in
/// chunks that no possible pair of a row and an event reaches across.
final class RowNormalization {
  private let normalization: PumpNormalization
  private let pump: LedgerPump
  private let sources: [ExportSource]
  private let wallTimes: CounterpartSpool
  private let instants: CounterpartSpool
  private var normalizer: RowNormalizer

  /// How long there must be no row between two chunks: an event between is then too far from one of
  /// them.
  private static let gap = 2 * RowNormalizer.reach + 1
  /// How many rows a chunk has at least, if there are as many.
  private static let chunk = 256
  /// How many rows a chunk has at most: a pump cannot give so many without two minutes of rest.
  private static let longestChunk = 65_536

  /// Begins; counterparts are gathered as the pump's rows need them.
  init(_ normalization: PumpNormalization, _ pump: LedgerPump) throws {
    self.normalization = normalization
    self.pump = pump
    sources = try normalization.read.rowSources(of: pump.number)
    wallTimes = CounterpartSpool(usesInstants: false)
    instants = CounterpartSpool(usesInstants: true)
    normalizer = RowNormalizer(
      schedule: normalization.schedule, concentration: normalization.concentration,
      makesGlucose: normalization.makesGlucose, words: try normalization.read.statusWords(),
      derivesBasal: normalization.derivesBasal)
  }

  /// Takes what events tell.
  func gather(_ batch: borrowing NormalizedBatch) throws {
    normalizer.learn(batch)
    let counterparts = batch.counterparts
    guard !counterparts.isEmpty else { return }
    if sources.contains(.csv) { try wallTimes.append(counterparts) }
    if sources.contains(where: { $0 != .csv }) { try instants.append(counterparts) }
  }

  /// Makes the samples, and says what became of the rows.
  func run(into replacement: PumpReplacement) throws -> [ExportSource: RowAccount] {
    try wallTimes.finish()
    try instants.finish()
    var accounts: [ExportSource: RowAccount] = [:]
    var segment = HistorySegment(now: normalization.now)
    for source in sources {
      try normalize(source, .boluses, replacement)
      if normalization.makesGlucose { try normalize(source, .readings, replacement) }
      try normalizeRates(of: source, replacement)
      accounts[source] = normalizer.takeAccount()
    }
    segment.days = normalizer.takeDays()
    wallTimes.drop()
    instants.drop()
    try replacement.keep(
      StoredSegment(
        start: Self.segment, state: NormalizerState(digest: 0, seed: NormalizerSeed()),
        notes: segment))
    return accounts
  }

  /// Where what rows give stands among the pieces of the history: behind all of them, before what
  /// became certain at its end.
  private static let segment = UInt64.max - 1

  private func normalize(
    _ source: ExportSource, _ section: RowSection, _ replacement: PumpReplacement
  ) throws {
    let spool = source == .csv ? wallTimes : instants
    try spool.rewind()
    let reader = try normalization.read.rows(of: pump.number, from: source, section)
    var batch = NormalizedBatch()
    var chunk: [NumberedRow] = []
    var (first, last) = (Int64.max, Int64.min)
    while let row = try reader.take() {
      chunk.append(row)
      let bounds = normalizer.comparedSeconds(of: row)
      first = min(first, bounds.lowerBound)
      last = max(last, bounds.upperBound)
      if let next = reader.next.map(normalizer.comparedSeconds) {
        guard chunk.count >= Self.chunk else { continue }
        guard next.lowerBound - last >= Self.gap || chunk.count >= Self.longestChunk
        else { continue }
      }
      batch.removeAll()
      normalizer.process(
        chunk,
        with: try spool.take(
          from: first - RowNormalizer.reach, through: last + RowNormalizer.reach), into: &batch)
      try replacement.take(batch, segment: Self.segment)
      chunk.removeAll(keepingCapacity: true)
      (first, last) = (.max, .min)
    }
  }

  private func normalizeRates(of source: ExportSource, _ replacement: PumpReplacement) throws {
    let reader = try normalization.read.rows(of: pump.number, from: source, .rates)
    var batch = NormalizedBatch()
    while let row = try reader.take() {
      normalizer.process(rate: row, into: &batch)
      guard batch.samples.count >= Self.chunk else { continue }
      try replacement.take(batch, segment: Self.segment)
      batch.removeAll()
    }
    normalizer.endRates(into: &batch)
    try replacement.take(batch, segment: Self.segment)
  }
}
