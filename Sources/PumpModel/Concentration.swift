/// How much insulin a unit of the pump really is (N8): pumps count in U-100.
public enum Concentration: String, Sendable, CaseIterable {
  /// 100 IU/mL: the pump's units are IU.
  case u100
  /// 200 IU/mL: twice the pump's units.
  case u200
  /// 500 IU/mL: five times the pump's units.
  case u500

  /// IU for each unit that the pump counts.
  @inlinable
  public var factor: Int64 {
    switch self {
    case .u100: 1
    case .u200: 2
    case .u500: 5
    }
  }
}
