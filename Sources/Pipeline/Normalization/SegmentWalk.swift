import Deduplicate
import Normalize
import PumpModel

/// Normalizes a journal piece by piece, from a place where the normalizer's state is known.
///
/// A piece ends after some hundred records, or at a place where somebody wants to know the state.
final class SegmentWalk {
  private let reader: JournalReader
  private var normalizer: PumpNormalizer
  /// How many records a piece has, unless it ends early or several stand under one number; nil: the
  /// whole history is one.
  private let recordsPerSegment: Int?
  /// The normalizer's state at `place`.
  private(set) var state: NormalizerState
  /// Where the piece that goes on began: number << 32 | pump seconds of its first record; the
  /// greatest at the history's end.
  private(set) var place: UInt64
  private var taken = 0
  private var last: UInt64?
  private var hasEnded = false
  private var batch = NormalizedBatch()
  private var records: [PumpRecord] = []
  private var events: [PumpEvent] = []
  /// Whether `records` were read and are of the next piece.
  private var isHeld = false
  private var noted = (differing: NotedNumbers(), conflicting: NotedNumbers())
  private var differing = NotedNumbers()
  private var conflicting = NotedNumbers()

  /// How many records are taken at once where the whole history is one piece.
  private static let batch = 4096

  /// Is told how many records were taken, batch by batch.
  var onBatch: ((Int) throws -> Void)?

  /// Begins at a place, with a normalizer that knows what came before it.
  init(
    reader: JournalReader, normalizer: PumpNormalizer, place: UInt64, recordsPerSegment: Int?
  ) {
    self.reader = reader
    self.normalizer = normalizer
    self.place = place
    self.recordsPerSegment = recordsPerSegment
    state = normalizer.state
  }

  /// The events before `place` that samples to come may be named after.
  var inFlight: Set<EventPosition> { normalizer.inFlight }

  /// Takes the next piece, which ends at `stop` at the latest, and gives it; nil at the end.
  ///
  /// The last piece has no records: it holds what the history's end made certain.
  func next(
    before stop: UInt64 = .max, _ sink: (borrowing NormalizedBatch) throws -> Void
  ) throws -> StoredSegment? {
    guard place != .max else { return try end(sink) }
    while try isHeld || read(before: stop) {
      isHeld = false
      let first = Self.key(records[0])
      // Records of one number and time are never in two pieces.
      if let recordsPerSegment, taken >= recordsPerSegment, let last, first > last {
        isHeld = true
        return cut(at: first)
      }
      try take(sink)
    }
    return cut(at: stop)
  }

  private func read(before stop: UInt64) throws -> Bool {
    let limit = recordsPerSegment.map { max(1, $0 - taken) } ?? Self.batch
    let hasMore = try reader.next(into: &records, atMost: limit, before: stop)
    noted = reader.takeNotes()
    return hasMore
  }

  private func take(_ sink: (borrowing NormalizedBatch) throws -> Void) throws {
    PumpNormalization.decode(records, into: &events)
    batch.removeAll()
    normalizer.process(events, into: &batch)
    differing.add(noted.differing)
    conflicting.add(noted.conflicting)
    taken += records.count
    try onBatch?(records.count)
    last = records.last.map(Self.key)
    try sink(batch)
  }

  private func cut(at end: UInt64) -> StoredSegment {
    let segment = StoredSegment(
      start: place, state: state, notes: normalizer.cut(), differing: differing,
      conflicting: conflicting)
    (differing, conflicting) = (NotedNumbers(), NotedNumbers())
    (place, state, taken, last) = (end, normalizer.state, 0, nil)
    return segment
  }

  private func end(_ sink: (borrowing NormalizedBatch) throws -> Void) throws -> StoredSegment? {
    guard !hasEnded else { return nil }
    hasEnded = true
    batch.removeAll()
    normalizer.end(into: &batch)
    try sink(batch)
    return StoredSegment(start: .max, state: state, notes: normalizer.cut())
  }

  private static func key(_ record: PumpRecord) -> UInt64 {
    UInt64(record.number) << 32 | UInt64(record.seconds)
  }
}
