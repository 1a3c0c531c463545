import Deduplicate
import Normalize
import PumpModel

/// Makes samples again of the rows of exports of one pump that new rows or changed events can have
/// changed, and of no others.
///
/// It is told what events said and say of the ranges of the history that are normalized again. What
/// came of rows is kept by pieces. Sources are gone through in their order: a piece is made again if it
/// holds rows that are new or hold no longer, or a row that chains of possible pairs join with such rows,
/// or with anything that events or rows of earlier sources tell otherwise than before.
final class RowRenewal {
  private let normalization: PumpNormalization
  private let pump: LedgerPump
  private let touched: TouchedRows
  private let sources: [ExportSource]
  /// As it is before it takes any rows.
  private var normalizer: RowNormalizer
  /// What events, and rows of sources that were gone through, tell more often now than before;
  /// negative: less often.
  private var changed: [Counterpart: Int] = [:]
  private var daysBefore: Set<Int64> = []
  private var daysNow: Set<Int64> = []

  /// How far a time of the pump's clock is from its instant at most: 26 hours.
  private static let mostOffset = ChainSearch.mostOffset
  /// How long a rate holds at most: 26 hours.
  private static let longestRate: Int64 = 93_600

  /// What more numbers tell, or more pieces, would take too much memory to compare.
  private static let mostNumbers: UInt64 = 131_072
  private static let mostPieces = 2048
  private static let mostReadings = 262_144

  /// Begins; nil where all rows are to be made again.
  init?(
    _ normalization: PumpNormalization, _ pump: LedgerPump, touched: TouchedRows,
    besides records: TouchedRecords
  ) throws {
    let ledger = normalization.ledger
    let numbers = records.clusters.reduce(0) { $0 + ($1.upperBound >> 32 - $1.lowerBound >> 32) }
    guard numbers <= Self.mostNumbers else { return nil }
    guard try ledger.normalization(of: pump.number)?.knowsRows == true else { return nil }
    let sources = try ledger.keptRowSources(of: pump.number)
    // What rows alone tell is kept where there are several sources: the first of a second one finds
    // nothing of the first.
    guard touched.pieces.allSatisfy({ sources.contains($0.source) }) else { return nil }
    self.normalization = normalization
    self.pump = pump
    self.touched = touched
    self.sources = sources.sorted { $0.rawValue < $1.rawValue }
    normalizer = try normalization.rowNormalizer(of: [], tellsCounterparts: sources.count > 1)
  }

  /// Takes in what pieces of the history told that are to be taken out.
  func leave(from start: UInt64, until end: UInt64) throws {
    let told = try normalization.ledger.counterparts(of: pump.number, from: start, until: end)
    for counterpart in told.counterparts { count(counterpart, -1) }
    daysBefore.formUnion(told.basalDays)
  }

  /// Takes in what a piece of the history tells now, and keeps it.
  func take(
    _ batch: borrowing NormalizedBatch, segment: UInt64, into replacement: PumpReplacement
  ) throws {
    for counterpart in batch.counterparts { count(counterpart, 1) }
    let days = normalizer.daysWithBasal(in: batch)
    daysNow.formUnion(days)
    try replacement.keep(batch.counterparts, daysWithBasal: days, segment: segment)
  }

  private func count(_ counterpart: Counterpart, _ more: Int) {
    let sum = changed[counterpart, default: 0] + more
    changed[counterpart] = sum == 0 ? nil : sum
  }

  /// Makes the samples, and says which they replace.
  ///
  /// - Throws: `LedgerError.checkFailed` if what comes out depends on which pieces were looked at;
  ///   `TooMuchNearby` if all rows are to be made again.
  func run(into replacement: PumpReplacement, replacing ranges: inout SampleRanges) throws {
    var normalizer = self.normalizer
    let ofRates = try piecesOfRates()
    var pieces: Set<RowPiece> = []
    for source in sources {
      let own = try touchedPieces(of: source).union(ofRates.filter { $0.source == source })
      pieces.formUnion(own)
      guard pieces.count <= Self.mostPieces else { throw TooMuchNearby() }
      var before: [Counterpart] = []
      for piece in own {
        for section in normalization.rowSections {
          before += try counterparts(toldBy: piece, section)
        }
        try replacement.clear(piece)
      }
      normalizer.want(own)
      try pass(source, own, &normalizer) {
        try replacement.take($0)
      } _: { told, piece, section in
        try replacement.keep(told, toldBy: piece, section)
        for counterpart in told { self.count(counterpart, 1) }
      }
      for counterpart in before { count(counterpart, -1) }
    }
    guard !pieces.isEmpty else { return }
    try passRates(pieces, &normalizer) { try replacement.take($0) }
    let results = normalizer.takePieces()
    for result in results { try replacement.keep(result) }
    try normalization.ledger.addUpRows(of: pump.number, from: sources)
    try check(results, of: pieces)
    ranges.add(pieces)
    for source in sources where !source.namesTimes {
      let times = Self.times(of: pieces.filter { $0.source == source })
      ranges.add(names: try normalization.ledger.names(of: pump.number, from: source, in: times))
    }
  }

