import Decode
import Deduplicate
import Emit
import Normalize
import Platform
import PumpModel

/// The outputs of a run.
struct OutputPlan {
  let outputs: [PlannedOutput]

  /// Checks requests before any work starts.
  ///
  /// - Throws: `RunFailure`: 64 if a format is not known, 73 if a target must not be written.
  init(_ request: ConvertRequest) throws(RunFailure) {
    if let ledger = request.ledger {
      for input in request.inputs where input != "-" && SameFile.isSame(ledger, input) {
        throw Self.refusal("the ledger is also an input", ledger)
      }
    }
    var planned: [PlannedOutput] = []
    for output in request.outputs {
      let format = try Self.format(of: output)
      let target: OutputTarget =
        output.isStandardOutput ? .standardOutput : .file(output.target)
      try Self.check(target, against: request) { () throws(OutputError) in
        try format.check(target)
      }
      if output.changes != nil, request.ledger == nil { throw Self.changesNeedLedger }
      planned.append(PlannedOutput(output, format: format, target: target))
    }
    if let report = request.report, report != "-" {
      let target = OutputTarget.file(report)
      try Self.check(target, against: request) { () throws(OutputError) in try target.check() }
    }
    try Self.checkApart(
      planned.compactMap(\.path) + (request.report.map { $0 == "-" ? [] : [$0] } ?? []))
    outputs = planned
  }

  private static let changesNeedLedger = RunFailure(
    .usage, what: "without a ledger nothing is known of what an output was given before",
    where: "--changes", next: "Name one with --ledger FILE, or leave --changes out.")

  private static func format(of output: OutputRequest) throws(RunFailure) -> SinkFormat {
    if let name = output.format {
      if let format = SinkFormat(rawValue: name) { return format }
      throw RunFailure(.usage, what: "there is no output format \(name)", where: "--to")
    }
    if let format = SinkFormat(fileName: output.target) { return format }
    throw RunFailure(
      .usage, what: "the name does not tell the format", where: output.target,
      next: "Put --to FORMAT before it: "
        + SinkFormat.allCases.map(\.rawValue).joined(separator: ", ") + ".")
  }

  private static func check(
    _ target: OutputTarget, against request: ConvertRequest,
    _ body: () throws(OutputError) -> Void
  ) throws(RunFailure) {
    do {
      try body()
    } catch {
      // Another run with the ledger may be bringing a database up to date, and is waited for.
      guard case .busy = error, request.ledger != nil else { throw RunFailure(error) }
    }
    guard case .file(let path) = target else { return }
    for other in request.inputs + (request.ledger.map { [$0] } ?? [])
    where other != "-" && SameFile.isSame(path, other) {
      throw refusal("the output is also an input or the ledger", path)
    }
    if let ledger = request.ledger, SameFile.sidecars(of: ledger).contains(SameFile.place(of: path))
    {
      throw refusal("the output would stand where the ledger keeps its journal", path)
    }
    if case .database(let application) = SQLiteFile(at: path),
      application != SQLiteSink.applicationID
    {
      throw refusal("there is a database of another kind, which must not be replaced", path)
    }
  }

  private static func refusal(_ what: String, _ path: String) -> RunFailure {
    RunFailure(.cannotCreate, what: what, where: path, next: "Name another file.")
  }

  /// Refuses two outputs, or an output and the report, that would meet in one file.
  private static func checkApart(_ paths: [String]) throws(RunFailure) {
    var places: Set<String> = []
    for path in paths {
      let place = SameFile.place(of: path)
      guard places.isDisjoint(with: [place, place + "-journal"]) else {
        throw refusal("two outputs would be written to one file", path)
      }
      places.insert(place)
    }
  }
}

extension RunFailure {
  /// What an output could not do.
  init(_ error: OutputError) {
    switch error {
    case .cannotCreate: self.init(.cannotCreate, what: error.description)
    case .outOfSpace, .failed, .brokenPipe: self.init(.io, what: error.description)
    case .busy: self.init(.busy, what: error.description)
    }
  }
}
