package import PumpModel

/// Writes `pump-logs` answers of the Tandem Source web service (FORMATS A3), record by record.
///
/// Minified, properties in the service's order, `estimatedDateTime` with the Z that means
/// nothing. Clock changes go to their own list at the end.
package struct PumpLogsEncoder {
  private let assignment: [UInt8]
  private let layouts: [EventLayout]
  private var clockChanges: [PumpRecord] = []
  private var isFirst = true

  /// Starts an answer about a pump and appends its beginning.
  package init(_ pump: PumpIdentity, to bytes: inout [UInt8]) {
    assignment = Array(pump.assignment.utf8)
    layouts = (0..<512).map { EventLayout.of($0) }
    bytes.append(contentsOf: #"{"events":["#.utf8)
  }

  /// Appends a record.
  package mutating func append(_ record: PumpRecord, to bytes: inout [UInt8]) {
    if record.eventID == 13 || record.eventID == 14 {
      clockChanges.append(record)
    } else {
      write(record, to: &bytes)
    }
  }

  /// Appends the clock changes and the end.
  ///
  /// The service lists the changes of the pump's whole history, whatever the window; `known` adds
  /// those that this answer's records do not hold.
  package mutating func finish(known: [PumpRecord] = [], to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"],"clockChanges":["#.utf8)
    isFirst = true
    let held = Set(clockChanges.map(\.number))
    for record in known where !held.contains(record.number) { write(record, to: &bytes) }
    for record in clockChanges { write(record, to: &bytes) }
    bytes.append(contentsOf: "]}".utf8)
  }

  /// A whole answer.
  package static func document(
    _ records: some Sequence<PumpRecord>, of pump: PumpIdentity, known: [PumpRecord] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var encoder = PumpLogsEncoder(pump, to: &bytes)
    for record in records { encoder.append(record, to: &bytes) }
    encoder.finish(known: known, to: &bytes)
    return bytes
  }

  private mutating func write(_ record: PumpRecord, to bytes: inout [UInt8]) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(contentsOf: #"{"deviceAssignmentId":""#.utf8)
    bytes.append(contentsOf: assignment)
    bytes.append(contentsOf: #"","eventCode":"#.utf8)
    bytes.append(decimal: UInt64(record.eventID))
    bytes.append(contentsOf: #","sequenceGroup":"#.utf8)
    bytes.append(decimal: UInt64(record.group))
    bytes.append(contentsOf: #","sequenceNumber":"#.utf8)
    bytes.append(decimal: UInt64(record.number))
    bytes.append(contentsOf: #","pumpDateTime":""#.utf8)
    JSONText.append(time: record.seconds, to: &bytes)
    bytes.append(contentsOf: #"","eventProperties":{"#.utf8)
    let layout = record.eventID < 512 ? layouts[Int(record.eventID)] : .of(record.eventID)
    for index in layout.fields.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: layout.fields[index].key)
      layout.fields[index].append(record.payload, to: &bytes)
    }
    bytes.append(contentsOf: #"},"estimatedDateTime":""#.utf8)
    JSONText.append(time: record.seconds, to: &bytes)
    bytes.append(contentsOf: #"Z"}"#.utf8)
  }
}

extension EventLayout.Field {
  /// Appends the value of this field.
  func append(_ payload: PumpRecord.Payload, to bytes: inout [UInt8]) {
    switch kind {
    case .u8: bytes.append(decimal: UInt64(payload.u8(at: offset)))
    case .i8: JSONText.append(Int64(Int8(bitPattern: payload.u8(at: offset))), to: &bytes)
    case .u16: bytes.append(decimal: UInt64(payload.u16(at: offset)))
    case .u32: bytes.append(decimal: UInt64(payload.u32(at: offset)))
    case .f32: JSONText.append(payload.f32(at: offset), to: &bytes)
    case .bits8: JSONText.append(bits: UInt32(payload.u8(at: offset)), to: &bytes)
    case .bits16: JSONText.append(bits: UInt32(payload.u16(at: offset)), to: &bytes)
    case .bits32: JSONText.append(bits: payload.u32(at: offset), to: &bytes)
    case .zero: bytes.append(UInt8(ascii: "0"))
    }
  }
}
