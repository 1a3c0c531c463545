/// What `Normalize` made of some events: samples with their lineage, and what goes beside them.
package struct NormalizedBatch: Sendable {
  /// The samples, in no promised order.
  package private(set) var samples: [Sample] = []
  /// The events that the samples rest on, sample after sample.
  package private(set) var lineage: [EventReference] = []
  /// Where each sample's lineage ends in `lineage`; it begins where the one before ends.
  package private(set) var lineageEnds: [Int] = []
  /// What would still become a sample.
  package var pending: [PendingPart] = []
  /// Where delivery is not known.
  package var holes: [Hole] = []
  /// What a reader should know.
  package var findings: [Finding] = []
  /// Requests for a bolus that never finished.
  package var incomplete: [IncompleteRequest] = []
  /// What rows of exports may tell too, if it was asked for.
  package var counterparts: [Counterpart] = []
  /// When records were evidence of the basal rate, if it was asked for.
  package var basalEvidence: [Instant] = []

  /// Creates an empty batch.
  package init() {}

  /// Adds a sample that rests on any number of events.
  package mutating func append(_ sample: Sample, restingOn events: [EventReference]) {
    samples.append(sample)
    lineage.append(contentsOf: events)
    lineageEnds.append(lineage.count)
  }

  /// Adds a sample that rests on one event.
  package mutating func append(_ sample: Sample, restingOn event: EventReference) {
    samples.append(sample)
    lineage.append(event)
    lineageEnds.append(lineage.count)
  }

  /// Adds a sample that rests on two events.
  package mutating func append(
    _ sample: Sample, restingOn first: EventReference, _ second: EventReference
  ) {
    samples.append(sample)
    lineage.append(first)
    lineage.append(second)
    lineageEnds.append(lineage.count)
  }

  /// Adds all that another batch holds.
  package mutating func append(_ other: borrowing NormalizedBatch) {
    let shift = lineage.count
    samples += other.samples
    lineage += other.lineage
    lineageEnds += other.lineageEnds.map { $0 + shift }
    pending += other.pending
    holes += other.holes
    findings += other.findings
    incomplete += other.incomplete
    counterparts += other.counterparts
    basalEvidence += other.basalEvidence
  }

  /// The range of a sample's lineage in `lineage`.
  package func lineage(of index: Int) -> Range<Int> {
    (index == 0 ? 0 : lineageEnds[index - 1])..<lineageEnds[index]
  }

  /// Empties the batch and keeps its memory.
  package mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    lineage.removeAll(keepingCapacity: true)
    lineageEnds.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    holes.removeAll(keepingCapacity: true)
    findings.removeAll(keepingCapacity: true)
    incomplete.removeAll(keepingCapacity: true)
    counterparts.removeAll(keepingCapacity: true)
    basalEvidence.removeAll(keepingCapacity: true)
  }
}

/// Something that would still become a sample.
package struct PendingPart: Sendable, Equatable {
  /// What it would become, or `clock` for records without a known time.
  package var kind: Kind
  /// When it began; nil for `clock`.
  package var start: Instant?
  /// The number of the event that began it.
  package var number: UInt32
  /// For `clock`: the last number and how many records there are.
  package var extent: Extent?

  /// Creates a pending part.
  package init(kind: Kind, start: Instant?, number: UInt32, extent: Extent? = nil) {
    self.kind = kind
    self.start = start
    self.number = number
    self.extent = extent
  }

  /// What a pending part would become.
  package enum Kind: String, Sendable, CaseIterable {
    /// A last rate above zero.
    case basal
    /// A bolus's normal part that began and has not ended.
    case bolus
    /// An extended part that began and has not ended.
    case extended
    /// Records without a known time.
    case clock
  }

  /// How far records without a known time reach.
  package struct Extent: Sendable, Equatable {
    /// The last record's number.
    package var lastNumber: UInt32
    /// How many records there are.
    package var count: UInt64

    /// Creates an extent.
    package init(lastNumber: UInt32, count: UInt64) {
      self.lastNumber = lastNumber
      self.count = count
    }
  }
}

/// A time of which it is not known what was delivered (N4).
package struct Hole: Sendable, Equatable {
  /// The last evidence before it.
  package var start: Instant
  /// The next evidence; nil where none with a known time follows.
  package var end: Instant?
  /// Why it is one.
  package var reason: Reason

  /// Creates a hole.
  package init(start: Instant, end: Instant?, reason: Reason) {
    self.start = start
    self.end = end
    self.reason = reason
  }

  /// Whether an instant lies in it.
  package func contains(_ instant: Instant) -> Bool {
    start <= instant && (end.map { instant < $0 } ?? true)
  }

  /// Why delivery is not known; raw values are the report's words.
  package enum Reason: String, Sendable, CaseIterable {
    /// Records that come every five minutes are missing.
    case heartbeatsMissing = "heartbeats-missing"
    /// Sequence numbers are known to be missing.
    case numbersMissing = "numbers-missing"
    /// A pump without five-minute records said nothing for more than 26 hours.
    case silence = "silence"
    /// Records between have no known time.
    case clockUnknown = "clock-unknown"
  }
}

/// A request for a bolus of which no part finished (N6).
package struct IncompleteRequest: Sendable, Equatable {
  /// The bolus's id.
  package var bolus: UInt16
  /// When it was asked for.
  package var start: Instant

  /// Creates a request.
  package init(bolus: UInt16, start: Instant) {
    self.bolus = bolus
    self.start = start
  }
}

/// What one pump's local day adds up to (N11).
///
/// Amounts are of real insulin, concentration applied.
package struct DayTotals: Sendable, Equatable {
  /// The local day, counted from 1970-01-01.
  package var day: Int64
  /// Basal in µIU, cut at local midnights and rounded once.
  package var basal: Int64
  /// Bolus in mIU, on the day of its start.
  package var bolus: Int64
  /// Carbohydrate in mg, on the day of its start.
  package var carbohydrate: Int64
  /// Seconds with a rate above zero.
  package var deliveredSeconds: Int64
  /// Seconds at a rate of zero while running.
  package var zeroSeconds: Int64
  /// Seconds while suspended or shut down.
  package var suspendedSeconds: Int64
  /// Seconds of the local day that nothing is known of.
  package var unknownSeconds: Int64
  /// The pump's own basal total, mIU.
  package var pumpBasal: Int64?
  /// Ours less the pump's, µIU, from the pump's midnight to its record; nil where not comparable.
  package var difference: Int64?
  /// From when to when insulin was given on this day; nil if none was.
  package var active: ClosedRange<Instant>?

  /// Creates the totals of a day on which nothing is known.
  package init(day: Int64) {
    self.day = day
    basal = 0
    bolus = 0
    carbohydrate = 0
    deliveredSeconds = 0
    zeroSeconds = 0
    suspendedSeconds = 0
    unknownSeconds = 0
  }
}
