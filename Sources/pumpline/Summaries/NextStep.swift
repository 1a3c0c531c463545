import Pipeline

extension ConvertText {
  /// The one thing that is most useful to know now.
  var next: String {
    if request.isDryRun { return "leave --dry-run out, and this is what happens" }
    let isEmpty = summary.changes.values.allSatisfy { $0 == ChangeCounts() }
    let hasMore = summary.rejects.count > 0 || summary.findings.values.contains { $0.hidden > 0 }
    if hasMore, request.report == nil {
      return "add --report report.json to see every reject, hole and finding"
    }
    if request.readsLines { return "pumpline emit makes other formats of the samples" }
    if isEmpty, let input = request.inputs.first(where: { $0 != "-" }) {
      return "pumpline inspect \(shellWord(input)) shows what it holds"
    }
    if let database = output("sqlite") {
      return "sqlite3 \(shellWord(database)) 'SELECT * FROM daily_totals'"
    }
    if output("apple-health") != nil {
      return "read Docs/AppleHealth.md before the file goes to a phone: loop apps count imported "
        + "boluses"
    }
    if request.ledger == nil {
      return "add --ledger pump.ledger, and later runs add only what is new"
    }
    if !request.hasSource, let ledger = request.ledger {
      return "pumpline ledger status \(shellWord(ledger)) shows what else it holds"
    }
    return "run it again with newer history; nothing is counted twice"
  }

  private func output(_ format: String) -> String? {
    summary.outputs.first { $0.format == format && $0.target != "-" }?.target
  }
}

/// A text as one word of a shell's command line.
func shellWord(_ text: String) -> String {
  let text = printable(text)
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-_./+,:@%=".utf8.contains(byte)
    }
  }
  if isPlain, !text.isEmpty { return text }
  let parts = text.split(separator: "'", omittingEmptySubsequences: false)
  return "'" + parts.joined(separator: "'\\''") + "'"
}
