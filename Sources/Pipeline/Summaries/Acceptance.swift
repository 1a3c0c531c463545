package import PumpModel

/// Findings that somebody has looked at and accepts, with the reason.
package struct Acceptance: Sendable, Equatable {
  /// The code of the findings.
  package var code: FindingCode
  /// The name of the pump that they are of; nil: of any, and of none.
  package var pump: String?
  /// The local day on which they begin; nil: any, and findings without a time.
  package var day: LocalDay?
  /// Why they are accepted, in the words of whoever does.
  package var reason: String
  /// The line of the file that says so, from 1.
  package var line: Int

  /// Creates an acceptance of all findings of a code.
  package init(_ code: FindingCode, reason: String, line: Int) {
    self.code = code
    self.reason = reason
    self.line = line
  }

  /// Whether a finding that begins on a day is meant.
  package func matches(_ finding: PumpFinding, on day: LocalDay?) -> Bool {
    finding.finding.code == code && (pump == nil || pump == finding.pump)
      && (self.day == nil || self.day == day)
  }
}

/// An acceptance, and the findings that it matched.
package struct AcceptedFindings: Sendable, Equatable {
  /// What is accepted.
  package var acceptance: Acceptance
  /// The findings, each under the first acceptance of the file that matches it.
  package var findings = Shortlist<PumpFinding>()
  /// Whether a finding matched that stands under an acceptance before this one.
  package var isCovered = false

  /// Creates an acceptance that has matched nothing yet.
  package init(_ acceptance: Acceptance) { self.acceptance = acceptance }

  /// Whether no finding matched.
  package var isIdle: Bool { findings.count == 0 && !isCovered }
}
