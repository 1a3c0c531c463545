import Decode
import PumpModel

/// What samples rest on: events of a pump's log, and rows of exports.
struct SampleOrigins {
  /// The events.
  private(set) var events: Set<EventReference> = []
  /// The rows.
  private(set) var rows: Set<RowReference> = []

  var isEmpty: Bool { events.isEmpty && rows.isEmpty }

  mutating func add(_ origin: SampleOrigin) {
    events.formUnion(origin.events)
    if let row = origin.row { rows.insert(row) }
  }
}

/// What one sample rests on.
struct SampleOrigin {
  var events: [EventReference] = []
  var row: RowReference?

  private init() {}

  /// Takes the lineage of a sample that was made again; of one that only an output tells, what its id
  /// names.
  init(of sample: WrittenSample) {
    let id = sample.externalID.flatMap { ExternalID(Array($0.utf8)) }
    row = id?.row
    guard row == nil else { return }
    events = sample.lineage.isEmpty ? id?.event.map { [$0] } ?? [] : sample.lineage
  }

  /// Takes what a difference is about: what its sample of the sources rests on; of one that only an output
  /// has, what its id names, whatever it says itself.
  init(of difference: SampleDifference) {
    if let sample = difference.first {
      self.init(of: sample)
    } else if var sample = difference.second {
      sample.lineage = []
      self.init(of: sample)
    } else {
      self.init()
    }
  }

  /// Takes what an id names.
  init(of id: ExternalID) {
    row = id.row
    events = id.event.map { [$0] } ?? []
  }

  /// Takes an event.
  init(of event: EventReference) { events = [event] }

  /// Takes a row.
  init(of row: RowReference) { self.row = row }
}
