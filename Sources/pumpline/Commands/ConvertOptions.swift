import Pipeline
import PumpModel

/// The options of `convert`.
extension OptionSpec {
  static let convertOptions = [
    keepGoing, complete, decimal, dateOrder, zone, serial, clock, insulin, rezone, holdMoves, now,
    pump, only, include,
    zeroBasal, from, until, to, output, changes, report, ledger, wait, offset, exportDate,
    dryRun, convertJSON,
  ]

  static let keepGoing = OptionSpec(
    long: "keep-going", group: .reading,
    summary: "Count an unreadable input as one reject and go on.",
    details: """
      Without it, an input named here that is damaged or no pump data ends the run before anything \
      is written. Damaged members of archives never end a run.
      """)

  static let complete = OptionSpec(
    long: "complete", group: .reading,
    summary: "Say that the inputs hold every record between their first and last.",
    details: """
      Sequence numbers that are missing there then count as lost records, and basal across them is \
      a hole. Exports of Tandem Source filter records: do not say it of them.
      """)

  static let decimal = OptionSpec(
    long: "decimal", value: .choice(DecimalMark.allCases.map(\.rawValue)), group: .reading,
    summary: "What stands before the decimals in tables that do not tell.",
    details: """
      Tandem writes points. A spreadsheet may save commas, and then 1,250 could be one and a quarter \
      or a thousand: such a row, or the table where nothing settles it, is refused until you say.
      """)

  static let dateOrder = OptionSpec(
    long: "date-order", value: .choice(DateOrder.allCases.map(\.rawValue)), group: .reading,
    summary: "The order of day, month and year in tables that do not tell.",
    details: """
      A spreadsheet may save 4/5/2026. A day above 12 anywhere in the table settles the order; \
      without one the table is refused until you say.
      """)

  static let zone = OptionSpec(
    long: "zone",
    value: ValueSpec(
      placeholder: "Z[@T]",
      form: "a tzdata name such as America/New_York, with @ and a time of the pump's clock for a "
        + "trip: Europe/Berlin@2026-05-10T16:00",
      source: .zone),
    isRepeatable: true, group: .time, summary: "The zone that the pump's clock was set to.",
    details: """
      A pump shows a wall clock and knows no zone, so the first run must be told. \(trips) A \
      ledger remembers; later runs may leave it out.
      """)

  private static let trips = """
    For a trip, give one zone from the beginning and one for each change: the time after @ is the \
    pump's, YYYY-MM-DD[THH:MM[:SS]].
    """

  /// The zone of a command that keeps no ledger.
  static let zoneAlone = {
    var option = zone
    option.details = "A pump shows a wall clock and knows no zone, so it must be told. \(trips)"
    return option
  }()

  static let serial = OptionSpec(
    long: "serial", value: .text("NUMBER", form: "a serial number without spaces or colons"),
    group: .time, summary: "The serial number of the pump in inputs that name none.",
    details: "It becomes part of every external id. A ledger remembers it.")

  /// The serial number of a command that keeps no ledger.
  static let serialAlone = {
    var option = serial
    option.details = "It becomes part of every external id."
    return option
  }()

  static let clock = OptionSpec(
    long: "clock", value: .choice(ClockMode.allCases.map(\.rawValue)), group: .time,
    summary: "How the pump's clock becomes time.",
    details: """
      By the pump's own records of clock changes, or by the zone's rules date by date. Automatic \
      takes the records of each pump that has any.
      """)

  static let insulin = OptionSpec(
    long: "insulin", value: .choice(Concentration.allCases.map(\.rawValue)), group: .time,
    summary: "The concentration of the insulin in the pump; U-100 unless said.",
    details: """
      Pumps count in U-100; amounts of U-200 and U-500 are multiplied by 2 and 5. A ledger made \
      under one concentration refuses another.
      """)

  static let rezone = OptionSpec(
    long: "rezone", group: .time,
    summary: "Let another zone or clock mode replace the ledger's, for its whole history.")

  static let holdMoves = OptionSpec(
    long: "hold-moves", group: .time,
    summary: "Keep nothing if samples given before would move in time.",
    details: """
      A change of the pump's clock that no zone entry explains moves all the history before it. \
      With this the run ends with 78, changes nothing, and names the entry that would explain it: \
      right for runs that nobody watches.
      """)

  static let now = OptionSpec(
    long: "now", value: .instant, group: .time,
    summary: "What counts as now, to find events dated after it.",
    details: "The host's clock unless said. It never changes a sample.")

  static let pump = OptionSpec(
    long: "pump", value: .text("NAME", form: "a pump's serial number or assignment id"),
    isRepeatable: true, group: .selection, summary: "Write samples of this pump only.")

  static let only = OptionSpec(
    long: "only", value: .choice(OutputSelection.Kind.allCases.map(\.rawValue), isList: true),
    group: .selection, summary: "Write these kinds of insulin and carbs only.")

