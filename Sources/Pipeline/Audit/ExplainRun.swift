import Audit
import Decode
import Deduplicate
import Emit
import Normalize
import Platform
import PumpModel

/// One run of `explain`: makes the samples of sources again, or opens a ledger, and tells where a
/// sample comes from.
struct ExplainRun {
  let request: ExplainRequest
  let events: (RunEvent) -> Void

  /// So many samples are explained; a moment has a handful.
  private static let mostSamples = 100

  /// Runs.
  func run() throws -> Explanation {
    var explanation = Explanation()
    guard !request.sources.inputs.isEmpty else {
      try lookIntoLedger { try explain($0, &explanation) }
      return explanation
    }
    var names: [UInt32: String] = [:]
    _ = try ConvertRun(request: sources, events: events) { writer, pumpNames in
      names = pumpNames
      try explain(writer, &explanation)
    }.run()
    try locate(&explanation, names)
    return explanation
  }

  /// The run that makes every sample that can be asked for.
  private var sources: ConvertRequest {
    var request = request.sources
    request.selection.includesGlucose = true
    request.selection.includesDerivedBasal = true
    return request
  }

  private func lookIntoLedger(_ body: (OutputWriter) throws -> Void) throws {
    let path = request.sources.ledger ?? ""
    let ledger = try Ledger(
      .existing(path), waitMilliseconds: Int32(clamping: request.sources.waitSeconds * 1000))
    try ledger.check(kind: .events)
    try ledger.beginReading()
    defer { ledger.rollback() }
    guard try ledger.settings() != nil else {
      throw RunFailure(
        .inputMissing, what: "the ledger holds nothing yet", where: path,
        next: "pumpline convert fills it, with --ledger.")
    }
    try body(try OutputWriter(of: ledger, request: request.sources, owner: nil))
  }

  // MARK: Samples

  private func explain(_ writer: OutputWriter, _ explanation: inout Explanation) throws {
    let samples = try OrderedSamples(
      writer.ledger, pumps: writer.pumps,
      selection: SampleSelection(
        kinds: Set(SampleKind.allCases), keepsZeroBasal: true, showsDerivedBasal: true),
      order: .device)
    let context = OutputContext(
      schedule: writer.schedule, pumps: writer.pumps.map(\.label), newestEnd: samples.newestEnd,
      statusWords: try writer.ledger.statusWords(), names: try writer.ledger.names())
    let rows = WrittenRows(context, tellsZones: true)
    var batch = OutputBatch()
    while try samples.next(into: &batch) {
      for row in batch.rows where mayBeMeant(row.sample) {
        let sample = rows.sample(of: row, in: batch)
        guard isMeant(sample) else { continue }
        if explanation.samples.count < Self.mostSamples {
          explanation.samples.append(Self.explained(sample))
        } else {
          explanation.hidden += 1
        }
      }
      try checkInterruption()
    }
    explanation.samples.sort { $0.sample.start < $1.sample.start }
    if case .moment(let instant) = request.subject {
      try writer.ledger.forEachHole { pump, hole in
        guard hole.start <= instant, hole.end.map({ instant < $0 }) ?? true else { return }
        explanation.holes.append(PumpHole(pump: pump, hole: hole))
      }
    }
    for pump in writer.pumps { try addEvents(of: pump, writer, &explanation) }
  }

  /// What can be told before a sample is put into words.
  private func mayBeMeant(_ sample: Sample) -> Bool {
    guard case .moment(let instant) = request.subject else { return true }
    return sample.start == instant || sample.start < instant && instant < sample.end
  }

  private func isMeant(_ sample: WrittenSample) -> Bool {
    guard case .sample(let id) = request.subject else { return true }
    return sample.externalID == id
  }

  private static func explained(_ sample: WrittenSample) -> ExplainedSample {
    var explained = ExplainedSample(sample: sample, rule: SampleRule.words(of: sample))
    if sample.type == .basal,
      let rate = sample.metadata.entries.first(where: { $0.name == "rate" })?.text
    {
      explained.arithmetic =
        "\(rate) U/h for \(sample.end - sample.start) s is \(sample.amount.text) IU"
    }
    return explained
  }

  // MARK: Events

  /// Adds what the journal holds of the samples of a pump.
  private func addEvents(
    of pump: LedgerPump, _ writer: OutputWriter, _ explanation: inout Explanation
  ) throws {
    let places = explanation.samples.indices.filter {
      explanation.samples[$0].sample.device == pump.label.name
    }
    let wanted = Set(places.flatMap { explanation.samples[$0].sample.lineage })
    guard !wanted.isEmpty else { return }
    var found: [EventReference: [ExplainedEvent]] = [:]
    let timeline = try writer.normalization.timeline(of: pump)
    var cursor = timeline.cursor()
    let journal = try writer.ledger.journal(of: pump, rules: PumpNormalization.copyRules)
    var records: [PumpRecord] = []
    while try journal.next(into: &records) {
      for record in records {
        let instant = cursor.instant(of: PumpNormalization.event(record))
        let reference = EventReference(number: record.number, seconds: record.seconds)
        guard wanted.contains(reference) else { continue }
        var event = ExplainedEvent(
          event: LocatedEvent(reference), wallTime: PumpTime(seconds: record.seconds).shown)
        event.event.id = record.eventID
        event.event.name = EventCatalogue.name(of: record.eventID)
        event.fields = EventCatalogue.details(of: record)
        event.instant = instant
        event.isPlacedByRecords = timeline.usesRecords
        found[reference, default: []].append(event)
      }
      try checkInterruption()
    }
    for place in places {
      explanation.samples[place].events = explanation.samples[place].sample.lineage.flatMap {
        found[$0] ?? [ExplainedEvent(event: LocatedEvent($0), wallTime: $0.shown)]
      }
    }
  }

  /// Adds where the events stand in the sources.
  private func locate(_ explanation: inout Explanation, _ names: [UInt32: String]) throws {
    let wanted = Set(explanation.samples.flatMap(\.sample.lineage))
    let finder = try EventFinder.find(wanted, of: request.sources, names: names)
    for sample in explanation.samples.indices {
      let device = explanation.samples[sample].sample.device
      for event in explanation.samples[sample].events.indices {
        let held = explanation.samples[sample].events[event].event
        explanation.samples[sample].events[event].event.places =
          finder.event(held.reference, of: device).places
      }
    }
  }
}

extension PumpTime {
  /// What the pump's clock showed.
  fileprivate var shown: WallTime { WallTime(secondsSince1970: wallSeconds) }
}

extension EventReference {
  /// What the pump's clock showed.
  fileprivate var shown: WallTime { PumpTime(seconds: seconds).shown }
}
