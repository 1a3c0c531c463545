import PumpModel

/// The keys of pipeline files.
package enum PipelineSchema {
  /// The sections, in the order in which a file is best written.
  package static let sections = [source, normalize, ledger, emit, audit, tests]

  private static let source = PipelineKey(
    name: "source", summary: "What is read.",
    kind: .keys([
      .value(
        "inputs", "What to read; may be left out and given with --input.",
        form: "a file, folder or archive, a list of them, or - for standard input", isList: true
      ) { draft, text in
        guard let path = draft.pathOrStream(text) else { return false }
        draft.request.inputs.append(path)
        return true
      },
      tandemSource,
      demo,
      .value(
        "serial", "The serial number of the pump in inputs that name none.",
        form: "a serial number without spaces or colons"
      ) { draft, text in
        draft.request.serial = RequestValue.serial(text)
        return draft.request.serial != nil
      },
      .choice(
        "decimal", "What stands before the decimals in tables that do not tell.",
        DecimalMark.allCases.map(\.rawValue)
      ) { $0.request.forms.decimal = DecimalMark(rawValue: $1) },
      .choice(
        "date-order", "The order of day, month and year in tables that do not tell.",
        DateOrder.allCases.map(\.rawValue)
      ) { $0.request.forms.dates = DateOrder(rawValue: $1) },
      .flag("complete", "Whether the inputs hold every record between their first and last.") {
        $0.request.isComplete = $1
      },
      .flag("keep-going", "Whether an unreadable input is one reject and not the end.") {
        $0.request.keepsGoing = $1
      },
    ]))

  private static let normalize = PipelineKey(
    name: "normalize", summary: "How pump time and amounts become samples.",
    kind: .keys([
      PipelineKey(
        name: "zones",
        summary: "The zones that the pump's clock was set to; a ledger remembers them.",
        kind: .value(
          PipelineValue(
            form: "a tzdata name such as America/New_York, with @ and a time of the pump's clock "
              + "for a trip: Europe/Berlin@2026-05-10T16:00; or a list of them",
            choices: [], isList: true
          ) { draft, word in
            guard let zone = ZoneArgument(text: word.text) else { return false }
            draft.request.zones.append(zone)
            draft.zoneMarks.append((zone, word.mark))
            return true
          })),
      .choice(
        "clock", "How the pump's clock becomes time.", ClockMode.allCases.map(\.rawValue)
      ) { $0.request.clock = ClockMode(rawValue: $1) },
      .choice(
        "insulin", "The concentration of the insulin in the pump.",
        Concentration.allCases.map(\.rawValue)
      ) { $0.request.insulin = Concentration(rawValue: $1) },
    ]))

  private static let ledger = PipelineKey(
    name: "ledger", summary: "The memory between runs.",
    kind: .keys([
      PipelineKey(
        name: "file", summary: "The ledger's file; the first run makes it.",
        kind: .value(
          PipelineValue(form: "a path", choices: [], isList: false) { draft, word in
            guard word.text != "-", let path = draft.path(word.text) else { return false }
            draft.request.ledger = path
            draft.targetMarks.append((path, word.mark))
            return true
          })),
      .value(
        "wait", "How long to wait while another run holds the ledger.",
        form: "whole seconds, at most a day"
      ) { draft, text in
        guard let seconds = RequestValue.waitSeconds(text) else { return false }
        draft.request.waitSeconds = seconds
        return true
      },
      .flag("hold-moves", "Whether a run keeps nothing that moves samples given before.") {
        $0.request.holdsMoves = $1
      },
    ]))

  private static let emit = PipelineKey(
    name: "emit", summary: "What is written, and which samples it shows.",
    kind: .keys([
      PipelineKey(
        name: "outputs", summary: "The outputs.",
        kind: .elements(outputKeys) { draft in
          draft.request.outputs.append(OutputRequest(format: nil, target: ""))
        }),
      .value(
        "pumps", "Show samples of these pumps only.",
        form: "a pump's serial number or assignment id, or a list of them", isList: true
      ) { draft, text in
        draft.request.selection.pumps.append(text)
        return true
      },
      .choice(
        "only", "Show these kinds of insulin and carbs only.",
        OutputSelection.Kind.allCases.map(\.rawValue), isList: true
      ) { draft, text in
        guard let kind = OutputSelection.Kind(rawValue: text) else { return }
        draft.request.selection.only = (draft.request.selection.only ?? []).union([kind])
      },
      .choice(
        "include", "Show glucose readings, and basal of rates that exports tell, too.",
        OutputSelection.Extra.allCases.map(\.rawValue), isList: true
      ) { draft, text in
        draft.request.selection.include(OutputSelection.Extra(rawValue: text))
      },
      .choice("zero-basal", "Whether CSV and SQLite show basal of rate 0.", ["keep", "drop"]) {
        $0.request.selection.keepsZeroBasal = $1 == "keep"
      },
      .value(
        "from", "Show samples that start then or later.", form: boundForm
      ) { draft, text in
        draft.request.selection.from = SelectionBound(text: text)
        return draft.request.selection.from != nil
      },
      PipelineKey(
        name: "until", summary: "Show samples that start before.",
        kind: .value(
          PipelineValue(form: boundForm, choices: [], isList: false) { draft, word in
            draft.request.selection.until = SelectionBound(text: word.text)
            draft.untilMark = word.mark
            return draft.request.selection.until != nil
          })),
      .value(
        "offset", "The UTC offset of an Apple Health file.", form: "a UTC offset such as -0400"
      ) { draft, text in
        draft.request.appleHealth.offsetMinutes = utcOffsetMinutes(text: text)
        return draft.request.appleHealth.offsetMinutes != nil
      },
      .value(
        "export-date", "The export date of an Apple Health file.",
        form: "an instant such as 2026-05-04T06:00:00Z"
      ) { draft, text in
        draft.request.appleHealth.exportDate = Instant(rfc3339: text)
        return draft.request.appleHealth.exportDate != nil
      },
    ]))

  private static let outputKeys = [
    PipelineKey(
      name: "file", summary: "Where it goes; the name tells the format where no format is named.",
      kind: .value(
        PipelineValue(
          form: "a path, or - for standard output", choices: [], isList: false
        ) { draft, word in
          guard let path = draft.pathOrStream(word.text),
            let last = draft.request.outputs.indices.last
          else { return false }
          draft.request.outputs[last].target = path
          draft.targetMarks.append((path, word.mark))
          return true
        })),
    .choice("format", "What it is.", OutputRequest.formatNames) { draft, text in
      guard let last = draft.request.outputs.indices.last else { return }
      draft.request.outputs[last].format = text
    },
    .choice(
      "changes", "Which changes since the last time it holds; all samples unless said.",
      OutputChanges.allCases.map(\.rawValue)
    ) { draft, text in
      guard let last = draft.request.outputs.indices.last else { return }
      draft.request.outputs[last].changes = OutputChanges(rawValue: text)
    },
    .value(
      "name", "What the ledger knows it by, wherever its file lies; its path unless said.",
      form: "letters, digits, - and _, at most 40"
    ) { draft, text in
      guard let last = draft.request.outputs.indices.last, isSinkName(text) else { return false }
      draft.request.outputs[last].sinkName = text
      return true
    },
  ]

  /// Whether a text is a name that is no path.
  private static func isSinkName(_ text: String) -> Bool {
    let isWord = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isWord && text != "-" && (1...40).contains(text.utf8.count)
  }

  private static let audit = PipelineKey(
    name: "audit", summary: "What is kept for whoever checks a run.",
    kind: .keys([
      PipelineKey(
        name: "report", summary: "The JSON report of all that was read, rejected, missing or odd.",
        kind: .value(
          PipelineValue(
            form: "a path, or - for standard output", choices: [], isList: false
          ) { draft, word in
            guard let path = draft.pathOrStream(word.text) else { return false }
            draft.request.report = path
            draft.targetMarks.append((path, word.mark))
            return true
          }))
    ]))

  private static let tests = PipelineKey(
    name: "tests",
    summary: "Folders of Samples/ that the test suite runs the pipeline over.",
    kind: .value(
      PipelineValue(
        form: "the name of a sample, or a list of them", choices: [], isList: true
      ) { draft, word in
        draft.tests.append(word.text)
        return !word.text.isEmpty
      }))

  private static let boundForm =
    "a day such as 2026-05-04, or an instant such as 2026-05-04T06:00:00-04:00"
}

