import PumpModel
import TestSupport

/// `generate`: writes synthetic input of any form and length, never holding it.
struct Generate {
  private let arguments: Arguments
  private var output: OutputFile

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    output = try OutputFile(arguments.text("output", default: "-"))
  }

  mutating func run() throws {
    let pumps = try histories()
    let form = arguments.text("form", default: "pump-logs")
    switch form {
    case "pumper": output.pending = PumperDocument.bytes(pumps.map(\.pump))
    case "har": output.pending = try capture(pumps)
    case "records":
      try eachRecord(pumps[0].options) { record, bytes in
        RecordEncoder.append(record, to: &bytes)
      }
    case "little-endian":
      try eachRecord(pumps[0].options) { record, bytes in
        RecordEncoder.appendLittleEndian(record, to: &bytes)
      }
    case "frames": output.pending = RadioEncoder.frames(SyntheticPump(pumps[0].options))
    case "log": output.pending = Array(RadioEncoder.log(SyntheticPump(pumps[0].options)).utf8)
    case "btsnoop": output.pending = RadioCapture.of(SyntheticPump(pumps[0].options))
    case "base64": try base64(pumps[0].options)
    case "pump-logs": try pumpLogs(pumps[0])
    default: throw Usage("there is no form \(form)")
    }
    try output.flush()
  }

  /// The pumps asked for; `--pump` picks the n-th of a history, or names one of many.
  private func histories() throws -> [(pump: PumpIdentity, options: SyntheticPump.Options)] {
    let pump = try arguments.integer("pump")
    let name = arguments.text("history", default: "")
    if let history = SampleHistory(rawValue: name) {
      guard let pump else { return history.pumps }
      guard history.pumps.indices.contains(pump - 1) else { throw Usage("no such pump") }
      return [history.pumps[pump - 1]]
    }
    guard name.isEmpty else { throw Usage("there is no history \(name)") }
    // Asked for a count of events, the days only have to be enough.
    let days = try arguments.integer("events") == nil ? arguments.integer("days") ?? 1 : 1_000_000
    let seed = try arguments.integer("seed") ?? 1
    var options = SyntheticPump.Options(seed: UInt64(seed), days: days)
    // A history of years begins in the past.
    if days > 100 { options.start = TestZones.instant(2012, 1, 1, in: options.zone) }
    return [(PumpIdentity(pump ?? 1), options)]
  }

  private mutating func eachRecord(
    _ options: SyntheticPump.Options, _ write: (PumpRecord, inout [UInt8]) -> Void
  ) throws {
    let limit = try arguments.integer("events") ?? .max
    let skipped = try arguments.integer("skip") ?? 0
    for (index, record) in SyntheticPump(options).enumerated() {
      guard index < limit else { break }
      guard index >= skipped else { continue }
      write(record, &output.pending)
      try output.flushIfLarge()
    }
  }

  private mutating func base64(_ options: SyntheticPump.Options) throws {
    var encoder = Base64Encoder()
    var bytes: [UInt8] = []
    output.pending.append(UInt8(ascii: "\""))
    try eachRecord(options) { record, text in
      bytes.removeAll(keepingCapacity: true)
      RecordEncoder.append(record, to: &bytes)
      encoder.append(bytes, to: &text)
    }
    encoder.finish(to: &output.pending)
    output.pending.append(UInt8(ascii: "\""))
  }

  private mutating func pumpLogs(
    _ history: (pump: PumpIdentity, options: SyntheticPump.Options)
  ) throws {
    var encoder = PumpLogsEncoder(history.pump, to: &output.pending)
    try eachRecord(history.options) { record, bytes in encoder.append(record, to: &bytes) }
    encoder.finish(to: &output.pending)
  }

  private func capture(
    _ pumps: [(pump: PumpIdentity, options: SyntheticPump.Options)]
  ) throws -> [UInt8] {
    var capture = HarCapture()
    capture.add(PumperDocument.bytes(pumps.map(\.pump)), as: .base64)
    capture.add(Array("<html>not ours</html>".utf8), type: "text/html")
    for (pump, options) in pumps {
      capture.add(PumpLogsEncoder.document(SyntheticPump(options), of: pump))
    }
    capture.add([], as: .missing)
    return capture.bytes
  }
}
