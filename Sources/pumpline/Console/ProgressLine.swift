import Pipeline

/// One line that says how far a run has come: a function of what is known and of the width.
///
/// `reading      █████░░░░░  43 %  412 MB of 960 MB   85 MB/s  0:06 left`
struct ProgressLine {
  /// How far it has come.
  var progress: RunProgress
  /// How much is done in a second; nil if that is not known yet.
  var perSecond: Double?
  /// How it is to look.
  var isUnicode = true

  private static let stageWidth = RunProgress.Stage.allCases.map(\.rawValue.count).max() ?? 0
  private static let barWidth = 10...30

  /// The line, in less than so many columns: what is least needed is left out first.
  func text(width: Int) -> String {
    let room = max(0, width - 1)
    let parts = [percent, amount, rate, left]
    // The bar, then the rate, the amount, the time; the percentage stays longest.
    let choices = [[0, 1, 2, 3], [0, 1, 3], [0, 3], [0]].map { kept in
      kept.compactMap { parts[$0] }
    }
    let stage = progress.stage.rawValue
    let lines = choices.map { ([stage.padded(to: Self.stageWidth)] + $0).joined(separator: "  ") }
    if let whole = lines.first, whole.count <= room {
      return withBar(whole, stage.padded(to: Self.stageWidth), choices[0], room: room)
    }
    return lines.first { $0.count <= room } ?? String(stage.prefix(room))
  }

  private func withBar(_ line: String, _ stage: String, _ parts: [String], room: Int) -> String {
    let free = room - line.count - 2
    guard let share, free >= Self.barWidth.lowerBound else { return trimmed(line) }
    let width = min(free, Self.barWidth.upperBound)
    let filled = Int(share * Double(width))
    let bar =
      String(repeating: isUnicode ? "█" : "#", count: filled)
      + String(repeating: isUnicode ? "░" : ".", count: width - filled)
    return ([stage, bar] + parts).joined(separator: "  ")
  }

  private func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// How much of all is done, 0 to 1.
  private var share: Double? {
    guard let total = progress.total, total > 0 else { return nil }
    return Double(min(progress.done, total)) / Double(total)
  }

  private var percent: String? { share.map { "\(Int($0 * 100)) %".leftPadded(to: 5) } }

  private var amount: String? {
    guard progress.done > 0 else { return nil }
    guard let total = progress.total else { return quantity(progress.done) + noun }
    let all = quantity(total)
    return quantity(min(progress.done, total)).leftPadded(to: all.count) + " of \(all)\(noun)"
  }

  private var rate: String? {
    guard let perSecond, perSecond >= 1 else { return nil }
    return "\(quantity(UInt64(min(perSecond, 1e15))))/s".leftPadded(to: 9)
  }

  private var left: String? {
    guard let perSecond, perSecond >= 1, let total = progress.total, total > progress.done else {
      return nil
    }
    let seconds = Int(min(Double(total - progress.done) / perSecond, 359_999))
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { String($0) }
    let padded = clock.map { $0.count < 2 ? "0" + $0 : $0 }
    return (clock[0] == "0" ? "\(clock[1]):\(padded[2])" : "\(clock[0]):\(padded[1]):\(padded[2])")
      + " left"
  }

  private var noun: String {
    switch progress.stage {
    case .reading, .merging: ""
    case .normalizing: " records"
    case .writing: " samples"
    }
  }

  private func quantity(_ count: UInt64) -> String {
    progress.stage == .reading ? byteText(count) : grouped(Int(clamping: count))
  }
}

/// Bytes in the unit that fits, with three digits at most: `512 B`, `4.2 kB`, `960 MB`.
func byteText(_ count: UInt64) -> String {
  var unit: UInt64 = 1
  var names = ["B", "kB", "MB", "GB", "TB"][...]
  while count / unit >= 1000, names.count > 1 {
    unit *= 1000
    names.removeFirst()
  }
  let whole = count / unit
  let tenth = unit == 1 || whole >= 10 ? "" : ".\(count / (unit / 10) % 10)"
  return "\(whole)\(tenth) \(names.first ?? "B")"
}

/// How fast something goes on, smoothed over some seconds so that it can be read.
struct Pace {
  private var last: (done: UInt64, milliseconds: Int64)?
  /// How much is done in a second; nil until two moments are known.
  private(set) var perSecond: Double?

  /// Over how many milliseconds a change makes itself felt.
  private static let inertia = 3000.0

  /// Takes in how much is done at a moment; what goes back begins anew.
  mutating func add(_ done: UInt64, at milliseconds: Int64) {
    guard let last, done >= last.done else {
      self = Pace()
      self.last = (done, milliseconds)
      return
    }
    let passed = Double(milliseconds - last.milliseconds)
    guard passed > 0 else { return }
    let now = Double(done - last.done) * 1000 / passed
    let before = perSecond ?? now
    perSecond = before + (now - before) * passed / (passed + Self.inertia)
    self.last = (done, milliseconds)
  }
}
