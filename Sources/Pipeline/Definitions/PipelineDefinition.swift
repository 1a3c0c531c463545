package import Platform

/// A pipeline file that was read: a run as it was written down.
package struct PipelineDefinition: Sendable, Equatable {
  /// What it asks for; its relative paths were resolved against the file's folder.
  package var request: ConvertRequest
  /// The pull in the place of reading inputs, if the source is an account; `request` is its `convert`.
  package var pull: PullRequest?
  /// The folders of `Samples/` that the test suite runs it over.
  package var tests: [String]

  /// Creates a definition.
  package init(request: ConvertRequest, pull: PullRequest? = nil, tests: [String] = []) {
    self.request = request
    self.pull = pull
    self.tests = tests
  }
}

/// Something that is wrong in a pipeline file, and where.
package struct PipelineProblem: Sendable, Equatable {
  /// Where.
  package var mark: YAMLMark
  /// What is wrong: a clause without a period.
  package var what: String
  /// What to do about it: a sentence; nil if that is plain.
  package var next: String?

  /// Creates a problem.
  package init(_ what: String, at mark: YAMLMark, next: String? = nil) {
    self.mark = mark
    self.what = what
    self.next = next
  }
}

/// A pipeline file with all that is wrong in it.
package struct CheckedPipeline: Sendable, Equatable {
  /// The file's path.
  package var path: String
  /// What is wrong, in the order of the file; none: it can be run.
  package var problems: [PipelineProblem]

  /// Creates the result of a check.
  package init(path: String, problems: [PipelineProblem] = []) {
    self.path = path
    self.problems = problems
  }
}
