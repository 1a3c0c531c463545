import Decode
import Deduplicate
import Normalize
import PumpModel

/// Looks through a pump's journal for events that were asked for, and for what lies around them.
final class JournalSearch {
  private let pump: LedgerPump
  private let writer: OutputWriter
  private let timeline: Timeline
  private let holes: [Hole]
  private let pending: [PendingPart]

  /// How far around an event others can decide on what it gives.
  private static let reach: Int64 = 2 * 86_400
  /// So many events around one are looked at: of two days a pump has some thousand.
  private static let mostNearby = 8192
  /// So many events of one moment are told.
  private static let mostOfMoment = 20

  /// Prepares a search.
  init(_ writer: OutputWriter, _ pump: LedgerPump) throws {
    self.writer = writer
    self.pump = pump
    timeline = try writer.normalization.timeline(of: pump)
    var holes: [Hole] = []
    try writer.ledger.forEachHole { if $0 == pump.label.name { holes.append($1) } }
    var pending: [PendingPart] = []
    try writer.ledger.forEachPending { if $0 == pump.label.name { pending.append($1) } }
    (self.holes, self.pending) = (holes, pending)
  }

  private func forEach(_ body: (PumpRecord, TimedEvent) throws -> Void) throws {
    var cursor = timeline.cursor()
    let journal = try writer.ledger.journal(of: pump, rules: PumpNormalization.copyRules)
    var records: [PumpRecord] = []
    while try journal.next(into: &records) {
      for record in records {
        let event = PumpNormalization.event(record)
        try body(record, TimedEvent(event: event, instant: cursor.instant(of: event)))
      }
      try checkInterruption()
    }
  }

  private func explained(_ record: PumpRecord, at instant: Instant?) -> ExplainedEvent {
    let reference = EventReference(number: record.number, seconds: record.seconds)
    var event = ExplainedEvent(event: LocatedEvent(reference), wallTime: reference.shown)
    event.event.id = record.eventID
    event.event.name = EventCatalogue.name(of: record.eventID)
    event.fields = EventCatalogue.details(of: record)
    event.instant = instant
    event.isPlacedByRecords = timeline.usesRecords
    return event
  }

  /// The events of some references, by reference; of one reference in order.
  func events(
    _ wanted: Set<EventReference>
  ) throws -> [EventReference: [ExplainedEvent]] {
    var found: [EventReference: [ExplainedEvent]] = [:]
    try forEach { record, seen in
      guard wanted.contains(seen.event.reference) else { return }
      found[seen.event.reference, default: []].append(explained(record, at: seen.instant))
    }
    return found
  }
}

extension JournalSearch {
  /// The events of a reference that gave no sample of their own, and why; `isSampled` says whether samples
  /// tell all that an event gave.
  func silent(
    _ reference: EventReference, isSampled: (TimedEvent) -> Bool
  ) throws -> [SilentEvent] {
    try silent(where: { $0.event.reference == reference && !isSampled($0) })
  }

  /// The events of an instant that gave no sample of their own, and why.
  func silent(at moment: Instant, isSampled: (TimedEvent) -> Bool) throws -> [SilentEvent] {
    try silent(where: { $0.instant == moment && !isSampled($0) })
  }

  private func silent(where isMeant: (TimedEvent) -> Bool) throws -> [SilentEvent] {
    var subjects: [(record: PumpRecord, seen: TimedEvent)] = []
    try forEach { record, seen in
      guard subjects.count < Self.mostOfMoment, isMeant(seen) else { return }
      subjects.append((record, seen))
    }
    guard !subjects.isEmpty else { return [] }
    let instants = subjects.compactMap(\.seen.instant)
    let nearby = try nearby(instants, subjects.map(\.seen.event.position))
    return subjects.map { record, seen in
      SilentEvent(
        pump: pump.label.name, event: explained(record, at: seen.instant),
        reason: SilenceReason(subject: seen, nearby: nearby, holes: holes, pending: pending).words)
    }
  }

