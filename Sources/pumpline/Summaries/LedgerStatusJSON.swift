import Pipeline
import PumpModel

/// What a ledger holds, for programs; keys are added in later versions, never renamed.
enum LedgerStatusJSON {
  /// The whole answer.
  static func value(of status: LedgerStatus) -> JSONValue {
    .object([
      ("kind", .text(status.kind)),
      ("dataSource", .text(status.isDemo ? DemoData.label : nil)),
      ("schema", .count(status.schema)),
      ("bytes", .count(status.bytes)), ("settings", status.settings.map(settings) ?? .null),
      ("documents", .array(status.documents.map(documents))),
      ("archives", .count(status.archives)), ("pumps", .array(status.pumps.map(pump))),
      ("outputs", .array(status.outputs.map(output))),
      ("lastPullAt", .text(status.lastPull.map(utc))),
      ("requests", .array(status.requests.map(request))),
    ])
  }

  private static func request(_ note: RequestNote) -> JSONValue {
    .object([
      ("at", .string(utc(note.at))), ("purpose", .string(note.purpose)),
      ("status", note.status.map(JSONValue.count) ?? .null),
      ("firstDay", .text(note.days.map { LocalDay(daysSince1970: $0.lowerBound).text })),
      ("lastDay", .text(note.days.map { LocalDay(daysSince1970: $0.upperBound).text })),
      ("milliseconds", .count(Int(clamping: note.milliseconds))),
    ])
  }

  private static func output(_ output: LedgerStatus.Output) -> JSONValue {
    .object([
      ("format", .string(output.format)), ("target", .string(output.target)),
      ("narrowed", .boolean(output.isNarrowed)), ("owedFresh", .count(output.fresh)),
      ("owedRevised", .count(output.revised)), ("owedWithdrawn", .count(output.withdrawn)),
    ])
  }

  private static func settings(_ settings: LedgerStatus.Settings) -> JSONValue {
    let zones = settings.zones.map { zone in
      JSONValue.object([
        ("name", .string(zone.name)),
        ("from", .text(zone.from.map { WallTime(secondsSince1970: $0).text })),
      ])
    }
    return .object([
      ("zones", .array(zones)), ("clock", .string(settings.clock.rawValue)),
      ("insulin", .string(settings.insulin.rawValue)),
      ("glucose", .boolean(settings.makesGlucose)),
      ("derivedBasal", .boolean(settings.derivesBasal)),
    ])
  }

  private static func documents(_ count: LedgerStatus.Documents) -> JSONValue {
    .object([
      ("format", .string(count.format)), ("documents", .count(count.documents)),
      ("records", .count(count.records)),
    ])
  }

  private static func pump(_ pump: LedgerStatus.Pump) -> JSONValue {
    let days = pump.days.map { span in
      JSONValue.object([
        ("first", .string(span.lowerBound.text)), ("last", .string(span.upperBound.text)),
      ])
    }
    let fetched = pump.fetched.map { range in
      JSONValue.object([
        ("from", .string(range.lowerBound.text)), ("until", .string(range.upperBound.text)),
      ])
    }
    let samples = SampleType.allCases.map { type in
      (key: type.rawValue, value: JSONValue.count(pump.samples[type] ?? 0))
    }
    return .object([
      ("name", .string(pump.name)), ("serial", .text(pump.serial)), ("model", .text(pump.model)),
      ("software", .text(pump.software)), ("sameAs", .text(pump.sameAs)),
      ("assignments", .array(pump.assignments.map { .string($0) })),
      ("records", .count(pump.records)), ("firstAt", .text(pump.first.map(utc))),
      ("lastAt", .text(pump.last.map(utc))), ("days", .array(days)),
      ("fetched", .array(fetched)), ("samples", .object(samples)),
      ("pending", .count(pump.pending)), ("holes", .count(pump.holes)),
    ])
  }

  private static func utc(_ instant: Instant) -> String { instant.utc.text + "Z" }
}
