package import PumpModel

/// Tells whether records that are new, changed or gone leave the stretches of a pump's clock as they
/// were found before.
///
/// It says yes only where that is plain: no record among them changes the clock, time flows from
/// the record before them to the record after them without a jump of more than a day, and both lie
/// in one span of a stretch outside any loss of power. Then `ClockScanner` passes them by: it does
/// not look ahead, since nothing rises, and what it knows after them is what it knew.
package struct ClockContinuation {
  private var scan: ClockScan
  /// Number and pump seconds of the first and the last record that are new, changed or gone.
  private let touched: ClosedRange<UInt64>
  private var isUndisturbed = true
  private var previous: PumpEvent?
  private var first: PumpEvent?
  private var before: EventPosition?
  private var after: EventPosition?

  /// How many records before the touched ones must be taken: those that look ahead to them.
  package static let reach = ClockScanner.reach + 1

  /// Begins with what was found before; the pump's log has one group of numbers.
  package init(_ scan: ClockScan, touched: ClosedRange<UInt64>) {
    self.scan = scan
    self.touched = touched
  }

  /// Whether the record after the touched ones was taken, so that no more are needed.
  package var isDecided: Bool { after != nil || !isUndisturbed }

  /// Takes the next event, from `reach` records before the touched ones on, or from the first.
  package mutating func take(_ event: borrowing PumpEvent) {
    guard !isDecided else { return }
    let key = UInt64(event.number) << 32 | UInt64(event.time.seconds)
    let time = Int64(event.time.seconds)
    let isClockChange = event.payload.isClockChange
    let step = previous.map { time - Int64($0.time.seconds) } ?? 0
    if key < touched.lowerBound {
      // It was judged by records that follow within its reach, which the touched ones may be.
      if step > ClockScanner.day, !isClockChange { isUndisturbed = false }
      before = event.position
    } else {
      if abs(step) > ClockScanner.day || isClockChange { isUndisturbed = false }
      if key > touched.upperBound { after = event.position }
    }
    if first == nil { first = copy event }
    previous = copy event
  }

  /// The scan of the history as it is now; nil if the whole history is to be scanned.
  package consuming func finish() -> ClockScan? {
    guard isUndisturbed, let first, let previous else { return nil }
    let spans = [before, after].compactMap { $0 }.compactMap(span)
    guard let span = spans.first, spans.allSatisfy({ $0 == span }),
      case .stretch(let stretch) = scan.spans[span].content, scan.stretches[stretch].reset == nil
    else { return nil }
    if before == nil {
      guard span == 0, stretch == 0, scan.stretches[0].opening == .beginning else { return nil }
      scan.spans[0].from = first.position
      scan.stretches[0].oldest = first.time
    } else if after == nil {
      guard span == scan.spans.count - 1 else { return nil }
      scan.stretches[stretch].newest = previous.time
    }
    return scan
  }

  /// The span that a record lay in before.
  private func span(of position: EventPosition) -> Int? {
    scan.spans.lastIndex { $0.from <= position }
  }
}
