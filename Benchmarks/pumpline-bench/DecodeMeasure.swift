import Decode
import PumpModel
import TestSupport

/// `decode`: how many binary records a document's reader turns into checked records in a second,
/// warm.
enum DecodeMeasure {
  static func run(_ arguments: Arguments) throws {
    let count = try arguments.integer("events") ?? 1_000_000
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * RecordEncoder.length)
    for record in SyntheticPump(SyntheticPump.Options(days: 1_000_000)).prefix(count) {
      RecordEncoder.append(record, to: &bytes)
    }
    let counter = Counter()
    Pace.report(count: count) {
      let reader = DocumentReader(consumer: counter)
      let span = unsafe bytes.span.bytes
      var offset = 0
      while offset < span.byteCount {
        let end = min(span.byteCount, offset + 256 * 1024)
        reader.feed(span.extracting(offset..<end))
        offset = end
      }
      reader.finish()
      return counter.sum
    }
  }
}

/// Takes records and keeps none; what it adds up keeps the optimizer honest.
private final class Counter: DocumentConsumer {
  private(set) var sum: UInt64 = 0

  func begin(response: Int?) {}
  func content(_ bytes: RawSpan) {}
  func pump(assignment: Span<UInt8>) -> UInt32 { 1 }
  func pump(serial: String) -> UInt32 { 1 }
  func rows(_ rows: [ExportRow]) {}
  func keep(properties: Span<UInt8>) -> PumpRecord.Payload { PumpRecord.Payload() }
  func records(_ records: Span<PumpRecord>) {
    sum &+= UInt64(records.count)
    if !records.isEmpty { sum &+= UInt64(records[0].number) }
  }
  func reject(_ reject: Reject) {}
  func ignore(_ reason: IgnoredReason, eventID: UInt16?) {}
  func pump(facts: PumpFacts) {}
  func estimatedTime(differsBy seconds: Int64, of record: PumpRecord) {}
  func missingBody() {}
  func end(_ verdict: DocumentVerdict) {}
}
