package import Platform
package import PumpModel

/// Writes the report of a run as JSON, element by element: no list is ever held.
///
/// The sections stand in one order (inputs, rejects, ignored, unknownIds, changes, moved,
/// superseded, pending, holes, findings, incomplete, clocks, rows, days) and are all there, empty ones
/// too. Elements must come in that order; a section begins with its first element and ends with the first one of a later
/// section. Amounts are texts, what is not known is `null`. Times are UTC.
///
/// Files of a person may be named anything: texts are escaped, and a name that is not UTF-8 must
/// have been repaired by whoever made a `String` of it.
package final class ReportWriter {
  /// The sections of a report, in their order.
  private enum Section: String, CaseIterable {
    case inputs, rejects, ignored, unknownIds, changes, moved, superseded
    case pending, holes, findings, incomplete, clocks, rows, days

    /// Whether it is an object with a number for each key, not a list.
    var isObject: Bool { self == .ignored || self == .unknownIds || self == .changes }
  }

  private let file: any OutputFile
  private var json = JSONWriter()
  private var section: Section?
  private var upcoming = Section.allCases[...]

  /// Begins a report at a target.
  package convenience init(
    _ target: OutputTarget, owner: String? = nil
  ) throws(OutputError) {
    self.init(into: try StagedFile(target, owner: owner))
  }

  /// The path under which the report waits to be published.
  package var stagedPath: String? { file.stagedPath }

  /// Begins a report in a file.
  package init(into file: any OutputFile) {
    self.file = file
    json.beginObject()
  }

  /// Ends all sections and seals the file.
  package func seal() throws(OutputError) {
    advance(to: nil)
    json.endObject()
    json.endText()
    try json.buffer.flush(to: file)
    try file.seal()
  }

  /// Publishes the file.
  package func publish() throws(OutputError) { try file.publish() }

  /// Leaves the file to be published later.
  package func leave() { file.leave() }

  /// Discards the file.
  package func discard() { file.discard() }

  /// Opens the section of an element, after ending and opening the ones before it; nil: the end.
  private func advance(to target: Section?) {
    while section != target || target == nil {
      if let section { section.isObject ? json.endObject() : json.endArray() }
      section = upcoming.popFirst()
      guard let section else {
        precondition(target == nil, "elements of a report come in the order of its sections")
        return
      }
      json.endLine()
      json.key(section.rawValue)
      section.isObject ? json.beginObject() : json.beginArray()
    }
  }

  /// Writes an element of a list as an object on a line of its own.
  private func element(
    _ section: Section, _ fields: (inout JSONWriter) -> Void
  ) throws(OutputError) {
    advance(to: section)
    json.endLine()
    json.beginObject()
    fields(&json)
    json.endObject()
    try json.buffer.drain(to: file)
  }

  /// Writes an entry of an object section.
  private func entry(
    _ section: Section, _ key: String, _ count: UInt64
  ) throws(OutputError) {
    advance(to: section)
    json.key(key)
    json.number(Int64(clamping: count))
    try json.buffer.drain(to: file)
  }
}

extension ReportWriter {
  /// Writes a document of this run.
  package func write(_ input: ReportInput) throws(OutputError) {
    try element(.inputs) { json in
      json.field("document", text: input.document)
      json.field("format", text: input.format?.rawValue)
      json.field("sha256", text: input.sha256)
      json.key("pumps")
      json.beginArray()
      for pump in input.pumps { json.text(pump) }
      json.endArray()
      json.field("records", number: Int64(clamping: input.records))
      json.field("used", number: Int64(clamping: input.used))
      json.field("duplicates", number: Int64(clamping: input.duplicates))
      json.field("rejected", number: Int64(clamping: input.rejected))
    }
  }

  /// Writes a reject; one of a whole document has no position.
  package func write(_ reject: ReportReject) throws(OutputError) {
    try element(.rejects) { json in
      json.field("document", text: reject.document)
      switch reject.reject.position {
      case .offset(let offset): json.field("offset", number: Int64(clamping: offset))
      case .line(let line): json.field("line", number: Int64(clamping: line))
      case .index(let index): json.field("index", number: Int64(clamping: index))
      case .whole: break
      }
      json.field("reason", text: reject.reject.reason)
    }
  }

  /// Writes how many records were ignored for a reason; once for each.
  package func write(ignored reason: IgnoredReason, count: UInt64) throws(OutputError) {
    try entry(.ignored, reason.rawValue, count)
  }

  /// Writes how many records of an unknown id there were; once for each.
  package func write(unknownID id: UInt16, count: UInt64) throws(OutputError) {
    try entry(.unknownIds, String(id), count)
  }

  /// Writes what happened to the samples; once.
  package func write(_ changes: ReportChanges) throws(OutputError) {
    try entry(.changes, "fresh", changes.fresh)
    try entry(.changes, "unchanged", changes.unchanged)
    try entry(.changes, "revised", changes.revised)
    try entry(.changes, "withdrawn", changes.withdrawn)
  }

