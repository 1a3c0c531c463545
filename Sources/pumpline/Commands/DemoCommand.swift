import Pipeline
import PumpModel

extension CommandSpec {
  /// `pumpline demo`.
  static let demo = CommandSpec(
    name: "demo",
    summary: "Write archives of a pump that never was, to try things out.",
    details: [
      """
      A simulated wearer with meals, corrections, Control-IQ basal, extended and cancelled boluses, \
      suspensions, site changes, gaps in the log, the beginning of daylight saving and a journey. \
      The clocks begin and end with the time of \(DemoRequest.zone). Several pumps are worn one after \
      the other. The same seed, days and pumps give the same bytes.
      """,
      """
      Nothing made of it can pass for a pump's data: serial numbers begin with \
      \(DemoData.serialPrefix), every output is labelled \(DemoData.label), its source in Health is \
      "pumpline Demo", and a ledger never holds both. See Docs/Demo.md.
      """,
    ],
    arguments: .none, options: [.seed, .days, .pumps, .formats, .demoFolder],
    examples: [
      Example(purpose: "A fortnight of one pump.", line: "pumpline demo -o demo"),
      Example(
        purpose: "Two months of two pumps, in every form that there is.",
        line: "pumpline demo --seed 7 --days 60 --pumps 2 --formats all -o demo"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let request = try demoRequest(arguments)
      let console = invocation.console
      let summary = try invocation.pipeline.demo(request, events: console.tell)
      console.say(DemoText(summary: summary, style: console.error).text)
      return .ok
    })
}

/// What a command line asks of a demo.
private func demoRequest(_ arguments: ParsedArguments) throws(RunFailure) -> DemoRequest {
  guard let folder = arguments.value(.demoFolder), folder != "-", !folder.isEmpty else {
    throw RunFailure(
      .usage, what: "demo needs a folder for its archives", where: "--output",
      next: "Name a new one: pumpline demo --output demo")
  }
  var request = DemoRequest(folder: folder)
  if let seed = try number(.seed, arguments, DemoPlan.seed) { request.plan.seed = seed }
  if let days = try number(.days, arguments, DemoPlan.days) { request.plan.days = days }
  if let pumps = try number(.pumps, arguments, DemoPlan.pumps) { request.plan.pumps = pumps }
  let words = arguments.words(.formats)
  if words.contains(OptionSpec.everyFormat) {
    request.formats = DemoRequest.formats
  } else if !words.isEmpty {
    request.formats = DemoRequest.formats.filter { words.contains($0.rawValue) }
  }
  return request
}

/// The value of an option that takes a number; nil if it was not given.
private func number<Value>(
  _ option: OptionSpec, _ arguments: ParsedArguments, _ read: (String) -> Value?
) throws(RunFailure) -> Value? {
  guard let text = arguments.value(option) else { return nil }
  guard let value = read(text) else {
    throw RunFailure(
      .usage, what: "\(option.name) cannot be \"\(text.prefix(40))\"", where: option.name,
      next: "It takes \(option.value?.form ?? "").")
  }
  return value
}

extension OptionSpec {
  static let seed = OptionSpec(
    long: "seed", value: .text("N", form: DemoPlan.seedForm), group: .writing,
    summary: "What chance begins with; 1 unless said.")

  static let days = OptionSpec(
    long: "days", value: .text("D", form: DemoPlan.daysForm), group: .writing,
    summary: "How many days the history has; 14 unless said.")

  static let pumps = OptionSpec(
    long: "pumps", value: .text("P", form: DemoPlan.pumpsForm), group: .writing,
    summary: "How many pumps were worn, one after the other; 1 unless said.")

  /// The word that stands for all formats.
  static let everyFormat = "all"

  static let formats = OptionSpec(
    long: "formats",
    value: ValueSpec(
      placeholder: "FORMAT,...",
      form: "any of "
        + listed(DemoRequest.formats.map(\.rawValue) + [everyFormat], "and")
        + ", joined by commas",
      source: .choices(DemoRequest.formats.map(\.rawValue) + [everyFormat]), isList: true),
    isRepeatable: true, group: .writing,
    summary: "The forms of the archives; pump-logs unless said.",
    details: """
      They are \(listed(DemoRequest.formats.map(\.rawValue), "and")); \(everyFormat) stands for all of \
      them. Each archive also holds the account answer that names its pumps. Records, Bluetooth captures \
      and some exports do not say which pump they are of: there is an archive of each pump then, and \
      convert must be told --serial.
      """)

  static let demoFolder = OptionSpec(
    long: "output", short: "o", value: .path("DIR", form: "a folder"), group: .writing,
    summary: "The folder for the archives; it is made if it is not there.",
    details: """
      Archives of the same names are replaced, each as a whole. A folder that holds anything else is \
      refused, so that made-up data never lies beside other data. Files are readable for you alone.
      """)
}
