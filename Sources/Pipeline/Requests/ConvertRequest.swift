package import PumpModel

/// All that `pumpline convert` was asked for; the command line fills it, the pipeline executes it.
///
/// What is nil or empty was left out: the ledger's settings or the defaults hold (N10).
package struct ConvertRequest: Sendable, Equatable {
  /// Files and folders, `-` for standard input; none: the outputs show what the ledger holds.
  package var inputs: [String]
  /// The demo that is read beside the inputs; nil: none.
  package var demo: DemoPlan?
  /// Whether the inputs are lines of `decode`, as `pumpline normalize` reads them.
  package var readsLines = false
  /// The zones, those from the beginning first, then ascending; empty: the ledger's.
  package var zones: [ZoneArgument] = []
  /// The serial number of the documents that name none (N1).
  package var serial: String?
  /// How numbers and dates of tables are written, where their cells do not tell.
  package var forms = CellForms()
  /// How pump time becomes instants; nil: the ledger's, else automatic.
  package var clock: ClockMode?
  /// Whether the inputs claim to hold every record between their first and last (N4).
  package var isComplete = false
  /// Whether an unreadable input is one reject instead of the end of the run (N2).
  package var keepsGoing = false
  /// Whether another zone or clock mode may replace the ledger's (N10).
  package var rezones = false
  /// Whether a run that moves samples already given keeps nothing (N10).
  package var holdsMoves = false
  /// The insulin in the pump; nil: the ledger's, else U-100.
  package var insulin: Concentration?
  /// The outputs, in the order they were given.
  package var outputs: [OutputRequest] = []
  /// Which samples the outputs show.
  package var selection = OutputSelection()
  /// The ledger's path; nil: a private, temporary one.
  package var ledger: String?
  /// The path of the JSON report, `-` for standard output; nil: none.
  package var report: String?
  /// What counts as now; nil: the host's clock.
  package var now: Instant?
  /// What only Apple Health files are asked.
  package var appleHealth = AppleHealthOptions()
  /// How many seconds to wait for a ledger that another run holds.
  package var waitSeconds = 10
  /// Whether all is done but commit and publish, so that nothing changes.
  package var isDryRun = false
  /// Whether events tell how far the run has come, which costs a look at the sizes of the inputs.
  package var tellsProgress = false

  /// Whether anything is read; if not, the outputs show what the ledger holds.
  package var hasSource: Bool { !inputs.isEmpty || demo != nil }

  /// Creates a request with defaults for everything but the inputs.
  package init(inputs: [String]) { self.inputs = inputs }
}
