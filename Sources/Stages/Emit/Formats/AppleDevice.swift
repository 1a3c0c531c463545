import PumpModel

/// The `device` attribute of Health records (APPLE_HEALTH 5).
///
/// The form is that of `HKDevice`'s own description, in which the number after the class is a
/// pointer that means nothing. Readers split it at commas and colons, so values hold none that
/// could be taken for a separator; fields that are not known are left out.
enum AppleDevice {
  /// The string for a pump, not yet escaped for XML.
  static func text(_ pump: PumpLabel) -> String {
    let fields = [
      ("name", pump.modelName), ("manufacturer", "Tandem Diabetes Care"),
      ("model", pump.modelNumber), ("software", pump.softwareVersion),
      ("localIdentifier", pump.name),
    ]
    let known = fields.compactMap { name, value in
      value.map(clean).flatMap { $0.isEmpty ? nil : ", \(name):\($0)" }
    }
    return "<<HKDevice: 0x0>" + known.joined() + ">"
  }

  /// A value without separators: colons become hyphens (`t:slim` is `t-slim`), runs of commas,
  /// blanks and control characters one blank if they hold any blank.
  private static func clean(_ value: String) -> String {
    var cleaned = ""
    var pending = ""
    for scalar in value.unicodeScalars {
      if scalar == "," || scalar.value <= 0x20 || scalar.value == 0x7F {
        pending.unicodeScalars.append(scalar)
        continue
      }
      if !pending.isEmpty, !cleaned.isEmpty { cleaned += pending == "," ? "," : " " }
      pending = ""
      cleaned.unicodeScalars.append(scalar == ":" ? "-" : scalar)
    }
    return cleaned
  }
}
