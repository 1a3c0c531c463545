import Foundation
import Pipeline
import Platform
import PumpModel
import TestSupport
import Testing

/// What is forgotten goes without a trace; the rest is as if it had never been read.
@Suite("Forgetting")
struct ForgetTests {
  private let work: Workspace

  init() throws { work = try Workspace() }

  /// Samples without what a ledger's past decides.
  private func masked(_ samples: [String]) -> [String] {
    samples.map { line in
      let parts = line.split(separator: #""revision":"#)
      return parts[0] + (parts.count > 1 ? String(parts[1].drop { $0.isNumber }) : "")
    }
  }

  /// A lively day of the first pump in two halves that overlap by an hour.
  private func writeHalves() throws {
    let records = Histories.records(SyntheticPump.Options(seed: 5))
    let half = records.count / 2
    try work.write("a.json", Histories.pumpLogs(records[..<(half + 40)]))
    try work.write("b.json", Histories.pumpLogs(records[(half - 40)...]))
    try work.write("pumper.json", Histories.pumper(1...2))
  }

  @Test("A document is forgotten: what remains equals a ledger that never read it")
  func document() throws {
    try writeHalves()
    try work.importing(["pumper.json", "a.json"])
    let wanted = masked(try work.export())
    let report = try work.importing(["b.json"])
    #expect(work.samples.count > wanted.count)
    let summary = try work.forget(.document(try work.digest(of: "b.json", in: report)))
    #expect(summary.isDone)
    #expect(summary.documents.map(\.documents) == [1])
    #expect(masked(try work.export()) == wanted)
    #expect(try work.problems() == [])
    // Read again it is new, and gives what it gave.
    let again = try work.importing(["b.json"])
    #expect(again.inputs.first?.used ?? 0 > 0)
    #expect(try work.problems() == [])
  }

  @Test("Nothing is withdrawn for what is forgotten")
  func owesNothing() throws {
    try writeHalves()
    try work.importing(["pumper.json", "a.json"])
    let report = try work.importing(["b.json"])
    try work.forget(.document(try work.digest(of: "b.json", in: report)))
    let changes = try work.importing(["a.json"]).changes
    #expect(changes.withdrawn == 0)
    // The samples of the forgotten document begin anew, at their first revision.
    try work.importing(["b.json"])
    #expect(work.samples.filter { !$0.contains(#""revision":1,"#) }.count <= 1)
  }

  @Test("What another document also holds stays")
  func shared() throws {
    try work.write("a.json", Histories.pumpLogs(Histories.meal()))
    try work.write("again.json", Histories.pumpLogs(Histories.meal()) + Array("\n".utf8))
    let report = try work.importing(["a.json", "again.json"])
    let samples = work.samples
    #expect(report.inputs.count == 2)
    try work.forget(.document(try work.digest(of: "a.json", in: report)))
    #expect(try work.export() == samples)
    try work.forget(.document(try work.digest(of: "again.json", in: report)))
    #expect(try work.export().isEmpty)
    #expect(try work.status().pumps.isEmpty)
    #expect(try work.problems() == [])
  }

  @Test("Of a sequence of imports and forgettings, in any order, the remaining documents decide")
  func anyOrder() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      var random = TestRandom(seed: seed)
      let work = try Workspace()
      let records = Histories.records(SyntheticPump.Options(seed: seed, days: 2))
      try work.write("pumper.json", Histories.pumper())
      let names = (0..<5).map { "\($0).json" }
      for name in names {
        let start = random.integer(0...records.count - 2)
        let end = random.integer(start + 1...records.count)
        try work.write(name, Histories.pumpLogs(records[start..<end]))
      }
      var digests: [String: [UInt8]] = [:]
      for name in names.shuffled(using: &random) {
        digests[name] = try work.digest(of: name, in: work.importing(["pumper.json", name]))
      }
      let kept = names.filter { _ in random.happens(inThousand: 500) }
      for name in names.shuffled(using: &random) where !kept.contains(name) {
        try work.forget(.document(try #require(digests[name])))
      }
      #expect(try work.problems() == [], "\(random.describe)")
      let remaining = masked(try work.export())
      var fresh = work.request(["pumper.json"] + kept)
      fresh.ledger = work.path("fresh")
      try work.convert(fresh)
      #expect(remaining == masked(work.samples), "\(random.describe)")
    }
  }

  @Test("Not a byte of payloads, serial numbers and ids is left in the file or beside it")
  func noTrace() throws {
    let other = PumpIdentity(2)
    try writeHalves()
    let records = Histories.records(SyntheticPump.Options(seed: 77))
    try work.write("other.json", Histories.pumpLogs(records, pump: 2))
    try work.write("other-pumper.json", PumperDocument.bytes([other]))
    try work.write("pumper.json", Histories.pumper())
    try work.importing(["pumper.json", "a.json", "b.json"])
    let report = try work.importing(["other-pumper.json", "other.json"])
    var traces = [Data(other.serial.utf8), Data(other.assignment.utf8)]
    traces.append(Data(try work.digest(of: "other.json", in: report)))
    // Payloads that only the other pump's records have; those of heartbeats are many and alike.
    let own = Set(Histories.records(SyntheticPump.Options(seed: 5)).map(\.payload))
    traces += records.filter { [64, 65, 66, 20].contains($0.eventID) && !own.contains($0.payload) }
      .map { stored($0.payload) }
    #expect(traces.count > 10)
    let before = try work.ledgerBytes()
    #expect(traces.allSatisfy { before.range(of: $0) != nil })
    let kept = try work.status().pumps.first { $0.name == PumpIdentity(1).serial }
    try work.forget(.pump(other.serial))
    #expect(try work.names.filter { $0.hasPrefix("ledger") } == ["ledger"])
    let after = try work.ledgerBytes()
    #expect(traces.filter { after.range(of: $0) != nil } == [])
    #expect(try work.status().pumps == [try #require(kept)])
    #expect(try work.problems() == [])
  }

  @Test(
    "Forms of samples that an output was given and that hold no longer go too",
    arguments: [ForgetRequest.Target.pump(PumpIdentity(1).serial), .everything])
  func noTraceOfForms(target: ForgetRequest.Target) throws {
    try work.write("pumper.json", Histories.pumper(1...2))
    let records = Histories.meal(minutes: 300)
    // The first part lacks rates between, so that the whole revises samples that were given.
    let part = records.prefix(records.count / 2).enumerated()
      .filter { $0.element.eventID != 279 || $0.offset % 4 != 0 }.map(\.element)
    try work.write("part.json", Histories.pumpLogs(part))
    try work.write("whole.json", Histories.pumpLogs(records))
    try work.write("other.json", Histories.pumpLogs(Histories.meal(minutes: 90), pump: 2))
    var request = work.request(["pumper.json", "part.json", "other.json"])
    request.ledger = work.path("ledger")
    request.outputs[0].changes = .fresh
    try work.convert(request)
    try work.importing(["whole.json"])
    let ledger = try SQLiteConnection(.file(work.path("ledger")))
    var forms: [Data] = []
    let select = try ledger.prepare("SELECT entry FROM superseded WHERE pump = 1")
    while try select.step() {
      forms.append(select.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe Data($0) } })
    }
    select.reset()
    #expect(forms.count > 3)
    let before = try work.ledgerBytes()
    #expect(forms.allSatisfy { before.range(of: $0) != nil })
    try work.forget(target)
    let after = try work.ledgerBytes()
    #expect(forms.filter { after.range(of: $0) != nil } == [])
    #expect(try ledger.integer("SELECT count(*) FROM superseded WHERE pump = 1") == 0)
    #expect(try work.problems() == [])
  }

  @Test(
    "A pump is forgotten by its name or by an assignment id, and may come back",
    arguments: [
      PumpIdentity(1).serial, PumpIdentity(1).assignment,
    ])
  func pump(name: String) throws {
    try writeHalves()
    try work.importing(["pumper.json", "a.json"])
    let samples = work.samples
    try work.forget(.pump(name))
    #expect(try work.status().pumps.isEmpty)
    #expect(try work.export().isEmpty)
    try work.importing(["pumper.json", "a.json"])
    #expect(masked(work.samples) == masked(samples))
  }

  @Test("A wrong serial number is undone with the document that it was given with")
  func wrongSerial() throws {
    try work.write("a.json", Histories.pumpLogs(Histories.meal()))
    let report = try work.importing(["a.json"], serial: "90000009")
    try work.forget(.document(try work.digest(of: "a.json", in: report)))
    try work.importing(["a.json"], serial: "90000001")
    #expect(try work.status().pumps.map(\.name) == ["90000001"])
    #expect(work.samples.allSatisfy { $0.contains("tandem:90000001:") })
    #expect(try work.ledgerBytes().range(of: Data("90000009".utf8)) == nil)
  }

  @Test("A serial number that only a forgotten answer told is not known any more")
  func forgottenAnswer() throws {
    try writeHalves()
    try work.importing(["a.json"])
    let report = try work.importing(["pumper.json"])
    #expect(try work.status().pumps.first?.serial == PumpIdentity(1).serial)
    try work.forget(.document(try work.digest(of: "pumper.json", in: report)))
    let pump = try #require(try work.status().pumps.first)
    #expect(pump.serial == nil)
    // The name that was given first stays, and so do the samples.
    #expect(pump.name == PumpIdentity(1).assignment)
    #expect(try work.export().count > 10)
    #expect(try work.problems() == [])
  }

  @Test("An archive is forgotten by its own digest, but for what another one also holds")
  func archive() throws {
    try writeHalves()
    let records = Histories.records(SyntheticPump.Options(seed: 5))
    let both = ArchiveBuilder.archive(
      .zip,
      [
        .file("a.json", Histories.pumpLogs(records[..<100])),
        .file("b.json", Histories.pumpLogs(records[50..<200])),
      ])
    let one = ArchiveBuilder.archive(
      .zip, [.file("a.json", Histories.pumpLogs(records[..<100]))])
    try work.write("one.zip", one)
    try work.write("both.zip", both)
    try work.importing(["pumper.json", "one.zip"])
    let wanted = masked(work.samples)
    try work.importing(["both.zip"])
    try work.forget(.document(sha256(both)))
    #expect(masked(try work.export()) == wanted)
    // It is no longer known, so its members are read and told by name.
    let report = try work.importing(["both.zip"])
    #expect(report.input("both.zip › b.json")?.used ?? 0 > 0)
  }

  @Test("A capture is forgotten with its responses")
  func capture() throws {
    try writeHalves()
    var capture = HarCapture()
    capture.add(Histories.pumper())
    capture.add(Histories.pumpLogs(Histories.meal()))
    try work.write("web.har", capture.bytes)
    try work.importing(["web.har"])
    try work.forget(.document(sha256(capture.bytes)))
    let status = try work.status()
    #expect(status.pumps.isEmpty)
    #expect(status.documents.isEmpty)
  }

  @Test("A claim of completeness goes with its document")
  func claim() throws {
    let records = Histories.meal(minutes: 180).enumerated().filter {
      !(20...23).contains($0.offset)
    }
    .map(\.element)
    try work.write("a.json", Histories.pumpLogs(records))
    try work.write("claimed.json", Histories.pumpLogs(records) + Array("\n".utf8))
    try work.write("pumper.json", Histories.pumper())
    let without = try work.importing(["pumper.json", "a.json"]).holes.count
    let report = try work.importing(["claimed.json"], isComplete: true)
    try work.forget(.document(try work.digest(of: "claimed.json", in: report)))
    #expect(try work.importing(["a.json"]).holes.count == without)
    #expect(try work.problems() == [])
  }

  @Test("A name that is part of one that stays is no trace of it")
  func partOfAnother() throws {
    func treatment(_ id: String, minute: Int) -> [UInt8] {
      Array(
        """
        [{"_id":"\(id)","eventType":"Combo Bolus","created_at":"2026-05-04T12:0\(minute):00Z",\
        "insulin":1.5,"carbs":null,"notes":"Standard","enteredBy":"Pump (tconnectsync)"}]
        """.utf8)
    }
    try work.write("short.json", treatment("abcdefabcdefabcdefabcdef", minute: 1))
    try work.write("long.json", treatment("abcdefabcdefabcdefabcdef12", minute: 5))
    let report = try work.importing(["short.json", "long.json"], serial: PumpIdentity(1).serial)
    #expect(work.samples.count == 2)
    try work.forget(.document(try work.digest(of: "short.json", in: report)))
    #expect(try work.export().count == 1)
    #expect(try work.problems() == [])
  }

  @Test("Everything goes: the next run is a first one")
  func everything() throws {
    try writeHalves()
    try work.importing(["pumper.json", "a.json"])
    try work.forget(.everything)
    let status = try work.status()
    #expect(status.kind == nil)
    #expect(status.settings == nil)
    #expect(status.documents.isEmpty && status.pumps.isEmpty)
    #expect(try work.ledgerBytes().range(of: Data(PumpIdentity(1).serial.utf8)) == nil)
    var request = work.request(["a.json"], zones: ["Europe/Paris"])
    request.ledger = work.path("ledger")
    try work.convert(request)
    #expect(try work.problems() == [])
  }

  @Test("A database of the ledger is written anew after a forgetting, without what was forgotten")
  func database() throws {
    try writeHalves()
    try work.importing(["pumper.json", "a.json"])
    let report = try work.importing(["b.json"])
    var request = work.request([], zones: [])
    request.ledger = work.path("ledger")
    request.outputs = [OutputRequest(format: "sqlite", target: work.path("pump.db"))]
    func count() throws -> Int64? {
      try SQLiteConnection(.readOnlyFile(work.path("pump.db")))
        .integer("SELECT count(*) FROM samples")
    }
    try work.convert(request)
    #expect(try count() == Int64(work.samples.count))
    try work.forget(.document(try work.digest(of: "b.json", in: report)))
    try work.convert(request)
    #expect(try count() == Int64(work.export().count))
    try work.forget(.everything)
    try work.importing(["pumper.json", "a.json"])
    try work.convert(request)
    #expect(try count() == Int64(work.export().count))
  }

  @Test("While somebody reads the ledger traces stay; the same command removes them afterwards")
  func reader() throws {
    try writeHalves()
    try work.importing(["pumper.json", "a.json"])
    let trace = Data(PumpIdentity(1).serial.utf8)
    let reader = try SQLiteConnection(.existingFile(work.path("ledger")))
    try reader.execute("BEGIN; SELECT count(*) FROM journal")
    var request = ForgetRequest(
      ledger: work.path("ledger"), target: .pump(PumpIdentity(1).serial))
    request.waitSeconds = 0
    let error = #expect(throws: RunFailure.self) {
      try PumplinePipeline().forget(request) { _ in true }
    }
    #expect(error?.exitStatus == .busy)
    // It is forgotten all the same, and nothing else can be named to forget it again.
    #expect(try work.status().pumps.isEmpty)
    try reader.execute("COMMIT")
    #expect(try PumplinePipeline().forget(request) { _ in false }.isDone)
    #expect(try work.ledgerBytes().range(of: trace) == nil)
    let again = #expect(throws: RunFailure.self) {
      try PumplinePipeline().forget(request) { _ in true }
    }
    #expect(again?.exitStatus == .usage)
  }

  @Test("Without a yes nothing is forgotten")
  func notConfirmed() throws {
    try writeHalves()
    try work.importing(["a.json"])
    let before = try work.status()
    #expect(try !work.forget(.everything, isConfirmed: false).isDone)
    #expect(try work.status() == before)
  }

  @Test("What the ledger does not know cannot be forgotten")
  func unknown() throws {
    try writeHalves()
    try work.importing(["a.json"])
    for target in [
      ForgetRequest.Target.pump("nobody"), .document([UInt8](repeating: 7, count: 32)),
    ] {
      let error = #expect(throws: RunFailure.self) { try work.forget(target) }
      #expect(error?.exitStatus == .usage)
    }
  }
}

/// The SHA-256 of bytes.
private func sha256(_ bytes: [UInt8]) -> [UInt8] {
  let digest = Digest256()
  digest.update(unsafe bytes.span.bytes)
  return digest.finish().bytes
}

/// A payload as the journal keeps it.
private func stored(_ payload: PumpRecord.Payload) -> Data {
  let words = [payload.word0, payload.word1, payload.word2, payload.word3]
  return Data(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
}
