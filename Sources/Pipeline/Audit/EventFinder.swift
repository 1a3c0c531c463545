import Decode
import PumpModel

/// Finds where events stand in sources, by reading them once more.
final class EventFinder: ImportTap {
  private let wanted: Set<EventReference>
  /// The pumps' names, by the run's references.
  private let names: [UInt32: String]
  /// What was found in documents that may still be taken back.
  private var open: [Found] = []
  private var found: [EventReference: [Found]] = [:]

  /// Whether the sources were read.
  private var hasLooked = false

  private struct Found {
    var reference: EventReference
    var id: UInt16
    var pump: String?
    var document: UInt32
    var place: LocatedEvent.Place
  }

  /// So many places of one event are kept.
  private static let mostPlaces = 8

  private init(_ wanted: Set<EventReference>, _ names: [UInt32: String]) {
    self.wanted = wanted
    self.names = names
  }

  /// Reads the sources of a run again and finds events in them.
  ///
  /// References of pumps depend on nothing but the inputs, so those of the run hold here too.
  static func find(
    _ wanted: Set<EventReference>, of request: ConvertRequest, names: [UInt32: String]
  ) throws -> EventFinder {
    let finder = EventFinder(wanted, names)
    // Standard input is gone, and nothing has to be looked for where no sample was made again.
    guard !wanted.isEmpty, !request.inputs.contains("-") else { return finder }
    let reader = ImportReader(journal: nil, keepsGoing: true) { _ in }
    reader.forms = request.forms
    reader.tap = finder
    reader.onSettled = { finder.settle(reader.documents) }
    defer { (reader.tap, reader.onSettled) = (nil, nil) }
    try reader.read(request.inputs)
    finder.settle(reader.documents)
    finder.hasLooked = true
    return finder
  }

  func take(_ records: Span<PumpRecord>, at places: Span<UInt64>, of document: UInt32) {
    for index in records.indices {
      let record = records[index]
      let reference = EventReference(number: record.number, seconds: record.seconds)
      guard wanted.contains(reference) else { continue }
      open.append(
        Found(
          reference: reference, id: record.eventID, pump: names[record.pump], document: document,
          place: LocatedEvent.Place(document: "", offset: places[index])))
    }
  }

  func take(rows: [ExportRow], of document: UInt32) {}

  func take(properties: Span<UInt8>, of document: UInt32) {}

  func take(estimateDiffersBy seconds: Int64, of record: PumpRecord, of document: UInt32) {}

  /// An event with its places; of a pump, if that is told.
  func event(_ reference: EventReference, of pump: String?) -> LocatedEvent {
    var event = LocatedEvent(reference)
    guard hasLooked else { return event }
    var places: [LocatedEvent.Place] = []
    for entry in found[reference] ?? [] where entry.pump == nil || pump == nil || entry.pump == pump
    {
      event.id = event.id ?? entry.id
      places.append(entry.place)
    }
    event.places = places
    event.name = event.id.flatMap(EventCatalogue.name)
    return event
  }

  private func settle(_ documents: [RunDocument]) {
    for var entry in open where documents[Int(entry.document)].isWhole {
      entry.place.document = documents[Int(entry.document)].name
      guard found[entry.reference]?.count ?? 0 < Self.mostPlaces else { continue }
      found[entry.reference, default: []].append(entry)
    }
    open.removeAll()
  }
}
