import Deduplicate
import PumpModel

/// What moved of a pump's samples in a run, their amounts unchanged (N10).
struct PumpMoves {
  let pump: LedgerPump
  let moves: [MovedSamples.Move]

  /// A finding for each distance.
  var findings: [Finding] {
    moves.map { move in
      Finding(
        .historyMoved, start: move.start, end: move.end,
        text: "Samples given before moved by \(Self.distance(move.shiftSeconds)), their amounts "
          + "unchanged: \(move.count).")
    }
  }

  /// How many samples moved.
  var count: UInt64 { moves.reduce(0) { $0 + $1.count } }

  /// A distance in days, hours, minutes and seconds, those that are not zero.
  static func distance(_ seconds: Int64) -> String {
    let size = seconds.magnitude
    let parts = [
      (size / 86_400, "d"), (size % 86_400 / 3600, "h"), (size % 3600 / 60, "min"),
      (size % 60, "s"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return (seconds < 0 ? "-" : "+") + parts.joined(separator: " ")
  }
}
