import Pipeline
import PumpModel

/// The lines at the end of a pull: what was fetched, then what a run says.
struct PullText {
  /// What happened.
  let summary: PullSummary
  /// What had been asked for.
  let request: PullRequest
  /// How it is to look.
  let style: TextStyle

  /// The lines.
  var text: String {
    var lines = LabeledText(style: style)
    if let fresh = summary.freshSince {
      lines.add(
        "fresh", "the last pull ended at \(fresh.utcText); nothing was asked for")
      lines.add("next", "leave --if-stale out to pull all the same")
      return lines.text
    }
    guard !request.convert.isDryRun else {
      addPlan(to: &lines)
      return lines.text
    }
    for (index, pump) in summary.pumps.enumerated() {
      lines.add(index == 0 ? "fetched" : "", sentence(pump))
      for lost in pump.lost {
        lines.add(
          mark: "!", color: style.yellow,
          "history of pump \(printable(pump.name)) from \(lost.lowerBound.text) to "
            + "\(lost.upperBound.text) can no longer be had; this is said once")
      }
    }
    if summary.pumps.isEmpty { lines.add("fetched", "nothing; the account has no pumps") }
    return lines.text
      + ConvertText(summary: summary.convert, request: request.convert, style: style).text
  }

  /// What a run would ask for.
  private func addPlan(to lines: inout LabeledText) {
    let isNothing = summary.planned.isEmpty
    lines.addLines(
      "dry run",
      ["only the account was asked for; a run would ask for\(isNothing ? " nothing else" : "")"])
    lines.addLines(
      "",
      summary.planned.map { window in
        "  pump \(printable(window.pump)), \(window.days.lowerBound.text) to "
          + "\(window.days.upperBound.text) (\(window.lane.rawValue))"
      })
    for pump in summary.pumps {
      let name = "pump \(printable(pump.name))"
      if !pump.hasUploads { lines.add("", "\(name): nothing was ever uploaded") }
      if pump.walksOn {
        lines.add("", "\(name): and further back, as long as answers hold events")
      }
      for lost in pump.lost {
        lines.add(
          mark: "!", color: style.yellow,
          "history of \(name) from \(lost.lowerBound.text) to \(lost.upperBound.text) can no longer "
            + "be had")
      }
    }
    lines.add("next", "leave --dry-run out, and this is what happens")
  }

  private func sentence(_ pump: PullSummary.Pump) -> String {
    let name = "pump \(printable(pump.name))"
    guard pump.hasUploads else { return "\(name): nothing was ever uploaded" }
    guard let days = pump.days else { return "\(name): nothing can be had of the time asked for" }
    let span = "\(name), \(days.lowerBound.text) to \(days.upperBound.text)"
    guard pump.answers > 0 else { return "\(span): nothing was missing" }
    return "\(span): \(counted(pump.answers, "answer")) with \(counted(pump.records, "record"))"
  }
}

extension Instant {
  /// The instant in UTC, as `2026-05-04T06:00:00Z`.
  var utcText: String { WallTime(secondsSince1970: unixSeconds).text + "Z" }
}

/// What a pull did, for programs.
enum PullJSON {
  /// The whole answer: that of `convert`, with what was fetched.
  static func value(of summary: PullSummary, _ request: PullRequest) -> JSONValue {
    guard case .object(var members) = ConvertJSON.value(of: summary.convert, request.convert) else {
      return .null
    }
    members.append(
      (
        "pull",
        .object([
          ("fetched", .array(summary.pumps.map(pump))),
          ("planned", .array(summary.planned.map(window))),
          ("requests", .count(summary.requests)),
          ("freshSince", .text(summary.freshSince?.utcText)),
          ("failure", .text(summary.failure?.what)),
        ])
      ))
    return .object(members)
  }

  private static func window(_ window: PullSummary.Window) -> JSONValue {
    .object([
      ("pump", .string(window.pump)), ("lane", .string(window.lane.rawValue)),
      ("firstDay", .string(window.days.lowerBound.text)),
      ("lastDay", .string(window.days.upperBound.text)),
    ])
  }

  private static func pump(_ pump: PullSummary.Pump) -> JSONValue {
    .object([
      ("name", .string(pump.name)),
      ("firstDay", .text(pump.days?.lowerBound.text)),
      ("lastDay", .text(pump.days?.upperBound.text)),
      ("answers", .count(pump.answers)), ("records", .count(pump.records)),
      (
        "lost",
        .array(
          pump.lost.map {
            .object([
              ("firstDay", .string($0.lowerBound.text)), ("lastDay", .string($0.upperBound.text)),
            ])
          })
      ),
      ("hasUploads", .boolean(pump.hasUploads)), ("walksOn", .boolean(pump.walksOn)),
    ])
  }
}
