/// All commands, in the order in which help shows them.
enum Catalog {
  static let commands: [CommandSpec] = [
    .convert, .pull, .login, .run, .validate, .inspect, .ledgerStatus, .ledgerTotals, .ledgerVerify,
    .ledgerExport, .ledgerForget, .audit, .diff, .explain, .decode, .normalize, .deduplicate, .emit,
    .demo,
    .completions,
    .help,
  ]

  /// What pumpline is, in one sentence.
  static let summary = "Turn the history of a Tandem insulin pump into insulin and carb samples."

  /// The command of a name.
  static func command(named name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }
}
