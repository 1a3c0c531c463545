import PumpModel

/// The boluses of a document that tells one bolus more than once, as it went on: they wait for the
/// document's end, and of those with the pump's number and end of one the fullest stands.
struct HeldBoluses {
  /// What became of a bolus.
  enum Outcome {
    /// It waits.
    case held
    /// It was told before.
    case repeated
    /// There are more than a pump can give.
    case tooMany
  }

  private struct Key: Hashable {
    let pump: UInt32
    let number: Int64
    let end: Int64
  }

  /// Ten boluses a day for thirty-five years.
  private static let most = 1 << 17

  private var rows: [ExportRow] = []
  private var places: [Key: Int] = [:]

  /// Takes a bolus with the pump's number of it.
  mutating func take(_ row: ExportRow, number: Int64?) -> Outcome {
    guard let number else { return add(row) }
    let key = Key(pump: row.pump, number: number, end: row.time)
    guard let place = places[key] else {
      places[key] = rows.count
      return add(row)
    }
    if Self.isFuller(row, than: rows[place]) { rows[place].content = row.content }
    return .repeated
  }

  /// Gives the boluses, in the document's order.
  mutating func takeAll() -> [ExportRow] {
    defer { (rows, places) = ([], [:]) }
    return rows
  }

  private mutating func add(_ row: ExportRow) -> Outcome {
    guard rows.count < Self.most else { return .tooMany }
    rows.append(row)
    return .held
  }

  private static func isFuller(_ row: ExportRow, than other: ExportRow) -> Bool {
    guard case .bolus(let bolus) = row.content, case .bolus(let known) = other.content else {
      return false
    }
    return fullness(known).lexicographicallyPrecedes(fullness(bolus))
  }

  private static func fullness(_ bolus: RowBolus) -> [Int64] {
    [bolus.extended?.amount, bolus.normal?.amount, bolus.carbohydrate].map {
      $0.map(Int64.init) ?? -1
    }
  }
}
