/// The shells that completions are made for.
enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script that makes the shell complete these commands.
  func script(for commands: [CommandSpec]) -> String {
    switch self {
    case .bash: BashCompletion.script(for: commands)
    case .zsh: ZshCompletion.script(for: commands)
    case .fish: FishCompletion.script(for: commands)
    }
  }
}
