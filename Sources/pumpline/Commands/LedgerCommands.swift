import Pipeline

extension CommandSpec {
  /// `pumpline ledger status`.
  static let ledgerStatus = CommandSpec(
    name: "ledger status",
    summary: "Show what a ledger holds.",
    details: [
      """
      Its pumps with their names and the time they cover, what was read, how many samples there \
      are, what is open, and the settings that later runs keep to. Shows no amounts.
      """
    ],
    arguments: .ledger, options: [.statusJSON, .wait],
    examples: [
      Example(purpose: "What a ledger holds.", line: "pumpline ledger status pump.ledger"),
      Example(
        purpose: "The same for a program.", line: "pumpline ledger status --json pump.ledger"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let console = invocation.console
      let request = try ledgerRequest(arguments)
      let status = try invocation.pipeline.ledgerStatus(request)
      if arguments.has(.json) {
        try console.put(LedgerStatusJSON.value(of: status).text + "\n")
      } else {
        let isWhole = console.verbosity == .verbose
        try console.put(
          LedgerStatusText(
            status: status, ledger: request.ledger, style: console.output, isWhole: isWhole
          ).text)
      }
      return .ok
    })

  /// `pumpline ledger verify`.
  static let ledgerVerify = CommandSpec(
    name: "ledger verify",
    summary: "Prove a ledger against its own journal.",
    details: [
      """
      Checks the file, every row of records and samples with its digests, makes all samples, holes, \
      findings and totals again from the journal alone, and compares. The ledger stays as it is. \
      The exit status is 1 if anything differs; what differs is listed.
      """,
      """
      It takes as long as a first import, and room for a second copy of the samples in a temporary \
      file. Findings of events dated after now are not compared: they depend on when a run was.
      """,
    ],
    arguments: .ledger, options: [.verifyJSON, .wait],
    examples: [
      Example(purpose: "Before a backup.", line: "pumpline ledger verify pump.ledger")
    ],
    run: { invocation, arguments throws(RunFailure) in
      let console = invocation.console
      let request = try ledgerRequest(arguments)
      let verification = try invocation.pipeline.verifyLedger(request)
      if arguments.has(.json) {
        try console.put(LedgerVerificationJSON.value(of: verification).text + "\n")
      } else {
        try console.put(
          LedgerVerificationText(
            verification: verification, ledger: request.ledger, style: console.output
          ).text)
      }
      return verification.exitStatus
    })

  /// `pumpline ledger export`.
  static let ledgerExport = CommandSpec(
    name: "ledger export",
    summary: "Write a ledger's samples without reading anything new.",
    details: [
      """
      Writes what convert would write with the same ledger and nothing new to read: all samples of \
      all its pumps, narrowed by what is said here.
      """
    ],
    arguments: .ledger,
    options: [
      .pump, .only, .include, .zeroBasal, .from, .until, .to, .output, .report, .wait, .offset,
      .exportDate,
    ],
    examples: [
      Example(
        purpose: "A table of the boluses of May.",
        line: "pumpline ledger export pump.ledger --only bolus --from 2026-05-01 "
          + "--until 2026-06-01 --to csv --output may.csv")
    ],
    run: { invocation, arguments throws(RunFailure) in
      try invocation.convert(try ConvertArguments(arguments).exportRequest(), arguments)
    })

  /// `pumpline ledger forget`.
  static let ledgerForget = CommandSpec(
    name: "ledger forget",
    summary: "Take a document, a pump or everything out of a ledger, without a trace.",
    details: [
      """
      What only the forgotten held goes: records, samples, names. What other documents also hold \
      stays, and the rest of the pump's history is made again as if the forgotten had never been \
      read; it may be read again later, with another --serial for instance. No output is told of \
      samples that go this way, so files and databases written before keep them until they are \
      written anew; what was imported elsewhere is to be deleted there.
      """,
      """
      The file is then written anew and searched, so that nothing of the forgotten is left in it or \
      beside it. That needs room for a second copy for a while. Copies and backups of the ledger keep all.
      """,
    ],
    arguments: .ledger, options: [.forgetPump, .document, .forgetAll, .yes, .now, .wait],
    examples: [
      Example(
        purpose: "Undo a file that was read by mistake, or with a wrong serial number.",
        line: "pumpline ledger forget pump.ledger --yes --document "
          + "3f1c7e0a9d2b4c5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6"),
      Example(
        purpose: "Forget a pump that was another person's.",
        line: "pumpline ledger forget pump.ledger --yes --pump 90000001"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let console = invocation.console
      let request = try ForgetArguments(arguments).request()
      let isSure = arguments.has(.yes)
      guard isSure || console.canAsk else {
        throw RunFailure(
          .usage, what: "forgetting cannot be undone, and nobody is here to be asked",
          next: "Say --yes if you are sure.")
      }
      let summary = try invocation.pipeline.forget(request) { summary in
        isSure
          || console.ask(
            ForgetText(summary: summary, request: request, style: console.error).question)
      }
      console.say(ForgetText(summary: summary, request: request, style: console.error).text)
      return .ok
    })
}

private func ledgerRequest(_ arguments: ParsedArguments) throws(RunFailure) -> LedgerRequest {
  var request = LedgerRequest(ledger: try ledgerPath(of: arguments))
  request.waitSeconds = try waitSeconds(of: arguments) ?? request.waitSeconds
  return request
}

/// The ledger that was named.
func ledgerPath(of arguments: ParsedArguments) throws(RunFailure) -> String {
  let path = arguments.operands[0]
  guard path.isEmpty || path == "-" else { return path }
  throw RunFailure(
    .usage, what: "a ledger is a file, and \(path.isEmpty ? "an empty name" : "-") is none",
    next: "Name the file that convert made with --ledger.")
}

/// Turns what was typed for `ledger forget` into a request.
private struct ForgetArguments {
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) { self.arguments = arguments }

  func request() throws(RunFailure) -> ForgetRequest {
    var targets: [ForgetRequest.Target] = []
    if let pump = arguments.value(.forgetPump) { targets.append(.pump(pump)) }
    if let text = arguments.value(.document) {
      guard let digest = digest(text) else { throw .badValue(text, of: .document) }
      targets.append(.document(digest))
    }
    if arguments.has(.forgetAll) { targets.append(.everything) }
    guard targets.count == 1 else {
      throw RunFailure(
        .usage,
        what: targets.isEmpty ? "nothing is named to be forgotten" : "more than one thing is named",
        next: "Give one of --document DIGEST, --pump NAME and --all.")
    }
    var request = ForgetRequest(ledger: try ledgerPath(of: arguments), target: targets[0])
    request.waitSeconds = try waitSeconds(of: arguments) ?? request.waitSeconds
    request.now = try ConvertArguments(arguments).now()
    return request
  }

  /// 64 hexadecimal digits as bytes.
  private func digest(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case 0x30...0x39: byte - 0x30
      case 0x41...0x46: byte - 0x41 + 10
      case 0x61...0x66: byte - 0x61 + 10
      default: nil
      }
    }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    return (0..<32).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
  }
}

