package import PumpModel

/// Samples that a run gave at another time than before, with the amounts that they had: by how
/// far, how many, and where they lie now.
package struct MovedSamples: Sendable, Equatable {
  /// The moves, by how far.
  package var moves: [Move] { byShift.values.sorted { $0.shiftSeconds < $1.shiftSeconds } }
  private var byShift: [Int64: Move] = [:]

  /// Samples that moved equally far.
  package struct Move: Sendable, Equatable {
    /// By how many seconds their starts moved; later if positive.
    package var shiftSeconds: Int64
    /// How many samples moved.
    package var count: UInt64
    /// The earliest start among them, as they lie now.
    package var start: Instant
    /// The latest end among them, as they lie now.
    package var end: Instant
  }

  /// Creates a list of none.
  package init() {}

  /// Takes in a sample that was given as `old` before; it moved if both its ends did.
  ///
  /// A bolus whose request is read later begins earlier and ends when it ended: that is no move.
  mutating func note(_ old: Sample, now new: Sample) {
    guard old.amount == new.amount, old.start != new.start, old.end != new.end else { return }
    add(
      Move(
        shiftSeconds: new.start.unixSeconds - old.start.unixSeconds, count: 1, start: new.start,
        end: new.end))
  }

  /// Takes in the moves of other samples.
  package mutating func add(_ other: MovedSamples) {
    for move in other.byShift.values { add(move) }
  }

  private mutating func add(_ move: Move) {
    guard var sum = byShift[move.shiftSeconds] else {
      byShift[move.shiftSeconds] = move
      return
    }
    sum.count += move.count
    sum.start = min(sum.start, move.start)
    sum.end = max(sum.end, move.end)
    byShift[move.shiftSeconds] = sum
  }
}
