import Audit
import Deduplicate
import Emit
import Platform
import PumpModel

/// One run of `audit`: looks at an output by itself, makes the samples of sources again, as `convert`
/// does, and compares the output with them.
struct AuditRun {
  let request: AuditRequest
  let events: (RunEvent) -> Void
  /// Is told every difference, by time.
  let report: (ExplainedDifference) throws -> Void
  /// What is kept for the page; nil: none is asked for.
  private let notes: PageNotes?

  init(
    request: AuditRequest, events: @escaping (RunEvent) -> Void,
    report: @escaping (ExplainedDifference) throws -> Void
  ) {
    self.request = request
    self.events = events
    self.report = report
    notes = request.page.map { _ in PageNotes() }
  }

  /// The events of so many differences are looked for in the sources.
  static let mostExplained = 1000

  /// Runs.
  func run() throws -> ComparisonSummary {
    let store = try SampleStore()
    var summary = ComparisonSummary()
    summary.failsOn = request.failsOn
    let acceptances = try request.accepted.map { try AcceptanceFile(path: $0).read() } ?? []
    summary.accepted = acceptances.map(AcceptedFindings.init)
    try checkPage()
    events(.reading(document: request.output == "-" ? "standard input" : request.output))
    var reader = OutputReader(
      store: store, side: .second, selection: request.sources.selection,
      waitSeconds: request.sources.waitSeconds)
    reader.looksAtForm = true
    // Nothing is compared, and nobody asks for days.
    reader.isBrief = request.sources.inputs.isEmpty && !wantsDays
    let output = try reader.read(request.output)
    summary.sets = [output]
    let schedule = try schedule(store)
    for finding in output.findings { take(finding, of: nil, schedule, &summary) }
    try OutputChecks(
      store, side: .second, form: output.form ?? .ledger,
      concentration: request.sources.insulin ?? .u100,
      now: request.sources.now ?? HostClock.system.now, goesOn: { try checkInterruption() }
    ).run { take($0, of: $1, schedule, &summary) }
    if !request.sources.inputs.isEmpty { try compare(output, reader, schedule, &summary) }
    if request.page != nil || request.tellsDays {
      var days = PageDays(schedule)
      try store.forEachSample(of: .second) { days.add($0) }
      if request.tellsDays { summary.days = days.plotted }
      try checkInterruption()
      try writePage(store, &days, summary)
    }
    return summary
  }

  /// Refuses a page that would replace what the audit reads, or cannot be written at all.
  private func checkPage() throws {
    guard let page = request.page else { return }
    let read = [request.output] + request.sources.inputs + [request.accepted].compactMap(\.self)
    guard page != "-", !read.contains(where: { SameFile.isSame($0, page) }) else {
      throw RunFailure(
        .usage,
        what: page == "-"
          ? "a page cannot be standard output, which has the answer"
          : "the page would be written over what the audit reads",
        where: "--html", next: "Name a file of its own, such as --html audit.html.")
    }
    try OutputTarget.file(page).check()
  }

  /// Writes the page that was asked for.
  private func writePage(
    _ store: SampleStore, _ days: inout PageDays, _ summary: ComparisonSummary
  ) throws {
    guard let path = request.page, let notes else { return }
    events(.writing(target: path))
    let content = notes.content(summary, madeAt: request.sources.now ?? HostClock.system.now)
    for entry in content.findings + content.accepted + content.differences {
      if let start = entry.start { days.note(at: start) }
    }
    for hole in content.holes { days.note(hole.hole) }
    let page = try AuditPage(at: path, content, days)
    do {
      try page.writeHead()
      var written = 0
      try store.forEachSample(of: .second) { sample in
        try page.write(sample)
        written += 1
        if written % 4096 == 0 { try checkInterruption() }
      }
      try page.seal()
      try page.publish()
    } catch {
      page.discard()
      throw error
    }
  }

  /// Whether it matters on which local day a sample or a finding is.
  private var wantsDays: Bool {
    request.accepted != nil || request.page != nil || request.tellsDays
  }

  /// The zones of local days; UTC where nobody asks for days.
  private func schedule(_ store: SampleStore) throws -> ZoneSchedule {
    guard wantsDays else { return .utc }
    return try AuditDays.schedule(of: request.sources, store, .second)
  }

