import Deduplicate
import PumpModel

/// One run of `ledger status`: tells what a ledger holds.
struct StatusRun {
  let request: LedgerRequest

  /// Looks.
  func run() throws -> LedgerStatus {
    let ledger = try Ledger(
      .existing(request.ledger), waitMilliseconds: Int32(clamping: request.waitSeconds * 1000))
    try ledger.beginReading()
    defer { ledger.rollback() }
    var status = LedgerStatus(
      kind: try ledger.kind()?.rawValue, schema: Int(try ledger.schemaVersion()),
      bytes: Int(try ledger.size()))
    status.isDemo = try ledger.isDemo()
    status.settings = try ledger.settings().map(settings)
    status.documents = try ledger.documentCounts().map(LedgerStatus.Documents.init)
    status.archives = Int(try ledger.archiveCount())
    for pump in try ledger.pumps() {
      var told = self.pump(try ledger.contents(of: pump))
      told.fetched = try ledger.fetchedTime(of: pump.number).ranges.map {
        WallTime(
          secondsSince1970: $0.lowerBound)..<WallTime(secondsSince1970: $0.upperBound)
      }
      status.pumps.append(told)
    }
    status.lastPull = try ledger.lastPull()
    status.requests = try ledger.requests().reversed()
    for sink in try ledger.sinks() {
      status.outputs.append(output(sink, owed: try ledger.owed(to: sink)))
    }
    try ledger.commit()
    return status
  }

  private func output(_ sink: LedgerSink, owed: SampleChanges) -> LedgerStatus.Output {
    let shown = sink.selection.samples
    let isWhole =
      sink.selection.pumps == nil && shown.from == nil && shown.until == nil
      && shown.kinds.isSuperset(of: [.basal, .bolus, .extended, .carbs])
    return LedgerStatus.Output(
      format: sink.format, target: sink.target, isNarrowed: !isWhole,
      fresh: Int(clamping: owed.fresh), revised: Int(clamping: owed.revised),
      withdrawn: Int(clamping: owed.withdrawn))
  }

  private func settings(_ held: LedgerSettings) -> LedgerStatus.Settings {
    LedgerStatus.Settings(
      zones: held.zones.map { ZoneArgument(name: $0.name, from: $0.fromWall) },
      clock: held.clock, insulin: held.concentration, makesGlucose: held.makesGlucose,
      derivesBasal: held.derivesBasal)
  }

  private func pump(_ contents: PumpContents) -> LedgerStatus.Pump {
    let label = contents.pump.label
    var pump = LedgerStatus.Pump(name: label.name)
    pump.serial = contents.pump.serial
    pump.model = label.modelName
    pump.software = label.softwareVersion
    pump.sameAs = contents.pump.sameAs
    pump.assignments = contents.assignments
    pump.records = Int(clamping: contents.records)
    pump.first = contents.span?.lowerBound
    pump.last = contents.span?.upperBound
    pump.days = contents.days.map {
      LocalDay(daysSince1970: $0.lowerBound)...LocalDay(daysSince1970: $0.upperBound)
    }
    for (kind, count) in contents.samples {
      pump.samples[kind.type, default: 0] += Int(clamping: count)
    }
    pump.pending = Int(clamping: contents.pending)
    pump.holes = Int(clamping: contents.holes)
    return pump
  }
}

extension LedgerStatus.Documents {
  init(_ count: DocumentCount) {
    self.init(
      format: count.format, documents: Int(clamping: count.documents),
      records: Int(clamping: count.records))
  }
}
