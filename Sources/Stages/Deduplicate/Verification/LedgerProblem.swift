/// Something in a ledger that is not as it must be.
package struct LedgerProblem: Sendable, Equatable {
  /// What it is about.
  package var area: Area
  /// The pump's name; nil if it is about none.
  package var pump: String?
  /// A clause for a person, without amounts.
  package var text: String

  /// Creates a problem.
  package init(_ area: Area, pump: String? = nil, _ text: String) {
    self.area = area
    self.pump = pump
    self.text = text
  }

  /// The parts of a ledger; raw values are the words that commands use.
  package enum Area: String, Sendable, CaseIterable {
    /// The database as SQLite sees it.
    case file
    /// Documents, and the sets of them that hold records.
    case documents
    /// The names of pumps.
    case pumps
    /// What outputs were given.
    case sinks
    /// The journal of records.
    case journal
    /// Texts of records whose id has no layout.
    case properties
    /// The samples.
    case samples
    /// Forms of samples that some output was given and that hold no longer.
    case superseded
    /// The pieces of a pump's history, and what its samples rest on beside the journal.
    case pieces
    /// What came of rows of exports, by day.
    case rowPieces = "row_pieces"
    /// What local days get from rows of exports.
    case rowDayParts = "row_day_parts"
    /// What rows alone tell.
    case rowCounterparts = "row_counterparts"
    /// The local days of which events tell basal, where basal is made of rates too.
    case basalDays = "basal_days"
    /// What would still become a sample.
    case pending
    /// Where delivery is not known.
    case holes
    /// The findings.
    case findings
    /// Requests that never finished.
    case incomplete
    /// The stretches of clocks.
    case clocks
    /// What pieces of a history give to days.
    case dayParts = "day_parts"
    /// The totals of days.
    case days
    /// What the samples of weeks add up to.
    case weeks
  }
}

/// Faults of one area, counted by what is wrong, with where the first of them is.
struct FaultCounts {
  private var counts: [String: (count: UInt64, first: UInt32?)] = [:]

  mutating func note(_ fault: String, number: UInt32? = nil) {
    counts[fault, default: (0, number)].count += 1
  }

  /// Whether there is none.
  var isEmpty: Bool { counts.isEmpty }

  /// The faults as problems, in the order of their words.
  func problems(_ area: LedgerProblem.Area, pump: String?) -> [LedgerProblem] {
    counts.sorted { $0.key < $1.key }.map { fault, found in
      let place = found.first.map { ", first at number \($0)" } ?? ""
      return LedgerProblem(area, pump: pump, "\(fault): \(found.count)\(place)")
    }
  }
}