  private func counterparts(
    toldBy piece: RowPiece, _ section: RowSection
  ) throws -> [Counterpart] {
    try normalization.ledger.counterparts(of: pump.number, toldBy: piece, section)
  }

  /// Makes sure that the same comes out where pieces around are looked at too, and that these give
  /// what they gave.
  private func check(_ results: [RowPieceResult], of pieces: Set<RowPiece>) throws {
    let ledger = normalization.ledger
    var wider = pieces
    for piece in pieces { wider.formUnion(try ledger.neighbours(of: piece, of: pump.number)) }
    var normalizer = try normalization.rowNormalizer(
      of: wider, tellsCounterparts: sources.count > 1)
    var tellsTheSame = true
    for source in sources {
      let own = wider.filter { $0.source == source }
      try pass(source, own, &normalizer) { _ in
      } _: { told, piece, section in
        if try told != self.counterparts(toldBy: piece, section) { tellsTheSame = false }
      }
    }
    try passRates(wider, &normalizer) { _ in }
    let again = normalizer.takePieces()
    guard tellsTheSame, again.filter({ pieces.contains($0.piece) }) == results,
      try again.allSatisfy({
        try pieces.contains($0.piece)
          || ledger.digest(of: $0.piece, of: pump.number) == $0.digest
      })
    else {
      throw LedgerError.checkFailed("rows of exports give something else when they are read again")
    }
  }
}

extension RowRenewal {
  /// The pieces of a source that are to be made again, but for those of rates alone.
  private func touchedPieces(of source: ExportSource) throws -> Set<RowPiece> {
    let own = touched.pieces.filter { $0.source == source }
    var search = search(source)
    search.addChanged()
    try search.add(own)
    try search.run()
    return try own.union(search.rows.map(\.piece)).union(piecesOfReadings(source))
  }

  private func search(_ source: ExportSource) -> ChainSearch {
    ChainSearch(
      normalization.ledger, pump: pump.number, source: source, after: earlier(than: source),
      normalizer, changed: changed.keys)
  }

  private func earlier(than source: ExportSource) -> [ExportSource] {
    sources.filter { $0.rawValue < source.rawValue }
  }

  /// The pieces of a source with readings near those that are told otherwise than before.
  private func piecesOfReadings(_ source: ExportSource) throws -> Set<RowPiece> {
    guard normalization.makesGlucose else { return [] }
    let seconds = SortedSeconds(
      changed.keys.filter { !$0.isDose }.map { RowNormalizer.comparedEnd(of: $0, source) })
    var found: Set<RowPiece> = []
    for range in seconds.ranges(widenedBy: RowNormalizer.reach) {
      try normalization.ledger.forEachRow(of: pump.number, from: source, .readings, in: range) {
        row in
        let ends = normalizer.comparedEnds(of: row)
        if ends.contains(where: { seconds.hasAny(within: $0...$0) }) {
          found.insert(RowPiece(of: row))
        }
      }
    }
    return found
  }

  /// The pieces with rates that touch days of which events tell other basal than before, or that lie
  /// beside new rates.
  private func piecesOfRates() throws -> Set<RowPiece> {
    guard normalization.derivesBasal else { return [] }
    let day: Int64 = 86_400
    // Local days and wall times, as instants in which they may lie.
    var ranges = daysBefore.symmetricDifference(daysNow).map { ($0 - 1) * day..<($0 + 2) * day }
    ranges += touched.rates.filter { $0.source != .csv }.map { piece in
      let reach = Self.longestRate + Self.mostOffset
      return piece.times.lowerBound - reach..<piece.times.upperBound + reach
    }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    var found: Set<RowPiece> = []
    for range in SortedSeconds.joined(ranges, over: 0) {
      let times =
        range.lowerBound - Self.longestRate - Self.mostOffset..<range.upperBound + Self.mostOffset
      for source in sources where source != .csv {
        try normalization.ledger.forEachRow(of: pump.number, from: source, .rates, in: times) {
          found.insert(RowPiece(of: $0))
        }
      }
    }
    return found
  }
}

