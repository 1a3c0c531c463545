/// What the samples of a local day, or of several, add up to.
///
/// Basal is cut at local midnights as SQLite outputs cut it; boluses and carbohydrate count on the day
/// of their start. Rates of zero do not count. Amounts are of real insulin, concentration applied.
package struct SampleTotals: Sendable, Equatable {
  /// Basal in µIU, derived basal with it.
  package var basal: Int64 = 0
  /// Derived basal in µIU.
  package var derivedBasal: Int64 = 0
  /// Bolus in mIU.
  package var bolus: Int64 = 0
  /// Carbohydrate in mg.
  package var carbohydrate: Int64 = 0
  /// Basal samples that begin then.
  package var basalSamples: Int64 = 0
  /// Bolus samples that begin then; the two parts of a combo bolus are two.
  package var bolusSamples: Int64 = 0
  /// Carbohydrate samples that begin then.
  package var carbohydrateSamples: Int64 = 0

  /// Creates totals of nothing.
  package init() {}

  /// Adds the totals of other samples.
  package static func += (left: inout SampleTotals, right: SampleTotals) {
    left.basal += right.basal
    left.derivedBasal += right.derivedBasal
    left.bolus += right.bolus
    left.carbohydrate += right.carbohydrate
    left.basalSamples += right.basalSamples
    left.bolusSamples += right.bolusSamples
    left.carbohydrateSamples += right.carbohydrateSamples
  }
}

/// What the samples of one pump's days of a week add up to; a week begins on Monday, as in ISO 8601.
package struct WeekTotals: Sendable, Equatable {
  /// The week's Monday, counted in days from 1970-01-01.
  package var monday: Int64
  /// How many of its local days have rows.
  package var days: Int64 = 0
  /// Seconds of which delivery is known.
  package var knownSeconds: Int64 = 0
  /// What its samples add up to.
  package var given = SampleTotals()

  /// Creates the totals of a week without days.
  package init(monday: Int64) { self.monday = monday }

  /// The Monday of the week that a day is in, both counted from 1970-01-01, a Thursday.
  package static func monday(of day: Int64) -> Int64 {
    (day + 3).flooredDivision(by: 7) * 7 - 3
  }

  /// The name that ISO 8601 gives the week of a day, such as 2026-W19.
  package static func name(of day: Int64) -> String {
    // A week is of the year that its Thursday is in.
    let thursday = monday(of: day) + 3
    let year = CivilTime(daysSince1970: thursday).year
    let week = (thursday - CivilTime.days(year: year, month: 1, day: 1)) / 7 + 1
    return "\(year)-W" + (week < 10 ? "0" : "") + String(week)
  }
}
