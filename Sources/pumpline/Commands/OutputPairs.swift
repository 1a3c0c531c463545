import Pipeline

/// Joins each `--to` with the `--output` that follows it.
struct OutputPairs {
  private let occurrences: [ParsedArguments.Occurrence]

  init(_ arguments: ParsedArguments) {
    occurrences = arguments.occurrences.filter {
      [OptionSpec.to.long, OptionSpec.output.long].contains($0.long)
    }
  }

  /// The outputs, in the order they were typed.
  ///
  /// With one of each there is only one way to read them, so their order does not matter.
  func requests() throws(RunFailure) -> [OutputRequest] {
    if occurrences.count == 2, occurrences[0].long == OptionSpec.output.long,
      occurrences[1].long == OptionSpec.to.long, let target = occurrences[0].value
    {
      return [OutputRequest(format: occurrences[1].value, target: target)]
    }
    var requests: [OutputRequest] = []
    var format: String?
    for occurrence in occurrences {
      guard let value = occurrence.value else { continue }
      if occurrence.long == OptionSpec.output.long {
        requests.append(OutputRequest(format: format, target: value))
        format = nil
      } else {
        if let format { throw Self.unpaired(format) }
        format = value
      }
    }
    if let format { throw Self.unpaired(format) }
    return requests
  }

  private static func unpaired(_ format: String) -> RunFailure {
    RunFailure(
      .usage, what: "--to \(format) has no --output after it",
      next: "Write them in pairs: --to \(format) --output FILE, with - for standard output.")
  }
}
