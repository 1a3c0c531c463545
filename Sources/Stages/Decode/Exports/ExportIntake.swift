import PumpModel

/// Takes what is read of the objects of an export and hands it on: rows in batches.
struct ExportIntake {
  private static let batchSize = 512

  private var batch: [ExportRow] = []
  private var boluses = HeldBoluses()
  private var lastSerial: (text: String, reference: UInt32)?

  /// Takes what an object says that stands at an offset; false if the document has more boluses
  /// than a pump can give.
  mutating func take(
    _ event: TherapyEvent, at offset: UInt64, _ consumer: any DocumentConsumer
  ) -> Bool {
    guard case .row(var row) = event.outcome else {
      take(event.outcome, at: offset, consumer)
      return true
    }
    row.pump = reference(of: event.serial, consumer)
    guard case .bolus = row.content else {
      add(row, consumer)
      return true
    }
    return boluses.take(row, number: event.bolus)
  }

  /// Takes what a record says that stands at an offset.
  mutating func take(
    _ record: TidepoolRecord, at offset: UInt64, _ consumer: any DocumentConsumer
  ) {
    guard case .row(var row) = record.outcome else {
      return take(record.outcome, at: offset, consumer)
    }
    row.pump = reference(of: record.serial, consumer)
    add(row, consumer)
  }

  /// Takes what an object says that names no pump.
  mutating func take(
    _ outcome: RowOutcome, at offset: UInt64, _ consumer: any DocumentConsumer
  ) {
    switch outcome {
    case .row(let row): add(row, consumer)
    case .ignored(let reason): consumer.ignore(reason, eventID: nil)
    case .rejected(let reason): consumer.reject(Reject(.offset(offset), reason))
    }
  }

  /// Hands on what is left, at the end of a document that counts.
  mutating func finish(_ consumer: any DocumentConsumer) {
    guard boluses.count > 0 else { return flush(consumer) }
    var held = HeldBoluses()
    swap(&held, &boluses)
    held.giveAll {
      add($0, consumer)
    } repeated: {
      consumer.ignore(.repeatedRow, eventID: nil)
    }
    flush(consumer)
  }

  private mutating func add(_ row: ExportRow, _ consumer: any DocumentConsumer) {
    batch.append(row)
    if batch.count == Self.batchSize { flush(consumer) }
  }

  private mutating func flush(_ consumer: any DocumentConsumer) {
    guard !batch.isEmpty else { return }
    consumer.rows(batch)
    batch.removeAll(keepingCapacity: true)
  }

  private mutating func reference(
    of serial: String?, _ consumer: any DocumentConsumer
  ) -> UInt32 {
    guard let serial else { return 0 }
    if let lastSerial, lastSerial.text == serial { return lastSerial.reference }
    let reference = consumer.pump(serial: serial)
    lastSerial = (serial, reference)
    return reference
  }
}
