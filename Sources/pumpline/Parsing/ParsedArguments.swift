/// A command line taken apart, with the choices of its options checked and nothing else yet.
struct ParsedArguments: Sendable {
  /// The command; nil if none was named.
  var command: CommandSpec?
  /// The first word of a command of two, once it was read.
  var group: String?
  /// The options in the order they were typed.
  var occurrences: [Occurrence] = []
  /// The words that are no options.
  var operands: [String] = []

  /// An option as it was typed.
  struct Occurrence: Sendable, Equatable {
    /// Its long name.
    var long: String
    /// Its value, if it takes one.
    var value: String?
    /// Whether its letter was used.
    var isShort: Bool
  }

  /// Whether an option was given.
  func has(_ option: OptionSpec) -> Bool {
    occurrences.contains { $0.long == option.long }
  }

  /// The values of an option, in order.
  func values(_ option: OptionSpec) -> [String] {
    occurrences.filter { $0.long == option.long }.compactMap(\.value)
  }

  /// The value of an option that may be given once.
  func value(_ option: OptionSpec) -> String? { values(option).first }

  /// The values of an option that takes lists, taken apart.
  func words(_ option: OptionSpec) -> [String] {
    values(option).flatMap { $0.split(separator: ",").map(String.init) }
  }
}
