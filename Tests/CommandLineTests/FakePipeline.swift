import Pipeline
import Platform
import Synchronization

@testable import pumpline

/// A pipeline that answers what a test wants and remembers what it was asked.
final class FakePipeline: PipelineCommands {
  private let answer: Result<ConvertSummary, RunFailure>
  private let inspection: InspectSummary
  private let asked = Mutex<(convert: ConvertRequest?, inspect: InspectRequest?)>((nil, nil))

  init(
    _ answer: Result<ConvertSummary, RunFailure> = .success(ConvertSummary()),
    inspection: InspectSummary = InspectSummary()
  ) {
    self.answer = answer
    self.inspection = inspection
  }

  var convertRequest: ConvertRequest? { asked.withLock { $0.convert } }
  var inspectRequest: InspectRequest? { asked.withLock { $0.inspect } }

  func convert(
    _ request: ConvertRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> ConvertSummary {
    asked.withLock { $0.convert = request }
    events(.reading(document: "a.json"))
    events(.waiting(ledger: "pump.ledger"))
    return try answer.get()
  }

  func inspect(
    _ request: InspectRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> InspectSummary {
    asked.withLock { $0.inspect = request }
    return inspection
  }
}

/// Runs a command line and gives back all that came out.
func run(
  _ line: String, pipeline: FakePipeline = FakePipeline(),
  surroundings: Surroundings = Surroundings(locale: "C.UTF-8"),
  outputResult: Terminal.WriteResult = .written
) -> (status: ExitStatus, output: String, error: String) {
  let texts = Texts()
  var invocation = Invocation(pipeline: pipeline, surroundings: surroundings) { text, stream in
    texts.add(text, stream)
    return stream == .output ? outputResult : .written
  }
  let status = invocation.run(arguments(line))
  return (status, texts.output, texts.error)
}

/// The words of a line, without a leading `pumpline`.
func arguments(_ line: String) -> [String] {
  let words = line.split(separator: " ").map(String.init)
  return words.first == "pumpline" ? Array(words.dropFirst()) : words
}

private final class Texts {
  private(set) var output = ""
  private(set) var error = ""

  func add(_ text: String, _ stream: Terminal.Stream) {
    if stream == .output { output += text } else { error += text }
  }
}
