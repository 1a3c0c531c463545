import Decode
import Deduplicate
import Emit
import Normalize
import Platform
import PumpModel

/// Writes a ledger's samples to the outputs of a run.
struct OutputWriter {
  let ledger: Ledger
  let schedule: ZoneSchedule
  let pumps: [LedgerPump]
  let request: ConvertRequest
  /// The timeline of a pump, for what is written beside samples.
  var normalization: PumpNormalization
  /// Whose the files are while they wait; nil: nobody will look for them.
  var owner: String?
  /// Is told how many samples of how many were written, batch by batch.
  var onBatch: ((_ done: UInt64, _ total: UInt64) -> Void)?

  /// Writes outputs and seals them; they take their places only when published.
  func write(_ outputs: [PlannedOutput]) throws {
    // Outputs that want the same rows in the same order are written in one pass.
    for order in [OutputOrder.device, .healthType] {
      for showsZero in [false, true] {
        let group = outputs.filter {
          $0.format.order == order && showsZeroBasal($0.format) == showsZero
        }
        if !group.isEmpty { try write(group, order: order, showsZero: showsZero) }
      }
    }
  }

  /// Counts what an output would hold.
  func count(_ output: PlannedOutput) throws {
    let selection = selection(showsZero: showsZeroBasal(output.format))
    output.samples = try OrderedSamples(
      ledger, pumps: pumps, selection: selection, order: output.format.order
    ).count
  }

  private func showsZeroBasal(_ format: SinkFormat) -> Bool {
    request.selection.keepsZeroBasal && format.showsZeroBasal
  }

  private func write(_ group: [PlannedOutput], order: OutputOrder, showsZero: Bool) throws {
    let samples = try OrderedSamples(
      ledger, pumps: pumps, selection: selection(showsZero: showsZero), order: order)
    let context = OutputContext(
      schedule: schedule, pumps: pumps.map(\.label), newestEnd: samples.newestEnd,
      statusWords: try ledger.statusWords(), names: try ledger.names())
    for output in group {
      output.sink = try output.format.open(
        output.target, context: context,
        options: healthOptions,
        staging: SinkFormat.Staging(owner: owner, standing: output.standing))
      RunPoint.pass()
      output.samples = samples.count
    }
    var batch = OutputBatch()
    var written = 0
    while try samples.next(into: &batch) {
      for output in group { try output.sink?.write(batch) }
      written += batch.rows.count
      onBatch?(UInt64(written), UInt64(samples.count))
      try checkInterruption()
    }
    for output in group {
      if let database = output.sink as? SQLiteSink {
        try forEachEvents(of: Array(pumps.enumerated())) { events in
          try database.write(events: events)
          try checkInterruption()
        }
      }
      try output.sink?.seal()
      RunPoint.pass()
    }
  }

  /// What only Health exports need.
  var healthOptions: Emit.AppleHealthOptions {
    Emit.AppleHealthOptions(
      version: Release.version, exportDate: request.appleHealth.exportDate,
      offset: request.appleHealth.offsetMinutes.map { Int64($0) * 60 })
  }

  /// What a sink of a format shows.
  func sinkSelection(_ format: SinkFormat) -> SinkSelection {
    SinkSelection(
      pumps: request.selection.pumps.isEmpty ? nil : Set(pumps.map(\.number)),
      samples: selection(showsZero: showsZeroBasal(format)))
  }

  /// Which samples an output shows.
  func selection(showsZero: Bool) -> SampleSelection {
    SampleSelection(
      kinds: request.selection.kinds, keepsZeroBasal: showsZero,
      showsDerivedBasal: request.selection.includesDerivedBasal,
      from: request.selection.from.map { $0.instant(in: schedule) },
      until: request.selection.until.map { $0.instant(in: schedule) })
  }

  /// Gives what Health has no type for: site, cartridge, alarms, suspensions, modes.
  ///
  /// Rows name pumps by the places given with them.
  func forEachEvents(
    of pumps: [(offset: Int, element: LedgerPump)], _ body: ([PumpEventRow]) throws -> Void
  ) throws {
    let window = selection(showsZero: false)
    for (index, pump) in pumps {
      var cursor = try normalization.timeline(of: pump).cursor()
      let journal = try ledger.journal(of: pump, rules: PumpNormalization.copyRules)
      let labels =
        pump.isDemo ? [PumpEventRow.Detail(name: "dataSource", value: DemoData.label)] : []
      var records: [PumpRecord] = []
      var rows: [PumpEventRow] = []
      while try journal.next(into: &records) {
        rows.removeAll(keepingCapacity: true)
        for record in records {
          guard let instant = cursor.instant(of: PumpNormalization.event(record)),
            let category = EventCatalogue.category(of: record.eventID),
            window.from.map({ instant >= $0 }) ?? true, window.until.map({ instant < $0 }) ?? true
          else { continue }
          rows.append(
            PumpEventRow(
              pump: index, at: instant,
              reference: EventReference(number: record.number, seconds: record.seconds),
              eventID: record.eventID, category: category,
              name: EventCatalogue.name(of: record.eventID) ?? "",
              details: EventCatalogue.details(of: record) + labels))
        }
        try body(rows)
      }
    }
  }
}

extension OutputSelection {
  /// The kinds of sample that an output shows.
  var kinds: Set<SampleKind> {
    var kinds: Set<SampleKind> = []
    if only?.contains(.basal) ?? true { kinds.insert(.basal) }
    if only?.contains(.bolus) ?? true { kinds.formUnion([.bolus, .extended]) }
    if only?.contains(.carbs) ?? true { kinds.insert(.carbs) }
    if includesGlucose { kinds.formUnion([.cgm, .meter]) }
    return kinds
  }
}

extension SelectionBound {
  /// The instant; of a day, the first one that belongs to it.
  func instant(in schedule: ZoneSchedule) -> Instant {
    switch self {
    case .instant(let instant): return instant
    case .day(let day):
      // Local days begin within a day and a bit of the same midnight in UTC.
      let midnight = day.daysSince1970 * 86_400
      var at = Instant(unixSeconds: midnight - 100_000)
      while at.unixSeconds < midnight + 200_000 {
        let (_, offset, range) = schedule.span(at: at)
        let first = Instant(unixSeconds: max(at.unixSeconds, midnight - offset))
        if first.unixSeconds < range.upperBound { return first }
        at = Instant(unixSeconds: range.upperBound)
      }
      return Instant(unixSeconds: midnight)
    }
  }
}