  /// What lies around some instants, but for readings and events of no rule, which decide on nothing.
  private func nearby(
    _ instants: [Instant], _ positions: [EventPosition]
  ) throws -> [TimedEvent] {
    guard let first = instants.min(), let last = instants.max() else { return [] }
    var nearby: [TimedEvent] = []
    let range = first + -Self.reach...last + Self.reach
    try forEach { _, seen in
      guard nearby.count < Self.mostNearby, let instant = seen.instant, range.contains(instant)
      else { return }
      let isClose = positions.contains { position in
        position.group == seen.event.group && position.number <= seen.event.number
          && seen.event.number - position.number <= 1
      }
      switch seen.event.payload {
      case .other where !isClose, .sensorReading where !isClose: return
      default: nearby.append(seen)
      }
    }
    return nearby
  }
}

extension JournalSearch {
  /// Where an event would stand that the journal lacks.
  func surroundings(of reference: EventReference) throws -> SilentPlace? {
    var before: (record: PumpRecord, seen: TimedEvent)?
    var after: (record: PumpRecord, seen: TimedEvent)?
    var isOfAnotherTime = false
    try forEach { record, seen in
      if record.number == reference.number { isOfAnotherTime = true }
      let key = (record.number, record.seconds)
      if key < (reference.number, reference.seconds) {
        if before.map({ ($0.record.number, $0.record.seconds) < key }) ?? true {
          before = (record, seen)
        }
      } else if after.map({ key < ($0.record.number, $0.record.seconds) }) ?? true {
        after = (record, seen)
      }
    }
    guard before != nil || after != nil else { return nil }
    var reason = "the pump's log has no such event"
    if isOfAnotherTime {
      reason += ": its number stands on an event of another time"
    } else if let before, let after {
      let missing = Int64(after.record.number) - Int64(before.record.number) - 1
      reason +=
        missing == 1
        ? ": its number is missing" : ": \(missing) numbers are missing where it would stand"
    } else {
      reason += before == nil ? ": what was read begins later" : ": what was read ends before"
    }
    var found = SilentPlace(pump: pump.label.name, reason: reason)
    found.before = before.map { explained($0.record, at: $0.seen.instant) }
    found.after = after.map { explained($0.record, at: $0.seen.instant) }
    return found
  }

  /// Why a pump gave no basal at a moment, with the events before and after; nil of a pump without
  /// events.
  func surroundings(of moment: Instant) throws -> SilentPlace? {
    var before: (record: PumpRecord, instant: Instant)?
    var after: (record: PumpRecord, instant: Instant)?
    var evidence: TimedEvent?
    var untimed = 0
    try forEach { record, seen in
      guard let instant = seen.instant else {
        untimed += 1
        return
      }
      if instant <= moment {
        if before.map({ $0.instant <= instant }) ?? true { before = (record, instant) }
        if seen.mayTellRate, evidence?.instant.map({ $0 <= instant }) ?? true { evidence = seen }
      } else if after.map({ instant < $0.instant }) ?? true {
        after = (record, instant)
      }
    }
    guard before != nil || after != nil || untimed > 0 else { return nil }
    var found = SilentPlace(pump: pump.label.name, reason: "")
    found.before = before.map { explained($0.record, at: $0.instant) }
    found.after = after.map { explained($0.record, at: $0.instant) }
    found.reason = reason(at: moment, found, evidence)
    if untimed > 0 {
      found.reason +=
        "; of \(untimed) \(untimed == 1 ? "event" : "events") it is not known when they were"
    }
    return found
  }

  private func reason(
    at moment: Instant, _ found: SilentPlace, _ evidence: TimedEvent?
  ) -> String {
    guard found.before != nil else { return "it lies before the first event whose time is known" }
    if let hole = holes.first(where: { $0.contains(moment) }) {
      return "it lies in a stretch without data: \(hole.reason.words)"
    }
    let part = pending.last { part in
      part.kind == .basal && part.start.map { $0 <= moment } == true
        && evidence?.event.number == part.number
    }
    if let part {
      return
        "the rate of event number \(part.number) held, and until when is not known yet: it is pending"
    }
    guard found.after != nil else { return "it lies after the last event that was read" }
    guard let evidence else { return "no event before it tells a rate" }
    if case .resumed = evidence.event.payload {
      return "delivery had gone on, by \(evidence.title), and at which rate the next evidence tells"
    }
    return "what \(evidence.title) tells of the rate gives no sample here"
  }
}

extension EventReference {
  /// What the pump's clock showed.
  var shown: WallTime { PumpTime(seconds: seconds).wallTime }
}
