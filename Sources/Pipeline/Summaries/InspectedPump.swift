package import PumpModel

/// What inputs hold of one pump; times are those of its own clock.
package struct InspectedPump: Sendable, Equatable {
  /// The assignment id, if its documents carry one.
  package var assignment: String?
  /// What an account answer says of it.
  package var facts: PumpFacts?
  /// The serial number, if its documents carry one.
  package var serial: String?
  /// How often each event id occurs.
  package var events: [UInt16: Int] = [:]
  /// How many rows of exports there are of each kind.
  package var rows: [RowKind: Int] = [:]
  /// How many of the rows tell instants, not times of the pump's clock; they are shown in UTC.
  package var instants = 0
  /// The changes of its clock, in order.
  package var clockChanges: [ClockChange] = []
  /// When it has records.
  package var coverage = Coverage()

  /// Creates a pump without records.
  package init(assignment: String? = nil, facts: PumpFacts? = nil) {
    self.assignment = assignment
    self.facts = facts
  }

  /// Takes in a record: its event id and what the pump's clock showed.
  package mutating func add(eventID: UInt16, at time: PumpTime) {
    events[eventID, default: 0] += 1
    coverage.add(time)
  }

  /// Takes in a row of an export: its kind and its time, as far as a pump's clock can show it, or an
  /// instant.
  package mutating func add(_ kind: RowKind, at seconds: Int64, isInstant: Bool = false) {
    rows[kind, default: 0] += 1
    if isInstant { instants += 1 }
    if let time = UInt32(exactly: seconds - PumpTime.epochInUnixSeconds) {
      coverage.add(PumpTime(seconds: time))
    }
  }

  /// Takes in a change of the clock, once.
  package mutating func add(_ change: ClockChange) {
    if !clockChanges.contains(change) { clockChanges.append(change) }
  }

  /// Takes in what another document says of the same pump.
  package mutating func add(_ other: InspectedPump) {
    assignment = assignment ?? other.assignment
    serial = serial ?? other.serial
    facts = facts ?? other.facts
    events.merge(other.events, uniquingKeysWith: +)
    rows.merge(other.rows, uniquingKeysWith: +)
    instants += other.instants
    coverage.add(other.coverage)
    for change in other.clockChanges { add(change) }
  }

  /// The serial number, else the assignment id; nil where records carry no pump at all.
  package var name: String? { facts?.serial ?? serial ?? assignment }

  /// Whether one of its names is that of a made-up pump.
  package var isMadeUp: Bool {
    [facts?.serial, serial, facts?.assignment, assignment].contains {
      $0.map { DemoData.isName($0) } ?? false
    }
  }

  /// How many records there are, rows of exports included.
  package var records: Int { events.values.reduce(0, +) + rows.values.reduce(0, +) }

  /// The kinds of rows.
  package enum RowKind: String, Sendable, CaseIterable {
    /// Insulin, with or without a meal.
    case bolus = "boluses"
    /// A meal without insulin.
    case meal = "meals alone"
    /// A sensor's reading.
    case sensor = "sensor readings"
    /// A meter's reading.
    case meter = "meter readings"
    /// A basal rate.
    case rate = "basal rates"
    /// A meal of a bolus that another record tells.
    case mealOfBolus = "meals of boluses"
  }

  /// One change of the clock.
  package struct ClockChange: Sendable, Equatable {
    /// The record's sequence number.
    package var number: UInt32
    /// What the clock shows after it.
    package var after: PumpTime
    /// By how many seconds it was moved; forward if positive.
    package var shiftSeconds: Int64

    /// Creates a change.
    package init(number: UInt32, after: PumpTime, shiftSeconds: Int64) {
      self.number = number
      self.after = after
      self.shiftSeconds = shiftSeconds
    }

    /// What the clock showed just before.
    package var before: WallTime {
      WallTime(secondsSince1970: after.wallSeconds - shiftSeconds)
    }
  }
}