  static let include = OptionSpec(
    long: "include",
    value: .choice(OutputSelection.Extra.allCases.map(\.rawValue), isList: true),
    isRepeatable: true, group: .selection, summary: "Write glucose, or derived basal, too.",
    details: """
      Glucose is left out unless asked for, since a CGM's own app usually writes it to Health. \
      Derived basal is made of rates that exports of the older site and of third parties tell, on \
      days of which the pump's own records tell nothing; it is marked as derived.
      """)

  static let zeroBasal = OptionSpec(
    long: "zero-basal", value: .choice(["keep", "drop"]), group: .selection,
    summary: "Whether CSV and SQLite show basal of rate 0; drop unless said.")

  static let from = OptionSpec(
    long: "from", value: .bound, group: .selection,
    summary: "Write samples that start at T or later.",
    details: "A day begins with its first instant in the zone that held then.")

  static let until = OptionSpec(
    long: "until", value: .bound, group: .selection,
    summary: "Write samples that start before T.",
    details: "Samples are never cut: one that starts before T is written whole.")

  static let to = OptionSpec(
    long: "to", value: .choice("FORMAT", OutputRequest.formatNames), isRepeatable: true,
    group: .writing,
    summary: "Take apple-health, csv, sqlite or samples for the --output that follows.",
    details: """
      apple-health: an export.xml as Health writes it, in a zip if the name ends in .zip. csv: a \
      table for spreadsheets. sqlite: a database with samples, pump events and daily totals. \
      samples: JSON, one sample a line.
      """)

  static let output = OptionSpec(
    long: "output", short: "o", value: .path(form: "a path, or - for standard output"),
    isRepeatable: true, group: .writing, summary: "Write samples to a file; - is standard output.",
    details: """
      Repeat it for more outputs, each with its own --to before it. Without --to the name tells \
      the format. A file is replaced as a whole or not at all.
      """)

  static let changes = OptionSpec(
    long: "changes",
    value: ValueSpec(
      placeholder: "fresh|all", form: "fresh or all",
      source: .choices(OutputChanges.allCases.map(\.rawValue)), isOptional: true),
    group: .writing,
    summary: "Write only what an output has not been given yet; needs --ledger.",
    details: """
      The ledger remembers for each output what it was given, so take a file away before the next \
      run replaces it. CSV, SQLite and samples are told what is new, revised and withdrawn. Apple \
      Health cannot delete: its file holds what is new, and what must be deleted there first stands \
      in superseded.csv of the zip, or in the report of an .xml. With --changes=all the file holds \
      the new form of revised samples too.
      """)

  static let report = OptionSpec(
    long: "report", value: .path(form: "a path, or - for standard output"), group: .writing,
    summary: "Write a JSON report of all that was read, rejected, missing or odd.")

  static let ledger = OptionSpec(
    long: "ledger", value: .path(), group: .writing,
    summary: "Keep what was read in this file, so that runs add up.",
    details: """
      The first run makes it, readable for you alone. Later runs may overlap, repeat or come in any \
      order: no dose is counted twice. Outputs then hold all samples of the ledger.
      """)

  static let wait = OptionSpec(
    long: "wait", value: .text("SECONDS", form: "whole seconds, at most a day"), group: .writing,
    summary: "How long to wait while another run holds the ledger; 10 unless said.")

  static let offset = OptionSpec(
    long: "offset", value: .text("±HHMM", form: "a UTC offset such as -0400"), group: .writing,
    summary: "The UTC offset of an Apple Health file.",
    details: "The zone's offset at the export date unless said. Instants stay the same.")

  static let exportDate = OptionSpec(
    long: "export-date", value: .instant, group: .writing,
    summary: "The export date of an Apple Health file; its newest end unless said.")
}

extension OptionSpec {
  static let dryRun = OptionSpec(
    long: "dry-run", short: "n", group: .writing,
    summary: "Do everything but keep it: say what would change, and write nothing.",
    details: """
      All is read, checked and made as in a run, then taken back: no output, report or ledger \
      changes, and nothing goes to standard output.
      """)

  static let convertJSON = json(
    """
    The summary then goes to standard output, which no output or report may take. The keys: dryRun, \
    documents, pumps, records (read, used, duplicates, ignored, rejected), samples (of each type: \
    fresh, unchanged, revised, withdrawn), pending, holes, findings (of each weight: count and the \
    first), rejected and the first of the rejects, outputs (format, target, \
    samples, holdsChanges, superseded, untouched), report, \
    ledger.
    """)
}

extension ValueSpec {
  /// An instant.
  static let instant = text("T", form: "an instant such as 2026-05-04T06:00:00Z")

  /// Where a selection begins or ends.
  static let bound = text(
    "T", form: "a day such as 2026-05-04, or an instant such as 2026-05-04T06:00:00-04:00")
}
