import Pipeline

/// What a verification found, for a person.
struct LedgerVerificationText {
  /// What it found.
  let verification: LedgerVerification
  /// The ledger's path.
  let ledger: String
  /// How it is to look.
  let style: TextStyle

  /// The text.
  var text: String {
    var lines = LabeledText(style: style)
    lines.add(
      "checked",
      "\(counted(verification.records, "record")) and "
        + "\(counted(verification.samples, "sample")); "
        + "\(counted(verification.pumps, "pump")) made again from nothing")
    guard !verification.problems.isEmpty else {
      lines.add("result", style.green("\(printable(ledger)) is sound"))
      return lines.text
    }
    lines.add(
      "result",
      style.red(
        "\(printable(ledger)) differs in \(counted(verification.problems.count, "place"))"))
    for problem in verification.problems {
      let pump = problem.pump.map { " of pump \(printable($0))" } ?? ""
      lines.add(
        mark: "!", color: style.red, "\(problem.area)\(pump): \(printable(problem.text))")
    }
    lines.add(
      "next",
      "restore it from a backup, or make a new one from the archives; please report it too")
    return lines.text
  }
}

/// What a verification found, for programs; keys are added in later versions, never renamed.
enum LedgerVerificationJSON {
  /// The whole answer.
  static func value(of verification: LedgerVerification) -> JSONValue {
    let problems = verification.problems.map { problem in
      JSONValue.object([
        ("area", .string(problem.area)), ("pump", .text(problem.pump)),
        ("text", .string(problem.text)),
      ])
    }
    return .object([
      ("sound", .boolean(verification.problems.isEmpty)), ("pumps", .count(verification.pumps)),
      ("records", .count(verification.records)), ("samples", .count(verification.samples)),
      ("problems", .array(problems)),
    ])
  }
}
