import Pipeline
import PumpModel

/// What inputs hold, for a person.
struct InspectText {
  /// What was found.
  let summary: InspectSummary
  /// How it is to look.
  let style: TextStyle
  /// Whether long lists are shown to their end.
  let isWhole: Bool

  /// How many lines of a list are shown otherwise.
  private static let limit = 20

  /// The text.
  var text: String {
    let blocks = [documents] + summary.pumps.map(pump) + [rejects]
    return blocks.filter { !$0.isEmpty }
      .map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private var documents: [String] {
    let width = summary.documents.map(\.format.rawValue.count).max() ?? 0
    let entries = summary.documents.map { document in
      let place = "  \(document.format.rawValue.padded(to: width))  \(printable(document.name))"
      let rejected = document.rejected == 0 ? "" : ", \(grouped(document.rejected)) rejected"
      let content =
        content(of: document) + rejected + (document.isMadeUp ? "; made-up data" : "")
      let margin = width + 6
      return broken(place, content, by: margin)
        + remarks(on: document).flatMap { indented($0, by: margin) }
    }
    let others =
      summary.unrecognised == 0
      ? [] : ["  \(counted(summary.unrecognised, "other document")): no pump data"]
    let title = counted(summary.documents.count, "document")
    return [style.bold(title)] + shortened(entries) + others
  }

  private func content(of document: InspectSummary.Document) -> String {
    switch document.format {
    case .pumper: "names of pumps"
    case .fetched: "what was fetched"
    case .har: "a capture, its responses listed apart"
    case let format: counted(document.records, format.holdsRows ? "row" : "record")
    }
  }

  /// What there is to say of a document.
  private func remarks(on document: InspectSummary.Document) -> [String] {
    var remarks: [String] = []
    switch document.format {
    case .sourceCSV, .timelineCSV, .therapyEvents: remarks.append("no basal can be made of it")
    case .suspensionsJSON: remarks.append("no samples are made of it")
    default: break
    }
    let unused = IgnoredReason.allCases.compactMap { reason -> String? in
      guard let count = document.ignored[reason], let words = Self.words(for: reason) else {
        return nil
      }
      return "\(words) (\(grouped(count)))"
    }
    if !unused.isEmpty { remarks.append("not used: " + unused.joined(separator: ", ")) }
    if !document.unknownColumns.isEmpty {
      remarks.append("unknown columns: " + document.unknownColumns.joined(separator: ", "))
    }
    if document.missingBodies > 0 {
      remarks.append(
        counted(document.missingBodies, "response") + " without a body: save those one by one")
    }
    return remarks
  }

  /// What parts are that are not used; nil where the list of events or of columns says it.
  private static func words(for reason: IgnoredReason) -> String? {
    switch reason {
    case .basalRow: "basal that does not say for how long it held"
    case .insulinOnBoardRow: "insulin on board"
    case .incompleteRow: "boluses that have not ended, or meals without theirs"
    case .glucoseNotShown: "glucose that was not shown, high or low"
    case .suspensionRow: "suspensions"
    case .repeatedRow: "boluses told again"
    case .otherRow: "other kinds"
    case .otherOrigin: "other devices, programs or persons"
    case .noHistory: "lines or packets without history"
    case .erasedFlash: "erased flash"
    case .unknownEvent, .noRule, .unknownColumn, .unrecognisedDocument, .specialFile: nil
    }
  }

  private func pump(_ pump: InspectedPump) -> [String] {
    let spans = pump.coverage.spans.map { span in
      "  \(spaced(span.first.wallTime)) to \(spaced(span.last.wallTime)): "
        + size(span.records, of: pump)
    }
    let calendar = CoverageCalendar(coverage: pump.coverage, style: style).lines
    return title(of: pump)
      + section(clock(of: pump), shortened(spans))
      + section("Clock changes", shortened(pump.clockChanges.map(line)))
      + section("Events", events(of: pump)) + section("Rows", rows(of: pump))
      + section("Days", calendar.map { "  " + $0 })
  }

  /// By which clock times are shown.
  private func clock(of pump: InspectedPump) -> String {
    switch pump.instants {
    case 0: "Time on the pump's clock"
    case pump.records: "Time in UTC"
    case let some: "Time on the pump's clock; of \(counted(some, "row")) in UTC"
    }
  }

  private func title(of pump: InspectedPump) -> [String] {
    let name = pump.name.map { "Pump \(printable($0))" } ?? "An unnamed pump"
    let facts = pump.facts
    let model = [facts?.modelName, facts?.softwareVersion.map { "software \($0)" }]
      .compactMap(\.self).map(printable)
    let madeUp = pump.isMadeUp ? ", made up" : ""
    let about = model.isEmpty ? "" : " (\(model.joined(separator: ", ")))"
    var lines = [style.bold(name) + about + madeUp]
    if facts == nil, pump.serial == nil {
      lines.append(
        pump.assignment == nil
          ? "  convert will need --serial NUMBER"
          : "  named by its assignment id: no serial number is known")
    }
    return lines + ["  " + size(pump.records, of: pump)]
  }

  /// A count of what there is of a pump.
  private func size(_ count: Int, of pump: InspectedPump) -> String {
    switch (pump.events.isEmpty, pump.rows.isEmpty) {
    case (true, false): counted(count, "row")
    case (false, false): counted(count, "record or row", plural: "records and rows")
    case (_, true): counted(count, "record")
    }
  }

  private func line(_ change: InspectedPump.ClockChange) -> String {
    let arrow = style.isUnicode ? "→" : "->"
    return "  \(spaced(change.before)) \(arrow) \(spaced(change.after.wallTime))  "
      + duration(change.shiftSeconds)
  }

  private func events(of pump: InspectedPump) -> [String] {
    let rows = pump.events.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { (count: grouped($0.value), name: name(ofEvent: $0.key)) }
    let width = rows.map(\.count.count).max() ?? 0
    return shortened(rows.map { "  \($0.count.leftPadded(to: width))  \($0.name)" })
  }

  private func rows(of pump: InspectedPump) -> [String] {
    let rows = InspectedPump.RowKind.allCases.compactMap { kind in
      pump.rows[kind].map { (count: grouped($0), name: kind.rawValue + Self.use(of: kind)) }
    }
    let width = rows.map(\.count.count).max() ?? 0
    return rows.map { "  \($0.count.leftPadded(to: width))  \($0.name)" }
  }

  /// What a kind of rows needs to become samples.
  private static func use(of kind: InspectedPump.RowKind) -> String {
    switch kind {
    case .bolus, .meal, .mealOfBolus: ""
    case .sensor, .meter: ", with --include glucose"
    case .rate: ", with --include derived-basal"
    }
  }

  private func name(ofEvent id: UInt16) -> String {
    summary.eventNames[id].map { "\($0) (\(id))" } ?? "unknown event \(id)"
  }

  private var rejects: [String] {
    guard summary.rejects.count > 0 else { return [] }
    let rows = summary.rejects.first.flatMap { part in
      broken(
        "  \(printable(part.document))\(part.reject.position.words)",
        printable(part.reject.reason), by: 4)
    }
    let hidden = summary.rejects.hidden
    return [style.bold("\(counted(summary.rejects.count, "part")) of the input cannot be read")]
      + rows + (hidden == 0 ? [] : ["  and \(grouped(hidden)) more"])
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", style.bold(title)] + lines
  }

  /// A place and what there is to say of it, in one line if there is room, else below it.
  private func broken(_ place: String, _ text: String, by margin: Int) -> [String] {
    place.count + 2 + text.count <= style.width
      ? ["\(place): \(text)"] : ["\(place):"] + indented(text, by: margin)
  }

  private func indented(_ text: String, by margin: Int) -> [String] {
    printable(text).wrapped(to: max(20, style.width - margin))
      .map { String(repeating: " ", count: margin) + $0 }
  }

  private func shortened(_ lines: [String]) -> [String] { shortened(lines.map { [$0] }) }

  /// The lines of the first entries of a list.
  private func shortened(_ entries: [[String]]) -> [String] {
    guard !isWhole, entries.count > Self.limit else { return entries.flatMap(\.self) }
    let hidden = grouped(entries.count - Self.limit)
    return entries.prefix(Self.limit).flatMap(\.self) + ["  and \(hidden) more; -v shows all"]
  }
}

/// A shift in days, hours, minutes and seconds, those that are not zero.
private func duration(_ seconds: Int64) -> String {
  let size = seconds.magnitude
  let parts = [
    (size / 86_400, "d"), (size % 86_400 / 3600, "h"), (size % 3600 / 60, "min"), (size % 60, "s"),
  ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  return parts.isEmpty ? "no shift" : (seconds < 0 ? "-" : "+") + parts.joined(separator: " ")
}
