import PumpModel

/// The records of one bolus, in order, joined by its id (N5).
struct BolusGroup {
  /// One record of a bolus.
  struct Part {
    var position: EventPosition
    /// Unix seconds.
    var at: Int64
    var payload: PumpEvent.Payload
  }

  let bolus: UInt16
  private(set) var parts: [Part]
  /// When the last part was written, Unix seconds.
  private(set) var last: Int64

  init(bolus: UInt16, first: Part) {
    self.bolus = bolus
    parts = [first]
    last = first.at
  }

  mutating func append(_ part: Part) {
    parts.append(part)
    last = part.at
  }

  /// The first of something that a part says.
  func first<Found>(_ match: (Part) -> Found?) -> Found? {
    for part in parts {
      if let found = match(part) { return found }
    }
    return nil
  }

  /// Something that a part says between the completion before an index, of the same part of the
  /// bolus, and the index; the last of it.
  func last<Found>(
    before index: Int, since part: PumpEvent.BolusPart, _ match: (Part) -> Found?
  ) -> Found? {
    for candidate in parts[..<index].reversed() {
      if candidate.completes(part) { return nil }
      if let found = match(candidate) { return found }
    }
    return nil
  }

  /// The lineage of the group's samples.
  var references: [EventReference] { parts.map(\.position.reference) }
}

extension BolusGroup {
  /// The completions in the group, with their places.
  var completions: [(index: Int, completion: BolusCompletion)] {
    parts.indices.compactMap { index in
      guard
        case .bolusCompleted(let part, _, let status, let delivered, let requested) =
          parts[index].payload
      else { return nil }
      return (
        index,
        BolusCompletion(part: part, status: status, delivered: delivered, requested: requested)
      )
    }
  }

  /// Whether a part of the group has a start that no completion of the same part follows; then it.
  func unfinishedStart(of part: PumpEvent.BolusPart) -> Part? {
    var started: Part?
    for candidate in parts {
      switch candidate.payload {
      case .bolusStarted(part, _): started = candidate
      case .bolusCompleted(part, _, _, _, _): started = nil
      default: break
      }
    }
    return started
  }
}

/// What a completion [20, 21] says.
struct BolusCompletion {
  var part: PumpEvent.BolusPart
  var status: UInt16
  /// mIU of the pump.
  var delivered: UInt32
  /// mIU of the pump.
  var requested: UInt32?

  var isRejected: Bool { status == BolusStatus.rejected }
}
