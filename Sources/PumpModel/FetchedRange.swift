/// What an answer proves of some time of a pump's clock.
public struct FetchedRange: Sendable, Hashable {
  /// The time, in seconds since 1970.
  public var seconds: Range<Int64>
  /// What is proven of it.
  public var state: State

  /// What is proven; raw values are kept in ledgers.
  public enum State: Int64, Sendable {
    /// Its events were fetched.
    case held = 0
    /// There was none.
    case emptyOnce = 1
    /// There was none again, in a later run.
    case emptyTwice = 2
  }

  /// Creates a range.
  public init(_ seconds: Range<Int64>, _ state: State) {
    self.seconds = seconds
    self.state = state
  }
}

/// That some time of a pump's logs was fetched, as a document states it that was kept beside the
/// answers.
public struct FetchedStatement: Sendable, Hashable {
  /// The pump, by its assignment id.
  public var assignment: String
  /// The time, and what is proven of it.
  public var range: FetchedRange

  /// Creates a statement.
  public init(assignment: String, range: FetchedRange) {
    self.assignment = assignment
    self.range = range
  }
}

extension FetchedRange.State {
  /// The words that documents use for what is proven.
  public static let words: [(text: String, state: FetchedRange.State)] = [
    ("held", .held), ("emptyOnce", .emptyOnce), ("emptyTwice", .emptyTwice),
  ]

  /// The word for it.
  public var text: String { Self.words.first { $0.state == self }?.text ?? "" }

  /// The state with a word; nil if it is none's.
  public init?(text: String) {
    guard let state = Self.words.first(where: { $0.text == text })?.state else { return nil }
    self = state
  }
}

/// What a ledger knows of a pump's logs, in seconds since 1970 of the pump's clock.
public struct PumpFetches: Sendable, Equatable {
  /// Where events were fetched.
  public var held = WallRanges()
  /// Where a whole answer held nothing, once.
  public var emptyOnce = WallRanges()
  /// Where answers of two runs held nothing.
  public var emptyTwice = WallRanges()
  /// What was said to be lost.
  public var toldLost = WallRanges()
  /// What the account said of the pump when its changes were last read; nil before.
  public var seen: Seen?

  /// What an account said of a pump.
  public struct Seen: Sendable, Equatable {
    /// When something was uploaded last.
    public var lastUpload: String?
    /// The newest event.
    public var newest: Int64?

    /// Creates what was seen.
    public init(lastUpload: String?, newest: Int64?) {
      self.lastUpload = lastUpload
      self.newest = newest
    }
  }

  /// Creates what is known of a pump that was never asked for.
  public init() {}

  /// What need not be asked for again.
  public var settled: WallRanges { held.union(emptyTwice) }
}
