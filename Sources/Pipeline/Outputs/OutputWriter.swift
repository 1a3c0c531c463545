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
  let normalization: PumpNormalization
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
      schedule: schedule, pumps: pumps.map(\.label), newestEnd: samples.newestEnd)
    for output in group {
      output.sink = try output.format.open(
        output.target, context: context,
        options: Emit.AppleHealthOptions(
          version: Release.version, exportDate: request.appleHealth.exportDate,
          offset: request.appleHealth.offsetMinutes.map { Int64($0) * 60 }))
      output.samples = samples.count
    }
    var batch = OutputBatch()
    var written = 0
    while try samples.next(into: &batch) {
      for output in group { try output.sink?.write(batch) }
      written += batch.rows.count
      onBatch?(UInt64(written), UInt64(samples.count))
    }
    for output in group {
      if let database = output.sink as? SQLiteSink { try writeEvents(to: database) }
      try output.sink?.seal()
    }
  }

  private func selection(showsZero: Bool) -> SampleSelection {
    SampleSelection(
      kinds: request.selection.kinds, keepsZeroBasal: showsZero,
      from: request.selection.from.map { $0.instant(in: schedule) },
      until: request.selection.until.map { $0.instant(in: schedule) })
  }

  /// Writes what Health has no type for: site, cartridge, alarms, suspensions, modes.
  private func writeEvents(to database: SQLiteSink) throws {
    let window = selection(showsZero: false)
    for (index, pump) in pumps.enumerated() {
      var cursor = try normalization.place(pump).0.cursor()
      let journal = try ledger.journal(of: pump, rules: PumpNormalization.copyRules)
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
              details: EventCatalogue.details(of: record)))
        }
        try database.write(events: rows)
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
