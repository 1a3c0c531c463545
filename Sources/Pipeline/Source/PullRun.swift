import Deduplicate
import Emit
import Extract
import Platform
import PumpModel

/// One run of `pull`: asks for what a ledger lacks, window by window, and writes the outputs.
///
/// Each window is a run of its own: what it gives, and that it was fetched, is committed at once,
/// and no transaction of the ledger spans a wait for the network.
final class PullRun {
  private let request: PullRequest
  private let network: Network
  private let events: (RunEvent) -> Void
  private let now: Instant
  private var notes: [RequestNote] = []
  private var noted = 0
  private var pumps: [PumpPull] = []
  private var summary = PullSummary()
  private var total = ConvertSummary()
  private let pulled = PulledDocuments()
  private var raw: RawAnswers?
  private var lastFailure: SourceFailure?

  /// Answers this young need no pull.
  private static let freshSeconds: Int64 = 4 * 3600

  /// What becomes of one pump.
  private struct PumpPull {
    var plan: PumpPlan
    var told: PullSummary.Pump
    /// Whether nothing more is asked for it.
    var hasFailed = false
  }

  init(request: PullRequest, network: Network, events: @escaping (RunEvent) -> Void) {
    self.request = request
    self.network = network
    self.events = events
    now = request.convert.now ?? HostClock.system.now
  }

  /// Pulls.
  ///
  /// - Throws: `RunFailure` and others that `RunFailure` sorts, if nothing at all could be fetched,
  ///   or the run was to end; what was fetched by then is kept.
  func run() throws -> PullSummary {
    let known = try checkBeforeAsking()
    if request.onlyIfStale, let last = known.lastPull,
      last <= now, now < last + Self.freshSeconds
    {
      summary.freshSince = last
      return summary
    }
    if !isDry {
      raw = try request.rawFolder.map { path throws(OutputError) in try RawAnswers(folder: path) }
    }
    do {
      let access = SourceAccess(request: request.login, network: network)
      let client = try access.client { [self] in notes.append($0) }
      let account = try client.account()
      try raw?.keep(account.bytes, as: "pumper")
      pumps = try wanted(of: account).map { pump in
        let plan = PumpPlan(
          pump: pump, fetches: try known.fetches(pump.assignment), limits: limits, now: now)
        return PumpPull(plan: plan, told: told(of: plan))
      }
      guard !isDry else { return plan() }
      for lane in lanes { try fetch(lane, by: client, account) }
      return try finish(account)
    } catch {
      keepNotes()
      if (error as? RunFailure) == .interrupted { throw RunFailure.interruptedPull }
      throw error
    }
  }

  /// Whether nothing but the account is asked for, and nothing kept.
  private var isDry: Bool { request.convert.isDryRun }

  private var lanes: [PullLane] {
    if let lane = request.lane { return [lane] }
    return isOfSomeTime ? [.recent] : [.recent, .changes, .backfill]
  }

  /// Whether some time was asked for, and not what is missing.
  private var isOfSomeTime: Bool { limits.from != nil || limits.until != nil }

  /// What the run may ask for.
  ///
  /// Where an instant meets a pump's clock is not known before the clock's records are, so it counts
  /// in the widest sense.
  private var limits: PullLimits {
    let widest: Int64 = 14 * 3600
    func seconds(_ bound: SelectionBound?, wider: Int64) -> Int64? {
      switch bound {
      case .day(let day): day.daysSince1970 * 86_400
      case .instant(let instant): instant.unixSeconds + wider
      case nil: nil
      }
    }
    let selection = request.convert.selection
    return PullLimits(
      from: seconds(selection.from, wider: -widest), until: seconds(selection.until, wider: widest),
      since: request.since.map { $0.daysSince1970 * 86_400 }, availableDays: request.availableDays)
  }
}

// MARK: - Before and after

extension PullRun {
  /// What a ledger knows before the run.
  private struct Known {
    var lastPull: Instant?
    var fetches: (String) throws -> PumpFetches
  }

  /// Says what is wrong before anybody is asked for anything, and looks at what is known.
  private func checkBeforeAsking() throws -> Known {
    guard let path = request.convert.ledger else {
      throw RunFailure(
        .usage, what: "a pull needs a ledger, which remembers what was fetched",
        next: "Name a file: --ledger pump.ledger")
    }
    _ = try OutputPlan(request.convert)
    // Nothing is made where the login may still fail.
    let ledger = try Ledger(
      .forDryRun(path), waitMilliseconds: Int32(clamping: request.convert.waitSeconds * 1000))
    try ledger.check(kind: .events)
    _ = try RunSettings(request.convert, held: ledger.settings(), known: KnownZones())
    return Known(lastPull: try ledger.lastPull()) { try ledger.fetches(of: $0) }
  }

