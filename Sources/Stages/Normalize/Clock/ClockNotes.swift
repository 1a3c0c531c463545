import PumpModel

/// Notes what a reader should know of a pump's clock and log while its events pass, piece by piece
/// of its history.
struct ClockNotes {
  private let now: Instant
  private var segment: HistorySegment
  private var span: Int?

  /// LOG_ERASED, DATA_LOG_CORRUPTION and FACTORY_RESET (EVENTS).
  private static let damageIDs: Set<UInt16> = [0, 60, 82]

  init(now: Instant) {
    self.now = now
    segment = HistorySegment(now: now)
  }

  /// Takes the next event in order, which lies in a span of the clock.
  mutating func take(_ event: borrowing PumpEvent, at instant: Instant?, span: Int) {
    segment.records += 1
    if event.id <= 82, Self.damageIDs.contains(event.id) { segment.damage.note(instant) }
    if self.span != span {
      self.span = span
      segment.spans.append(
        HistorySegment.Span(from: event.position, records: 0, first: instant, last: nil))
    }
    segment.spans[segment.spans.count - 1].note(instant)
    guard let instant else { return }
    segment.newest = max(segment.newest ?? instant, instant)
    guard instant > now else { return }
    segment.future.count += 1
    segment.future.first = min(segment.future.first ?? instant, instant)
    segment.future.last = max(segment.future.last ?? instant, instant)
  }

  /// Gives what was noted since the last call.
  mutating func take() -> HistorySegment {
    defer {
      segment = HistorySegment(now: now)
      span = nil
    }
    return segment
  }
}

extension HistorySegment.Span {
  @inline(__always)
  fileprivate mutating func note(_ instant: Instant?) {
    records += 1
    guard let instant else { return }
    if first == nil { first = instant }
    last = instant
  }
}

extension HistorySegment.Times {
  fileprivate mutating func note(_ instant: Instant?) {
    count += 1
    first = first ?? instant
    last = instant ?? last
  }
}
