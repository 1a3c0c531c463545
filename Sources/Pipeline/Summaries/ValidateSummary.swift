/// What `pumpline validate` found, file by file.
package struct ValidateSummary: Sendable, Equatable {
  /// The files, in the order in which they were named.
  package var pipelines: [CheckedPipeline]

  /// Creates a summary.
  package init(pipelines: [CheckedPipeline] = []) { self.pipelines = pipelines }

  /// Clean, or refused if anything is wrong.
  package var exitStatus: ExitStatus {
    pipelines.allSatisfy(\.problems.isEmpty) ? .ok : .refused
  }
}
