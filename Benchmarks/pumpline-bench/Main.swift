/// Makes inputs for benchmarks and samples, and measures the bare limits of the machine.
@main
struct Main {
  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Terminal.fail("pumpline-bench: \(error)\n\n\(usage)")
    }
  }

  static let usage = """
    usage:
      pumpline-bench generate [--form FORM] [--days D | --events N] [--seed N] [--pump N]
                              [--skip N] [--history NAME] [--output FILE]
        FORM: records, little-endian, frames, log, btsnoop, base64, pump-logs, pumper, har
        NAME: one of the samples' histories, in place of days and seed
      pumpline-bench scan FILE
        reads a file and finds every opening brace in it: the pace of memory
      pumpline-bench decode
      pumpline-bench write
        the pace of decoding records, and of writing Apple Health XML to nowhere
      pumpline-bench serve [--days D] [--pumps N] [--seconds S] FOLDER
        serves an account as Tandem Source does, on this machine alone, and writes into the folder
        what pumpline pull needs for it: endpoints.json and credentials
    """

  private static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "generate":
      var command = try Generate(Arguments(arguments.dropFirst()))
      try command.run()
    case "scan": try Scan.run(Arguments(arguments.dropFirst()))
    case "decode": try DecodeMeasure.run(Arguments(arguments.dropFirst()))
    case "serve": try Serve.run(Arguments(arguments.dropFirst()))
    case "write": try WriterMeasure.run(Arguments(arguments.dropFirst()))
    default: throw Usage("name a command")
    }
  }
}
