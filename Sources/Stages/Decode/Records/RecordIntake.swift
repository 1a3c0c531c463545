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
    unsafe slot.pointee = record
    return takeSlot(at: offset)
  }

  /// Where the next record belongs; what is written there counts once `takeSlot` has taken it.
  @unsafe
  @inline(__always)
  var slot: UnsafeMutablePointer<PumpRecord> { unsafe batch.start.advanced(by: count) }

  /// Takes in the record that was written to `slot`; false if it was rejected.
  @inline(__always)
  @discardableResult
  mutating func takeSlot(at offset: UInt64) -> Bool {
    var payload = PumpEvent.Payload.other
    let fields = unsafe RecordFields(
      eventID: slot.pointee.eventID, present: slot.pointee.present, payload: slot.pointee.payload)
    switch EventDecoder.check(fields, into: &payload) {
    case .sound(.none): break
    case .sound(let remark): note(remark, onEvent: fields.eventID, at: .offset(offset))
    case .rejected(let fault):
      reject(fault, at: offset)
      return false
    }
    addSlot(at: offset)
    return true
  }

  /// Takes in a record that is no plain run of the document's bytes.
  mutating func take(_ record: PumpRecord, at place: RecordPlace) {
    var payload = PumpEvent.Payload.other
    switch EventDecoder.check(RecordFields(record), into: &payload) {
    case .sound(let remark): note(remark, onEvent: record.eventID, at: place.position)
    case .rejected(let fault):
      consumer.reject(Reject(place.position, fault.reason))
      return
    }
    unsafe slot.pointee = record
    addSlot(at: place.offset)
  }

  @inline(__always)
  private mutating func addSlot(at offset: UInt64) {
    count += 1
    if wantsPlaces { places.append(offset) }
    if count == Self.batchSize { flush() }
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
  private func note(
    _ remark: EventDecoder.Remark, onEvent eventID: UInt16, at position: Reject.Position
  ) {
    switch remark {
    case .none: break
    case .carbsUnusable: consumer.reject(Reject(position, RecordFault.carbsOutOfRange.reason))
    case .glucoseNotShown: consumer.ignore(.glucoseNotShown, eventID: eventID)
    case .unknownEvent: consumer.ignore(.unknownEvent, eventID: eventID)
    case .noRule: consumer.ignore(.noRule, eventID: eventID)
    }
  }

  /// Counts a line or a packet without history.
  @inline(never)
  func countNoHistory() { consumer.ignore(.noHistory, eventID: nil) }

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

  init(capacity: Int) {
    unsafe start = .allocate(capacity: capacity)
    unsafe start.initialize(repeating: RecordReader.blank, count: capacity)
  }

  // Records hold no references, so there is nothing to take apart.
  deinit { unsafe start.deallocate() }
}
