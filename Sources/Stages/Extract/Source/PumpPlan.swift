package import PumpModel

/// Days to ask for, counted from 1970-01-01 of the pump's clock.
package struct FetchWindow: Sendable, Equatable {
  /// The days that are wanted.
  package var core: ClosedRange<Int64>

  /// Creates a window.
  package init(core: ClosedRange<Int64>) { self.core = core }

  /// The days that are asked for: one more on both sides, since the source may cut days by another
  /// clock (N3).
  package var asked: ClosedRange<Int64> { core.lowerBound - 1...core.upperBound + 1 }

  /// The most days that the service answers at once.
  package static let mostAsked: Int64 = 28
  /// The most days of a window.
  package static let mostWanted = mostAsked - 2

  /// The two halves, the newer one first; nil if it is one day.
  package var halves: (newer: FetchWindow, older: FetchWindow)? {
    guard core.count > 1 else { return nil }
    let middle = core.lowerBound + Int64(core.count / 2)
    return (
      FetchWindow(core: middle...core.upperBound), FetchWindow(core: core.lowerBound...middle - 1)
    )
  }

  /// The seconds of the days that are wanted.
  package var seconds: Range<Int64> {
    core.lowerBound * 86_400..<(core.upperBound + 1) * 86_400
  }
}

/// Decides, for one pump, what is to be asked for next, and what an answer proves.
///
/// Pure: what is known, what the account says and the time decide, nothing else.
package struct PumpPlan: Sendable {
  /// The pump as the account tells it.
  package let pump: SourcePump
  /// What is known, with what this run has learnt.
  package private(set) var fetches: PumpFetches
  private let limits: PullLimits
  private let latest: Int64
  /// What was empty before this run, and is accepted if it is so again.
  private let emptyBefore: WallRanges
  /// What this run has asked for, whatever came of it.
  private var asked = WallRanges()
  /// Windows that failed as wholes.
  private var parts: [FetchWindow] = []

  /// How far pump clocks may be ahead of UTC.
  private static let mostAhead: Int64 = 14 * 3600
  /// How many days without an event, on the way back, are the beginning of history.
  private static let emptyDaysBeforeBeginning: Int64 = 6 * 28
  /// Where pump time begins.
  private static let beginning = PumpTime.epochInUnixSeconds
  private static let day: Int64 = 86_400

  /// Plans for a pump.
  package init(
    pump: SourcePump, fetches: PumpFetches, limits: PullLimits = PullLimits(), now: Instant
  ) {
    self.pump = pump
    self.fetches = fetches
    self.limits = limits
    latest = now.unixSeconds + Self.mostAhead
    emptyBefore = fetches.emptyOnce
  }

  /// The newest event that is believed: some pumps are listed with dates far ahead, which say
  /// nothing.
  private var newest: Int64? { pump.newest.flatMap { $0 <= latest ? $0 : nil } }

  /// What the service has, as far as the account tells.
  private var available: Range<Int64> {
    let end = (newest ?? latest) + 1
    var start = Self.beginning
    if let told = pump.available, told.lowerBound <= end { start = max(start, told.lowerBound) }
    if let days = limits.availableDays {
      start = max(start, (latest.flooredDivision(by: Self.day) - Int64(days) + 1) * Self.day)
    }
    return min(start, end)..<end
  }

  /// Whether the account tells where history begins.
  private var knowsBeginning: Bool { pump.available != nil || limits.availableDays != nil }

  /// Whether answers decide how far a walk backwards goes.
  package var walksOn: Bool { !knowsBeginning && limits.since == nil }

  /// What the limits of the run leave of a range.
  private func clamped(_ range: Range<Int64>) -> Range<Int64> {
    range.clamped(to: available)
      .clamped(to: limits.from.map { $0..<Int64.max } ?? Int64.min..<Int64.max)
      .clamped(to: limits.until.map { Int64.min..<$0 } ?? Int64.min..<Int64.max)
  }

  /// What a lane is for, whatever is known of it already.
  package func wanted(_ lane: PullLane) -> Range<Int64> {
    let end = available.upperBound
    switch lane {
    case .recent where limits.from != nil || limits.until != nil: return clamped(available)
    case .recent:
      let lastDay = (end - 1).flooredDivision(by: Self.day)
      return clamped((lastDay - FetchWindow.mostWanted + 1) * Self.day..<end)
    case .changes:
      guard let seen = fetches.seen, seen.lastUpload != pump.lastUpload else { return 0..<0 }
      return clamped((seen.newest.map { $0 - Self.day } ?? Self.beginning)..<end)
    case .backfill:
      var start = available.lowerBound
      if let since = limits.since {
        start = max(start, since)
      } else if !knowsBeginning {
        let oldest = min(fetches.held.first ?? end, end)
        let oldestDay = oldest.flooredDivision(by: Self.day)
        start = max(start, (oldestDay - Self.emptyDaysBeforeBeginning) * Self.day)
      }
      return clamped(min(start, end)..<end)
    }
  }

  /// What a lane would still ask for.
  package func missing(_ lane: PullLane) -> WallRanges {
    let wanted = WallRanges([wanted(lane)])
    return (lane == .changes ? wanted : wanted.subtracting(fetches.settled)).subtracting(asked)
  }

  /// The next window of a lane, the newest first; nil if nothing is missing.
  package mutating func next(_ lane: PullLane) -> FetchWindow? {
    if let part = parts.popLast() { return part }
    guard !pump.isEmpty else { return nil }
    let missing = missing(lane)
    guard let end = missing.end else { return nil }
    let last = (end - 1).flooredDivision(by: Self.day)
    let lowest = (last - FetchWindow.mostWanted + 1) * Self.day
    let within = missing.clamped(to: lowest..<end)
    let first = (within.first ?? lowest).flooredDivision(by: Self.day)
    let window = FetchWindow(core: first...last)
    asked.insert(window.seconds)
    return window
  }

  /// Puts the halves of a window that failed before what else is missing.
  ///
  /// - Returns: false if it cannot be halved.
  package mutating func halve(_ window: FetchWindow) -> Bool {
    guard let (newer, older) = window.halves else { return false }
    parts += [older, newer]
    return true
  }

  /// Takes in that a window was answered whole.
  ///
  /// - Parameters:
  ///   - window: what was asked for.
  ///   - eventDays: the days on which the answer holds events of the pump.
  ///   - newestEvent: the newest of these events, in seconds since 1970.
  /// - Returns: what is now proven, to be kept with the events.
  package mutating func take(
    _ window: FetchWindow, eventDays: Set<Int64>, newestEvent: Int64?
  ) -> [FetchedRange] {
    // What the pump had not told by then, it may still tell.
    let heard = [newestEvent.map { $0 + 1 }, fetches.held.end].compactMap(\.self).max()
    let end = newest.map { $0 + 1 } ?? heard ?? window.seconds.lowerBound
    var answered = WallRanges([window.seconds.clamped(to: Int64.min..<end)])
    var held = WallRanges()
    for day in eventDays {
      held = held.union(answered.clamped(to: day * Self.day..<(day + 1) * Self.day))
    }
    answered = answered.subtracting(held)
    let once = answered.subtracting(emptyBefore)
    let twice = answered.subtracting(once)
    fetches.held = fetches.held.union(held)
    fetches.emptyOnce = fetches.emptyOnce.union(once)
    fetches.emptyTwice = fetches.emptyTwice.union(twice)
    return [(held, FetchedRange.State.held), (once, .emptyOnce), (twice, .emptyTwice)]
      .flatMap { set, state in set.ranges.map { FetchedRange($0, state) } }
  }

  /// History that was wanted, or that an earlier run stopped short of, and that can no longer be
  /// had; what was said before is left out.
  package func lost() -> WallRanges {
    guard knowsBeginning, !pump.isEmpty else { return WallRanges() }
    let known = fetches.settled
    let wantedFrom = [limits.from, limits.since, known.first].compactMap(\.self).min()
    guard let from = wantedFrom, from < available.lowerBound else { return WallRanges() }
    return WallRanges([from..<available.lowerBound])
      .subtracting(known).subtracting(fetches.emptyOnce).subtracting(fetches.toldLost)
  }

  /// Takes in that a loss was told.
  package mutating func tell(_ lost: WallRanges) {
    fetches.toldLost = fetches.toldLost.union(lost)
  }
}

/// What a run is to ask for at most, in seconds since 1970 of pumps' clocks.
package struct PullLimits: Sendable, Equatable {
  /// Nothing before it.
  package var from: Int64?
  /// Nothing from it on.
  package var until: Int64?
  /// Where a walk backwards ends.
  package var since: Int64?
  /// How many days back from today the service keeps.
  package var availableDays: Int?

  /// Creates limits.
  package init(
    from: Int64? = nil, until: Int64? = nil, since: Int64? = nil, availableDays: Int? = nil
  ) {
    self.from = from
    self.until = until
    self.since = since
    self.availableDays = availableDays
  }
}
