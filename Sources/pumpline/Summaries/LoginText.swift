import Pipeline

/// The pumps of an account, a line each.
struct LoginText {
  /// What the account has.
  let summary: LoginSummary
  /// How it is to look.
  let style: TextStyle

  /// The lines.
  var text: String {
    var lines = LabeledText(style: style)
    lines.add("account", "\(counted(summary.pumps.count, "pump"))")
    for pump in summary.pumps {
      let model = pump.model.map { ", \(printable($0))" } ?? ""
      let days =
        if let days = pump.days {
          ": \(days.lowerBound.text) to \(days.upperBound.text)"
        } else {
          pump.hasUploads ? "" : ": nothing was ever uploaded"
        }
      lines.add("", printable(pump.name) + model + days)
    }
    return lines.text
  }
}

/// The pumps of an account, for programs.
enum LoginJSON {
  /// The whole answer.
  static func value(of summary: LoginSummary) -> JSONValue {
    .object([
      (
        "pumps",
        .array(
          summary.pumps.map { pump in
            .object([
              ("name", .string(pump.name)), ("model", .text(pump.model)),
              ("firstDay", .text(pump.days?.lowerBound.text)),
              ("lastDay", .text(pump.days?.upperBound.text)),
              ("hasUploads", .boolean(pump.hasUploads)),
            ])
          })
      )
    ])
  }
}
