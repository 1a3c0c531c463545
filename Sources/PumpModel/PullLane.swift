/// Which part of a pump's history is asked for; raw values are the words of `--lane`.
public enum PullLane: String, Sendable, CaseIterable {
  /// The newest weeks.
  case recent
  /// What changed since the last pull: late uploads.
  case changes
  /// All that can be had, walking backwards.
  case backfill
}
