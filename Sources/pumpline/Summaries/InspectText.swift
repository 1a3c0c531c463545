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
    let rows = summary.documents.map { document in
      let rejected = document.rejected == 0 ? "" : ", \(grouped(document.rejected)) rejected"
      return "  \(document.format.rawValue.padded(to: width))  \(printable(document.name)): "
        + content(of: document) + rejected + remarks(on: document)
        + (document.isMadeUp ? "; made-up data" : "")
    }
    let others =
      summary.unrecognised == 0
      ? [] : ["  \(counted(summary.unrecognised, "other document")): no pump data"]
    let title = counted(summary.documents.count, "document")
    return [style.bold(title)] + shortened(rows) + others
  }

  private func content(of document: InspectSummary.Document) -> String {
    switch document.format {
    case .pumper: "names of pumps"
    case .fetched: "what was fetched"
    case .har: "a capture, its responses listed apart"
    case .sourceCSV, .timelineCSV: counted(document.records, "row")
    default: counted(document.records, "record")
    }
  }

  /// What there is to say of an export.
  private func remarks(on document: InspectSummary.Document) -> String {
    var remarks: [String] = []
    switch document.format {
    case .sourceCSV: remarks.append("it holds no basal")
    case .timelineCSV:
      let basal = document.ignored[.basalRow] ?? 0
      remarks.append(
        basal == 0
          ? "it holds no basal" : counted(basal, "row") + " of basal, which no sample is made of")
    case .nightscout, .tidepool, .glooko: break
    default: return ""
    }
    for (reason, words) in [
      (IgnoredReason.insulinOnBoardRow, "insulin on board"), (.incompleteRow, "unfinished boluses"),
      (.glucoseNotShown, "readings that were not shown"), (.otherRow, "other kinds"),
      (.otherOrigin, "other devices, programs or persons"),
    ] {
      if let count = document.ignored[reason] { remarks.append("\(grouped(count)) of \(words)") }
    }
    if !document.unknownColumns.isEmpty {
      remarks.append(
        "unknown columns \(document.unknownColumns.map(printable).joined(separator: ", "))")
    }
    return remarks.isEmpty ? "" : "; " + remarks.joined(separator: "; ")
  }

  private func pump(_ pump: InspectedPump) -> [String] {
    let spans = pump.coverage.spans.map { span in
      "  \(spaced(span.first.wallTime)) to \(spaced(span.last.wallTime)): "
        + counted(span.records, "record")
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
    case let some: "Time on the pump's clock; of \(counted(some, "record")) in UTC"
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
    return lines + ["  " + counted(pump.records, "record")]
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
      pump.rows[kind].map { (count: grouped($0), name: kind.rawValue) }
    }
    let width = rows.map(\.count.count).max() ?? 0
    return rows.map { "  \($0.count.leftPadded(to: width))  \($0.name)" }
  }

  private func name(ofEvent id: UInt16) -> String {
    summary.eventNames[id].map { "\($0) (\(id))" } ?? "unknown event \(id)"
  }

  private var rejects: [String] {
    guard summary.rejects.count > 0 else { return [] }
    let rows = summary.rejects.first.map { part in
      "  \(printable(part.document))\(part.reject.position.words): \(printable(part.reject.reason))"
    }
    let hidden = summary.rejects.hidden
    return [style.bold("\(counted(summary.rejects.count, "part")) of the input cannot be read")]
      + rows + (hidden == 0 ? [] : ["  and \(grouped(hidden)) more"])
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", style.bold(title)] + lines
  }

  private func shortened(_ lines: [String]) -> [String] {
    guard !isWhole, lines.count > Self.limit else { return lines }
    let hidden = grouped(lines.count - Self.limit)
    return lines.prefix(Self.limit) + ["  and \(hidden) more; -v shows all"]
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
