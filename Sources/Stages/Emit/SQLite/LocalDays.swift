import PumpModel

/// How an amount that was delivered evenly divides among local days.
struct LocalDays {
  private let schedule: ZoneSchedule

  /// A share of one day, counted from 1970-01-01.
  struct Share: Equatable {
    /// The local day.
    var day: Int64
    /// Its part of the amount.
    var amount: Int64
  }

  /// Divides by the days of a schedule.
  init(_ schedule: ZoneSchedule) { self.schedule = schedule }

  /// The shares of a span of time, by day; they add up to the amount.
  ///
  /// The span is cut at local midnights and wherever the UTC offset changes. A day that comes
  /// twice, since the person travelled west over the date line, has one share.
  func shares(of amount: Int64, from start: Instant, to end: Instant) -> [Share] {
    let duration = end - start
    guard duration > 0 else { return [Share(day: day(at: start), amount: amount)] }
    var shares: [Int64: Int64] = [:]
    var given: Int64 = 0
    forEachPiece(from: start, to: end) { piece in
      let upToHere = EvenPortion.of(amount, part: piece.end - start, whole: duration)
      shares[piece.day, default: 0] += upToHere - given
      given = upToHere
    }
    return shares.map { Share(day: $0.key, amount: $0.value) }.sorted { $0.day < $1.day }
  }

  /// A stretch within one day and one UTC offset.
  struct Piece: Equatable {
    /// The local day, counted from 1970-01-01.
    var day: Int64
    /// When it ends.
    var end: Instant
    /// From when, in seconds of the day's wall clock.
    var from: Int64
    /// Until when, in seconds of the day's wall clock.
    var until: Int64
  }

  /// Gives the pieces of a span of time, in order.
  func forEachPiece(from start: Instant, to end: Instant, _ body: (Piece) -> Void) {
    var at = start
    while at < end {
      let (day, until) = dayAndEnd(at: at)
      let from = wall(at: at)
      let length = min(until, end) - at
      at = min(until, end)
      body(Piece(day: day, end: at, from: from, until: from + length))
    }
  }

  /// The second of the local day that the wall clock shows at an instant.
  func wall(at instant: Instant) -> Int64 {
    let wall = instant.unixSeconds + schedule.span(at: instant).offset
    return wall - wall.flooredDivision(by: 86_400) * 86_400
  }

  /// The local day of an instant.
  func day(at instant: Instant) -> Int64 { dayAndEnd(at: instant).day }

  /// The local day of an instant, and when it or its UTC offset ends.
  private func dayAndEnd(at instant: Instant) -> (day: Int64, end: Instant) {
    let span = schedule.span(at: instant)
    let day = (instant.unixSeconds + span.offset).flooredDivision(by: 86_400)
    let midnight = (day + 1) * 86_400 - span.offset
    return (day, Instant(unixSeconds: min(midnight, span.range.upperBound)))
  }
}
