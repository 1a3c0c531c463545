import Pipeline
import Platform

/// What is wrong in pipeline files, a line each as compilers write it, so that editors find the
/// place.
struct ValidateText {
  /// What was found.
  let summary: ValidateSummary
  /// How it is to look.
  let style: TextStyle
  /// Whether files without problems are passed over.
  let isQuiet: Bool

  /// The text.
  var text: String { summary.pipelines.map(text).joined() }

  private func text(of file: CheckedPipeline) -> String {
    let name = printable(file.path)
    guard !file.problems.isEmpty else { return isQuiet ? "" : "\(name): \(style.green("ok"))\n" }
    return file.problems.map { problem in
      let place = "\(name):\(problem.mark.line):\(problem.mark.column):"
      let next = problem.next.map { "\n  " + style.dim(printable($0)) } ?? ""
      return "\(style.bold(place)) \(style.red("error:")) \(printable(problem.what))\(next)\n"
    }.joined()
  }
}

/// The same for programs.
enum ValidateJSON {
  /// The whole answer.
  static func value(of summary: ValidateSummary) -> JSONValue {
    .object([
      ("valid", .boolean(summary.exitStatus == .ok)),
      ("files", .array(summary.pipelines.map(file))),
    ])
  }

  private static func file(_ file: CheckedPipeline) -> JSONValue {
    .object([
      ("file", .string(file.path)), ("problems", .array(file.problems.map(problem))),
    ])
  }

  private static func problem(_ problem: PipelineProblem) -> JSONValue {
    .object([
      ("line", .count(problem.mark.line)), ("column", .count(problem.mark.column)),
      ("what", .string(problem.what)), ("next", .text(problem.next)),
    ])
  }
}
