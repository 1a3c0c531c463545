import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

@Suite("An output against its sources")
struct AuditRunTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.writeOutputs()
  }

  @Test("Clean outputs give nothing", arguments: Workspace.outputNames + ["ledger"])
  func clean(name: String) throws {
    let comparison = try work.audit(name)
    #expect(comparison.words == [])
    #expect(comparison.summary.exitStatus == .ok)
    #expect(comparison.summary.findings.isEmpty)
    #expect(comparison.summary.matchedByID == comparison.summary.sets[0].samples)
  }

  @Test("Of a ledger as much is looked at as the sources are asked for")
  func partOfLedger() throws {
    let whole = try work.audit("ledger").summary.sets[1].samples
    let parts: [(inout ConvertRequest) -> Void] = [
      { $0.selection.pumps = ["90000002"] }, { $0.selection.only = [.bolus] },
      { $0.selection.keepsZeroBasal = true },
      { $0.selection.from = SelectionBound(text: "2026-05-05") },
      { $0.selection.until = SelectionBound(text: "2026-05-05") },
    ]
    for (index, part) in parts.enumerated() {
      let comparison = try work.audit("ledger", change: part)
      #expect(comparison.words == [], "part \(index)")
      if index != 2 { #expect(comparison.summary.sets[1].samples < whole, "part \(index)") }
    }
  }

  @Test("A dose that was removed is told with its events and where they stand")
  func removed() throws {
    try work.tamper("out.csv", to: "bad.csv") { lines in
      lines.remove(at: lines.firstIndex { $0.contains(":bolus,") } ?? 0)
    }
    let comparison = try work.audit("bad.csv")
    #expect(comparison.words == ["missing"])
    let explained = try #require(comparison.differences.first)
    #expect(explained.rule == "what was delivered, by event 20 BOLUS_COMPLETED")
    let event = try #require(explained.events.first { $0.id == 20 })
    #expect(explained.difference.first?.externalID?.contains(":\(event.reference.number)-") == true)
    let place = try #require(event.places?.first)
    #expect(event.places?.count == 1)
    #expect(place.document == work.path("logs-1.json"))
    // The offset is that of the event's object.
    let bytes = Array((work.text("logs-1.json") ?? "").utf8).dropFirst(Int(place.number))
    let object = String(decoding: bytes.prefix(400), as: UTF8.self)
    #expect(object.hasPrefix("{"))
    #expect(object.contains("\(event.reference.number)"))
  }

  @Test("What is in no source says so, and a doubled dose names its event")
  func added() throws {
    try work.tamper("out.ndjson", to: "bad.ndjson") { lines in
      let line = lines.firstIndex { $0.contains(":bolus\"") } ?? 0
      let other = lines[line].replacing(/:\d+-\d+:bolus/, with: ":7-8:bolus")
        .replacing(/T\d\d/, with: "T03")
      lines.insert(contentsOf: [lines[line], other], at: line)
    }
    let comparison = try work.audit("bad.ndjson")
    #expect(comparison.words.sorted() == ["duplicated", "extra"])
    let extra = try #require(comparison.differences.first { $0.difference.kind == .extra })
    #expect(extra.events.map(\.reference) == [EventReference(number: 7, seconds: 8)])
    #expect(extra.events.first?.places == [])
    let doubled = try #require(comparison.differences.first { $0.difference.kind == .duplicated })
    #expect(doubled.events.first?.id == 20)
    #expect(doubled.events.first?.places?.isEmpty == false)
  }

  @Test("Events are those of the pump, where two pumps have the same numbers")
  func twoPumps() throws {
    try work.tamper("out.csv", to: "bad.csv") { lines in
      let bolus = lines.lastIndex { $0.contains("90000002") && $0.contains(":bolus,") } ?? 0
      lines[bolus] = lines[bolus].replacing(",1,normal", with: ",9,extended")
    }
    let comparison = try work.audit("bad.csv")
    #expect(comparison.words == ["changed part"])
    let documents = comparison.differences[0].events.flatMap { $0.places ?? [] }.map(\.document)
    #expect(Set(documents) == [work.path("logs-2.json")])
  }

  @Test("What the output was not asked to show is asked for in the same words")
  func selection() throws {
    var request = work.sources
    request.selection.only = [.bolus]
    request.outputs = [OutputRequest(format: nil, target: work.path("boluses.csv"))]
    try work.convert(request)
    #expect(try work.audit("boluses.csv").words.contains("missing"))
    #expect(try work.audit("boluses.csv") { $0.selection.only = [.bolus] }.words == [])
    #expect(try work.audit("out.csv") { $0.selection.pumps = ["90000001"] }.words.contains("extra"))
  }

  @Test("Another zone than that of the run is seen as what it moves")
  func zone() throws {
    let words = try work.audit("out.csv") { $0.zones = [ZoneArgument(name: "Europe/Paris")] }.words
    #expect(Set(words) == ["changed start end zone"])
  }

  @Test("Sources that are rejected in part lead to 1, and a missing zone to 64")
  func rejects() throws {
    try work.write("cut.bin", Array("EVENTS".utf8))
    let failure = #expect(throws: RunFailure.self) { try work.audit("out.csv") { $0.zones = [] } }
    #expect(failure?.exitStatus == .usage)
    let missing = #expect(throws: RunFailure.self) {
      try work.audit("out.csv") { $0.inputs = [work.path("nothing.zip")] }
    }
    #expect(missing?.exitStatus == .inputMissing)
  }

  @Test(
    "By itself, a clean output has nothing wrong", arguments: Workspace.outputNames + ["ledger"])
  func alone(name: String) throws {
    let comparison = try work.audit(name) { $0.inputs = [] }
    #expect(comparison.summary.findings.isEmpty)
    #expect(comparison.summary.sets.map(\.name) == [work.path(name)])
    #expect(comparison.summary.exitStatus == .ok)
  }

  @Test("By itself, an output that was tampered with shows it")
  func tamperedAlone() throws {
    func found(_ change: (inout [String], Int) -> Void) throws -> Set<FindingCode> {
      try work.tamper("out.csv", to: "bad.csv") { lines in
        change(&lines, lines.firstIndex { $0.contains(":bolus,") } ?? 0)
      }
      let summary = try work.audit("bad.csv") { $0.inputs = [] }.summary
      #expect(summary.count(of: .error) == 0 || summary.exitStatus == .rejects)
      return Set(summary.findings.keys)
    }
    #expect(try found { $0.insert($0[$1], at: $1) } == [.idDoubled])
    #expect(
      try found { $0.insert($0[$1].replacing(":bolus,", with: ":bolus~2,"), at: $1) }
        == [.sampleDoubled])
    #expect(
      try found { lines, place in
        lines[place] = lines[place].replacing(",90000001,", with: ",90000002,")
      } == [.idContradicts])
    #expect(
      try found { lines, place in
        lines.insert(lines[place].replacing("90000001", with: "90000002"), at: place)
      } == [.sampleOnTwoPumps])
    #expect(
      try found { lines, place in
        lines[place] = lines[place].replacing(/,[0-9.]+,IU/, with: ",100,IU")
      } == [.amountImpossible])
    #expect(try found { $0[$1] = $0[$1].replacing("\r", with: ",,\r") } == [.tableMalformed])
  }

  @Test("By itself, an export of Health that breaks its own document type shows it")
  func invalid() throws {
    try work.tamper("out.xml", to: "bad.xml") { lines in
      let line = lines.firstIndex { $0.contains("<Record ") } ?? 0
      lines[line] = lines[line].replacing(#/ creationDate="[^"]*"/#, with: "")
    }
    let summary = try work.audit("bad.xml") { $0.inputs = [] }.summary
    #expect(summary.findings.mapValues(\.count) == [.documentInvalid: 1])
    #expect(summary.exitStatus == .ok)
  }

  @Test("Which findings lead to 1 can be said, and the future is after now")
  func policy() throws {
    var request = AuditRequest(output: work.path("out.csv"), sources: ConvertRequest(inputs: []))
    request.sources.now = Histories.noon + 3600
    let lenient = try PumplinePipeline().audit(request) { _ in
    } report: { _ in
    }
    #expect(lenient.findings.keys.contains(.sampleInFuture))
    #expect(lenient.exitStatus == .ok)
    request.failsOn = .warning
    let strict = try PumplinePipeline().audit(request) { _ in
    } report: { _ in
    }
    #expect(strict.exitStatus == .rejects)
  }

  @Test(
    "By itself, an export of Health shows the same whether all of it is read or what checks need",
    arguments: 0..<8)
  func brief(seed: Int) throws {
    var random = TestRandom(seed: UInt64(seed))
    try work.tamper("out.xml", to: "bad.xml") { lines in
      for _ in 0..<random.integer(1...6) {
        let starts = lines.indices.filter { lines[$0].contains("<Record ") }
        let first = starts[random.integer(0...starts.count - 1)]
        let next = starts.first { $0 > first } ?? lines.count - 2
        let place = starts[random.integer(0...starts.count - 1)]
        switch random.integer(0...6) {
        case 0: lines.insert(contentsOf: lines[first..<next], at: place)
        case 1:
          let copy = lines[first..<next].map { $0.replacing(#/:(\d+)-(\d+):/#, with: ":7-8:") }
          lines.insert(contentsOf: copy, at: place)
        case 2:
          lines[first].replace("localIdentifier:90000001", with: "localIdentifier:9")
        case 3: lines[first].replace(#/ value="[^"]*"/#, with: " value=\"90000\"")
        case 4: lines[first].replace(#/ endDate="20../#, with: " endDate=\"209")
        case 5: lines.remove(at: min(first + random.integer(1...6), next - 1))
        default: lines.insert("t", at: place)
        }
      }
    }
    func audit(accepted: String?) throws -> ComparisonSummary {
      var request = AuditRequest(output: work.path("bad.xml"), sources: work.sources)
      request.sources.inputs = []
      request.accepted = accepted
      return try PumplinePipeline().audit(request) { _ in
      } report: { _ in
      }
    }
    try work.write(
      "accepted.yaml", Array("accept:\n  - {code: log-damaged, reason: none}\n".utf8))
    let (some, all) = (try audit(accepted: nil), try audit(accepted: work.path("accepted.yaml")))
    #expect(
      some.findings.mapValues(\.first) == all.findings.mapValues(\.first), "\(random.describe)")
    #expect(
      some.findings.mapValues(\.count) == all.findings.mapValues(\.count), "\(random.describe)")
    #expect(some.sets[0].samples == all.sets[0].samples)
    #expect(some.sets[0].faults.count == all.sets[0].faults.count)
    #expect(!some.findings.isEmpty || some.sets[0].faults.count > 0)
  }

  @Test("What the run of the sources finds is shown beside")
  func sourceFindings() throws {
    let summary = try work.audit("out.csv").summary
    #expect(summary.sourceFindings.values.contains { $0.count > 0 })
    #expect(summary.pending > 0)
  }
}
