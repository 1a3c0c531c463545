import Pipeline
import PumpModel

/// Turns what was typed for `convert` into a request, checking every value.
struct ConvertArguments {
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) { self.arguments = arguments }

  /// The request.
  func request() throws(RunFailure) -> ConvertRequest {
    var request = ConvertRequest(inputs: try inputs(of: arguments))
    request.zones = try zones()
    request.serial = try value(.serial) { isName($0) ? $0 : nil }
    request.clock = try value(.clock, ClockMode.init)
    request.isComplete = arguments.has(.complete)
    request.keepsGoing = arguments.has(.keepGoing)
    request.rezones = arguments.has(.rezone)
    request.insulin = try value(.insulin, Concentration.init)
    request.outputs = try OutputPairs(arguments).requests()
    request.selection = try selection()
    request.ledger = arguments.value(.ledger)
    request.report = arguments.value(.report)
    request.now = try value(.now) { Instant(rfc3339: $0) }
    request.appleHealth = AppleHealthOptions(
      offsetMinutes: try value(.offset) { utcOffsetMinutes(text: $0) },
      exportDate: try value(.exportDate) { Instant(rfc3339: $0) })
    request.waitSeconds = try value(.wait, seconds) ?? request.waitSeconds
    try checkTargets(of: request)
    return request
  }

  private func value<Value>(
    _ option: OptionSpec, _ read: (String) -> Value?
  ) throws(RunFailure) -> Value? {
    guard let text = arguments.value(option) else { return nil }
    guard let value = read(text) else { throw .badValue(text, of: option) }
    return value
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

  private func selection() throws(RunFailure) -> OutputSelection {
    let from = try value(.from, SelectionBound.init)
    let until = try value(.until, SelectionBound.init)
    if let from, let until, from.isCertainlyNotBefore(until) {
      throw RunFailure(
        .usage, what: "--until is not after --from, so nothing would be written",
        next: "A sample is written if it starts at --from or later and before --until.")
    }
    let kinds = arguments.words(.only).compactMap(OutputSelection.Kind.init)
    return OutputSelection(
      pumps: arguments.values(.pump), only: kinds.isEmpty ? nil : Set(kinds),
      includesGlucose: arguments.words(.include).contains("glucose"),
      keepsZeroBasal: arguments.value(.zeroBasal) == "keep", from: from, until: until)
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
    if request.ledger == "-" {
      throw RunFailure(
        .usage, what: "a ledger cannot be standard output", next: "Name a file: --ledger FILE")
    }
  }
}

/// The inputs as they were typed; standard input can be read once.
func inputs(of arguments: ParsedArguments) throws(RunFailure) -> [String] {
  let inputs = arguments.operands
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

private func isName(_ text: String) -> Bool {
  !text.contains { $0 == ":" || $0.isWhitespace } && printable(text) == text
}

private func seconds(_ text: String) -> Int? {
  guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(text) else {
    return nil
  }
  return (0...86_400).contains(seconds) ? seconds : nil
}

extension SelectionBound {
  /// Whether nothing can lie between, whatever the zone.
  fileprivate func isCertainlyNotBefore(_ other: SelectionBound) -> Bool {
    switch (self, other) {
    case (.day(let left), .day(let right)): left >= right
    case (.instant(let left), .instant(let right)): left >= right
    default: false
    }
  }
}
