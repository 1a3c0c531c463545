import Platform
import PumpModel

extension PipelineSchema {
  /// A live account in the place of inputs.
  static let tandemSource = PipelineKey(
    name: "tandem-source", summary: "An account of Tandem Source to pull from.",
    kind: .keys([
      key(
        "credentials", "The file with the lines TANDEM_EMAIL= and TANDEM_PASSWORD=, mode 600.",
        form: "a path"
      ) { draft, word in
        guard let path = draft.path(word.text) else { return false }
        draft.account.credentials = path
        return true
      },
      key("region", "The cluster that the account is on; us unless said.", SourceRegion.self) {
        $0.account.region = $1
      },
      key("lane", "Fetch only this; all three in turn unless said.", PullLane.self) {
        $0.account.lane = $1
      },
      key(
        "since", "The day at which a walk backwards ends.",
        form: "a day of the pump's clock, such as 2021-06-01"
      ) { draft, word in
        draft.account.since = LocalDay(text: word.text)
        return draft.account.since != nil
      },
      key(
        "available-days", "How many days back are asked for at most.",
        form: "a whole number of days, 1 to 20000"
      ) { draft, word in
        draft.account.availableDays = RequestValue.days(word.text)
        return draft.account.availableDays != nil
      },
      key(
        "if-stale", "Whether nothing is done if a pull of the last four hours got all.",
        form: "true or false", choices: ["true", "false"]
      ) { draft, word in
        draft.account.onlyIfStale = word.text == "true"
        return true
      },
      key("save-raw", "A folder that keeps the answers as they came.", form: "a path") {
        draft, word in
        guard let path = draft.path(word.text) else { return false }
        draft.account.rawFolder = path
        return true
      },
    ]))

  /// A key that takes one value; taking any says that there is an account.
  private static func key(
    _ name: String, _ summary: String, form: String, choices: [String] = [],
    take: @escaping @Sendable (inout PipelineDraft, PipelineWord) -> Bool
  ) -> PipelineKey {
    PipelineKey(
      name: name, summary: summary,
      kind: .value(
        PipelineValue(form: form, choices: choices, isList: false) { draft, word in
          draft.account.mark = draft.account.mark ?? word.mark
          return take(&draft, word)
        }))
  }

  /// A key that takes one of the words of a type.
  private static func key<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ summary: String, _ type: Word.Type,
    take: @escaping @Sendable (inout PipelineDraft, Word) -> Void
  ) -> PipelineKey {
    let words = Word.allCases.map(\.rawValue)
    let form = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return key(name, summary, form: form, choices: words) { draft, word in
      guard let value = Word(rawValue: word.text) else { return false }
      take(&draft, value)
      return true
    }
  }
}

/// What a pipeline file has said of an account.
struct AccountDraft {
  var credentials: String?
  var region: SourceRegion = .us
  var lane: PullLane?
  var since: LocalDay?
  var availableDays: Int?
  var onlyIfStale = false
  var rawFolder: String?
  /// Where something of it was said first; nil: nothing was.
  var mark: YAMLMark?

  /// The pull that it asks for; nil if there is none.
  func pull(_ convert: ConvertRequest) -> PullRequest? {
    guard mark != nil, let credentials else { return nil }
    var login = LoginRequest(credentials: .file(credentials))
    login.region = region
    var pull = PullRequest(convert: convert, login: login)
    pull.lane = lane
    pull.since = since
    pull.availableDays = availableDays
    pull.onlyIfStale = onlyIfStale
    pull.rawFolder = rawFolder
    return pull
  }
}
