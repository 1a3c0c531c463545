package import PumpModel

/// What `pumpline pull` was asked for.
package struct PullRequest: Sendable, Equatable {
  /// Ledger, zones, outputs and what they show; it has no inputs.
  ///
  /// `selection` also says which pumps
  /// and which time are asked for.
  package var convert: ConvertRequest
  /// Who logs in, and where.
  package var login: LoginRequest
  /// What is asked for; nil: the recent weeks, then changes, then all the rest; only the time of
  /// `selection`, if it has one.
  package var lane: PullLane?
  /// Where a walk backwards ends: a day of pumps' clocks.
  package var since: LocalDay?
  /// How many days back from today can be had; nil: what the account says.
  package var availableDays: Int?
  /// Whether nothing is done if a pull of the last four hours got all it asked for.
  package var onlyIfStale = false
  /// A folder that keeps the answers; nil: none is kept.
  package var rawFolder: String?

  /// Creates a request.
  package init(convert: ConvertRequest, login: LoginRequest) {
    self.convert = convert
    self.login = login
  }
}
