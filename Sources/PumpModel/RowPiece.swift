/// The rows of one source whose own times lie in one day of the source's clock: the piece in which
/// a ledger keeps what came of a pump's rows.
///
/// It depends on the rows alone, not on zones, so that a row is always in the same piece.
package struct RowPiece: Sendable, Hashable, Comparable {
  /// Where the rows come from.
  package var source: ExportSource
  /// The day, counted from 1970-01-01 of the source's clock.
  package var day: Int64

  /// Creates a piece.
  package init(source: ExportSource, day: Int64) {
    self.source = source
    self.day = day
  }

  /// The piece that a row is in.
  package init(of row: ExportRow) {
    self.init(source: row.source, day: row.time.flooredDivision(by: 86_400))
  }

  /// The times of its rows.
  package var times: Range<Int64> { day * 86_400..<(day + 1) * 86_400 }

  /// By source, then by time.
  package static func < (left: RowPiece, right: RowPiece) -> Bool {
    (left.source.rawValue, left.day) < (right.source.rawValue, right.day)
  }
}

/// What came of the rows of one piece.
package struct RowPieceResult: Sendable, Equatable {
  /// The piece.
  package var piece: RowPiece
  /// What became of its rows.
  package var account: RowAccount
  /// What local days get from it, in order.
  package var days: [DayPart]
  /// A digest of all that it gave, samples included.
  package var digest: UInt64

  /// Creates a result.
  package init(piece: RowPiece, account: RowAccount, days: [DayPart], digest: UInt64) {
    self.piece = piece
    self.account = account
    self.days = days
    self.digest = digest
  }
}

/// The pieces of rows that a run brought something new into.
package struct TouchedRows: Sendable, Equatable {
  /// All of them.
  package private(set) var pieces: Set<RowPiece> = []
  /// Those with new basal rates.
  package private(set) var rates: Set<RowPiece> = []

  /// None.
  package init() {}

  /// Notes that a piece has new rows, or rows that may hold no longer.
  package mutating func note(_ piece: RowPiece, hasRates: Bool) {
    pieces.insert(piece)
    if hasRates { rates.insert(piece) }
  }
}
