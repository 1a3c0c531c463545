import Pipeline
import Platform

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@main
struct Main {
  static func main() {
    Terminal.ignoreBrokenPipes()
    var invocation = Invocation(
      pipeline: pipeline, surroundings: .ofProcess(),
      write: { text, stream in Terminal.write(text, to: stream) })
    exit(invocation.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  // The one wiring point between the command line and the pipeline.
  private static let pipeline: any PipelineCommands = PipelineNotWired()
}

/// Stands where the pipeline will.
private struct PipelineNotWired: PipelineCommands {
  func convert(
    _ request: ConvertRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> ConvertSummary {
    throw Self.failure
  }

  func inspect(
    _ request: InspectRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> InspectSummary {
    throw Self.failure
  }

  private static let failure = RunFailure(.internal, what: "this build has no pipeline yet")
}
