import Audit
import Platform
import PumpModel

/// One run of `diff`: compares the samples of two outputs.
struct DiffRun {
  let request: DiffRequest
  let events: (RunEvent) -> Void
  /// Is told every difference, by time.
  let report: (ExplainedDifference) throws -> Void

  /// Runs.
  func run() throws -> ComparisonSummary {
    guard request.first != "-" || request.second != "-" else {
      throw RunFailure(
        .usage, what: "standard input is named twice", next: "It can be read once; keep one -.")
    }
    let store = try SampleStore()
    var summary = ComparisonSummary()
    for (side, path) in [(SampleSide.first, request.first), (.second, request.second)] {
      events(.reading(document: path == "-" ? "standard input" : path))
      summary.sets.append(
        try OutputReader(
          store: store, side: side, selection: request.selection,
          waitSeconds: request.waitSeconds
        ).read(path))
    }
    try summary.compare(store)
    try store.forEachDifference { try report(ExplainedDifference($0)) }
    return summary
  }
}

extension ComparisonSummary {
  /// Compares what a store holds of both sets.
  mutating func compare(_ store: SampleStore) throws {
    // Samples that were made again are as a ledger has them.
    let forms = sets.map { $0.form ?? .ledger }
    var comparison = try SampleComparison(
      store, content: SampleContent(forms[0], forms[1]), goesOn: { try checkInterruption() })
    let result = try comparison.run()
    matchedByID = Int(clamping: result.matchedByID)
    matchedByTime = Int(clamping: result.matchedByTime)
    differences = result.differences.mapValues { Int(clamping: $0) }
  }
}
