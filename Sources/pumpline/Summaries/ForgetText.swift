import Pipeline

/// What is to be forgotten and what was, for a person.
struct ForgetText {
  /// What goes.
  let summary: ForgetSummary
  /// What was asked for.
  let request: ForgetRequest
  /// How it is to look.
  let style: TextStyle

  /// What goes, with the question whether it may.
  var question: String {
    var lines = LabeledText(style: style)
    lines.add("forget", contents)
    lines.add("", "What goes cannot be brought back but by reading it again.")
    return lines.text + "Forget it? [y/N] "
  }

  /// What was done.
  var text: String {
    var lines = LabeledText(style: style)
    guard summary.isDone else {
      lines.add("kept", "nothing was forgotten")
      return lines.text
    }
    lines.add("forgot", contents)
    lines.add("wrote", "\(style.green(printable(request.ledger))) anew, without a trace of it")
    lines.add(
      "next", "write your outputs again, and delete what was imported elsewhere from the old ones")
    return lines.text
  }

  private var contents: String {
    let pumps = summary.pumps.map(printable)
    let total = summary.documents.reduce(0) { $0 + $1.documents }
    let documents = counted(total, "document")
    let formats = summary.documents.map { count in
      let records = count.records == 0 ? "" : " with \(counted(count.records, "record"))"
      return "\(grouped(count.documents)) \(count.format)\(records)"
    }.joined(separator: ", ")
    switch request.target {
    case .everything: return "everything, settings too"
    case .pump where pumps.isEmpty, .document where total == 0: return "what was left of it"
    case .pump:
      let alone = total == 0 ? "" : ", and \(documents) that held nothing else: \(formats)"
      return "pump \(listed(pumps, "and")), all that is known of it\(alone)"
    case .document:
      let ofPumps =
        pumps.isEmpty
        ? "" : " of \(pumps.count == 1 ? "pump" : "pumps") \(listed(pumps, "and"))"
      return "\(documents)\(ofPumps): \(formats)"
    }
  }
}
