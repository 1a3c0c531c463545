import Emit
import Foundation
import Platform
import PumpModel
import Testing

@Suite("Docs/Formats.md and Docs/Outputs.md name what is read and written")
struct OutputPagesTests {
  @Test("has each format that a document can have", arguments: DocumentFormat.allCases)
  func documentFormat(_ format: DocumentFormat) throws {
    let page = try Page("Docs/Formats.md")
    #expect(page.headings.contains("`\(format.rawValue)`"))
    #expect(page.text.contains("| `\(format.rawValue)` |"))
  }

  @Test("has each format of an output", arguments: SinkFormat.allCases)
  func sinkFormat(_ format: SinkFormat) throws {
    #expect(try Page("Docs/Outputs.md").text.contains("| `\(format.rawValue)` |"))
  }

  @Test("has each column of CSV")
  func columns() throws {
    let page = try Page("Docs/Outputs.md")
    var buffer = ByteBuffer()
    CSVForm(try context()).appendHead(to: &buffer)
    let text = Received()
    try buffer.flush(to: text)
    let columns = text.text.trimmingCharacters(in: .whitespacesAndNewlines)
      .split(separator: ",").map(String.init)
    #expect(columns.count == 21)
    for column in columns { #expect(page.names(column), "missing: \(column)") }
  }

  @Test("has each key of the report")
  func reportKeys() throws {
    let page = try Page("Docs/Outputs.md")
    for key in try keys(of: report()) where Int(key) == nil {
      #expect(page.names(key), "missing: \(key)")
    }
  }

  @Test("has each reason of the report")
  func reasons() throws {
    let page = try Page("Docs/Outputs.md")
    let words =
      IgnoredReason.allCases.map(\.rawValue) + Hole.Reason.allCases.map(\.rawValue)
      + PendingPart.Kind.allCases.map(\.rawValue)
    for word in words { #expect(page.names(word), "missing: \(word)") }
  }

  private func context() throws -> OutputContext {
    let rules = ZoneRules(name: "UTC", firstOffset: 0, transitions: [])
    let schedule = try #require(ZoneSchedule([ZoneSchedule.Entry(rules: rules, from: nil)]))
    return OutputContext(schedule: schedule, pumps: [PumpLabel(name: "1")], newestEnd: nil)
  }

  /// A report with an element in every section.
  private func report() throws -> Data {
    let received = Received()
    let report = ReportWriter(into: received)
    let now = Instant(unixSeconds: 0)
    try report.write(
      ReportInput(
        document: "a", format: .pumpLogs, pumps: ["1"], records: 1, used: 1, duplicates: 0,
        rejected: 0))
    for position in [Reject.Position.offset(0), .line(1), .index(0), .whole] {
      try report.write(ReportReject(document: "a", reject: Reject(position, "b")))
    }
    for reason in IgnoredReason.allCases { try report.write(ignored: reason, count: 1) }
    try report.write(unknownID: 9, count: 1)
    try report.write(ReportChanges())
    try report.write(
      ReportMove(pump: "1", shiftSeconds: 3600, samples: 1, start: now, end: now))
    let sample = Sample(
      identity: SampleIdentity(
        kind: .bolus, group: 0, number: 1, time: PumpTime(seconds: 1), eventID: 20),
      start: now, end: now, amount: 1)
    let row = OutputRow(sample: sample, pump: 0, revision: 1, lineage: 0..<0)
    try report.write(ReportSuperseded(output: "a", pump: "1", old: row, new: row))
    try report.write(
      ReportPending(
        pump: "1", kind: "clock", start: nil, sequence: 1, clock: (lastSequence: 2, count: 2)))
    try report.write(ReportHole(pump: "1", start: now, end: now, reason: "silence"))
    try report.write(ReportFinding(pump: "1", finding: Finding(.clockDrift, text: "c")))
    try report.write(ReportIncomplete(pump: "1", bolusID: 1, start: now))
    try report.write(
      ReportClock(
        pump: "1", mode: .records, opened: "beginning", start: now, end: now, offset: 0, drift: 0,
        records: 1))
    try report.write(ReportDay(pump: "1", day: 0))
    try report.seal()
    return Data(received.text.utf8)
  }

  /// All keys of a JSON text, however deep.
  private func keys(of json: Data) throws -> Set<String> {
    func collect(_ value: Any) -> Set<String> {
      switch value {
      case let object as [String: Any]:
        object.reduce(into: Set(object.keys)) { $0.formUnion(collect($1.value)) }
      case let list as [Any]: list.reduce(into: []) { $0.formUnion(collect($1)) }
      default: []
      }
    }
    return collect(try JSONSerialization.jsonObject(with: json))
  }
}

/// Keeps what is written.
private final class Received: OutputFile {
  private var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func write(_ bytes: RawSpan) {
    for offset in 0..<bytes.byteCount {
      self.bytes.append(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    }
  }

  func seal() {}
  func publish() {}
  func discard() {}
}