  /// The pumps of the account that are asked for.
  private func wanted(of account: SourceAccount) throws(RunFailure) -> [SourcePump] {
    let names = request.convert.selection.pumps
    guard !names.isEmpty else { return account.pumps }
    for name in names
    where !account.pumps.contains(where: { $0.assignment == name || $0.serial == name }) {
      throw RunFailure(
        .usage, what: "the account has no pump \(name)", where: "--pump",
        next: account.pumps.isEmpty
          ? "It has no pump at all."
          : "It has \(account.pumps.map(\.name).joined(separator: ", ")).")
    }
    return account.pumps.filter { names.contains($0.assignment) || names.contains($0.name) }
  }

  /// What is to be told of a pump before anything is fetched.
  private func told(of plan: PumpPlan) -> PullSummary.Pump {
    var told = PullSummary.Pump(name: plan.pump.name)
    told.hasUploads = !plan.pump.isEmpty
    if told.hasUploads {
      let wanted = lanes.map { plan.wanted($0) }.filter { !$0.isEmpty }
      if let first = wanted.map(\.lowerBound).min(), let end = wanted.map(\.upperBound).max() {
        told.days = LocalDay.days(of: first..<end)
      }
    }
    told.lost = plan.lost().ranges.map { LocalDay.days(of: $0) }
    return told
  }

  /// What would be asked for, as far as no answer decides it.
  private func plan() -> PullSummary {
    for lane in lanes {
      var hasPlanned = true
      while hasPlanned {
        hasPlanned = false
        for index in pumps.indices {
          guard let window = pumps[index].plan.next(lane) else { continue }
          hasPlanned = true
          summary.planned.append(
            PullSummary.Window(
              pump: pumps[index].told.name, lane: lane, days: LocalDay.days(of: window.seconds)))
        }
      }
    }
    if lanes.contains(.backfill) {
      for index in pumps.indices {
        pumps[index].told.walksOn = pumps[index].told.hasUploads && pumps[index].plan.walksOn
      }
    }
    summary.pumps = pumps.map(\.told)
    summary.requests = notes.count
    return summary
  }

  /// Writes the outputs, and keeps what holds of the pull as a whole.
  private func finish(_ account: SourceAccount) throws -> PullSummary {
    for index in pumps.indices { pumps[index].plan.tell(pumps[index].plan.lost()) }
    var answers = AnswerImport(documents: [("account answer", account.bytes)])
    answers.before = pulled
    answers.keep = { [self] ledger, _, _ in
      try ledger.keep(requests: Array(notes[noted...]))
      for pump in pumps {
        let assignment = pump.plan.pump.assignment
        try ledger.keep(lost: pump.plan.fetches.toldLost, of: assignment)
        if let seen = seen(of: pump) { try ledger.keep(seen: seen, of: assignment) }
      }
      if summary.failure == nil, !isOfSomeTime { try ledger.keep(pulledAt: now) }
    }
    let last = try ConvertRun(request: request.convert, answers: answers, events: events).run()
    noted = notes.count
    summary.convert = total.followed(by: last)
    for moved in pulled.moves {
      for finding in moved.findings {
        summary.convert.add(finding, pump: moved.pump.label.name)
      }
    }
    summary.pumps = pumps.map(\.told)
    summary.requests = notes.count
    return summary
  }

  /// What the account said of a pump, if its changes were read up to that.
  private func seen(of pump: PumpPull) -> PumpFetches.Seen? {
    guard !pump.hasFailed, summary.failure == nil else { return nil }
    let isFirst = pump.plan.fetches.seen == nil
    guard isFirst || (lanes.contains(.changes) && pump.plan.missing(.changes).isEmpty) else {
      return nil
    }
    return PumpFetches.Seen(
      lastUpload: pump.plan.pump.lastUpload, newest: pump.plan.pump.newest)
  }

  /// Keeps what was asked by a run that ends early, if there is a ledger; the failure counts more
  /// than its log.
  private func keepNotes() {
    guard !isDry, let path = request.convert.ledger, noted < notes.count,
      let ledger = try? Ledger(.existing(path), waitMilliseconds: 1000)
    else { return }
    try? ledger.begin()
    try? ledger.keep(requests: Array(notes[noted...]))
    try? ledger.commit()
  }
}

// MARK: - Windows

extension PullRun {
  /// Asks for all that a lane lacks: a window of each pump in turn, the newest first.
  private func fetch(
    _ lane: PullLane, by client: SourceClient, _ account: SourceAccount
  ) throws {
    while true {
      var hasAsked = false
      for index in pumps.indices where !pumps[index].hasFailed {
        guard summary.failure == nil || mayGoOn, let window = pumps[index].plan.next(lane) else {
          continue
        }
        hasAsked = true
        try fetch(window, ofPumpAt: index, by: client, account)
      }
      guard hasAsked else { return }
    }
  }

