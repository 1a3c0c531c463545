package import PumpModel

/// One pump's clock, placed in time: the only thing that turns pump time into instants (N3).
package struct Timeline: Sendable {
  /// Whether clock-change records placed the pump's time, or the zone's rules alone.
  package let usesRecords: Bool
  /// The stretches in order.
  package let stretches: [PlacedStretch]
  /// What was found without a known time, losses of power first: pending entries of kind `clock`.
  package let unknown: [UnknownTime]
  /// The zones.
  package let schedule: ZoneSchedule
  /// Which records lie where, in order; nil: no known time.
  let spans: [Span]

  struct Span: Sendable {
    var from: EventPosition
    /// The stretch, if its time is known.
    var stretch: Int?
    var offset: Int64?
    /// The stretch, whether its time is known or not; nil for odd records.
    var place: Int?
  }

  /// Places a pump's stretches.
  ///
  /// By the zone's rules, what a power loss holds has no known time even where a change ended it:
  /// the zone would date it to 2008.
  package init(_ scan: ClockScan, schedule: ZoneSchedule, usesRecords: Bool) {
    self.usesRecords = usesRecords
    self.schedule = schedule
    if usesRecords {
      stretches = ClockResolver(schedule: schedule).place(scan)
    } else {
      stretches = scan.stretches.map {
        PlacedStretch(stretch: $0, offset: nil, driftMilliseconds: 0)
      }
    }
    spans = scan.spans.map { [stretches] span in
      guard case .stretch(let index) = span.content else {
        return Span(from: span.from, stretch: nil, offset: nil, place: nil)
      }
      let isKnown =
        usesRecords ? stretches[index].offset != nil : stretches[index].stretch.reset == nil
      return Span(
        from: span.from, stretch: isKnown ? index : nil, offset: stretches[index].offset,
        place: index)
    }
    let losses = scan.resets.filter { !usesRecords || !$0.isEnded }.map(\.records)
    unknown = losses.filter { $0.records > 0 } + scan.odd
  }

  /// Whether every stretch has the offset that it has in another timeline.
  package func agrees(with other: Timeline) -> Bool {
    usesRecords == other.usesRecords && stretches.map(\.offset) == other.stretches.map(\.offset)
      && stretches.map(\.driftMilliseconds) == other.stretches.map(\.driftMilliseconds)
  }

  /// The stretch that an event lies in, whether its time is known or not; nil for odd records.
  func place(of position: EventPosition) -> Int? {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].from <= position { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? spans[low - 1].place : nil
  }

  /// When the day of the pump's own clock began that a time ends or lies in: when the clock last showed
  /// midnight, or was set from before it to after it.
  func midnight(before time: PumpTime, at instant: Instant, in stretch: Int) -> Instant {
    let second = time.wallSeconds % Self.day
    let midnight = time.wallSeconds - (second == 0 ? Self.day : second)
    guard usesRecords else {
      let readings = schedule.rules(atWall: midnight).readings(ofWall: midnight)
      return min(readings.earlier(wall: midnight), instant)
    }
    var index = stretch
    while let offset = stretches[index].offset,
      case .change(let opened, _) = stretches[index].stretch.opening,
      midnight < opened.wallSeconds,
      let before = stretches[..<index].lastIndex(where: { $0.stretch.next?.stretch == index }),
      let offsetBefore = stretches[before].offset
    {
      let change = Instant(unixSeconds: opened.wallSeconds - offset)
      guard midnight - offsetBefore < change.unixSeconds else { return change }
      index = before
    }
    return Instant(unixSeconds: midnight - (stretches[index].offset ?? 0))
  }

  private static let day: Int64 = 86_400

  /// A reader of the timeline for events taken in order.
  package func cursor() -> TimelineCursor { TimelineCursor(self) }
}

/// Reads a timeline alongside events that come in order.
package struct TimelineCursor {
  private let timeline: Timeline
  private var zoneClock: ZoneClock
  /// How many spans have begun.
  private(set) var next = 0
  private var until: EventPosition?
  /// The stretch of the last event; nil if it has no known time.
  private(set) var stretch: Int?
  private var offset: Int64?
  private var previous: Instant?

  init(_ timeline: Timeline) {
    self.timeline = timeline
    zoneClock = ZoneClock(schedule: timeline.schedule)
    until = timeline.spans.first?.from
  }

  /// The instant of the next event in order; nil if its time is not known.
  package mutating func instant(of event: borrowing PumpEvent) -> Instant? {
    let position = event.position
    while let until, until <= position { enterSpan() }
    guard stretch != nil else { return nil }
    let instant: Instant
    if let offset {
      instant = Instant(unixSeconds: event.time.wallSeconds - offset)
    } else {
      instant = zoneClock.instant(of: event.time, after: previous)
    }
    previous = instant
    return instant
  }

  /// When the pump's own day began that the last event, of a known time, ends or lies in.
  func midnight(before event: borrowing PumpEvent, at instant: Instant) -> Instant {
    timeline.midnight(before: event.time, at: instant, in: stretch ?? 0)
  }

  /// Mixes in what the last events leave for the next.
  func mix(into digest: inout StateDigest) { digest.mix(previous?.unixSeconds) }

  /// The instant of a time that the last event carries beside its own.
  package mutating func instant(ofReading time: PumpTime, in event: Instant, at own: PumpTime)
    -> Instant
  {
    if let offset { return Instant(unixSeconds: time.wallSeconds - offset) }
    return zoneClock.instant(
      ofReading: time, recordOffset: own.wallSeconds - event.unixSeconds)
  }

  private mutating func enterSpan() {
    let span = timeline.spans[next]
    stretch = span.stretch
    offset = span.offset
    next += 1
    until = next < timeline.spans.count ? timeline.spans[next].from : nil
  }
}
