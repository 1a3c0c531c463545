import Deduplicate
import Emit
import Platform

/// One output of a run, from its request to the file that takes its place.
final class PlannedOutput {
  let format: SinkFormat
  let target: OutputTarget
  /// Which changes it is to hold; nil: all samples.
  let changes: OutputChanges?
  /// What names its sink: the name that was given for it, or its place.
  let sinkTarget: String
  /// How it is written.
  var method = Method.whole
  /// How many samples it holds.
  var samples = 0
  /// How many of the samples that it was given before are to be deleted first.
  var superseded = 0
  var sink: (any SampleSink)?
  /// What the report of this run lists as superseded was worked out from this.
  private(set) var listed: OwedSamples.Basis?
  /// Whether what stands there already is what was to be written.
  var isUntouched = false
  /// Whether its reader left before it was written to its end.
  var isCut = false
  /// What the ledger promised of it.
  var promise: OutboxEntry?

  /// How an output is written.
  enum Method {
    /// Whole, beside its target, with all samples.
    case whole
    /// Whole, beside its target, with what a sink is owed.
    case owed(OwedSamples, LedgerSink)
    /// A database made anew beside its target, which remembers the ledger.
    case database(LedgerSink, SQLiteStanding)
    /// A database that is brought up to date in its place, after the commit.
    case update(LedgerSink, SQLiteStanding)
  }

  init(_ request: OutputRequest, format: SinkFormat, target: OutputTarget) {
    self.format = format
    self.target = target
    changes = request.changes
    sinkTarget =
      request.sinkName ?? (request.isStandardOutput ? "-" : SameFile.place(of: request.target))
  }

  /// The file's path; nil for standard output.
  var path: String? {
    if case .file(let path) = target { path } else { nil }
  }

  /// What a database made beside its target is to remember.
  var standing: SQLiteStanding? {
    if case .database(_, let standing) = method { standing } else { nil }
  }

  /// Whether it holds what a sink is owed, and no more.
  var holdsChanges: Bool {
    if case .owed = method { true } else { false }
  }

  /// Forgets how it was to be written and what was promised of it, when the ledger has moved on.
  func forgetPlan() {
    if case .owed(let owed, _) = method {
      listed = listed ?? owed.basis
      owed.drop()
    }
    method = .whole
    samples = 0
    superseded = 0
    sink = nil
    isUntouched = false
    promise = nil
  }

  /// The sink, if it has one, and up to where this run gives it everything.
  func advance(to change: UInt64) -> OutboxEntry.Advance? {
    switch method {
    case .whole: nil
    case .owed(_, let sink), .database(let sink, _), .update(let sink, _):
      OutboxEntry.Advance(sink: sink.number, mark: change)
    }
  }
}
