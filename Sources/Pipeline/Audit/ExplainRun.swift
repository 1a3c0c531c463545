import Audit
import Decode
import Deduplicate
import Emit
import Normalize
import Platform
import PumpModel

/// One run of `explain`: makes the samples of sources again, or opens a ledger, and tells where a
/// sample comes from, or why there is none.
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

  private func explain(_ writer: OutputWriter, _ explanation: inout Explanation) throws {
    switch request.subject {
    case .sample(let id):
      try addSamples(writer, &explanation, where: { $0.externalID == id })
      if explanation.samples.isEmpty, let id = ExternalID(Array(id.utf8)) {
        let pump = id.pump.isEmpty ? nil : String(decoding: id.pump, as: UTF8.self)
        try explain(SampleOrigin(of: id), of: pump, writer, &explanation)
      }
    case .event(let reference):
      try explain(SampleOrigin(of: reference), of: nil, writer, &explanation)
    case .moment(let instant): try explain(instant, writer, &explanation)
    }
    explanation.samples.sort { $0.sample.start < $1.sample.start }
    for pump in writer.pumps { try addOrigins(of: pump, writer, &explanation) }
  }

  /// Explains what an event or a row gave, or why it gave nothing; of a pump, if one is named.
  private func explain(
    _ origin: SampleOrigin, of name: String?, _ writer: OutputWriter,
    _ explanation: inout Explanation
  ) throws {
    try addSamples(
      writer, &explanation,
      where: { sample in
        guard name == nil || sample.device == name else { return false }
        let own = SampleOrigin(of: sample)
        if let row = origin.row { return own.row == row }
        return own.row == nil && own.events.contains(where: origin.events.contains)
      })
    let samples = explanation.samples.map(\.sample)
    for pump in writer.pumps where name == nil || pump.label.name == name {
      if let row = origin.row {
        guard samples.isEmpty else { continue }
        if let silent = try RowSearch(writer: writer, pump: pump).silent(row) {
          explanation.silentRows.append(silent)
        }
        continue
      }
      let search = try JournalSearch(writer, pump)
      for reference in origin.events {
        let silent = try search.silent(reference) {
          Self.isTold($0, by: samples.filter { $0.device == pump.label.name })
        }
        explanation.silentEvents += silent
        let isKnown =
          !silent.isEmpty
          || samples.contains {
            $0.device == pump.label.name && $0.lineage.contains(reference)
          }
        guard !isKnown, name != nil || writer.pumps.count == 1 else { continue }
        if let found = try search.surroundings(of: reference) {
          explanation.surroundings.append(found)
        }
      }
    }
  }

  private func explain(
    _ instant: Instant, _ writer: OutputWriter, _ explanation: inout Explanation
  ) throws {
    try addSamples(writer, &explanation, where: { _ in true })
    try writer.ledger.forEachHole { pump, hole in
      guard hole.contains(instant) else { return }
      explanation.holes.append(PumpHole(pump: pump, hole: hole))
    }
    for pump in writer.pumps {
      let samples = explanation.samples.map(\.sample).filter { $0.device == pump.label.name }
      let search = try JournalSearch(writer, pump)
      explanation.silentEvents += try search.silent(at: instant) {
        Self.isTold($0, by: samples)
      }
      guard !samples.contains(where: { $0.type == .basal }) else { continue }
      if let found = try search.surroundings(of: instant) {
        explanation.surroundings.append(found)
      }
    }
  }

  /// Whether samples tell all that an event gave: its own basal, if it is evidence of a rate, which may
  /// end another's as well.
  private static func isTold(_ event: TimedEvent, by samples: [WrittenSample]) -> Bool {
    let reference = event.event.reference
    return samples.contains { sample in
      if event.mayTellRate, sample.type == .basal { return sample.lineage.first == reference }
      return sample.lineage.contains(reference)
    }
  }

  // MARK: Samples

  private func addSamples(
    _ writer: OutputWriter, _ explanation: inout Explanation,
    where isMeant: (WrittenSample) -> Bool
  ) throws {
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
  }

  /// What can be told before a sample is put into words.
  private func mayBeMeant(_ sample: Sample) -> Bool {
    guard case .moment(let instant) = request.subject else { return true }
    return sample.start == instant || sample.start < instant && instant < sample.end
  }

  private static func explained(_ sample: WrittenSample) -> ExplainedSample {
    var explained = ExplainedSample(sample: sample, rule: SampleRule.words(of: sample))
    explained.note = SampleRule.note(on: sample)
    if sample.type == .basal,
      let rate = sample.metadata.entries.first(where: { $0.name == "rate" })?.text
    {
      explained.arithmetic =
        "\(rate) U/h for \(sample.end - sample.start) s is \(sample.amount.text) IU"
    }
    return explained
  }

  // MARK: Events and rows

  /// Adds what the journal holds of the samples of a pump.
  private func addOrigins(
    of pump: LedgerPump, _ writer: OutputWriter, _ explanation: inout Explanation
  ) throws {
    let places = explanation.samples.indices.filter {
      explanation.samples[$0].sample.device == pump.label.name
    }
    let wanted = Set(places.flatMap { explanation.samples[$0].sample.lineage })
    let found = wanted.isEmpty ? [:] : try JournalSearch(writer, pump).events(wanted)
    for place in places {
      let sample = explanation.samples[place].sample
      explanation.samples[place].events = sample.lineage.flatMap {
        found[$0] ?? [ExplainedEvent(event: LocatedEvent($0), wallTime: $0.shown)]
      }
      if let row = SampleOrigin(of: sample).row {
        explanation.samples[place].row = try RowSearch(writer: writer, pump: pump).row(row)
      }
    }
  }

  /// Adds where events and rows stand in the sources.
  private func locate(_ explanation: inout Explanation, _ names: [UInt32: String]) throws {
    var wanted = SampleOrigins()
    explanation.forEachOrigin { events, row, _ in
      for event in events { wanted.add(SampleOrigin(of: event.event.reference)) }
      if let row { wanted.add(SampleOrigin(of: row.row.reference)) }
    }
    let finder = try SourceFinder.find(wanted, of: request.sources, names: names)
    explanation.forEachOrigin { events, row, pump in
      for index in events.indices {
        events[index].event.places = finder.event(events[index].event.reference, of: pump).places
      }
      if let reference = row?.row.reference {
        row?.row.places = finder.row(reference, of: pump).places
      }
    }
  }
}

extension Explanation {
  /// Hands on the events and the row of each thing that is explained, with its pump.
  fileprivate mutating func forEachOrigin(
    _ body: (inout [ExplainedEvent], inout ExplainedRow?, String?) -> Void
  ) {
    var none: ExplainedRow?
    for index in samples.indices {
      var explained = samples[index]
      body(&explained.events, &explained.row, explained.sample.device)
      samples[index] = explained
    }
    for index in silentEvents.indices {
      var events = [silentEvents[index].event]
      body(&events, &none, silentEvents[index].pump)
      silentEvents[index].event = events[0]
    }
    for index in silentRows.indices {
      var (events, row): ([ExplainedEvent], ExplainedRow?) = ([], silentRows[index].row)
      body(&events, &row, silentRows[index].pump)
      silentRows[index].row = row ?? silentRows[index].row
    }
    for index in surroundings.indices {
      let pump = surroundings[index].pump
      var around = [surroundings[index].before].compactMap(\.self)
      body(&around, &none, pump)
      surroundings[index].before = around.first
      around = [surroundings[index].after].compactMap(\.self)
      body(&around, &none, pump)
      surroundings[index].after = around.first
    }
  }
}
