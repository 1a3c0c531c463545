import PumpModel

/// Checks records as they are read and hands the sound ones on in batches.
///
/// Batches are cut by count alone, so that the same document gives the same calls however its
/// bytes arrive.
struct RecordIntake {
  /// How many records go together; what SQLite and the caches like best.
  static let batchSize = 4096

  let consumer: any DocumentConsumer
  private let batch = RecordBatch(capacity: batchSize)
  private var count = 0
  private let wantsPlaces: Bool
  private var places: [UInt64] = []

  init(consumer: any DocumentConsumer) {
    self.consumer = consumer
    wantsPlaces = consumer.wantsPlaces
  }

  /// Takes in a record that was read at an offset of the document; false if it was rejected.
  @inline(__always)
  @discardableResult
  mutating func take(_ record: PumpRecord, at offset: UInt64) -> Bool {
    var payload = PumpEvent.Payload.other
    switch EventDecoder.check(record, into: &payload) {
    case .sound(.none): break
    case .sound(let remark): note(remark, on: record, at: offset)
    case .rejected(let fault):
      reject(fault, at: offset)
      return false
    }
    unsafe batch.start.advanced(by: count).initialize(to: record)
    count += 1
    if wantsPlaces { places.append(offset) }
    if count == Self.batchSize { flush() }
    return true
  }

  /// Tells of something that cannot be used.
  @inline(never)
  func reject(_ fault: RecordFault, at offset: UInt64) {
    consumer.reject(Reject(.offset(offset), fault.reason))
  }

  /// Counts a record of erased flash.
  @inline(never)
  func countErased() { consumer.ignore(.erasedFlash, eventID: nil) }

  @inline(never)
  private func note(_ remark: EventDecoder.Remark, on record: PumpRecord, at offset: UInt64) {
    switch remark {
    case .none: break
    case .carbsUnusable: reject(.carbsOutOfRange, at: offset)
    case .glucoseNotShown: consumer.ignore(.glucoseNotShown, eventID: record.eventID)
    case .unknownEvent: consumer.ignore(.unknownEvent, eventID: record.eventID)
    case .noRule: consumer.ignore(.noRule, eventID: record.eventID)
    }
  }

  /// Hands on what has gathered.
  mutating func flush() {
    guard count > 0 else { return }
    let records = unsafe UnsafeBufferPointer(start: batch.start, count: count)
    unsafe consumer.records(records.span, at: places.span)
    count = 0
    places.removeAll(keepingCapacity: true)
  }
}

/// Room for a batch of records: an array would look at each append whether it is the only owner,
/// which costs as much as reading a record does.
@safe private final class RecordBatch {
  let start: UnsafeMutablePointer<PumpRecord>

  init(capacity: Int) { unsafe start = .allocate(capacity: capacity) }

  // Records hold no references, so there is nothing to take apart.
  deinit { unsafe start.deallocate() }
}