  private func take(
    _ finding: Finding, of pump: String?, _ schedule: ZoneSchedule,
    _ summary: inout ComparisonSummary
  ) {
    let finding = PumpFinding(finding: finding, pump: pump)
    if !accepts(finding, schedule, &summary) { summary.add(finding.finding) }
  }

  private func accepts(
    _ finding: PumpFinding, _ schedule: ZoneSchedule, _ summary: inout ComparisonSummary
  ) -> Bool {
    let day = finding.finding.start.map { schedule.localDay(at: $0) }
    let acceptance = summary.accept(finding, on: day)
    notes?.add(finding, reason: acceptance?.reason)
    return acceptance != nil
  }

  /// Compares the output with what the sources give.
  private func compare(
    _ output: ComparedSet, _ reader: OutputReader, _ schedule: ZoneSchedule,
    _ summary: inout ComparisonSummary
  ) throws {
    let store = reader.store
    var eventFindings: [Finding] = []
    var sources = ComparedSet(name: request.sources.inputs[0], form: nil)
    var names: [UInt32: String] = [:]
    var found = summary
    let converted = try ConvertRun(request: request.sources, events: events) {
      writer, pumpNames in
      names = pumpNames
      sources.samples = try writer.add(to: store, showsZeroBasal: output.form)
      // All of them, which a run's summary no longer has.
      try LedgerFindings(ledger: writer.ledger).forEach { pump, finding in
        let finding = PumpFinding(finding: finding, pump: pump)
        if !accepts(finding, schedule, &found) { found.add(ofSources: finding) }
      }
      try notes?.take(clocksAndHolesOf: writer.ledger)
      if output.form == .sqlite {
        eventFindings = try reader.compareEvents(of: output.name, with: writer)
      }
    }.run()
    summary = found
    for finding in eventFindings { take(finding, of: nil, schedule, &summary) }
    sources.rejects = converted.rejects.count
    summary.sets = [sources, output]
    summary.pending = converted.pending
    summary.holes = converted.holes
    try summary.compare(store)
    if summary.differenceCount > 0 { try explain(store, names) }
  }

  /// Reports the differences, the first of them with the places of their events and rows.
  private func explain(_ store: SampleStore, _ names: [UInt32: String]) throws {
    var wanted = SampleOrigins()
    var count = 0
    try store.forEachDifference { difference in
      count += 1
      if count <= Self.mostExplained { wanted.add(SampleOrigin(of: difference)) }
    }
    let finder = try SourceFinder.find(wanted, of: request.sources, names: names)
    count = 0
    try store.forEachDifference { difference in
      count += 1
      var explained = ExplainedDifference(difference)
      explained.rule = difference.first.map(SampleRule.words)
      let origin = SampleOrigin(of: difference)
      let device = (difference.first ?? difference.second)?.device
      let isLookedFor = count <= Self.mostExplained
      explained.events = origin.events.map {
        isLookedFor ? finder.event($0, of: device) : LocatedEvent($0)
      }
      explained.row = origin.row.map {
        isLookedFor ? finder.row($0, of: device) : LocatedRow($0)
      }
      notes?.add(explained)
      try report(explained)
    }
  }
}

extension OutputWriter {
  /// Adds what an output would show to a store, and says how many samples that are.
  fileprivate func add(to store: SampleStore, showsZeroBasal form: OutputForm?) throws -> Int {
    let holdsZero = form == .csv || form == .sqlite || form == .ledger
    let showsZero = request.selection.keepsZeroBasal && holdsZero
    let samples = try OrderedSamples(
      ledger, pumps: pumps, selection: selection(showsZero: showsZero), order: .device)
    let context = OutputContext(
      schedule: schedule, pumps: pumps.map(\.label), newestEnd: samples.newestEnd,
      statusWords: try ledger.statusWords(), names: try ledger.names())
    return try store.add(samples, WrittenRows(context, tellsZones: true), to: .first)
  }
}

extension PageDays {
  /// The days that have samples, in order.
  fileprivate var plotted: [PlottedDay] {
    numbers.compactMap { number in
      guard let day = byDay[number], day.hours > 0 else { return nil }
      return PlottedDay(
        day: LocalDay(daysSince1970: number), basal: day.basal.micro, bolus: day.bolus.micro,
        hours: day.hours)
    }
  }
}

extension WrittenAmount {
  /// The amount in millionths of the unit, rounded.
  fileprivate var micro: Int64 { (max(parts, 0) / 100_000 + 5) / 10 }
}
