import Pipeline
import PumpModel
import TestSupport
import Testing

/// A browser's capture and the responses in it.
@Suite("Captures of a browser, as documents")
struct CaptureTests {
  private let work: Workspace
  private static let records = Histories.meal(minutes: 120)
  private static let first = Histories.pumpLogs(records.prefix(20))
  private static let second = Histories.pumpLogs(records.dropFirst(20))

  init() throws { work = try Workspace() }

  private func capture(_ responses: [[UInt8]]) -> [UInt8] {
    var capture = HarCapture()
    for (index, response) in responses.enumerated() {
      capture.add(response, as: index.isMultiple(of: 2) ? .plain : .base64)
    }
    return capture.bytes
  }

  @Test("A damaged capture takes back its responses")
  func damagedCapture() throws {
    let bytes = capture([Histories.pumper(), Self.first, Self.second])
    try work.write("folder/a.har", Array(bytes.dropLast(20)))
    try work.write("folder/b.json", Self.first)
    let report = try work.report(work.request(["folder"]))
    #expect(report.rejects.count == 1)
    #expect(report.rejects.first?.document.hasSuffix("a.har") == true)
    for input in report.inputs where input.document.contains("a.har") {
      #expect(input.records == 0)
      #expect(input.pumps == [])
    }
    let damaged = work.samples
    // The account answer is taken back too, so the pump has no serial number.
    #expect(report.findings.contains { $0.code == "pump-without-serial" })
    try work.convert(work.request(["folder/b.json"]))
    #expect(damaged == work.samples)
  }

  @Test("Named itself, a damaged capture ends the run")
  func namedCapture() throws {
    try work.write("a.har", Array(capture([Self.first]).dropLast(20)))
    #expect(work.failure(work.request(["a.har"]))?.exitStatus == .unreadable)
  }

  @Test("A damaged response is one reject, and the other responses are used")
  func damagedResponse() throws {
    let bytes = capture([
      Histories.pumper(), Array(Self.first.dropLast(40)), Self.second, Array("<html>".utf8),
    ])
    try work.write("a.har", bytes)
    let report = try work.report(work.request(["a.har"]))
    #expect(report.rejects.count == 1)
    #expect(report.rejects.first?.document.hasSuffix("response 1") == true)
    #expect(report.ignored["unrecognisedDocument"] == 1)
    let damaged = work.samples
    try work.write("second.json", Self.second)
    try work.write("pumper.json", Histories.pumper())
    try work.convert(work.request(["second.json", "pumper.json"]))
    #expect(damaged == work.samples)
  }

  @Test("A response without a body is a finding and no reject")
  func missingBody() throws {
    var capture = HarCapture()
    capture.add(Self.first)
    capture.add(Self.second, as: .missing)
    try work.write("a.har", capture.bytes)
    let report = try work.report(work.request(["a.har"]))
    #expect(report.rejects.isEmpty)
    let texts = report.findings.filter { $0.code == "body-missing" }.map(\.text)
    #expect(texts.count == 1)
    #expect(texts.first?.contains("captures: 1.") == true)
  }

  @Test("Addresses, headers and cookies are never shown or stored")
  func secrets() throws {
    try work.write("a.har", capture([Histories.pumper(), Self.first]))
    var request = work.request(["a.har"])
    request.ledger = work.path("ledger")
    _ = try work.report(request)
    for name in try work.names where name != "a.har" {
      for secret in HarCapture.secrets { #expect(work.text(name)?.contains(secret) == false) }
    }
  }

  @Test("inspect counts nothing of a damaged capture")
  func inspect() throws {
    let bytes = capture([Histories.pumper(), Self.first, Self.second])
    try work.write("folder/a.har", Array(bytes.dropLast(20)))
    try work.write("folder/b.json", Self.first)
    let request = InspectRequest(inputs: [work.path("folder")])
    let summary = try PumplinePipeline().inspect(request) { _ in }
    #expect(summary.pumps.count == 1)
    #expect(summary.pumps.first?.records == 20)
    #expect(summary.pumps.first?.facts == nil)
    #expect(summary.rejects.count == 1)
  }
}
