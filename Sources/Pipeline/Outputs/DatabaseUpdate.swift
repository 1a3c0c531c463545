import Deduplicate
import Emit
import Platform
import PumpModel

/// Brings a database of samples up to date in its place, after the ledger's commit.
struct DatabaseUpdate {
  private let ledger: Ledger
  private let writer: OutputWriter
  private let request: ConvertRequest

  /// Prepares an update by a run's writer, which no signal ends from now on.
  init(ledger: Ledger, writer: OutputWriter, request: ConvertRequest) {
    self.ledger = ledger
    self.request = request
    var writer = writer
    writer.normalization.isInterruptible = false
    self.writer = writer
  }

  /// Writes what the database lacks, in one transaction of its own.
  func run(_ output: PlannedOutput, _ sink: LedgerSink, _ standing: SQLiteStanding) throws {
    guard let path = output.path else { return }
    let owed = try OwedSamples(ledger, sink: sink, order: output.format.order)
    defer { owed.drop() }
    let context = OutputContext(
      schedule: writer.schedule, pumps: owed.pumps.map(\.label), newestEnd: nil,
      statusWords: try ledger.statusWords(), names: try ledger.names())
    // Looked at again where nobody else can write to it.
    var old = standing
    old.change = sink.mark
    let update = try SQLiteUpdate(
      path, context: context, expecting: old,
      waitMilliseconds: Int32(clamping: request.waitSeconds * 1000))
    var batch = OutputBatch()
    let removed = try owed.rows(of: [.withdrawn], showing: .last)
    while try removed.next(into: &batch) { try update.remove(batch) }
    let written = try owed.rows(of: [.fresh, .revised], showing: .last)
    while try written.next(into: &batch) { try update.write(batch) }
    RunPoint.pass()
    let shown = Set(writer.pumps.map(\.number))
    let pumps = owed.pumps.enumerated().filter { shown.contains($0.element.number) }
    try writer.forEachEvents(of: pumps) { try update.write(events: $0) }
    RunPoint.pass()
    output.samples = try update.commit(standing)
    RunPoint.pass()
  }
}