extension PipelineKey {
  /// A key that takes a text of some form.
  fileprivate static func value(
    _ name: String, _ summary: String, form: String, isList: Bool = false,
    take: @escaping @Sendable (inout PipelineDraft, String) -> Bool
  ) -> PipelineKey {
    PipelineKey(
      name: name, summary: summary,
      kind: .value(
        PipelineValue(form: form, choices: [], isList: isList) { take(&$0, $1.text) }))
  }

  /// A key that takes one of a few words, or a list of them.
  fileprivate static func choice(
    _ name: String, _ summary: String, _ choices: [String], isList: Bool = false,
    take: @escaping @Sendable (inout PipelineDraft, String) -> Void
  ) -> PipelineKey {
    let words =
      choices.count > 1
      ? choices.dropLast().joined(separator: ", ") + " or " + (choices.last ?? "")
      : choices.joined()
    return PipelineKey(
      name: name, summary: summary,
      kind: .value(
        PipelineValue(
          form: isList && choices.count > 1 ? words + ", or a list of them" : words,
          choices: choices, isList: isList
        ) {
          take(&$0, $1.text)
          return true
        }))
  }

  /// A key that is on or off.
  fileprivate static func flag(
    _ name: String, _ summary: String,
    take: @escaping @Sendable (inout PipelineDraft, Bool) -> Void
  ) -> PipelineKey {
    choice(name, summary, ["true", "false"]) { take(&$0, $1 == "true") }
  }
}
