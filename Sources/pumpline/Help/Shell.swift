/// The shells that completions are made for.
enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
  case fish

  /// A command that prints the names of the zones that clocks are set to today.
  static let zoneNames =
    "awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone1970.tab 2>/dev/null"

  /// The script that makes the shell complete these commands.
  func script(for commands: [CommandSpec]) -> String {
    switch self {
    case .bash: BashCompletion.script(for: commands)
    case .zsh: ZshCompletion.script(for: commands)
    case .fish: FishCompletion.script(for: commands)
    }
  }
}
