import PumpModel

/// Finds amounts that no pump gives: beyond its limits (N4 to N7), or of nothing.
final class ImpossibleAmounts: OutputCheck {
  private let factor: Int64

  /// mU/h of the pump.
  private static let highestRate: Int64 = 15_000
  /// IU of the pump.
  private static let largestBolus: Int64 = 80
  /// g.
  private static let mostCarbohydrates: Int64 = 65_534
  /// mg/dL.
  private static let highestGlucose: Int64 = 1000

  init(_ concentration: Concentration) { factor = concentration.factor }

  func look(at sample: WrittenSample, _ tell: (Finding) -> Void) {
    if sample.type == .basal {
      guard sample.amount > most(in: sample.end - sample.start) else { return }
      return tell(
        Finding(
          .rateImpossible, start: sample.start, end: sample.end,
          text: "\(sample.title) comes to more than \(15 * factor) U/h"))
    }
    let limit: Int64 =
      switch sample.type {
      case .basal, .bolus: Self.largestBolus * factor
      case .carbohydrates: Self.mostCarbohydrates
      case .sensorGlucose, .meterGlucose: Self.highestGlucose
      }
    let isNothing = sample.amount.parts == 0
    guard isNothing || sample.amount > WrittenAmount(limit, decimals: 0) else { return }
    tell(
      Finding(
        .amountImpossible, start: sample.start,
        text: isNothing
          ? "\(sample.title) is an amount of nothing"
          : "\(sample.title) is more than \(limit) \(sample.type.unit)"))
  }

  /// What the highest rate gives in so many seconds, and half a µIU for rounding.
  private func most(in seconds: Int64) -> WrittenAmount {
    let hour = WrittenAmount(Self.highestRate * factor, decimals: 3).parts
    let half = WrittenAmount(5, decimals: 7).parts
    let parts = Int128(hour) * Int128(max(seconds, 0)) / 3600 + Int128(half)
    return WrittenAmount(parts: Int64(clamping: parts))
  }
}
