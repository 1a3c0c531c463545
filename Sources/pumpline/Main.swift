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
    Terminal.letWritesFail()
    Interruption.watch()
    PrivateFiles.makeDefault()
    var invocation = Invocation(
      pipeline: pipeline, surroundings: .ofProcess(),
      write: { text, stream in Terminal.write(text, to: stream) }, readLine: { readLine() },
      readSecret: SecretInput.readLineWithoutEcho)
    exit(invocation.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static let pipeline: any PipelineCommands = PumplinePipeline()
}
