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
  /// A digest of the parts, kept as they come: a broken log may join very many.
  private(set) var digest = StateDigest()

  init(bolus: UInt16, first: Part) {
    self.bolus = bolus
    parts = []
    last = first.at
    digest.mix(Int64(bolus))
    append(first)
  }

  mutating func append(_ part: Part) {
    parts.append(part)
    last = part.at
    digest.mix(part.position)
    digest.mix(part.at)
    part.payload.mix(into: &digest)
  }

  /// The most events that a sample of a group rests on: twice what eight hours of progress write.
  private static let longestLineage = 256

  /// The lineage of the group's samples; nil where a broken log joins more records than a bolus
  /// can have, so that every completion would carry all the others.
  var references: [EventReference]? {
    parts.count <= Self.longestLineage ? parts.map(\.position.reference) : nil
  }
}

extension BolusGroup {
  /// The last start of a part that no completion of the same part follows.
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

  /// The first progress record that says started, where no start record is in the group.
  var startOfProgressOnly: Part? {
    guard !parts.contains(where: { $0.isStart }) else { return nil }
    return parts.first { part in
      if case .bolusProgress(_, true, _) = part.payload { true } else { false }
    }
  }
}

/// Where the next completion of a group began, as its parts pass in order (N5).
///
/// What lies before a completion of the same part belongs to that one.
struct BolusStarts {
  /// When a part began.
  struct Start {
    /// Unix seconds.
    var at: Int64
    /// Whether no record says so.
    var isInferred: Bool
  }

  private var normal: Int64?
  private var firstProgress: Int64?
  private var extended: Int64?
  private var lastNormalEnd: Int64?

  /// The start of a completion that comes now: its start record, else for a normal part the first
  /// progress record of status started, for an extended part the end of the normal one.
  func start(of part: PumpEvent.BolusPart, endingAt end: Int64) -> Start {
    switch part {
    case .normal: Start(at: normal ?? firstProgress ?? end, isInferred: false)
    case .extended: Start(at: extended ?? lastNormalEnd ?? end, isInferred: extended == nil)
    }
  }

  /// Takes the next part in order.
  mutating func note(_ part: BolusGroup.Part) {
    switch part.payload {
    case .bolusStarted(.normal, _): normal = part.at
    case .bolusStarted(.extended, _): extended = part.at
    case .bolusProgress(_, true, _): firstProgress = firstProgress ?? part.at
    case .bolusCompleted(.normal, _, _, _, _):
      normal = nil
      firstProgress = nil
      lastNormalEnd = part.at
    case .bolusCompleted(.extended, _, _, _, _): extended = nil
    default: break
    }
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
