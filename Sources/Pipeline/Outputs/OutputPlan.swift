import Decode
import Deduplicate
import Emit
import Normalize
import Platform
import PumpModel

/// One output of a run, from its request to the file that takes its place.
final class PlannedOutput {
  let format: SinkFormat
  let target: OutputTarget
  /// How many samples it holds.
  var samples = 0
  var sink: (any SampleSink)?

  init(format: SinkFormat, target: OutputTarget) {
    self.format = format
    self.target = target
  }
}

/// The outputs of a run.
struct OutputPlan {
  let outputs: [PlannedOutput]

  /// Checks requests before any work starts.
  ///
  /// - Throws: `RunFailure`: 64 if a format is not known, 73 if a target must not be written.
  init(_ request: ConvertRequest) throws(RunFailure) {
    var planned: [PlannedOutput] = []
    for output in request.outputs {
      let format = try Self.format(of: output)
      let target: OutputTarget =
        output.isStandardOutput ? .standardOutput : .file(output.target)
      try Self.check(target, against: request) { () throws(OutputError) in
        try format.check(target)
      }
      planned.append(PlannedOutput(format: format, target: target))
    }
    if let report = request.report, report != "-" {
      let target = OutputTarget.file(report)
      try Self.check(target, against: request) { () throws(OutputError) in try target.check() }
    }
    outputs = planned
  }

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
      throw RunFailure(error)
    }
    guard case .file(let path) = target else { return }
    for other in request.inputs + (request.ledger.map { [$0] } ?? [])
    where other != "-" && SameFile.isSame(path, other) {
      throw RunFailure(
        .cannotCreate, what: "the output is also an input or the ledger", where: path,
        next: "Name another file.")
    }
  }
}

extension RunFailure {
  /// What an output could not do.
  init(_ error: OutputError) {
    switch error {
    case .cannotCreate: self.init(.cannotCreate, what: error.description)
    case .outOfSpace, .failed, .brokenPipe: self.init(.io, what: error.description)
    }
  }
}