  /// Whether the last failure leaves hope for other requests.
  private var mayGoOn: Bool { lastFailure?.concernsOneRequest ?? true }

  private func fetch(
    _ window: FetchWindow, ofPumpAt index: Int, by client: SourceClient, _ account: SourceAccount
  ) throws {
    let pump = pumps[index].plan.pump
    do {
      let bytes = try client.pumpLogs(of: pump.assignment, days: window.asked)
      try take(bytes, of: window, pumpAt: index, account)
    } catch let failure as SourceFailure {
      if failure == .interrupted { throw failure }
      // Two halves of a window may pass where the whole is too much, but not without end.
      if failure.mayPassInParts, pumps[index].plan.halve(window) { return }
      lastFailure = failure
      pumps[index].hasFailed = true
      var told = RunFailure(failure)
      told.next = [told.next, "What was fetched is kept."].compactMap(\.self).joined(separator: " ")
      summary.failure = summary.failure ?? told
    }
  }

  /// Imports an answer, and keeps that it was fetched.
  private func take(
    _ bytes: [UInt8], of window: FetchWindow, pumpAt index: Int, _ account: SourceAccount
  ) throws {
    let pump = pumps[index].plan.pump
    let days = LocalDay.days(of: window.seconds)
    try raw?.keep(
      bytes,
      as: "pump-logs-\(pump.assignment)-\(days.lowerBound.text)-\(days.upperBound.text)")
    let census = DayCensus(of: pump.assignment)
    var plan = pumps[index].plan
    var answers = AnswerImport(documents: [
      ("account answer", account.bytes),
      ("pump-logs of \(pump.name), \(days.lowerBound.text) to \(days.upperBound.text)", bytes),
    ])
    answers.onRecord = { census.take($0, of: $1) }
    answers.onCommitted = { [pulled] in try pulled.add($0) }
    answers.keep = { [self] ledger, digests, _ in
      let proven = plan.take(window, eventDays: census.days, newestEvent: census.newest)
      try ledger.keep(fetched: proven, of: pump.assignment, document: digests[1])
      // Before the ledger promises never to ask again.
      if !proven.isEmpty {
        try raw?.keep(
          FetchedDocument.bytes(proven, of: pump.assignment), as: "fetched-\(pump.assignment)")
      }
      try ledger.keep(requests: Array(notes[noted...]))
    }
    do {
      total.add(try ConvertRun(request: windowRequest, answers: answers, events: tell).run())
    } catch {
      throw answers.failure ?? error
    }
    noted = notes.count
    pumps[index].plan = plan
    pumps[index].told.answers += 1
    pumps[index].told.records += census.records
    events(.fetched(pump: pump.name, days: days, records: census.records))
  }

  /// A run that reads a window and writes nothing but the ledger.
  private var windowRequest: ConvertRequest {
    var request = request.convert
    request.outputs = []
    request.report = nil
    request.tellsProgress = false
    // A pump may get its name from a later window than the first.
    request.selection.pumps = []
    return request
  }

  /// Passes on what goes on within a window.
  private func tell(_ event: RunEvent) {
    switch event {
    case .waiting, .reading: events(event)
    case .writing, .progress, .fetched: return
    }
  }
}

extension ConvertSummary {
  /// Adds what a window brought.
  fileprivate mutating func add(_ window: ConvertSummary) {
    // The account's answer is read with every window and counts once, at the end.
    documents += max(0, window.documents - 1)
    for name in window.pumps where !pumps.contains(name) { pumps.append(name) }
    records.read += window.records.read
    records.used += window.records.used
    records.duplicates += window.records.duplicates
    records.ignored += window.records.ignored
    records.rejected += window.records.rejected
    rejects.add(window.rejects)
    for (type, counts) in window.changes {
      changes[type, default: ChangeCounts()].fresh += counts.fresh
      changes[type, default: ChangeCounts()].revised += counts.revised
      changes[type, default: ChangeCounts()].withdrawn += counts.withdrawn
    }
  }

  /// The whole of some windows and the run behind them, which saw all samples.
  fileprivate func followed(by last: ConvertSummary) -> ConvertSummary {
    var whole = last
    whole.documents += documents
    whole.pumps = (pumps + last.pumps.filter { !pumps.contains($0) }).sorted()
    whole.records = records
    whole.rejects = rejects
    for (type, counts) in changes {
      var sum = whole.changes[type] ?? ChangeCounts()
      sum.unchanged = max(0, sum.unchanged - counts.fresh - counts.revised)
      sum.fresh += counts.fresh
      sum.revised += counts.revised
      sum.withdrawn += counts.withdrawn
      whole.changes[type] = sum
    }
    return whole
  }
}
