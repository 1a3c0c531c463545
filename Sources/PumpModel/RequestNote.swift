/// What is remembered of a request: nothing of who asked, and nothing of what came.
public struct RequestNote: Sendable, Equatable {
  /// When it was made.
  public var at: Instant
  /// What it was for: `login`, `account` or `logs`.
  public var purpose: String
  /// The answer's status; nil if there was none.
  public var status: Int?
  /// The days that were asked for, counted from 1970-01-01 of the pump's clock.
  public var days: ClosedRange<Int64>?
  /// How long it took.
  public var milliseconds: Int64

  /// Creates a note.
  public init(
    at: Instant, purpose: String, status: Int?, days: ClosedRange<Int64>?, milliseconds: Int64
  ) {
    self.at = at
    self.purpose = purpose
    self.status = status
    self.days = days
    self.milliseconds = milliseconds
  }
}
