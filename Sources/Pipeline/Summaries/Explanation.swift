package import PumpModel

/// What is known of a sample or a moment.
package struct Explanation: Sendable, Equatable {
  /// The samples, by time.
  package var samples: [ExplainedSample] = []
  /// Stretches without data that a moment lies in, with the pumps' names.
  package var holes: [PumpHole] = []
  /// How many samples there were beside those that are explained.
  package var hidden = 0

  /// Creates an explanation of nothing.
  package init() {}

  /// Clean, or nothing that could be explained.
  package var exitStatus: ExitStatus { samples.isEmpty && holes.isEmpty ? .rejects : .ok }
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
  /// Its events, in order.
  package var events: [ExplainedEvent] = []

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
