import Decode
import PumpModel
import TestSupport

/// `decode`: how many binary records become events in a second, warm.
enum DecodeMeasure {
  static func run(_ arguments: Arguments) throws {
    let count = try arguments.integer("events") ?? 1_000_000
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * RecordEncoder.length)
    for record in SyntheticPump(SyntheticPump.Options(days: 1_000_000)).prefix(count) {
      RecordEncoder.append(record, to: &bytes)
    }
    // Batches are reused, as the pipeline reuses them: first touch of memory costs more than work.
    var batch = Array(
      repeating: PumpEvent(group: 0, number: 0, time: PumpTime(seconds: 0), id: 0, payload: .other),
      count: 4096)
    Pace.report(count: count) { decode(bytes, into: &batch) }
  }

  private static func decode(_ bytes: [UInt8], into batch: inout [PumpEvent]) -> UInt64 {
    let span = unsafe bytes.span.bytes
    var offset = 0
    var filled = 0
    var sum: UInt64 = 0
    while offset + RecordReader.size <= span.byteCount {
      if let record = RecordReader.record(in: span, at: offset),
        case .event(let event, _) = EventDecoder.decode(record)
      {
        batch[filled] = event
        filled += 1
        if filled == batch.count {
          filled = 0
          sum &+= UInt64(batch[0].number)
        }
      }
      offset += RecordReader.size
    }
    return sum &+ UInt64(filled)
  }
}