  /// Writes samples that moved in time with the amounts that they had.
  package func write(_ move: ReportMove) throws(OutputError) {
    try element(.moved) { json in
      json.field("code", text: FindingCode.historyMoved.rawValue)
      json.field("pump", text: move.pump)
      json.field("shiftSeconds", number: move.shiftSeconds)
      json.field("count", number: Int64(clamping: move.samples))
      json.field("startAt", instant: move.start)
      json.field("endAt", instant: move.end)
    }
  }

  /// Writes a sample that an output was given and that is to be deleted where it was taken to.
  package func write(_ superseded: ReportSuperseded) throws(OutputError) {
    try element(.superseded) { json in
      json.field("output", text: superseded.output)
      json.field("pump", text: superseded.pump)
      json.field("externalId", text: superseded.externalID)
      json.field("change", text: superseded.old.change?.rawValue)
      json.key("old")
      json.form(superseded.old)
      json.key("new")
      if let new = superseded.new { json.form(new) } else { json.null() }
    }
  }

  /// Writes what is pending.
  package func write(_ pending: ReportPending) throws(OutputError) {
    try element(.pending) { json in
      json.field("pump", text: pending.pump)
      json.field("kind", text: pending.kind)
      json.field("startAt", instant: pending.start)
      json.field("sequence", number: Int64(pending.sequence))
      if let clock = pending.clock {
        json.field("lastSequence", number: Int64(clock.lastSequence))
        json.field("count", number: Int64(clamping: clock.count))
      }
    }
  }

  /// Writes a hole.
  package func write(_ hole: ReportHole) throws(OutputError) {
    try element(.holes) { json in
      json.field("pump", text: hole.pump)
      json.field("startAt", instant: hole.start)
      json.field("endAt", instant: hole.end)
      json.field("reason", text: hole.reason)
    }
  }

  /// Writes a finding.
  package func write(_ finding: ReportFinding) throws(OutputError) {
    try element(.findings) { json in
      json.field("code", text: finding.finding.code.rawValue)
      json.field("severity", text: finding.finding.code.severity.rawValue)
      json.field("pump", text: finding.pump)
      json.field("startAt", instant: finding.finding.start)
      json.field("endAt", instant: finding.finding.end)
      json.field("text", text: finding.finding.text)
    }
  }

  /// Writes a request that never finished.
  package func write(_ incomplete: ReportIncomplete) throws(OutputError) {
    try element(.incomplete) { json in
      json.field("pump", text: incomplete.pump)
      json.field("bolusId", number: Int64(incomplete.bolusID))
      json.field("startAt", instant: incomplete.start)
    }
  }

  /// Writes a stretch of a clock.
  package func write(_ clock: ReportClock) throws(OutputError) {
    try element(.clocks) { json in
      json.field("pump", text: clock.pump)
      json.field("mode", text: clock.mode.rawValue)
      json.field("opened", text: clock.opened)
      json.field("startAt", instant: clock.start)
      json.field("endAt", instant: clock.end)
      json.field("offsetSeconds", number: clock.offset)
      json.field("driftSeconds", number: clock.drift)
      json.field("records", number: Int64(clamping: clock.records))
    }
  }

  /// Writes what became of rows of exports.
  package func write(_ rows: ReportRows) throws(OutputError) {
    try element(.rows) { json in
      json.field("pump", text: rows.pump)
      json.field("source", text: rows.source.word)
      json.field("rows", number: Int64(clamping: rows.account.rows))
      json.field("matched", number: Int64(clamping: rows.account.matched))
      json.field("unmatched", number: Int64(clamping: rows.account.unmatched))
      json.field("mealsOfEvents", number: Int64(clamping: rows.account.mealsOfEvents))
      json.field("readings", number: Int64(clamping: rows.account.readings))
      json.field("matchedReadings", number: Int64(clamping: rows.account.matchedReadings))
      json.field("rates", number: Int64(clamping: rows.account.rates))
      json.field("derivedRates", number: Int64(clamping: rows.account.derived))
    }
  }

  /// Writes a day.
  package func write(_ day: ReportDay) throws(OutputError) {
    try element(.days) { json in
      json.field("pump", text: day.pump)
      json.key("day")
      json.quoted { TimeText.appendDay(day.day, to: &$0) }
      json.field("basal", amount: day.basal, decimals: 6)
      json.field("bolus", amount: day.bolus, decimals: 3)
      json.field("carbs", amount: day.carbs, decimals: 3)
      json.field("deliveredMinutes", minutesOf: day.deliveredSeconds)
      json.field("zeroMinutes", minutesOf: day.zeroSeconds)
      json.field("suspendedMinutes", minutesOf: day.suspendedSeconds)
      json.field("unknownMinutes", minutesOf: day.unknownSeconds)
      json.field("pumpBasal", amount: day.pumpBasal, decimals: 6)
      json.field("difference", amount: day.difference, decimals: 6)
    }
  }
}

extension JSONWriter {
  /// Appends what a sample says, as an object.
  fileprivate mutating func form(_ row: OutputRow) {
    let kind = row.sample.identity.kind
    beginObject()
    field("type", text: kind.type.rawValue)
    field("value", amount: row.sample.amount, decimals: kind.decimals)
    field("unit", text: kind.type.unit)
    field("startAt", instant: row.sample.start)
    field("endAt", instant: row.sample.end)
    field("revision", number: Int64(row.revision))
    endObject()
  }
}
