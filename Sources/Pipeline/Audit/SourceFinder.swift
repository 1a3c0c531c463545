import Decode
import PumpModel

/// Finds where events and rows of exports stand in sources, by reading them once more.
final class SourceFinder: ImportTap {
  private let wanted: SampleOrigins
  /// The own ids of rows that are wanted, and the times of those that have none, by source.
  private let wantedNames: [ExportSource: Set<String>]
  private let wantedTimes: [ExportSource: Set<UInt32>]
  /// The pumps' names, by the run's references.
  private let names: [UInt32: String]
  /// What was found in documents that may still be taken back.
  private var openEvents: [FoundEvent] = []
  private var openRows: [FoundRow] = []
  private var events: [EventReference: [FoundEvent]] = [:]
  private var rows: [RowReference: [FoundRow]] = [:]
  private var documentNames: [UInt32: String] = [:]

  /// Whether the sources were read.
  private var hasLooked = false

  private struct FoundEvent {
    var reference: EventReference
    var id: UInt16
    var pump: String?
    var document: UInt32
    var offset: UInt64
  }

  private struct FoundRow {
    var row: ExportRow
    var pump: String?
    var document: UInt32

    /// What rows share that are counted together; nil for times that no pump shows.
    var group: Group? {
      guard let seconds = row.pumpSeconds else { return nil }
      return Group(document: document, pump: row.pump, kind: row.content.kind, seconds: seconds)
    }
  }

  private struct Group: Hashable {
    var document: UInt32
    var pump: UInt32
    var kind: RowKind
    var seconds: UInt32
  }

  /// So many places of one event or row are kept.
  private static let mostPlaces = 8
  /// So many are held that may still be taken back: a document that repeats itself may have any number.
  private static let mostOpen = 65_536

  private init(_ wanted: SampleOrigins, _ names: [UInt32: String]) {
    self.wanted = wanted
    self.names = names
    var ownNames: [ExportSource: Set<String>] = [:]
    var times: [ExportSource: Set<UInt32>] = [:]
    for row in wanted.rows {
      switch row.name {
      case .own(let name): ownNames[row.source, default: []].insert(name)
      case .time(let seconds, _): times[row.source, default: []].insert(seconds)
      }
    }
    (wantedNames, wantedTimes) = (ownNames, times)
  }

  /// Reads the sources of a run again and finds events and rows in them.
  ///
  /// References of pumps depend on nothing but the inputs, so those of the run hold here too.
  static func find(
    _ wanted: SampleOrigins, of request: ConvertRequest, names: [UInt32: String]
  ) throws -> SourceFinder {
    let finder = SourceFinder(wanted, names)
    // Standard input is gone, and nothing has to be looked for where no sample was made again.
    guard !wanted.isEmpty, !request.inputs.contains("-") else { return finder }
    let reader = ImportReader(journal: nil, keepsGoing: true) { _ in }
    reader.forms = request.forms
    reader.tap = finder
    reader.onSettled = { try finder.settle(reader) }
    defer { (reader.tap, reader.onSettled) = (nil, nil) }
    try reader.read(request.inputs)
    try finder.settle(reader)
    finder.hasLooked = true
    return finder
  }

  func take(_ records: Span<PumpRecord>, at places: Span<UInt64>, of document: UInt32) {
    guard !wanted.events.isEmpty else { return }
    for index in records.indices {
      let record = records[index]
      let reference = EventReference(number: record.number, seconds: record.seconds)
      guard wanted.events.contains(reference), openEvents.count < Self.mostOpen else { continue }
      openEvents.append(
        FoundEvent(
          reference: reference, id: record.eventID, pump: names[record.pump], document: document,
          offset: places[index]))
    }
  }

  func take(rows: [ExportRow], of document: UInt32) {
    guard !wanted.rows.isEmpty else { return }
    for row in rows where isWanted(row) && openRows.count < Self.mostOpen {
      openRows.append(FoundRow(row: row, pump: names[row.pump], document: document))
    }
  }

  private func isWanted(_ row: ExportRow) -> Bool {
    if let name = row.name { return wantedNames[row.source]?.contains(name) == true }
    return row.pumpSeconds.map { wantedTimes[row.source]?.contains($0) == true } ?? false
  }

  func take(properties: Span<UInt8>, of document: UInt32) {}

  func take(estimateDiffersBy seconds: Int64, of record: PumpRecord, of document: UInt32) {}

  private func settle(_ reader: ImportReader) throws {
    for found in openEvents where reader.documents[Int(found.document)].isWhole {
      guard events[found.reference]?.count ?? 0 < Self.mostPlaces else { continue }
      events[found.reference, default: []].append(found)
      documentNames[found.document] = try reader.name(of: found.document)
    }
    openEvents.removeAll()
    try settleRows(reader)
  }

  /// Rows of one time are named by their count, which only all of them tell.
  private func settleRows(_ reader: ImportReader) throws {
    var groups: [Group: [FoundRow]] = [:]
    for found in openRows where reader.documents[Int(found.document)].isWhole {
      documentNames[found.document] = try reader.name(of: found.document)
      if let name = found.row.name {
        keep(found, as: .own(name))
      } else if let group = found.group {
        groups[group, default: []].append(found)
      }
    }
    openRows.removeAll()
    for found in groups.values {
      // What stands at one place came in more than one way, and is one row.
      var places: [UInt64: FoundRow] = [:]
      for row in found { places[row.row.place] = row }
      for (ordinal, place) in places.keys.sorted().enumerated() {
        guard let row = places[place], let seconds = row.row.pumpSeconds else { continue }
        keep(row, as: .time(seconds: seconds, ordinal: UInt32(ordinal)))
      }
    }
  }

  private func keep(_ found: FoundRow, as name: RowReference.Name) {
    let reference = RowReference(
      source: found.row.source, kind: found.row.content.kind, name: name)
    guard wanted.rows.contains(reference), rows[reference]?.count ?? 0 < Self.mostPlaces else {
      return
    }
    rows[reference, default: []].append(found)
  }
}

extension SourceFinder {
  /// An event with its places; of a pump, if that is told.
  func event(_ reference: EventReference, of pump: String?) -> LocatedEvent {
    var event = LocatedEvent(reference)
    guard hasLooked else { return event }
    var places: [SourcePlace] = []
    for entry in events[reference] ?? [] where Self.isOne(entry.pump, pump) {
      event.id = event.id ?? entry.id
      places.append(
        SourcePlace(document: documentNames[entry.document] ?? "", .offset(entry.offset)))
    }
    event.places = places
    event.name = event.id.flatMap(EventCatalogue.name)
    return event
  }

  /// A row with its places; of a pump, if that is told.
  func row(_ reference: RowReference, of pump: String?) -> LocatedRow {
    var row = LocatedRow(reference)
    guard hasLooked else { return row }
    let found = (rows[reference] ?? []).filter { Self.isOne($0.pump, pump) }
    row.places = found.map { entry in
      SourcePlace(
        document: documentNames[entry.document] ?? "",
        reference.source.countsLines ? .line(entry.row.place) : .offset(entry.row.place))
    }.sorted { ($0.document, $0.number) < ($1.document, $1.number) }
    return row
  }

  private static func isOne(_ found: String?, _ pump: String?) -> Bool {
    found == nil || pump == nil || found == pump
  }
}

extension ExportRow {
  /// The row's time on the pump's clock, in seconds since 2008; nil for times that it cannot show.
  var pumpSeconds: UInt32? { UInt32(exactly: time - PumpTime.epochInUnixSeconds) }
}
