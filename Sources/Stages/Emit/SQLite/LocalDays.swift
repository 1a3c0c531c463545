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
    var at = start
    while at < end {
      let (day, until) = dayAndEnd(at: at)
      at = min(until, end)
      let upToHere = Self.portion(of: amount, part: at - start, whole: duration)
      shares[day, default: 0] += upToHere - given
      given = upToHere
    }
    return shares.map { Share(day: $0.key, amount: $0.value) }.sorted { $0.day < $1.day }
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

  /// `amount * part / whole` without overflow, rounded down; nothing is negative.
  private static func portion(of amount: Int64, part: Int64, whole: Int64) -> Int64 {
    guard part < whole else { return amount }
    let product = UInt64(max(amount, 0)).multipliedFullWidth(by: UInt64(part))
    return Int64(UInt64(whole).dividingFullWidth(product).quotient)
  }
}
