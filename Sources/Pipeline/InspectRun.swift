import Decode
import PumpModel

/// One run of `inspect`: looks at what inputs hold, needing neither zone nor serial number.
struct InspectRun {
  let request: InspectRequest
  let events: (RunEvent) -> Void

  /// Looks.
  func run() throws -> InspectSummary {
    let reader = ImportReader(journal: nil, keepsGoing: false, events: events)
    reader.tellsProgress = request.tellsProgress
    reader.forms = request.forms
    let gathered = Gathered()
    reader.onRecord = { gathered.take($0, of: $1) }
    reader.onRow = { gathered.take($0, of: $1) }
    // What a damaged capture gave is taken back when it ends.
    reader.onSettled = { gathered.settle { reader.documents[$0].isWhole } }
    defer { reader.onSettled = nil }
    try reader.read(request.inputs)
    var summary = InspectSummary()
    summary.unrecognised = Int(clamping: reader.unrecognised)
    for document in reader.documents {
      guard let format = document.format else { continue }
      var shown = InspectSummary.Document(
        name: try reader.name(of: document.index), format: format,
        records: Int(clamping: document.accepted),
        rejected: Int(clamping: document.rejected))
      shown.sha256 = document.sha256
      shown.isMadeUp = document.content.isMadeUp
      shown.ignored = document.content.ignored.mapValues { Int(clamping: $0) }
      shown.unknownColumns = document.content.unknownColumns
      shown.missingBodies = Int(clamping: document.content.missingBodies)
      summary.documents.append(shown)
    }
    try reader.rejects.forEach { document, reject in
      summary.rejects.add(RejectedPart(document: try reader.name(of: document), reject: reject))
    }
    summary.pumps = pumps(gathered, reader)
    for pump in summary.pumps {
      for id in pump.events.keys { summary.eventNames[id] = EventCatalogue.name(of: id) }
    }
    return summary
  }

  private func pumps(_ gathered: Gathered, _ reader: ImportReader) -> [InspectedPump] {
    var facts: [String: PumpFacts] = [:]
    for fact in reader.documents.flatMap(\.content.facts) { facts[fact.assignment] = fact }
    var pumps: [InspectedPump] = []
    for (reference, seen) in gathered.pumps {
      var pump = seen
      pump.assignment = reader.assignment(of: reference)
      pump.serial = reader.serial(of: reference)
      pump.facts = pump.assignment.flatMap { facts.removeValue(forKey: $0) }
      pumps.append(pump)
    }
    for (assignment, fact) in facts {
      pumps.append(InspectedPump(assignment: assignment, facts: fact))
    }
    // Rows name a pump by its serial number, records by its assignment id.
    for pump in pumps.filter({ $0.assignment == nil && $0.serial != nil }) {
      let other = pumps.firstIndex { $0.assignment != nil && $0.facts?.serial == pump.serial }
      guard let other else { continue }
      pumps[other].add(pump)
      pumps.removeAll { $0.assignment == nil && $0.serial == pump.serial }
    }
    for index in pumps.indices { pumps[index].clockChanges.sort { $0.number < $1.number } }
    return pumps.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }
}

/// What passes while inputs are read, pump by pump.
private final class Gathered {
  private(set) var pumps: [UInt32: InspectedPump] = [:]
  /// What documents gave that may still be taken back.
  private var unsettled: [Int: [UInt32: InspectedPump]] = [:]

  func take(_ record: PumpRecord, of document: Int) {
    unsettled[document, default: [:]][record.pump, default: InspectedPump()].add(record)
  }

  func take(_ row: ExportRow, of document: Int) {
    unsettled[document, default: [:]][row.pump, default: InspectedPump()]
      .add(row.kind, at: row.time, isInstant: row.source.tellsInstants)
  }

  /// Keeps what documents gave that are whole, and forgets the rest.
  func settle(isWhole: (Int) -> Bool) {
    for (document, given) in unsettled where isWhole(document) {
      for (reference, pump) in given { pumps[reference, default: InspectedPump()].add(pump) }
    }
    unsettled.removeAll(keepingCapacity: true)
  }
}

extension InspectedPump {
  fileprivate mutating func add(_ record: PumpRecord) {
    add(eventID: record.eventID, at: PumpTime(seconds: record.seconds))
    guard record.eventID == 13 || record.eventID == 14 else { return }
    guard case .event(let event, _) = EventDecoder.decode(record),
      case .clockChange(let shift) = event.payload
    else { return }
    add(
      ClockChange(
        number: record.number, after: event.time, shiftSeconds: shift / 1000))
  }
}

extension ExportRow {
  fileprivate var kind: InspectedPump.RowKind {
    switch content {
    case .reading(_, let isManual): isManual ? .meter : .sensor
    case .rate: .rate
    case .meal: .mealOfBolus
    case .bolus(let bolus):
      [bolus.normal, bolus.extended].contains { ($0?.amount ?? 0) > 0 } ? .bolus : .meal
    }
  }
}
