package import PumpModel

/// Which of the ledger's samples the outputs show (ARCHITECTURE, "A run, exactly once").
///
/// A selection narrows samples only, never pending parts, holes or findings, and never what the
/// journal takes in.
package struct OutputSelection: Sendable, Equatable {
  /// The names of the pumps to show; empty: all.
  package var pumps: [String]
  /// The kinds to show, all if nil; glucose is asked for with `includesGlucose` alone.
  package var only: Set<Kind>?
  /// Whether glucose is shown.
  package var includesGlucose: Bool
  /// Whether basal is shown that was made of rates of exports (N5).
  package var includesDerivedBasal = false
  /// Whether CSV and SQLite show basal segments of rate 0 (N4).
  package var keepsZeroBasal: Bool
  /// Samples that start at or after it.
  package var from: SelectionBound?
  /// Samples that start before it.
  package var until: SelectionBound?

  /// Creates a selection; without arguments it shows everything but glucose and zero basal.
  package init(
    pumps: [String] = [], only: Set<Kind>? = nil, includesGlucose: Bool = false,
    keepsZeroBasal: Bool = false, from: SelectionBound? = nil, until: SelectionBound? = nil
  ) {
    self.pumps = pumps
    self.only = only
    self.includesGlucose = includesGlucose
    self.keepsZeroBasal = keepsZeroBasal
    self.from = from
    self.until = until
  }

  /// What `--include` knows; raw values are its words.
  package enum Extra: String, Sendable, CaseIterable {
    /// Glucose readings.
    case glucose
    /// Basal of rates that exports tell, on days of which the pump's own records tell nothing.
    case derivedBasal = "derived-basal"
  }

  /// Shows something that is left out unless asked for.
  package mutating func include(_ extra: Extra?) {
    switch extra {
    case .glucose: includesGlucose = true
    case .derivedBasal: includesDerivedBasal = true
    case nil: break
    }
  }

  /// The kinds that `--only` knows; raw values are its words.
  package enum Kind: String, Sendable, CaseIterable {
    /// Basal insulin.
    case basal
    /// Boluses, extended parts included.
    case bolus
    /// Meals.
    case carbs
  }
}

/// Where a selection begins or ends (N3).
package enum SelectionBound: Sendable, Equatable {
  /// The first instant of a local day; the zone in force tells which that is.
  case day(LocalDay)
  /// An instant.
  case instant(Instant)

  /// Reads `YYYY-MM-DD` or RFC 3339; nil if it is neither.
  ///
  /// A fraction of a second counts as the next whole one: samples begin at whole seconds, so the
  /// same ones lie before and after it.
  package init?(text: String) {
    if let day = LocalDay(text: text) {
      self = .day(day)
    } else if let instant = Instant(rfc3339: text, rounding: .up) {
      self = .instant(instant)
    } else {
      return nil
    }
  }
}
