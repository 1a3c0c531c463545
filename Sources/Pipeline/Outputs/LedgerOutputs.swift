import Deduplicate
import Emit
import Platform
import PumpModel

/// The outputs of a run with a ledger: what each is owed, what the commit promises of it, and how
/// the promise is kept, by this run or by one after it.
final class LedgerOutputs {
  private let ledger: Ledger
  private let plan: OutputPlan
  private let request: ConvertRequest
  private let begin: () throws -> Void
  /// The ledger's id, which stands in the names of files that wait.
  let owner: String
  private var report: (writer: ReportWriter, entry: OutboxEntry)?

  /// Creates the outputs of a run; `begin` begins the ledger's transaction.
  init(
    _ ledger: Ledger, _ plan: OutputPlan, _ request: ConvertRequest,
    begin: @escaping () throws -> Void
  ) throws(LedgerError) {
    self.ledger = ledger
    self.plan = plan
    self.request = request
    self.begin = begin
    owner = try ledger.id
  }

  /// Before anything is read: ends what earlier runs left, and remembers where files will wait.
  func prepare() throws {
    let reports = request.report.map { $0 == "-" ? [] : [$0] } ?? []
    let folders = Set((plan.outputs.compactMap(\.path) + reports).map(StagedName.folder))
      .subtracting(try ledger.stagingFolders())
    guard try !folders.isEmpty || !ledger.outbox().isEmpty else { return }
    try inTransaction {
      for folder in folders.sorted() { try ledger.keep(stagingFolder: folder) }
      try recover()
    }
  }

  /// Ends what other runs left; in the transaction.
  func recover() throws {
    try OutboxRecovery(ledger: ledger) { sink in
      self.plan.outputs.contains {
        !sink.isDatabase && $0.changes != nil && $0.format.rawValue == sink.format
          && $0.sinkTarget == sink.target
      }
    }.run()
    RunPoint.pass()
  }

  /// Says how each output is to be written, now that the ledger's samples are settled.
  func assign(
    _ outputs: [PlannedOutput], _ writer: OutputWriter, isLate: Bool = false
  ) throws {
    let change = try ledger.changeNumber
    for output in outputs {
      let selection = writer.sinkSelection(output.format)
      if output.format == .sqlite, let path = output.path {
        let sink = try sink(of: output, selection)
        let standing = SQLiteStanding(
          ledger: try ledger.outputIdentity, change: change,
          shows: selection.text + "|" + writer.schedule.text)
        var old = standing
        old.change = sink.mark
        output.method =
          SQLiteStanding(at: path) == old ? .update(sink, standing) : .database(sink, standing)
      } else if output.changes != nil {
        let sink = try sink(of: output, selection)
        let owed = try OwedSamples(ledger, sink: sink, order: output.format.order)
        output.method = .owed(owed, sink)
        try ChangesWriter(writer: writer, request: request)
          .countSuperseded(output, owed, isLate: isLate)
      }
    }
  }

  private func sink(
    of output: PlannedOutput, _ selection: SinkSelection
  ) throws(LedgerError) -> LedgerSink {
    try ledger.sink(
      format: output.format.rawValue, target: output.sinkTarget, selection: selection,
      isDatabase: output.format == .sqlite)
  }

  /// Keeps in the ledger what its commit promises: which file takes whose place.
  func promise(_ report: ReportWriter?) throws {
    try promise(plan.outputs)
    guard let report, let path = request.report else { return }
    let entry = OutboxEntry(
      advance: nil, target: SameFile.place(of: path),
      staged: try staged(report.stagedPath, of: path))
    self.report = (report, try ledger.promise(entry))
  }

  private func promise(_ outputs: [PlannedOutput]) throws {
    let change = try ledger.changeNumber
    for output in outputs {
      let advance = output.advance(to: change)
      if output.isUntouched {
        if let advance { try ledger.move(advance) }
      } else if let sink = output.sink, let path = output.path {
        let staged = try staged(sink.stagedPath, of: path)
        if advance == nil, Digest256.ofFile(at: path) == staged.digest {
          sink.discard()
          output.isUntouched = true
        } else {
          output.promise = try ledger.promise(
            OutboxEntry(advance: advance, target: SameFile.place(of: path), staged: staged))
        }
      } else if let advance {
        let target = output.path.map(SameFile.place) ?? "-"
        output.promise = try ledger.promise(
          OutboxEntry(advance: advance, target: target, staged: nil))
      }
    }
  }

