package import PumpModel

/// What the samples of a ledger add up to by day or week, as `pumpline ledger totals` tells it.
package struct LedgerTotals: Sendable, Equatable {
  /// Whether the sums are those of weeks, not of days.
  package var isByWeek: Bool
  /// Whether everything in it is made up.
  package var isDemo = false
  /// The zones in which days are counted, those from the beginning first.
  package var zones: [ZoneArgument] = []
  /// The pumps that have days, by name.
  package var pumps: [Pump] = []

  /// Creates totals of nothing.
  package init(isByWeek: Bool) { self.isByWeek = isByWeek }

  /// The sums of one pump.
  package struct Pump: Sendable, Equatable {
    /// The name that its samples carry.
    package var name: String
    /// Its sums, in order.
    package var sums: [Sum] = []

    /// Creates a pump without sums.
    package init(name: String) { self.name = name }
  }

  /// The sum of a day or a week.
  package struct Sum: Sendable, Equatable {
    /// The day, or the Monday of the week.
    package var first: LocalDay
    /// Of how many days something is known: 1 of a day.
    package var days: Int
    /// Seconds of which delivery is known.
    package var knownSeconds: Int
    /// What the samples add up to.
    package var given: SampleTotals

    /// Creates a sum.
    package init(first: LocalDay, days: Int, knownSeconds: Int, given: SampleTotals) {
      self.first = first
      self.days = days
      self.knownSeconds = knownSeconds
      self.given = given
    }
  }
}
