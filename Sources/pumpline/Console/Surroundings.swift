import Platform

/// What is known of the terminal around the process, as plain values.
struct Surroundings: Sendable {
  /// `NO_COLOR`.
  var noColor: String?
  /// `TERM`.
  var terminal: String?
  /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that says something.
  var locale: String?
  /// Whether standard output is a terminal, and how wide.
  var output = Screen()
  /// Whether standard error is a terminal, and how wide.
  var error = Screen()
  /// The columns of standard error's terminal at the time of asking, since windows are resized.
  var errorWidth: @Sendable () -> Int? = { nil }
  /// Milliseconds of a clock that never goes back.
  var clock: @Sendable () -> Int64 = { 0 }

  /// Whether a person sits at standard input and sees standard error.
  var canAsk = false

  /// One stream's screen.
  struct Screen: Sendable {
    /// Whether there is one.
    var isInteractive = false
    /// Its columns, if they are known.
    var width: Int?
  }

  /// Those of this process.
  static func ofProcess() -> Surroundings {
    func screen(_ stream: Terminal.Stream) -> Screen {
      Screen(isInteractive: Terminal.isInteractive(stream), width: Terminal.width(of: stream))
    }
    var surroundings = Surroundings(
      noColor: Terminal.environment("NO_COLOR"), terminal: Terminal.environment("TERM"),
      locale: ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Terminal.environment)
        .first { !$0.isEmpty },
      output: screen(.output), error: screen(.error),
      errorWidth: { Terminal.width(of: .error) }, clock: HostClock.monotonicMilliseconds)
    surroundings.canAsk = Terminal.isInputInteractive && surroundings.error.isInteractive
    return surroundings
  }

  /// How text for a screen is to look; `color` is the option's word, nil if it was not given.
  func style(for screen: Screen, color: String?) -> TextStyle {
    let isWanted =
      switch color {
      case "always": true
      case "never": false
      default: screen.isInteractive && (noColor ?? "").isEmpty && terminal != "dumb"
      }
    return TextStyle(
      isColored: isWanted, isUnicode: isUnicode, width: min(max(screen.width ?? 80, 40), 100))
  }

  /// Whether a line on standard error may be redrawn: on a terminal that can move its cursor.
  var allowsProgress: Bool { error.isInteractive && !["", "dumb"].contains(terminal ?? "") }

  private var isUnicode: Bool {
    let name = (locale ?? "").lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
