/// Which sequence numbers of a pump are known to be missing (N4), found in one pass in order.
///
/// A number is known to be missing where nearly all numbers around it are held: of those from 100
/// before it to 100 after it, cut to its run, at least 99 %. What sources filter away leaves more
/// holes than that and proves nothing.
package struct MissingNumbers: Sendable {
  /// The known ones, as group and number in one, ascending.
  package private(set) var known: [UInt64] = []

  /// The run that goes on: held numbers of one group with fewer than 100 missing in a row.
  private var isInRun = false
  private var group: UInt32 = 0
  private var first: Int64 = 0
  private var last: Int64 = 0
  /// The gaps of the run that windows of undecided numbers may still see, oldest first.
  private var recentGaps: [ClosedRange<Int64>] = []
  /// The missing numbers of the run whose window is not whole yet.
  private var undecided: [Int64] = []

  private static let reach: Int64 = 100
  /// More gaps than two windows can see, so that forgetting leaves room.
  private static let mostGaps = 512

  /// How far from a number others can decide whether it is known to be missing: its window, and
  /// what cuts the window to its run.
  package static let influence: UInt32 = 200

  /// Creates a finder that has seen nothing.
  package init() {}

  /// Known numbers that were found before, as group and number in one, ascending.
  package init(known: [UInt64]) { self.known = known }

  /// Takes the next held number in order.
  package mutating func take(group: UInt32, number: UInt32) {
    let number = Int64(number)
    guard isInRun, group == self.group else {
      begin(group: group, at: number)
      return
    }
    let missing = number - last - 1
    guard missing >= 0 else { return }
    if missing > 0 {
      guard missing < Self.reach else {
        begin(group: group, at: number)
        return
      }
      recentGaps.append(last + 1...number - 1)
      if recentGaps.count >= Self.mostGaps { forgetGaps() }
      // At most two of 201 may be missing, so a longer gap proves nothing by itself.
      if missing <= 2 { undecided.append(contentsOf: last + 1..<number) }
    }
    last = number
    if let oldest = undecided.first, number >= oldest + Self.reach { decide() }
  }

  /// Ends the history.
  package mutating func finish() {
    if isInRun { decide(atEndOfRun: true) }
    isInRun = false
  }

  private mutating func begin(group: UInt32, at number: Int64) {
    finish()
    isInRun = true
    self.group = group
    first = number
    last = number
    recentGaps.removeAll(keepingCapacity: true)
    undecided.removeAll(keepingCapacity: true)
  }

  private mutating func decide(atEndOfRun: Bool = false) {
    var decided = 0
    for number in undecided {
      guard atEndOfRun || number + Self.reach <= last else { break }
      let window = max(first, number - Self.reach)...min(last, number + Self.reach)
      if missing(in: window) * 100 <= Int64(window.count) {
        known.append(UInt64(group) << 32 | UInt64(number))
      }
      decided += 1
    }
    undecided.removeFirst(decided)
    forgetGaps()
  }

  /// Forgets the gaps that no window of an undecided number, or of one to come, can see.
  private mutating func forgetGaps() {
    let needed = (undecided.first ?? last) - Self.reach
    recentGaps.removeAll { $0.upperBound < needed }
  }

  private func missing(in window: ClosedRange<Int64>) -> Int64 {
    recentGaps.reduce(0) { sum, gap in
      gap.overlaps(window) ? sum + Int64(gap.clamped(to: window).count) : sum
    }
  }
}
