import Pipeline
import PumpModel

/// What a ledger holds, for a person.
struct LedgerStatusText {
  /// What it holds.
  let status: LedgerStatus
  /// Its path.
  let ledger: String
  /// How it is to look.
  let style: TextStyle
  /// Whether long lists are shown to their end.
  let isWhole: Bool

  /// How many lines of a list are shown otherwise.
  private static let limit = 5

  /// The text.
  var text: String {
    var blocks = [head]
    blocks += status.pumps.map(block)
    if !status.outputs.isEmpty { blocks.append(outputs) }
    if !status.requests.isEmpty { blocks.append(pulls) }
    return blocks.joined(separator: "\n")
  }

  private var head: String {
    var lines = LabeledText(style: style)
    let kind =
      (status.kind.map { "keeps \($0)" } ?? "holds nothing yet")
      + (status.isDemo ? " of made-up data" : "")
    lines.add(
      "ledger",
      "\(printable(ledger)): \(kind), \(size(status.bytes)), schema \(status.schema)")
    if let settings = status.settings { add(settings, to: &lines) }
    if !status.documents.isEmpty { lines.add("read", documents) }
    if status.pumps.isEmpty, status.kind != nil { lines.add("pumps", "none") }
    return lines.text
  }

  private func add(_ settings: LedgerStatus.Settings, to lines: inout LabeledText) {
    lines.addLines(
      settings.zones.count == 1 ? "zone" : "zones",
      settings.zones.map { zone in
        let from = zone.from.map { ", from \(spaced(WallTime(secondsSince1970: $0))) on" } ?? ""
        return printable(zone.name) + from
      })
    lines.add(
      "settings",
      "clock \(settings.clock.rawValue), insulin \(settings.insulin.rawValue), "
        + (settings.makesGlucose ? "with" : "without") + " glucose"
        + (settings.derivesBasal ? ", with derived basal" : ""))
  }

  private var documents: String {
    let formats = status.documents.map { count in
      let records = count.records == 0 ? "" : " with \(counted(count.records, "record"))"
      return "\(grouped(count.documents)) \(count.format)\(records)"
    }
    let total = status.documents.reduce(0) { $0 + $1.documents }
    let archives =
      status.archives == 0 ? "" : "; \(counted(status.archives, "archive")) known by digest"
    return "\(counted(total, "document")): \(formats.joined(separator: ", "))\(archives)"
  }

  private var outputs: String {
    var lines = LabeledText(style: style)
    lines.addLines("outputs", shortened(status.outputs.map(owed)))
    return lines.text
  }

  private var pulls: String {
    var lines = LabeledText(style: style)
    lines.add(
      "pulled",
      (status.lastPull.map { "all there was on \(spaced($0.utc)) UTC" } ?? "never all there was")
        + "; \(counted(status.requests.count, "request"))")
    lines.addLines("requests", shortened(status.requests.map(request)))
    return lines.text
  }

  private func request(_ note: RequestNote) -> String {
    let days = note.days.map { days in
      ", \(LocalDay(daysSince1970: days.lowerBound).text) to "
        + LocalDay(daysSince1970: days.upperBound).text
    }
    return "\(spaced(note.at.utc)) UTC \(printable(note.purpose))\(days ?? ""): "
      + (note.status.map { "status \($0)" } ?? "no answer")
      + ", \(grouped(Int(clamping: note.milliseconds))) ms"
  }

  private func owed(_ output: LedgerStatus.Output) -> String {
    let counts = [
      (output.fresh, "fresh"), (output.revised, "revised"), (output.withdrawn, "withdrawn"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let owed = counts.isEmpty ? "owed nothing" : "owed \(counts.joined(separator: ", "))"
    let part = output.isNarrowed ? ", a part of the ledger" : ""
    return "\(printable(output.target)) (\(output.format)\(part)): \(owed)"
  }

  private func block(of pump: LedgerStatus.Pump) -> String {
    var lines = LabeledText(style: style)
    let facts = [pump.model, pump.software.map { "software \($0)" }].compactMap(\.self)
      .map(printable)
    lines.add(
      "pump",
      ([style.bold(printable(pump.name))] + facts).joined(separator: ", "))
    if let other = pump.sameAs {
      lines.add("renamed", "it is pump \(printable(other)); its samples are given as that one's")
      return lines.text
    }
    let aliases = pump.assignments.filter { $0 != pump.name }.map { "assignment \(printable($0))" }
    let serial = pump.serial.flatMap { $0 == pump.name ? nil : "serial \(printable($0))" }
    lines.addLines("also", shortened([serial].compactMap(\.self) + aliases))
    lines.add("records", grouped(pump.records) + span(of: pump))
    lines.addLines("days", shortened(pump.days.map(days)))
    lines.addLines(
      "fetched",
      shortened(
        pump.fetched.map { "\(spaced($0.lowerBound)) to \(spaced($0.upperBound)), its clock" }))
    lines.add("samples", samples(of: pump))
    if pump.pending > 0 { lines.add("pending", counted(pump.pending, "part") + " not finished") }
    if pump.holes > 0 {
      lines.add("holes", "\(counted(pump.holes, "stretch", plural: "stretches")) without data")
    }
    return lines.text
  }

  private func span(of pump: LedgerStatus.Pump) -> String {
    guard let first = pump.first, let last = pump.last else { return "" }
    return ", \(spaced(first.utc)) to \(spaced(last.utc)) UTC"
  }

  private func days(_ span: ClosedRange<LocalDay>) -> String {
    let count = Int(span.upperBound.daysSince1970 - span.lowerBound.daysSince1970) + 1
    let range =
      count == 1 ? span.lowerBound.text : "\(span.lowerBound.text) to \(span.upperBound.text)"
    return "\(range): \(counted(count, "day"))"
  }

  private func samples(of pump: LedgerStatus.Pump) -> String {
    let total = pump.samples.values.reduce(0, +)
    guard total > 0 else { return "none" }
    let kinds = SampleType.allCases.compactMap { type in
      pump.samples[type].map { "\(grouped($0)) \(type.word)" }
    }
    return "\(grouped(total)): \(kinds.joined(separator: ", "))"
  }

  private func shortened(_ lines: [String]) -> [String] {
    guard !isWhole, lines.count > Self.limit else { return lines }
    return lines.prefix(Self.limit) + [
      "and \(grouped(lines.count - Self.limit)) more; -v shows all"
    ]
  }
}

extension Instant {
  /// What a clock at UTC shows.
  var utc: WallTime { WallTime(secondsSince1970: unixSeconds) }
}

/// A wall time with a space between day and hour.
func spaced(_ time: WallTime) -> String { String(time.text.map { $0 == "T" ? " " : $0 }) }

/// A number of bytes as a person reads it.
func size(_ bytes: Int) -> String {
  let units = ["bytes", "kB", "MB", "GB", "TB"]
  var (amount, unit) = (bytes, 0)
  while amount >= 10_000, unit + 1 < units.count {
    amount = (amount + 500) / 1000
    unit += 1
  }
  return "\(grouped(amount)) \(units[unit])"
}
