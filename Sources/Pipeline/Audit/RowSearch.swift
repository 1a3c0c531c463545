import Deduplicate
import Normalize
import PumpModel

/// Looks up rows of exports that a ledger holds.
struct RowSearch {
  let writer: OutputWriter
  let pump: LedgerPump

  /// A row as it holds; without fields where the ledger has none.
  func row(_ reference: RowReference) throws -> ExplainedRow {
    var explained = ExplainedRow(LocatedRow(reference))
    guard let row = try writer.read.row(reference, of: pump.number) else { return explained }
    explained.fields = row.content.fields
    if !row.source.tellsInstants { explained.wallTime = WallTime(secondsSince1970: row.time) }
    explained.instant = instant(row)
    return explained
  }

  /// A row that gave no sample, and why; nil if the ledger has none.
  func silent(_ reference: RowReference) throws -> SilentRow? {
    guard let row = try writer.read.row(reference, of: pump.number) else { return nil }
    return SilentRow(
      pump: pump.label.name, row: try self.row(reference), reason: Self.reason(row))
  }

  private func instant(_ row: ExportRow) -> Instant {
    guard !row.source.tellsInstants else { return Instant(unixSeconds: row.time) }
    return writer.schedule.rules(atWall: row.time).readings(ofWall: row.time)
      .earlier(wall: row.time)
  }

  private static func reason(_ row: ExportRow) -> String {
    let others = "the pump's events or rows of another export tell the same, and it counts once"
    switch row.content {
    case .bolus(let bolus):
      let doses = [bolus.normal, bolus.extended].compactMap(\.self)
      let isMeal = bolus.carbohydrate ?? 0 > 0
      if !doses.isEmpty, doses.allSatisfy({ $0.status == StatusWords.rejected }) {
        return "the pump refused the bolus, so that nothing was delivered"
      }
      if !isMeal, doses.allSatisfy({ $0.amount == 0 }) {
        return "nothing was delivered, and a dose of nothing is no sample"
      }
      return others
    case .meal: return "a meal gives a sample with its bolus, and no document tells that"
    case .reading: return others
    case .rate where row.source == .csv:
      return "rates of a table say neither what was delivered nor until when"
    case .rate:
      return "events or an export that comes before tell basal of its day, or it held for no time"
    }
  }
}

extension OutputWriter {
  /// The ledger that holds what was read.
  fileprivate var read: Ledger { normalization.read }
}

extension ExportRow.Content {
  /// What a row says, as names with texts.
  fileprivate var fields: [PumpEventRow.Detail] {
    func field(_ name: String, _ value: String?) -> [PumpEventRow.Detail] {
      value.map { [PumpEventRow.Detail(name: name, value: $0)] } ?? []
    }
    func wall(_ time: Int64?) -> String? {
      time.map { WallTime(secondsSince1970: $0).text }
    }
    func thousandths(_ amount: UInt32?, _ unit: String) -> String? {
      amount.map { WrittenAmount(Int64($0), decimals: 3).text + " " + unit }
    }
    switch self {
    case .bolus(let bolus):
      return field("insulin", thousandths(bolus.normal?.amount, "U"))
        + field("status", bolus.normal?.status)
        + field("extendedInsulin", thousandths(bolus.extended?.amount, "U"))
        + field("extendedStatus", bolus.extended?.status)
        + field("extendedFrom", wall(bolus.span?.lowerBound))
        + field("extendedUntil", wall(bolus.span?.upperBound))
        + field("carbohydrate", thousandths(bolus.carbohydrate, "g"))
        + field("requestedAt", wall(bolus.requestTime))
        + field("eventNumber", bolus.number.map(String.init))
        + field("automatic", bolus.isAutomatic ? "true" : nil)
        + field("override", bolus.isOverride ? "true" : nil)
    case .meal(let carbohydrate):
      return field("carbohydrate", thousandths(carbohydrate, "g"))
    case .reading(let glucose, let isManual):
      return field("glucose", "\(glucose) mg/dL") + field("meter", isManual ? "true" : nil)
    case .rate(let rate, let seconds):
      return field("rate", thousandths(rate, "U/h")) + field("seconds", String(seconds))
    }
  }
}
