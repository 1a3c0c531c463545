package import PumpModel

/// What a comparison of two sets of samples came to, or an audit, which may look at one by itself.
package struct ComparisonSummary: Sendable, Equatable {
  /// What was compared, in order; the output of an audit comes last.
  package var sets: [ComparedSet] = []
  /// Pairs that have one external id.
  package var matchedByID = 0
  /// Pairs that were found by type, time and amount.
  package var matchedByTime = 0
  /// How many differences there are of each kind.
  package var differences: [SampleDifference.Kind: Int] = [:]

  /// What an audit found in the output itself, by code, but for what is accepted.
  package var findings: [FindingCode: Shortlist<Finding>] = [:]
  /// What the run that made the samples again found, by weight, but for what is accepted.
  package var sourceFindings: [Severity: Shortlist<PumpFinding>] = [:]
  /// Doses of the sources that would still become samples.
  package var pending = 0
  /// Stretches of the sources without data.
  package var holes = 0
  /// The weight from which on findings count.
  package var failsOn = Severity.error

  /// What is accepted, in the order of the file, with the findings that it matched.
  package var accepted: [AcceptedFindings] = []

  /// The days of an audit's output that have samples, in order; nil where nobody asked for them.
  package var days: [PlottedDay]?

  /// Creates the summary of nothing.
  package init() {}

  /// Takes in a finding of the output.
  package mutating func add(_ finding: Finding) {
    findings[finding.code, default: Shortlist()].add(finding)
  }

  /// Takes in a finding of the run that made the samples again.
  package mutating func add(ofSources finding: PumpFinding) {
    sourceFindings[finding.finding.code.severity, default: Shortlist()].add(finding)
  }

  /// Takes in a finding if it is accepted, and gives the acceptance; `day` is the local day on which it
  /// begins, where that is known.
  package mutating func accept(_ finding: PumpFinding, on day: LocalDay?) -> Acceptance? {
    var taken: Acceptance?
    for index in accepted.indices where accepted[index].acceptance.matches(finding, on: day) {
      if taken == nil {
        accepted[index].findings.add(finding)
        taken = accepted[index].acceptance
      } else {
        accepted[index].isCovered = true
      }
    }
    return taken
  }

  /// How many findings are accepted.
  package var acceptedCount: Int { accepted.reduce(0) { $0 + $1.findings.count } }

  /// How many findings of the output have a weight.
  package func count(of severity: Severity) -> Int {
    findings.reduce(0) { $0 + ($1.key.severity == severity ? $1.value.count : 0) }
  }

  /// Differences of all kinds.
  package var differenceCount: Int { differences.values.reduce(0, +) }

  /// Clean, or with findings.
  package var exitStatus: ExitStatus {
    let isRead = sets.allSatisfy { $0.faults.count == 0 && $0.rejects == 0 }
    let isSound = Severity.allCases.allSatisfy { weight in
      weight < failsOn || count(of: weight) == 0 && sourceFindings[weight]?.count ?? 0 == 0
    }
    return differenceCount == 0 && isRead && isSound ? .ok : .rejects
  }
}

/// A local day of an output, all pumps together.
package struct PlottedDay: Sendable, Equatable {
  /// The day.
  package var day: LocalDay
  /// Basal that was given in it, µIU.
  package var basal: Int64
  /// Boluses that began in it, µIU.
  package var bolus: Int64
  /// In how many of its hours samples lie, 0 to 24.
  package var hours: Int

  /// Creates a day.
  package init(day: LocalDay, basal: Int64, bolus: Int64, hours: Int) {
    self.day = day
    self.basal = basal
    self.bolus = bolus
    self.hours = hours
  }
}

/// One of two sets of samples.
package struct ComparedSet: Sendable, Equatable {
  /// The path as it was given; of sources, the first of them.
  package var name: String
  /// The form of the output; nil for sources.
  package var form: OutputForm?
  /// How many samples it has.
  package var samples = 0
  /// What should be samples and cannot be read.
  package var faults = Shortlist<WrittenFault>()
  /// What is wrong with its form, though samples could be read.
  package var findings: [Finding] = []
  /// How many parts of sources were rejected.
  package var rejects = 0

  /// Creates a set.
  package init(name: String, form: OutputForm?) {
    self.name = name
    self.form = form
  }
}

/// A difference with what is known of where the sample comes from.
package struct ExplainedDifference: Sendable, Equatable {
  /// The difference.
  package var difference: SampleDifference
  /// The rule that made the sample of the sources; nil where it was not made again.
  package var rule: String?
  /// The events that it rests on; of a sample that was not made again, the one that its id names.
  package var events: [LocatedEvent] = []
  /// The row of an export that it rests on, or that its id names; nil if it rests on events.
  package var row: LocatedRow?

  /// Creates a difference of which no more is known.
  package init(_ difference: SampleDifference) { self.difference = difference }
}
