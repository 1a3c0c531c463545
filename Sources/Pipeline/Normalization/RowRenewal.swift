import Deduplicate
import Normalize
import PumpModel

/// Makes samples again of the rows of exports of one pump that new rows or changed events can have
/// changed, and of no others.
///
/// It is told what events said and say of the ranges of the history that are normalized again. What
/// came of rows is kept by pieces. A piece is made again if it holds new rows, or one near a changed
/// event; and with it those with rows that chains of possible pairs may join with its own.
final class RowRenewal {
  private let normalization: PumpNormalization
  private let pump: LedgerPump
  private let touched: TouchedRows
  private let sources: [ExportSource]
  private var normalizer: RowNormalizer
  /// What events tell more often now than before; negative: less often.
  private var changed: [Counterpart: Int] = [:]
  private var daysBefore: Set<Int64> = []
  private var daysNow: Set<Int64> = []

  /// How far a time of the pump's clock is from its instant at most: 26 hours.
  private static let mostOffset: Int64 = 93_600
  /// How long a rate holds at most: 26 hours.
  private static let longestRate: Int64 = 93_600

  /// What more numbers tell would take too much memory to compare.
  private static let mostNumbers: UInt64 = 131_072

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
      .union(touched.pieces.map(\.source))
    // A record with an id of its own may have stood anywhere before; third parties' times may be hours
    // before a dose's end; and what several sources tell is compared as a whole.
    guard sources.count <= 1, sources.allSatisfy({ $0.namesTimes && $0.tellsEnds }) else {
      return nil
    }
    self.normalization = normalization
    self.pump = pump
    self.touched = touched
    self.sources = sources.sorted { $0.rawValue < $1.rawValue }
    normalizer = try normalization.rowNormalizer()
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
    // When a dose began is not kept, and is nothing to sources that tell ends.
    var counterpart = counterpart
    counterpart.begin = counterpart.instant
    let sum = changed[counterpart, default: 0] + more
    changed[counterpart] = sum == 0 ? nil : sum
  }

  /// Makes the samples, and gives the pieces whose rows they came of.
  ///
  /// - Throws: `LedgerError.checkFailed` if what comes out depends on which pieces were looked at.
  func run(into replacement: PumpReplacement) throws -> Set<RowPiece> {
    let pieces = try touchedPieces()
    guard !pieces.isEmpty else { return [] }
    for piece in pieces { try replacement.clear(piece) }
    let results = try normalize(pieces) { try replacement.take($0) }
    for result in results { try replacement.keep(result) }
    try normalization.ledger.addUpRows(of: pump.number, from: sources)
    try check(results, of: pieces)
    return pieces
  }

  /// Makes sure that the same comes out where pieces around are looked at too, and that these give
  /// what they gave.
  private func check(_ results: [RowPieceResult], of pieces: Set<RowPiece>) throws {
    let ledger = normalization.ledger
    var wider = pieces
    for piece in pieces { wider.formUnion(try ledger.neighbours(of: piece, of: pump.number)) }
    wider = try joined(wider)
    let again = try normalize(wider) { _ in }
    guard again.filter({ pieces.contains($0.piece) }) == results,
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
  /// The pieces that are to be made again.
  private func touchedPieces() throws -> Set<RowPiece> {
    var pieces = touched.pieces
    for source in sources {
      let doses = changed.keys.filter(\.isDose).map { RowNormalizer.comparedEnd(of: $0, source) }
      pieces.formUnion(
        try self.pieces(of: source, .boluses, near: doses, within: RowNormalizer.reach))
      let readings = changed.keys.filter { !$0.isDose }.map {
        RowNormalizer.comparedEnd(of: $0, source)
      }
      pieces.formUnion(
        try self.pieces(of: source, .readings, near: readings, within: RowNormalizer.reach))
    }
    pieces.formUnion(try piecesOfRates())
    return try joined(pieces)
  }

  /// Adds the pieces with rows that may be of one chain with rows of others: so near that an event
  /// between could be the counterpart of either.
  private func joined(_ pieces: Set<RowPiece>) throws -> Set<RowPiece> {
    var joined = pieces
    var queue = Array(pieces)
    while let piece = queue.popLast() {
      var ends: [Int64] = []
      try normalization.ledger.forEachRow(
        of: pump.number, from: piece.source, .boluses, in: piece.times
      ) { row in
        ends += normalizer.comparedEnds(of: row)
      }
      let near = try self.pieces(
        of: piece.source, .boluses, near: ends, within: 2 * RowNormalizer.reach)
      queue += near.subtracting(joined)
      joined.formUnion(near)
    }
    return joined
  }

  /// The pieces of a source with rows that ended near some seconds in which they are compared.
  private func pieces(
    of source: ExportSource, _ section: RowSection, near seconds: [Int64], within reach: Int64
  ) throws -> Set<RowPiece> {
    let seconds = SortedSeconds(seconds)
    var found: Set<RowPiece> = []
    // A source's own times may be others than those that are compared.
    let beyond = reach + (source == .csv || source.tellsInstants ? 0 : Self.mostOffset)
    for range in seconds.ranges(widenedBy: beyond) {
      try normalization.ledger.forEachRow(of: pump.number, from: source, section, in: range) {
        row in
        let ends = normalizer.comparedEnds(of: row)
        if ends.contains(where: { seconds.hasAny(near: $0, within: reach) }) {
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
  /// Normalizes the rows of pieces that no chain joins with others, and says what came of each.
  private func normalize(
    _ pieces: Set<RowPiece>, _ sink: (borrowing NormalizedBatch) throws -> Void
  ) throws -> [RowPieceResult] {
    let ledger = normalization.ledger
    var normalizer = try normalization.rowNormalizer(of: pieces)
    let aroundRates = normalization.derivesBasal ? timesAroundRates(of: pieces) : nil
    for range in aroundRates ?? [] {
      let days =
        range.lowerBound.flooredDivision(by: 86_400) - 2...range.upperBound.flooredDivision(
          by: 86_400) + 2
      normalizer.learn(daysWithBasal: try ledger.daysWithBasal(of: pump.number, in: days))
    }
    for source in sources {
      let times = Self.times(of: pieces.filter { $0.source == source })
      let pass = RowPass(normalization, pump, source, times: times)
      for section in normalization.rowSections {
        try pass.run(section, &normalizer, taking: { _ in }) { range, isWanted in
          try ledger.counterparts(
            of: pump.number, usesInstants: source != .csv, from: range.lowerBound,
            through: range.upperBound, where: isWanted)
        } _: {
          try sink($0)
        }
      }
      let rateTimes = source == .csv ? times : aroundRates ?? times
      try RowPass(normalization, pump, source, times: rateTimes).runRates(&normalizer, sink)
    }
    return normalizer.takePieces()
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
