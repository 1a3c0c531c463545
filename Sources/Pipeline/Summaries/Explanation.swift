package import PumpModel

/// What is known of a sample, an event or a moment.
package struct Explanation: Sendable, Equatable {
  /// The samples, by time.
  package var samples: [ExplainedSample] = []
  /// Events that were asked for, or that lie at a moment, and gave no sample of their own.
  package var silentEvents: [SilentEvent] = []
  /// Rows of exports that were asked for and gave no sample.
  package var silentRows: [SilentRow] = []
  /// Of each pump that gave no sample at a moment, or lacks an event, what lies around it.
  package var surroundings: [SilentPlace] = []
  /// Stretches without data that a moment lies in, with the pumps' names.
  package var holes: [PumpHole] = []
  /// How many samples there were beside those that are explained.
  package var hidden = 0

  /// Creates an explanation of nothing.
  package init() {}

  /// Clean, or nothing that could be explained.
  package var exitStatus: ExitStatus {
    let isEmpty =
      samples.isEmpty && holes.isEmpty && silentEvents.isEmpty && silentRows.isEmpty
      && !surroundings.contains { $0.isWithinHistory }
    return isEmpty ? .rejects : .ok
  }
}

/// An event that gave no sample of its own.
package struct SilentEvent: Sendable, Equatable {
  /// The pump's name.
  package var pump: String
  /// The event.
  package var event: ExplainedEvent
  /// Why it gave none: a clause.
  package var reason: String

  /// Creates an event with its reason.
  package init(pump: String, event: ExplainedEvent, reason: String) {
    self.pump = pump
    self.event = event
    self.reason = reason
  }
}

/// A row of an export that gave no sample.
package struct SilentRow: Sendable, Equatable {
  /// The pump's name.
  package var pump: String
  /// The row.
  package var row: ExplainedRow
  /// Why it gave none: a clause.
  package var reason: String

  /// Creates a row with its reason.
  package init(pump: String, row: ExplainedRow, reason: String) {
    self.pump = pump
    self.row = row
    self.reason = reason
  }
}

/// What lies around a moment at which a pump gave no sample, or around an event that is not there.
package struct SilentPlace: Sendable, Equatable {
  /// The pump's name.
  package var pump: String
  /// Why there is nothing: a clause.
  package var reason: String
  /// The last event before; nil if there is none.
  package var before: ExplainedEvent?
  /// The first event after; nil if there is none.
  package var after: ExplainedEvent?

  /// Creates surroundings.
  package init(pump: String, reason: String) {
    self.pump = pump
    self.reason = reason
  }

  /// Whether the pump's history has begun before and goes on after.
  package var isWithinHistory: Bool { before != nil && after != nil }
}

/// A stretch without data of a pump.
package struct PumpHole: Sendable, Equatable {
  /// The pump's name.
  package var pump: String
  /// The stretch.
  package var hole: Hole

  /// Creates a stretch of a pump.
  package init(pump: String, hole: Hole) {
    self.pump = pump
    self.hole = hole
  }
}

/// A sample with all that it is made of.
package struct ExplainedSample: Sendable, Equatable {
  /// The sample.
  package var sample: WrittenSample
  /// What made a sample of its events.
  package var rule: String
  /// How its amount was worked out; nil where it was taken as it is.
  package var arithmetic: String?
  /// Which outputs leave it out, unless they are asked to hold it; nil: none does.
  package var note: String?
  /// Its events, in order.
  package var events: [ExplainedEvent] = []
  /// The row of an export that it rests on; nil if it rests on events.
  package var row: ExplainedRow?

  /// Creates a sample that rests on nothing yet.
  package init(sample: WrittenSample, rule: String) {
    self.sample = sample
    self.rule = rule
  }
}

/// An event as the journal holds it, with its time and its places.
package struct ExplainedEvent: Sendable, Equatable {
  /// Which it is, and where it stands.
  package var event: LocatedEvent
  /// Its fields, in the order of its layout.
  package var fields: [PumpEventRow.Detail] = []
  /// What the pump's clock showed.
  package var wallTime: WallTime
  /// When that was; nil if its time is not known.
  package var instant: Instant?
  /// Whether records of clock changes placed it, and not the zone's rules.
  package var isPlacedByRecords = false

  /// Creates an event without fields.
  package init(event: LocatedEvent, wallTime: WallTime) {
    self.event = event
    self.wallTime = wallTime
  }

  /// What was taken off the clock's time, in seconds: the offset of the zone, and what the clock was
  /// off by.
  package var offset: Int64? { instant.map { wallTime.secondsSince1970 - $0.unixSeconds } }
}

/// A row of an export as the ledger holds it, with its time and its places.
package struct ExplainedRow: Sendable, Equatable {
  /// Which it is, and where it stands.
  package var row: LocatedRow
  /// What it says.
  package var fields: [PumpEventRow.Detail] = []
  /// What the row shows; nil where it tells an instant, or was not found.
  package var wallTime: WallTime?
  /// When that was; nil if the row was not found.
  package var instant: Instant?

  /// Creates a row of which no more is known.
  package init(_ row: LocatedRow) { self.row = row }
}
