/// The options of every command.
extension OptionSpec {
  static let shared = [quiet, verbose, color, help, version]

  static let quiet = OptionSpec(
    long: "quiet", short: "q", group: .talking, summary: "Say nothing but errors.")

  static let verbose = OptionSpec(
    long: "verbose", short: "v", group: .talking,
    summary: "Say what is being done, and shorten no list.")

  static let color = OptionSpec(
    long: "color", value: .choice(["auto", "always", "never"]), group: .talking,
    summary: "Whether text is coloured.",
    details: """
      Automatic is colour on a terminal only, and none if NO_COLOR is set or TERM is dumb. Nothing \
      is told by colour alone.
      """)

  static let help = OptionSpec(
    long: "help", short: "h", group: .talking, summary: "Show help; -h is the short form.")

  static let version = OptionSpec(
    long: "version", group: .talking, summary: "Show the version.")
}
