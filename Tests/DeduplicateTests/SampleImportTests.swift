import Platform
import PumpModel
import TestSupport
import Testing

@testable import Deduplicate

/// Samples of others in a ledger of their own.
@Suite("Samples of others")
struct SampleImportTests {
  /// A sample as it comes.
  private struct Given {
    var sample: Sample
    var revision: UInt32 = 1
    var isWithdrawn = false
    var pump = "P"
  }

  /// Imports samples in a run of their own: fresh, unchanged, revised, withdrawn, set aside.
  @discardableResult
  private func taking(_ given: [Given], into ledger: Ledger) throws -> [UInt64] {
    let samples = SampleImport(ledger)
    for one in given {
      let isTaken = try samples.append(
        one.sample, pump: Array(one.pump.utf8), revision: one.revision,
        isWithdrawn: one.isWithdrawn,
        lineage: [EventReference(number: one.sample.identity.first, seconds: 5)])
      #expect(isTaken)
    }
    try ledger.begin()
    let outcome = try samples.finish()
    try ledger.commit()
    var sum = SampleChanges()
    for changes in outcome.changes.values { sum += changes }
    return [sum.fresh, sum.unchanged, sum.revised, sum.withdrawn, outcome.superseded]
  }

  @Test("New is fresh, known is unchanged, other content is revised, and the rest stays")
  func changes() throws {
    let ledger = try Ledger.temporary()
    let first = [Given(sample: sample(1)), Given(sample: sample(2)), Given(sample: sample(3))]
    #expect(try taking(first, into: ledger) == [3, 0, 0, 0, 0])
    #expect(try taking(first.reversed(), into: ledger) == [0, 3, 0, 0, 0])
    let later = [Given(sample: sample(2, amount: 7)), Given(sample: sample(4))]
    #expect(try taking(later, into: ledger) == [1, 0, 1, 0, 0])
    #expect(
      try ledger.kept() == [
        "1-77:bolus 500 r1 c1", "2-77:bolus 7 r2 c4", "3-77:bolus 500 r1 c3",
        "4-77:bolus 500 r1 c5",
      ])
  }

  @Test("Samples of a made-up pump are labelled, and never come together with others")
  func madeUp() throws {
    for (first, second) in [("DEMO1", "P"), ("P", "DEMO1")] {
      let ledger = try Ledger.temporary()
      try taking([Given(sample: sample(1), pump: first)], into: ledger)
      #expect(try ledger.isDemo() == (first == "DEMO1"))
      let others = SampleImport(ledger)
      #expect(
        try others.append(
          sample(2), pump: Array(second.utf8), revision: 1, isWithdrawn: false, lineage: []))
      try ledger.begin()
      #expect(throws: LedgerError.self) { try others.finish() }
      ledger.rollback()
      #expect(try ledger.pumps().map(\.label.name) == [first])
      // Word that one was withdrawn is no sample.
      let gone = Given(sample: sample(9), isWithdrawn: true, pump: "Q")
      #expect(try taking([gone], into: ledger).prefix(3) == [0, 0, 0])
    }
  }

  @Test("Of several of one id the greatest revision counts, of these the last")
  func superseded() throws {
    let ledger = try Ledger.temporary()
    let given = [
      Given(sample: sample(1, amount: 1), revision: 2), Given(sample: sample(1, amount: 2)),
      Given(sample: sample(1, amount: 3), revision: 2), Given(sample: sample(1, amount: 4)),
    ]
    #expect(try taking(given, into: ledger) == [1, 0, 0, 0, 3])
    #expect(try ledger.kept() == ["1-77:bolus 3 r2 c1"])
  }

  @Test("A revision never falls, whether the ledger's or the line's is greater")
  func revisions() throws {
    let ledger = try Ledger.temporary()
    try taking([Given(sample: sample(1, amount: 1), revision: 5)], into: ledger)
    try taking([Given(sample: sample(1, amount: 2))], into: ledger)
    #expect(try ledger.kept() == ["1-77:bolus 2 r6 c2"])
    try taking([Given(sample: sample(1, amount: 3), revision: 9)], into: ledger)
    #expect(try ledger.kept() == ["1-77:bolus 3 r9 c3"])
    try taking([Given(sample: sample(1, amount: 3), revision: .max)], into: ledger)
    #expect(try ledger.kept() == ["1-77:bolus 3 r9 c3"])
    try taking([Given(sample: sample(1, amount: 4), revision: .max)], into: ledger)
    try taking([Given(sample: sample(1, amount: 5), revision: .max)], into: ledger)
    #expect(try ledger.kept() == ["1-77:bolus 5 r\(UInt32.max) c5"])
  }

  @Test("Samples that differ in their ordinal, kind, pump or scheme are others")
  func identities() throws {
    let ledger = try Ledger.temporary()
    var second = sample(1, amount: 2)
    second.identity.ordinal = 2
    var row = sample(1, amount: 3)
    row.identity.scheme = .csv
    let given = [
      Given(sample: second), Given(sample: sample(1, amount: 1)), Given(sample: row),
      Given(sample: sample(1, .extended, amount: 4)),
      Given(sample: sample(1, amount: 5), pump: "Q"),
    ]
    #expect(try taking(given, into: ledger) == [5, 0, 0, 0, 0])
    #expect(try taking(given.reversed(), into: ledger) == [0, 5, 0, 0, 0])
    #expect(try ledger.pumpNames() == ["1:P", "2:Q"])
    #expect(
      try ledger.kept(of: 1).map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "1-77:bolus 1", "1-77:bolus~2 2", "csv-1-77:bolus 3", "1-77:extended 4",
      ])
  }

  @Test("Word of a withdrawal takes out what it is about, unless a later revision is there")
  func withdrawals() throws {
    let ledger = try Ledger.temporary()
    let given = [
      Given(sample: sample(1)), Given(sample: sample(1), isWithdrawn: true),
      Given(sample: sample(2), isWithdrawn: true), Given(sample: sample(2), revision: 2),
      Given(sample: sample(3)),
    ]
    #expect(try taking(given, into: ledger) == [2, 0, 0, 0, 2])
    #expect(try ledger.kept() == ["2-77:bolus 500 r2 c1", "3-77:bolus 500 r1 c2"])
    let word = [
      Given(sample: sample(3), isWithdrawn: true), Given(sample: sample(2), isWithdrawn: true),
    ]
    #expect(try taking(word, into: ledger) == [0, 0, 0, 1, 0])
    #expect(try ledger.kept() == ["2-77:bolus 500 r2 c1"])
  }

  @Test(
    "Any runs of any samples leave what a dictionary would hold", arguments: [1, 2, 3] as [UInt64])
  func property(seed: UInt64) throws {
    var random = TestRandom(seed: seed)
    let ledger = try Ledger.temporary()
    var model: [UInt32: Int64] = [:]
    for _ in 0..<6 {
      // Some numbers lie close together and some far apart, over many rows.
      let first = random.integer(0...2000)
      let given = (0..<random.integer(1...900)).map { _ in
        sample(
          UInt32(first + random.integer(0...1500)), at: Int64(random.integer(0...9999)),
          amount: Int64(random.integer(1...3)))
      }
      var fresh: Set<UInt32> = []
      for sample in given {
        let number = sample.identity.first
        if model[number] == nil { fresh.insert(number) }
      }
      for sample in given { model[sample.identity.first] = sample.amount }
      let counts = try taking(given.map { Given(sample: $0) }, into: ledger)
      #expect(counts[0] == UInt64(fresh.count), "\(random.describe)")
      #expect(
        counts.reduce(0, +) == UInt64(given.count), "\(random.describe): every one is counted once")
      let kept = try ledger.kept().map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
      let wanted = model.sorted { $0.key < $1.key }.map { "\($0.key)-77:bolus \($0.value)" }
      #expect(kept == wanted, "\(random.describe)")
    }
    #expect(try sampleRows(ledger).count > 2)
  }

  /// The rows of a ledger's samples.
  private func sampleRows(_ ledger: Ledger) throws -> [Int64] {
    try SampleRows(ledger.database, pump: 1, storageKind: 1).places().map(\.chunk)
  }

  @Test("Rows that no new sample belongs to are not written again")
  func untouched() throws {
    let ledger = try Ledger.temporary()
    try taking((1...2000).map { Given(sample: sample($0)) }, into: ledger)
    let before = try sampleRows(ledger)
    try taking([Given(sample: sample(2001))], into: ledger)
    let after = try sampleRows(ledger)
    #expect(before.count > 3)
    #expect(after.starts(with: before.dropLast()))
    #expect(try ledger.kept().count == 2001)
  }

  @Test("Only what changed since then is given if asked so")
  func changedAfter() throws {
    let ledger = try Ledger.temporary()
    try taking((1...900).map { Given(sample: sample($0, at: Int64($0))) }, into: ledger)
    let mark = try ledger.changeCount()
    try taking(
      [
        Given(sample: sample(5, at: 5, amount: 9)), Given(sample: sample(901)),
        Given(sample: sample(7, at: 7)),
      ], into: ledger)
    var selection = SampleSelection(kinds: Set(SampleKind.allCases))
    selection.changedAfter = mark
    let samples = try OrderedSamples(
      ledger, pumps: try ledger.pumps(), selection: selection, order: .device)
    var batch = OutputBatch()
    #expect(try samples.next(into: &batch))
    #expect(batch.rows.map(\.sample.identity.first) == [5, 901])
    #expect(batch.rows.map(\.revision) == [2, 1])
    #expect(samples.count == 2)
  }

  @Test("A million pumps are refused, before their names fill the memory")
  func pumps() throws {
    let samples = SampleImport(try Ledger.temporary())
    func append(_ pump: Int) throws -> Bool {
      try samples.append(
        sample(1), pump: Array("\(pump)".utf8), revision: 1, isWithdrawn: false, lineage: [])
    }
    for pump in 0..<4096 { #expect(try append(pump)) }
    #expect(try !append(4096))
    #expect(try append(0))
  }

  @Test("An account answer tells the model of pumps that have samples, by serial number or id")
  func facts() throws {
    let ledger = try Ledger.temporary()
    try taking(
      [Given(sample: sample(1), pump: "S"), Given(sample: sample(1), pump: "B")], into: ledger)
    try ledger.keep([
      PumpFacts(assignment: "A", serial: "S", modelName: "Mobi"),
      PumpFacts(assignment: "B", serial: "T", modelName: "t:slim", softwareVersion: "7"),
      PumpFacts(assignment: "C", serial: "U", modelName: "no pump here"),
    ])
    #expect(
      try ledger.pumps().map(\.label) == [
        PumpLabel(name: "B", modelName: "t:slim", softwareVersion: "7"),
        PumpLabel(name: "S", modelName: "Mobi"),
      ])
  }
}