extension ArgumentSpec {
  /// The ledger that a command of the group is about.
  static let ledger = ArgumentSpec(
    placeholder: "LEDGER", summary: "The file that --ledger of convert made.", values: .path,
    count: 1...1)
}

extension OptionSpec {
  static let statusJSON = json(
    """
    The keys: kind, dataSource, schema, bytes, settings (zones, clock, insulin, glucose), documents (format, \
    documents, records), archives, and pumps (name, serial, model, software, sameAs, assignments, \
    records, firstAt, lastAt, days, samples, pending, holes).
    """)

  static let verifyJSON = json(
    "The keys: sound, pumps, records, samples, and problems (area, pump, text).")

  static let forgetPump = OptionSpec(
    long: "pump", value: .text("NAME", form: "a pump's serial number or assignment id"),
    group: .selection, summary: "Forget this pump, and the documents that hold nothing else.")

  static let document = OptionSpec(
    long: "document",
    value: .text("DIGEST", form: "a SHA-256 of 64 hexadecimal digits, as reports print it"),
    group: .selection, summary: "Forget the document of this SHA-256.",
    details: """
      Of an archive or a capture, all documents that no other one contains. Reports and inspect \
      --json print the digests as sha256.
      """)

  static let forgetAll = OptionSpec(
    long: "all", group: .selection, summary: "Forget everything, settings too.")

  static let yes = OptionSpec(
    long: "yes", group: .writing, summary: "Do not ask whether it is meant.",
    details: "Without a terminal nobody can be asked, so it is needed there.")
}
