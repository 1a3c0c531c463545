import Pipeline
import PumpModel

extension CommandSpec {
  /// `pumpline login`.
  static let login = CommandSpec(
    name: "login",
    summary: "Check credentials of Tandem Source, and list the account's pumps.",
    details: [
      """
      Nothing is stored: no password, no token, no cookie. Credentials come from a file that only \
      you can read, from an open descriptor, or from a prompt, never from an argument or a variable \
      that others could see.
      """
    ],
    arguments: .none,
    options: OptionSpec.loginOptions + [.loginJSON],
    examples: [
      Example(
        purpose: "A file with the lines TANDEM_EMAIL= and TANDEM_PASSWORD=, and mode 600.",
        line: "pumpline login --credentials tandem.env"),
      Example(
        purpose: "An account of Europe.",
        line: "pumpline login --region eu --credentials tandem.env"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let request = try LoginArguments(arguments).request(invocation.console)
      let summary = try invocation.pipeline.logIn(request)
      let console = invocation.console
      if arguments.has(.loginJSON) {
        try console.put(LoginJSON.value(of: summary).text + "\n")
      } else {
        try console.put(LoginText(summary: summary, style: console.output).text)
      }
      return .ok
    })
}

/// Turns what was typed about a login into a request, asking for what is missing.
struct LoginArguments {
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) { self.arguments = arguments }

  /// The request; `definition` is what a pipeline file says.
  func request(
    _ console: Console, over definition: LoginRequest? = nil
  ) throws(RunFailure) -> LoginRequest {
    var request = LoginRequest(credentials: try credentials(console, definition?.credentials))
    request.region = definition?.region ?? .us
    if let word = arguments.value(.region) {
      guard let region = SourceRegion(rawValue: word) else { throw .badValue(word, of: .region) }
      request.region = region
    }
    request.endpoints = arguments.value(.endpoints) ?? definition?.endpoints
    return request
  }

  private func credentials(
    _ console: Console, _ definition: CredentialsSource?
  ) throws(RunFailure) -> CredentialsSource {
    let file = arguments.value(.credentials)
    if let text = arguments.value(.credentialsDescriptor) {
      guard file == nil else {
        throw RunFailure(
          .usage, what: "credentials cannot come from two places",
          next: "Keep one of --credentials and --credentials-fd.")
      }
      guard let number = Int32(text), (0...1023).contains(number), text.first != "+" else {
        throw .badValue(text, of: .credentialsDescriptor)
      }
      return .descriptor(number)
    }
    if let file { return .file(file) }
    if let definition { return definition }
    guard console.canAsk else {
      throw RunFailure(
        .usage, what: "there are no credentials, and nobody can be asked",
        next: "Name a file with --credentials, mode 600: TANDEM_EMAIL=… and TANDEM_PASSWORD=….")
    }
    guard let email = console.prompt("E-mail of the Tandem account: "),
      let password = console.promptSecretly("Password: ")
    else {
      throw RunFailure(
        .usage, what: "no credentials were typed", next: "Try again, or use --credentials.")
    }
    return .typed(email: email, password: password)
  }
}

extension OptionSpec {
  static let loginOptions = [credentials, credentialsDescriptor, region, endpoints]

  static let credentials = OptionSpec(
    long: "credentials", value: .path(), group: .account,
    summary: "Read the account's e-mail address and password in this file.",
    details: """
      It has two lines, TANDEM_EMAIL= and TANDEM_PASSWORD=; all behind the first = counts as it \
      stands, without quotes. Others must not be able to read it: chmod 600. Without it, on a \
      terminal, you are asked.
      """)

  static let credentialsDescriptor = OptionSpec(
    long: "credentials-fd", value: .text("N", form: "the number of an open descriptor"),
    group: .account, summary: "Read the same lines from an open descriptor.",
    details: "For password managers: pumpline login --credentials-fd 3 3< <(command).")

  static let region = OptionSpec(
    long: "region", value: .choice(SourceRegion.allCases.map(\.rawValue)), group: .account,
    summary: "The cluster that the account is on; us unless said.",
    details: """
      The United States, Canada and Mexico are us; Europe, Australia, New Zealand, Israel, South \
      Africa and others are eu. An account of the other region is refused like a wrong password.
      """)

  static let endpoints = OptionSpec(
    long: "endpoints", value: .file(endings: ["json"], "FILE"), group: .account,
    summary: "Ask other servers, for tests.",
    details: """
      A JSON object of the base addresses sso, services and source. Hosts that are neither Tandem's \
      nor this computer are refused.
      """)

  static let loginJSON = json(
    "The keys: pumps (name, model, firstDay, lastDay, hasUploads).")
}

extension ValueSpec {
  /// A path to a file of some endings.
  static func file(endings: [String], _ placeholder: String) -> ValueSpec {
    ValueSpec(placeholder: placeholder, form: "a path", source: .file(endings: endings))
  }
}