  private func staged(
    _ path: String?, of target: String
  ) throws(OutputError) -> OutboxEntry.StagedOutput {
    guard let path, let digest = Digest256.ofFile(at: path) else {
      throw .failed(path: target, reason: "what was written beside it is gone")
    }
    return OutboxEntry.StagedOutput(path: SameFile.place(of: path), digest: digest)
  }

  /// From now on files outlive this run: the ledger has committed.
  func leave() {
    for output in plan.outputs { output.sink?.leave() }
    report?.writer.leave()
  }

  /// Publishes the files and brings databases up to date; what fails stays promised or owed, and
  /// the rest is published all the same.
  ///
  /// Another run may have come between. What it published is done; what it took back is worked out
  /// anew, promised and published, as often as that happens.
  ///
  /// - Throws: the first failure.
  func publish(_ writer: OutputWriter) throws {
    var failure: (any Error)?
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { failure = failure ?? error }
    }
    var writer = writer
    var rest = plan.outputs.filter { $0.promise != nil && $0.target != .standardOutput }
    repeat {
      try inTransaction {
        let open = Set(try ledger.outbox().map(\.number))
        for output in rest {
          guard let promise = output.promise, open.contains(promise.number) else { continue }
          attempt {
            if case .update(let sink, let standing) = output.method {
              try DatabaseUpdate(ledger: ledger, writer: writer, request: request)
                .run(output, sink, standing)
            } else {
              try output.sink?.publish()
            }
            try ledger.confirm(promise)
          }
        }
        if let report, open.contains(report.entry.number) {
          attempt {
            try report.writer.publish()
            try ledger.confirm(report.entry)
          }
        }
        RunPoint.pass()
        try ledger.forgetUnneededForms()
        rest = try rest.filter { try !open.contains($0.promise?.number ?? 0) && isTakenBack($0) }
      }
      RunPoint.pass()
      if !rest.isEmpty { writer = try promiseAnew(rest) }
    } while !rest.isEmpty
    if let failure { throw failure }
  }

  /// Gives standard output what it is owed; while it is given, no other run can.
  ///
  /// If `write` fails, everything stays owed.
  func giveStandardOutput(
    _ writer: OutputWriter, _ write: (PlannedOutput, OutputWriter) throws -> Void
  ) throws {
    for output in plan.outputs where output.target == .standardOutput && output.promise != nil {
      try inTransaction {
        var writer = writer
        if try !ledger.outbox().contains(where: { $0.number == output.promise?.number }) {
          // Another run came between, and what it gave is owed no more.
          try recover()
          writer = try assignAnew([output])
          try promise([output])
        }
        try write(output, writer)
        if let promise = output.promise { try ledger.confirm(promise) }
        try ledger.forgetUnneededForms()
      }
      RunPoint.pass()
    }
  }

  /// Whether what a run has promised of an output was taken back by another one, and is owed.
  private func isTakenBack(_ output: PlannedOutput) throws(LedgerError) -> Bool {
    guard let advance = output.promise?.advance else { return false }
    return try ledger.sinks().first { $0.number == advance.sink }.map { $0.mark < advance.mark }
      ?? true
  }

  /// Writes outputs of what they are owed by now, and promises them in a commit of their own.
  private func promiseAnew(_ outputs: [PlannedOutput]) throws -> OutputWriter {
    var writer: OutputWriter?
    do {
      try inTransaction {
        try recover()
        let now = try assignAnew(outputs)
        try now.writeAsAssigned(outputs)
        try promise(outputs)
        writer = now
      }
    } catch {
      throw Interruption.isRequested ? RunFailure.interruptedLate : error
    }
    for output in outputs { output.sink?.leave() }
    RunPoint.pass()
    guard let writer else { throw RunFailure.overtaken }
    return writer
  }

  /// Forgets how outputs were to be written, and says it again for what the ledger holds now.
  private func assignAnew(_ outputs: [PlannedOutput]) throws -> OutputWriter {
    let writer = try OutputWriter(of: ledger, request: request, owner: owner)
    for output in outputs { output.forgetPlan() }
    try assign(outputs, writer, isLate: true)
    return writer
  }

  private func inTransaction(_ body: () throws -> Void) throws {
    try begin()
    do {
      try body()
      try ledger.commit()
    } catch {
      ledger.rollback()
      throw error
    }
  }
}

extension ZoneSchedule {
  /// The zones and from when each holds, as one text.
  fileprivate var text: String {
    entries.map { "\($0.rules.name)@\($0.from.map { String($0) } ?? "")" }.joined(separator: ",")
  }
}
