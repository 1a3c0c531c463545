import Pipeline
import PumpModel

extension CommandSpec {
  /// `pumpline pull`.
  static let pull = CommandSpec(
    name: "pull",
    summary: "Fetch history from Tandem Source into a ledger.",
    details: [
      """
      Asks the account for all of its pumps, in windows of at most 28 days, and only for what the \
      ledger lacks: the recent weeks first, then late uploads, then all that can be had, walking \
      backwards. Each window is kept as soon as it is whole, so that a run that fails or is \
      interrupted goes on where it ended. The outputs then show the ledger, as those of convert do.
      """,
      """
      Nothing is stored of the account but what convert would keep of its answers: no password, no \
      token, no cookie.
      """,
    ],
    arguments: .none,
    options: OptionSpec.loginOptions + OptionSpec.pullOptions + OptionSpec.pullConvertOptions,
    examples: [
      Example(
        purpose: "All that can be had, into a new ledger and a database.",
        line: "pumpline pull --credentials tandem.env --zone America/New_York "
          + "--ledger pump.ledger --to sqlite --output pump.db"),
      Example(
        purpose: "Every hour, but no more often than needed.",
        line: "pumpline pull --credentials tandem.env --ledger pump.ledger --lane recent "
          + "--if-stale --to csv --output pump.csv"),
      Example(
        purpose: "May alone, of one pump.",
        line: "pumpline pull --credentials tandem.env --ledger pump.ledger --pump 90000001 "
          + "--from 2026-05-01 --until 2026-06-01 -o may.csv"),
    ],
    run: { invocation, arguments throws(RunFailure) in
      let console = invocation.console
      let definition = ConvertRequest(inputs: [])
      let convert = try ConvertArguments(arguments).request(over: definition)
      try PullArguments(arguments).checkLedger(of: convert)
      let login = try LoginArguments(arguments).request(console)
      let request = try PullArguments(arguments).request(
        over: PullRequest(convert: convert, login: login))
      return try invocation.pull(request, arguments)
    })
}

extension Invocation {
  /// Runs a pull and says what came of it, for `pull` and `run` alike.
  func pull(
    _ request: PullRequest, _ arguments: ParsedArguments
  ) throws(RunFailure) -> ExitStatus {
    var request = request
    request.convert.tellsProgress = console.showsProgress
    let summary = try pipeline.pull(request, events: console.tell)
    if arguments.has(.pullJSON) {
      try console.put(PullJSON.value(of: summary, request).text + "\n")
    } else {
      console.say(PullText(summary: summary, request: request, style: console.error).text)
    }
    if let failure = summary.failure { console.report(failure) }
    return summary.exitStatus
  }
}

/// Turns what was typed for a pull into a request.
struct PullArguments {
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) { self.arguments = arguments }

  /// A pull without a ledger would fetch all anew each time.
  func checkLedger(of request: ConvertRequest) throws(RunFailure) {
    guard request.ledger == nil else { return }
    throw RunFailure(
      .usage, what: "a pull needs a ledger, which remembers what was fetched",
      next: "Name a file: --ledger pump.ledger")
  }

  /// The request with what was typed in the place of what it says.
  func request(over definition: PullRequest) throws(RunFailure) -> PullRequest {
    var request = definition
    if let word = arguments.value(.lane) {
      guard let lane = PullLane(rawValue: word) else { throw .badValue(word, of: .lane) }
      request.lane = lane
    }
    if let text = arguments.value(.since) {
      guard let day = LocalDay(text: text) else { throw .badValue(text, of: .since) }
      request.since = day
    }
    if let text = arguments.value(.availableDays) {
      guard let days = RequestValue.days(text) else { throw .badValue(text, of: .availableDays) }
      request.availableDays = days
    }
    if arguments.has(.ifStale) { request.onlyIfStale = true }
    request.rawFolder = arguments.value(.saveRaw) ?? request.rawFolder
    return request
  }
}

extension OptionSpec {
  static let pullOptions = [lane, since, availableDays, ifStale, saveRaw]

  /// The options of `convert` that a pull has too; those of time and pump also say what is fetched.
  static let pullConvertOptions = [
    zone, clock, insulin, rezone, holdMoves, now, pullPump, only, include, zeroBasal, pullFrom,
    pullUntil, to, output, changes, report, ledger, wait, offset, exportDate, pullDryRun, pullJSON,
  ]

  static let lane = OptionSpec(
    long: "lane", value: .choice(PullLane.allCases.map(\.rawValue)), group: .reading,
    summary: "Fetch only this; recent, changes and backfill in turn unless said.",
    details: """
      recent: the newest 26 days, as far as they are missing. changes: if a pump has uploaded since \
      the last pull, all from a day before what was newest then, so that late uploads are caught. \
      backfill: all that can be had and is missing, the newest first.
      """)

  static let since = OptionSpec(
    long: "since", value: .text("DAY", form: "a day of the pump's clock, such as 2021-06-01"),
    group: .reading, summary: "Walk back to this day and no further.",
    details: """
      Without it, back to where the account says that history begins; where it does not say, until \
      24 weeks hold nothing.
      """)

  static let availableDays = OptionSpec(
    long: "available-days", value: .text("N", form: "a whole number of days, 1 to 20000"),
    group: .reading, summary: "Ask for nothing older than so many days.")

  static let ifStale = OptionSpec(
    long: "if-stale", group: .reading,
    summary: "Do nothing if a pull of the last four hours got all it asked for.")

  static let saveRaw = OptionSpec(
    long: "save-raw", value: .path("FOLDER"), group: .writing,
    summary: "Keep the answers as they came, for convert.",
    details: """
      The answers name you and your date of birth; the folder is made for you alone. By default \
      they are not kept.
      """)

  static let pullPump = {
    var option = pump
    option.summary = "Fetch and write this pump only."
    return option
  }()

  static let pullFrom = {
    var option = from
    option.summary = "Fetch from T on, and write samples that start then or later."
    option.details = "What is fetched then is this time alone, as far as it is missing."
    return option
  }()

  static let pullUntil = {
    var option = until
    option.summary = "Fetch up to T, and write samples that start before."
    return option
  }()

  static let pullDryRun = {
    var option = dryRun
    option.summary = "Say what would be asked for, and fetch and keep nothing."
    option.details = """
      It logs in and asks for the account, since only that tells what can be had, and for no history. \
      Nothing is written: no ledger, output, report or folder of answers.
      """
    return option
  }()

  static let pullJSON = json(
    """
    The summary then goes to standard output, which no output or report may take. The keys are those \
    of convert, and pull: fetched (of each pump: name, firstDay, lastDay, answers, records, lost, \
    hasUploads, walksOn), planned (of a dry run, of each window: pump, lane, firstDay, lastDay), \
    requests, freshSince, failure.
    """)
}
