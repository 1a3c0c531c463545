package import PumpModel

/// What a filter did, for the few lines that a person reads at its end.
package struct FilterSummary: Sendable, Equatable {
  /// How many documents were read; lines of samples are of no document.
  package var documents = 0
  /// How many records or samples were read.
  package var read = 0
  /// How many records or samples were written.
  package var written = 0
  /// What could not be used.
  package var rejects = Shortlist<RejectedPart>()
  /// What became of samples, by type; types without samples may be left out.
  package var changes: [SampleType: ChangeCounts] = [:]
  /// Samples that were set aside, since another line of the same id counts.
  package var superseded = 0
  /// The outputs, in the order they were asked for.
  package var outputs: [WrittenOutput] = []

  /// Creates the summary of a run that did nothing.
  package init() {}

  /// Clean, or with rejects.
  package var exitStatus: ExitStatus { rejects.count == 0 ? .ok : .rejects }
}
