package import PumpModel

/// What a run of `convert` did, for the few lines that a person reads at its end.
///
/// It holds no sample's value, and stays small whatever the run read.
package struct ConvertSummary: Sendable, Equatable {
  /// How many documents were read, those inside archives and captures one by one.
  package var documents = 0
  /// The names of the pumps of this run's documents.
  package var pumps: [String] = []
  /// What became of the records of this run's documents.
  package var records = RecordCounts()
  /// What could not be used, this run's documents only.
  package var rejects = Shortlist<RejectedPart>()
  /// What became of the samples, by type; types without samples may be left out.
  package var changes: [SampleType: ChangeCounts] = [:]
  /// The ledger's doses that would still become samples.
  package var pending = 0
  /// The ledger's holes.
  package var holes = 0
  /// The ledger's findings, by weight.
  package var findings: [Severity: Shortlist<PumpFinding>] = [:]
  /// The outputs, in the order they were asked for.
  package var outputs: [WrittenOutput] = []

  /// Creates the summary of a run that did nothing.
  package init() {}

  /// Takes in a finding under its weight.
  package mutating func add(_ finding: Finding, pump: String?) {
    findings[finding.code.severity, default: Shortlist()]
      .add(PumpFinding(finding: finding, pump: pump))
  }

  /// Clean, or with rejects.
  package var exitStatus: ExitStatus { rejects.count == 0 ? .ok : .rejects }
}

/// What became of records.
package struct RecordCounts: Sendable, Equatable {
  /// All that were read: the sum of the others.
  package var read = 0
  /// New to the ledger, and a rule uses them.
  package var used = 0
  /// Known before, from this run or an earlier one.
  package var duplicates = 0
  /// Not needed, for a reason that the report names.
  package var ignored = 0
  /// Damaged or impossible.
  package var rejected = 0

  /// Creates counts of nothing.
  package init() {}
}

/// What became of samples.
package struct ChangeCounts: Sendable, Equatable {
  /// Never given before.
  package var fresh: Int
  /// As given before.
  package var unchanged: Int
  /// Given before with other content.
  package var revised: Int
  /// Given before and no longer true.
  package var withdrawn: Int

  /// Creates counts.
  package init(fresh: Int = 0, unchanged: Int = 0, revised: Int = 0, withdrawn: Int = 0) {
    self.fresh = fresh
    self.unchanged = unchanged
    self.revised = revised
    self.withdrawn = withdrawn
  }
}

/// A finding with the name of its pump.
package struct PumpFinding: Sendable, Equatable {
  /// What was found.
  package var finding: Finding
  /// The pump's name; nil if it concerns none.
  package var pump: String?

  /// Creates a finding of a pump.
  package init(finding: Finding, pump: String?) {
    self.finding = finding
    self.pump = pump
  }
}

/// An output that was written.
package struct WrittenOutput: Sendable, Equatable {
  /// The format's name.
  package var format: String
  /// Its path, or `-` for standard output.
  package var target: String
  /// How many samples it holds.
  package var samples: Int
  /// Whether it holds changes only.
  package var holdsChanges = false
  /// How many samples that it was given before must be deleted in Apple Health first.
  package var superseded = 0
  /// Whether what stood there was left as it is, since nothing was to be said.
  package var isUntouched = false
  /// Whether its reader left before it was written to its end.
  package var isCut = false

  /// Creates an output.
  package init(
    format: String, target: String, samples: Int, holdsChanges: Bool = false,
    superseded: Int = 0, isUntouched: Bool = false, isCut: Bool = false
  ) {
    self.format = format
    self.target = target
    self.samples = samples
    self.holdsChanges = holdsChanges
    self.superseded = superseded
    self.isUntouched = isUntouched
    self.isCut = isCut
  }
}
