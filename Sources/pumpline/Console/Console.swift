import Pipeline
import Platform

/// Where a command speaks: data on standard output, everything else on standard error.
struct Console {
  /// How data is to look where it is for a person.
  var output: TextStyle
  /// How everything else is to look.
  var error: TextStyle
  /// How much is said.
  var verbosity: Verbosity
  /// The line that tells how far a run has come; nil where there is to be none.
  private let progress: ProgressDisplay?
  /// Takes a text to a stream, once the progress line is out of its way.
  let write: (String, Terminal.Stream) -> Terminal.WriteResult
  /// Whether somebody can be asked.
  let canAsk: Bool
  /// Reads a line that a person types; nil at the end.
  let readLine: () -> String?
  /// Reads a line that does not appear while it is typed; nil at the end.
  let readSecret: () -> String?

  /// How much is said.
  enum Verbosity: Sendable {
    case quiet
    case normal
    case verbose
  }

  /// Creates a console that looks as options and surroundings want it.
  init(
    _ surroundings: Surroundings, _ arguments: ParsedArguments?,
    write: @escaping (String, Terminal.Stream) -> Terminal.WriteResult,
    readLine: @escaping () -> String?, readSecret: @escaping () -> String?
  ) {
    canAsk = surroundings.canAsk
    self.readLine = readLine
    self.readSecret = readSecret
    let color = arguments?.value(.color)
    output = surroundings.style(for: surroundings.output, color: color)
    error = surroundings.style(for: surroundings.error, color: color)
    let isQuiet = arguments?.has(.quiet) == true
    let isVerbose = arguments?.has(.verbose) == true
    showsPlots = surroundings.output.isInteractive
    verbosity = isQuiet ? .quiet : isVerbose ? .verbose : .normal
    guard surroundings.allowsProgress, arguments != nil, !isQuiet else {
      progress = nil
      self.write = write
      return
    }
    let display = ProgressDisplay(
      isUnicode: error.isUnicode, width: surroundings.errorWidth, clock: surroundings.clock
    ) { _ = write($0, .error) }
    progress = display
    self.write = { text, stream in
      display.clear()
      return write(text, stream)
    }
  }

  /// Whether a run is to tell how far it has come.
  var showsProgress: Bool { progress != nil }

  /// Whether standard output is looked at while a command runs, so that plots are worth their time.
  let showsPlots: Bool

  /// Writes data.
  ///
  /// A reader that has gone away has seen enough; anything else that stops it is a failure.
  func put(_ text: String) throws(RunFailure) {
    guard case .failed(let reason) = write(text, .output) else { return }
    throw RunFailure(
      .io, what: "writing failed: \(reason)", where: "standard output",
      next: "Make room or choose another place, and run it again.")
  }

  /// Says something unless quiet was asked for.
  func say(_ text: String) {
    if verbosity != .quiet { _ = write(text, .error) }
  }

  /// Says what goes on, if that was asked for.
  func tell(_ event: RunEvent) {
    if case .progress(let how) = event {
      progress?.show(how)
      return
    }
    // Standard output may be the same terminal.
    if case .writing = event { progress?.clear() }
    if case .waiting(let ledger) = event {
      say("waiting for another run to finish with \(printable(ledger))\n")
    }
    if case .fetched(let pump, let days, let records) = event {
      say(
        "fetched pump \(printable(pump)), \(days.lowerBound.text) to \(days.upperBound.text): "
          + "\(counted(records, "record"))\n")
    }
    guard verbosity == .verbose else { return }
    switch event {
    case .reading(let document): say("reading \(printable(document))\n")
    case .writing(let target): say("writing \(printable(target))\n")
    case .waiting, .fetched, .progress: break
    }
  }

  /// Asks a question that yes or no answers; anything but yes is no.
  func ask(_ question: String) -> Bool {
    _ = write(question, .error)
    let answer = readLine()?.split(separator: " ").joined().lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Asks for a line; nil at the end of input.
  func prompt(_ question: String) -> String? {
    _ = write(question, .error)
    return readLine()
  }

  /// Asks for a line that does not appear while it is typed; nil at the end of input.
  func promptSecretly(_ question: String) -> String? {
    _ = write(question, .error)
    return readSecret()
  }

  /// Says why a command failed, however quiet.
  func report(_ failure: RunFailure) {
    _ = write(failureText(failure, style: error), .error)
  }
}

/// A failure as a person reads it: what, where, and what to do next.
func failureText(_ failure: RunFailure, style: TextStyle) -> String {
  let parts: [(label: String, text: String?)] = [
    ("error", failure.what), ("at", failure.place), ("next", failure.next),
  ]
  return parts.map { label, text in
    guard let text else { return "" }
    let mark = label.leftPadded(to: 5) + ":"
    let colored = label == "error" ? style.red(mark) : style.dim(mark)
    let lines = printable(text).wrapped(to: style.width - 7)
    return colored + " " + lines.joined(separator: "\n       ") + "\n"
  }.joined()
}
