import PumpModel

/// Makes basal samples of rates that rows of exports tell, on local days on which events tell nothing
/// of basal (N5).
///
/// First it learns what events tell, then it takes the rates of one source after the other, by time.
/// A rate holds until its own end or the next rate of its source, and a day that one source told of is
/// left alone by later ones: rates are never added.
struct DerivedBasal {
  private var days: LocalDays
  private let factor: Int64
  /// The local days of which events tell basal.
  private var evident: Set<Int64> = []
  /// The local days that the rates of earlier sources touch.
  private var told: Set<Int64> = []
  /// The same of this source.
  private var touched: Set<Int64> = []
  /// The rate that the next one may cut.
  private var open: (row: NumberedRow, start: Int64)?

  init(schedule: ZoneSchedule, concentration: Concentration) {
    days = LocalDays(schedule: schedule)
    factor = concentration.factor
  }

  /// The local days on which a record is evidence of a rate, or that a basal sample of records
  /// touches.
  mutating func daysWithBasal(in batch: borrowing NormalizedBatch) -> Set<Int64> {
    var found: Set<Int64> = []
    for instant in batch.basalEvidence { found.insert(days.day(at: instant.unixSeconds).day) }
    for sample in batch.samples where sample.identity.kind == .basal {
      let (first, last) = (sample.start.unixSeconds, sample.end.unixSeconds - 1)
      forEachDay(from: first, through: last) { found.insert($1) }
    }
    return found
  }

  /// Learns of which local days events tell basal.
  mutating func learn(daysWithBasal days: some Sequence<Int64>) { evident.formUnion(days) }

  /// A rate that holds for a time, and the row that tells it.
  struct Segment {
    var row: NumberedRow
    var rate: Int64
    var start: Int64
    var end: Int64
    /// The amount of real insulin in µIU.
    var amount: Int64
  }

  /// Takes the next rate of a source, by time, which holds from an instant on; gives the one before
  /// it if that makes basal.
  mutating func take(_ row: NumberedRow, from start: Int64) -> Segment? {
    let before = close(at: start)
    open = (row, start)
    return before
  }

  /// Ends a source; gives its last rate if that makes basal.
  mutating func endSource() -> Segment? {
    let last = close(at: .max)
    told.formUnion(touched)
    touched.removeAll()
    return last
  }

  private mutating func close(at next: Int64) -> Segment? {
    guard let open, case .rate(let rate, let seconds) = open.row.row.content else { return nil }
    self.open = nil
    let end = min(open.start + Int64(seconds), next)
    guard end > open.start else { return nil }
    var isFree = true
    forEachDay(from: open.start, through: end - 1) { derived, day in
      derived.touched.insert(day)
      if derived.evident.contains(day) || derived.told.contains(day) { isFree = false }
    }
    guard isFree else { return nil }
    let amount = roundedHalfEven(Int64(rate) * factor * (end - open.start) * 10, over: 36)
    return Segment(
      row: open.row, rate: Int64(rate), start: open.start, end: end, amount: amount)
  }

  private mutating func forEachDay(
    from first: Int64, through last: Int64, _ body: (inout DerivedBasal, Int64) -> Void
  ) {
    var at = first
    while at <= last {
      let (day, range) = days.day(at: at)
      body(&self, day)
      at = range.upperBound
    }
  }
}
