/// Bars of insulin, one a line: basal and boluses one after the other, told apart by shape and not by
/// colour.
struct InsulinBars {
  /// How they are to look.
  let style: TextStyle
  /// How many columns the longest may have.
  let width: Int
  /// What the longest stands for, in µIU.
  let most: Int64

  /// Creates bars of which the longest stands for the greatest of some amounts.
  init(style: TextStyle, width: Int, of amounts: [Int64]) {
    self.style = style
    self.width = max(width, 1)
    most = max(amounts.max() ?? 0, 1)
  }

  /// The bar of amounts in µIU; whatever was given has a mark.
  func bar(basal: Int64, bolus: Int64) -> String {
    let whole = columns(basal + bolus)
    var first = columns(basal)
    if bolus > 0, first == whole, whole > 1 { first -= 1 }
    return String(repeating: basalMark, count: first)
      + String(repeating: bolusMark, count: max(0, whole - first))
  }

  /// What the marks mean.
  var legend: String {
    "\(basalMark)\(basalMark) basal  \(bolusMark)\(bolusMark) boluses"
  }

  private var basalMark: String { style.isUnicode ? "█" : "#" }
  private var bolusMark: String { style.isUnicode ? "░" : "-" }

  private func columns(_ amount: Int64) -> Int {
    guard amount > 0 else { return 0 }
    let scaled = Double(amount) / Double(most) * Double(width)
    return max(1, min(width, Int(scaled.rounded())))
  }
}

/// An amount in millionths with so many decimals, rounded half up; nothing is negative.
func fixed(_ millionths: Int64, decimals: Int) -> String {
  var unit: Int64 = 1_000_000
  for _ in 0..<decimals { unit /= 10 }
  let rounded = (max(millionths, 0) + unit / 2) / unit
  guard decimals > 0 else { return grouped(Int(clamping: rounded)) }
  let scale = 1_000_000 / unit
  return grouped(Int(clamping: rounded / scale)) + "."
    + String(scale + rounded % scale).dropFirst()
}
