import Pipeline

/// The progress line of a terminal: drawn at most ten times a second, and taken away before
/// anything else is said.
final class ProgressDisplay {
  private let isUnicode: Bool
  private let width: () -> Int?
  private let clock: () -> Int64
  private let write: (String) -> Void
  private var pace = Pace()
  private var stage: RunProgress.Stage?
  private var due: Int64?
  /// The columns of the line that stands there.
  private var drawn = 0

  /// So long a run shows nothing, in milliseconds: most are over by then.
  private static let patience: Int64 = 400
  private static let interval: Int64 = 100

  /// Creates a display.
  ///
  /// - Parameters:
  ///   - isUnicode: whether characters beyond ASCII may be used.
  ///   - width: the terminal's columns now.
  ///   - clock: milliseconds that never go back.
  ///   - write: takes text to the terminal.
  init(
    isUnicode: Bool, width: @escaping () -> Int?, clock: @escaping () -> Int64,
    write: @escaping (String) -> Void
  ) {
    self.isUnicode = isUnicode
    self.width = width
    self.clock = clock
    self.write = write
  }

  /// Takes in how far a run has come, and draws the line if it is time to.
  func show(_ progress: RunProgress) {
    let now = clock()
    guard let due else {
      self.due = now + Self.patience
      begin(progress, at: now)
      return
    }
    let isNewStage = progress.stage != stage
    if isNewStage { begin(progress, at: now) }
    // A stage may say nothing more for long, so its first word replaces what stands there.
    guard now >= due || (isNewStage && drawn > 0) else { return }
    self.due = now + Self.interval
    pace.add(progress.done, at: now)
    let columns = width() ?? 80
    let line = ProgressLine(progress: progress, perSecond: pace.perSecond, isUnicode: isUnicode)
      .text(width: columns)
    write(erasure(columns) + line)
    drawn = line.count
  }

  /// Takes the line away; the next `show` that is due draws it again.
  func clear() {
    guard drawn > 0 else { return }
    write(erasure(width() ?? 80))
    drawn = 0
  }

  private func begin(_ progress: RunProgress, at now: Int64) {
    stage = progress.stage
    pace = Pace()
    pace.add(progress.done, at: now)
  }

  /// Goes to the beginning of the line that stands there and erases it, all rows of it if the
  /// terminal has become narrower and broke it.
  private func erasure(_ columns: Int) -> String {
    let rows = drawn > 0 ? (drawn - 1) / max(columns, 1) : 0
    return "\r" + (rows > 0 ? "\u{1B}[\(rows)A\u{1B}[J" : "\u{1B}[K")
  }
}
