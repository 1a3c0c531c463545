import Pipeline
import PumpModel

/// Turns what was typed for `convert` or `run` into a request, checking every value.
struct ConvertArguments {
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) { self.arguments = arguments }

  /// The request of `convert`.
  func request() throws(RunFailure) -> ConvertRequest {
    try request(over: ConvertRequest(inputs: try inputs(arguments.operands)))
  }

  /// The request of a filter, which names inputs and outputs in its own way.
  func request(
    inputs: [String], outputs: [OutputRequest]
  ) throws(RunFailure) -> ConvertRequest {
    try request(over: ConvertRequest(inputs: inputs), outputs: outputs)
  }

  /// The request of `run`: what a pipeline file says, with what was typed in its place.
  ///
  /// What may be given several times replaces all of its kind that the file names.
  func request(
    over definition: ConvertRequest, outputs: [OutputRequest]? = nil
  ) throws(RunFailure) -> ConvertRequest {
    var request = definition
    try readSettings(into: &request)
    if arguments.has(.keepGoing) { request.keepsGoing = true }
    request.rezones = arguments.has(.rezone)
    if arguments.has(.holdMoves) { request.holdsMoves = true }
    let typed = if let outputs { outputs } else { try OutputPairs(arguments).requests() }
    if !typed.isEmpty { request.outputs = typed }
    if let changes {
      for index in request.outputs.indices { request.outputs[index].changes = changes }
    }
    request.ledger = arguments.value(.ledger) ?? request.ledger
    request.report = arguments.value(.report) ?? request.report
    let health = request.appleHealth
    request.appleHealth = AppleHealthOptions(
      offsetMinutes: try value(.offset) { utcOffsetMinutes(text: $0) } ?? health.offsetMinutes,
      exportDate: try value(.exportDate) { Instant(rfc3339: $0) } ?? health.exportDate)
    request.isDryRun = arguments.has(.dryRun)
    try checkTargets(of: request)
    return request
  }

  /// Reads what samples depend on, and which of them are looked at.
  private func readSettings(into request: inout ConvertRequest) throws(RunFailure) {
    let zones = try zones()
    if !zones.isEmpty { request.zones = zones }
    request.serial = try value(.serial, RequestValue.serial) ?? request.serial
    request.forms = try forms(over: request.forms)
    request.clock = try value(.clock, ClockMode.init) ?? request.clock
    if arguments.has(.complete) { request.isComplete = true }
    request.insulin = try value(.insulin, Concentration.init) ?? request.insulin
    request.selection = try selection(over: request.selection)
    request.now = try now()
    request.waitSeconds = try waitSeconds(of: arguments) ?? request.waitSeconds
  }

  /// The request of `ledger export`: a ledger in place of inputs.
  func exportRequest() throws(RunFailure) -> ConvertRequest {
    var definition = ConvertRequest(inputs: [])
    definition.ledger = try ledgerPath(of: arguments)
    let request = try request(over: definition)
    guard request.outputs.isEmpty, request.report == nil else { return request }
    throw RunFailure(
      .usage, what: "nothing is to be written", next: "Name an output, such as -o export.zip.")
  }

  /// The request that makes the samples of sources again, for an audit: it writes nothing.
  func sourcesRequest(_ sources: [String]) throws(RunFailure) -> ConvertRequest {
    var request = ConvertRequest(inputs: sources)
    try readSettings(into: &request)
    return request
  }

  /// What counts as now; nil unless said.
  func now() throws(RunFailure) -> Instant? { try value(.now) { Instant(rfc3339: $0) } }

  /// How numbers and dates of tables are written.
  func forms(over forms: CellForms = CellForms()) throws(RunFailure) -> CellForms {
    CellForms(
      decimal: try value(.decimal, DecimalMark.init) ?? forms.decimal,
      dates: try value(.dateOrder, DateOrder.init) ?? forms.dates)
  }

  private func value<Value>(
    _ option: OptionSpec, _ read: (String) -> Value?
  ) throws(RunFailure) -> Value? {
    guard let text = arguments.value(option) else { return nil }
    guard let value = read(text) else { throw .badValue(text, of: option) }
    return value
  }

  /// Which changes every output is to hold, if any was named.
  private var changes: OutputChanges? {
    arguments.occurrences.last { $0.long == OptionSpec.changes.long }
      .map { $0.value.flatMap(OutputChanges.init) ?? .fresh }
  }

  private func zones() throws(RunFailure) -> [ZoneArgument] {
    var zones: [ZoneArgument] = []
    for text in arguments.values(.zone) {
      guard let zone = ZoneArgument(text: text) else { throw .badValue(text, of: .zone) }
      if zones.contains(where: { $0.from == zone.from }) {
        throw RunFailure(
          .usage, what: "two zones hold from \(zone.from == nil ? "the beginning" : "one time")",
          where: "--zone \(text)",
          next: "For a trip, say from when the second holds: --zone \(zone.name)@2026-05-10T16:00")
      }
      zones.append(zone)
    }
    return zones.sorted { ($0.from ?? .min) < ($1.from ?? .min) }
  }

  private func selection(
    over definition: OutputSelection
  ) throws(RunFailure) -> OutputSelection {
    var selection = definition
    selection.from = try value(.from, SelectionBound.init) ?? selection.from
    selection.until = try value(.until, SelectionBound.init) ?? selection.until
    if let from = selection.from, let until = selection.until, from.isCertainlyNotBefore(until) {
      throw RunFailure(
        .usage, what: "--until is not after --from, so nothing would be written",
        next: "A sample is written if it starts at --from or later and before --until.")
    }
    let kinds = arguments.words(.only).compactMap(OutputSelection.Kind.init)
    if !kinds.isEmpty { selection.only = Set(kinds) }
    let pumps = arguments.values(.pump)
    if !pumps.isEmpty { selection.pumps = pumps }
    for word in arguments.words(.include) {
      selection.include(OutputSelection.Extra(rawValue: word))
    }
    if let word = arguments.value(.zeroBasal) { selection.keepsZeroBasal = word == "keep" }
    return selection
  }

  private func checkTargets(of request: ConvertRequest) throws(RunFailure) {
    let targets = request.outputs.map(\.target) + [request.report].compactMap(\.self)
    guard request.ledger != nil || !targets.isEmpty else {
      throw RunFailure(
        .usage, what: "nothing is to be written",
        next: "Name an output, such as -o export.zip, or keep a ledger with --ledger FILE.")
    }
    let files = targets + [request.ledger].compactMap(\.self)
    for (index, target) in files.enumerated() where files[..<index].contains(target) {
      throw RunFailure(
        .usage, what: "two things would be written to one place",
        where: target == "-" ? "standard output" : target,
        next: "Give each output, the report and the ledger a place of its own.")
    }
    if arguments.has(.json), targets.contains("-") {
      throw RunFailure(
        .usage, what: "the JSON summary and an output cannot both be standard output",
        next: "Write the output to a file, or leave --json out.")
    }
    if request.ledger == "-" {
      throw RunFailure(
        .usage, what: "a ledger cannot be standard output", next: "Name a file: --ledger FILE")
    }
  }
}

/// How long to wait for a ledger; nil unless it was said.
func waitSeconds(of arguments: ParsedArguments) throws(RunFailure) -> Int? {
  guard let text = arguments.value(.wait) else { return nil }
  guard let wait = RequestValue.waitSeconds(text) else { throw .badValue(text, of: .wait) }
  return wait
}

/// Inputs as they were named; standard input can be read once.
func inputs(_ inputs: [String]) throws(RunFailure) -> [String] {
  if inputs.contains("") {
    throw RunFailure(
      .usage, what: "an input has an empty name",
      next: "Is a variable of your script empty? Name a file, a folder, or - for standard input.")
  }
  if inputs.count(where: { $0 == "-" }) > 1 {
    throw RunFailure(
      .usage, what: "standard input is named twice", next: "It can be read once; keep one -.")
  }
  return inputs
}