extension RowRenewal {
  /// Normalizes the rows of pieces of a source that are compared with events, but for rates, with those
  /// of other pieces that chains join with them; gives what rows of each piece alone tell, in order.
  private func pass(
    _ source: ExportSource, _ pieces: Set<RowPiece>, _ normalizer: inout RowNormalizer,
    _ sink: (borrowing NormalizedBatch) throws -> Void,
    _ keep: ([Counterpart], RowPiece, RowSection) throws -> Void
  ) throws {
    guard !pieces.isEmpty else { return }
    let ledger = normalization.ledger
    var search = search(source)
    try search.add(pieces)
    try search.run()
    let own = pieces.sorted().map(\.times)
    let others = search.rows.filter { !pieces.contains($0.piece) }.map { $0.time..<$0.time + 1 }
    let joined = SortedSeconds.joined(
      (own + others).sorted { $0.lowerBound < $1.lowerBound }, over: 0)
    try learnNumbers(source, around: joined)
    for section in normalization.rowSections {
      let pass = RowPass(
        normalization, pump, source, times: section == .boluses ? joined : Self.times(of: pieces))
      var told = ToldPieces()
      var readings = 0
      try pass.run(section, &normalizer) { chunk in
        try chunk.ranges.flatMap { range in
          try ledger.counterparts(
            of: pump.number, usesInstants: source.tellsInstants, from: range.lowerBound,
            through: range.upperBound - 1, where: chunk.isNear)
            + ledger.counterparts(
              of: pump.number, toldBy: earlier(than: source), section,
              usesInstants: source.tellsInstants, from: range.lowerBound,
              through: range.upperBound - 1, where: chunk.isNear)
        }
      } _: { batch, more, _ in
        told.add(more)
        readings += more.count
        guard readings <= Self.mostReadings else { throw TooMuchNearby() }
        try sink(batch)
      }
      let all = Dictionary(uniqueKeysWithValues: told.takeAll())
      for piece in pieces.sorted() { try keep((all[piece] ?? []).sorted(), piece, section) }
    }
  }

  /// Learns of the doses of the pump's log whose numbers rows tell.
  private func learnNumbers(_ source: ExportSource, around times: [Range<Int64>]) throws {
    guard source == .nightscout else { return }
    let doses = try normalization.read.numberedDoses()
    let wider = times.map { $0.lowerBound - Self.mostOffset..<$0.upperBound + Self.mostOffset }
    for range in SortedSeconds.joined(wider, over: 0) {
      let found = try normalization.ledger.counterparts(
        of: pump.number, usesInstants: true, from: range.lowerBound, through: range.upperBound
      ) { $0.isDose }
      try doses.keep(found, of: pump.number)
    }
  }

  /// Takes the rates of all sources, around pieces.
  private func passRates(
    _ pieces: Set<RowPiece>, _ normalizer: inout RowNormalizer,
    _ sink: (borrowing NormalizedBatch) throws -> Void
  ) throws {
    let around = normalization.derivesBasal ? timesAroundRates(of: pieces) : nil
    for range in around ?? [] {
      let days =
        range.lowerBound.flooredDivision(by: 86_400) - 2...range.upperBound.flooredDivision(
          by: 86_400) + 2
      normalizer.learn(
        daysWithBasal: try normalization.ledger.daysWithBasal(of: pump.number, in: days))
    }
    for source in sources {
      let own = Self.times(of: pieces.filter { $0.source == source })
      let times = source == .csv ? own : around ?? own
      try RowPass(normalization, pump, source, times: times).runRates(&normalizer, sink)
    }
  }

  private static func times(of pieces: some Sequence<RowPiece>) -> [Range<Int64>] {
    SortedSeconds.joined(pieces.sorted().map(\.times), over: 0)
  }

  /// The times of rates that decide on what comes of those of some pieces: the next one cuts a rate,
  /// and a day that an earlier source told of is left alone by later ones.
  private func timesAroundRates(of pieces: Set<RowPiece>) -> [Range<Int64>] {
    let reach = 2 * (Self.longestRate + Self.mostOffset)
    let ranges = pieces.filter { $0.source != .csv }.sorted { $0.day < $1.day }.map {
      $0.times.lowerBound - reach..<$0.times.upperBound + reach
    }
    // What is open where a range ends must not reach into the next.
    return SortedSeconds.joined(ranges, over: 2 * reach)
  }
}
