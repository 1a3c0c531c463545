@testable import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

/// What outputs of changes are owed (ARCHITECTURE, "A run, exactly once").
@Suite("What sinks are owed")
struct OwedSamplesTests {
  private let ledger: Ledger

  init() throws {
    ledger = try Ledger.temporary()
    try ledger.database.execute("INSERT INTO pumps (pump, name) VALUES (1, 'P'), (2, 'Q')")
  }

  private static let all = SampleSelection(kinds: Set(SampleKind.allCases))

  /// The sink of a target.
  private func sink(
    _ target: String = "/out.csv", pumps: Set<Int64>? = nil, _ selection: SampleSelection = all,
    isDatabase: Bool = false
  ) throws -> LedgerSink {
    try ledger.sink(
      format: "csv", target: target, selection: SinkSelection(pumps: pumps, samples: selection),
      isDatabase: isDatabase)
  }

  /// What a sink is owed, a line for each change: the old form, then the new one.
  private func owed(_ sink: LedgerSink, memory: Int = 1 << 20) throws -> [String] {
    let owed = try OwedSamples(ledger, sink: sink, order: .device, memory: memory)
    let rows = try owed.rows(of: Set(OutputChange.allCases), showing: .both)
    var lines: [String] = []
    var batch = OutputBatch()
    while try rows.next(into: &batch) {
      for row in batch.rows {
        let id = row.sample.identity.text(pump: owed.pumps[row.pump].label.name).dropFirst(7)
        #expect(batch.lineage[row.lineage].map(\.number) == [row.sample.identity.first])
        lines.append(
          "\(row.change?.rawValue ?? "") \(id) \(row.sample.amount) r\(row.revision)"
            + (row.isOldForm ? " old" : ""))
      }
    }
    owed.drop()
    return lines
  }

  /// What a sink is owed; from then on it has been given it.
  private func give(_ sink: LedgerSink) throws -> [String] {
    let lines = try owed(sink)
    try ledger.move(.init(sink: sink.number, mark: ledger.changeNumber))
    try ledger.forgetUnneededForms()
    return lines
  }

  private var keptForms: Int64 {
    get throws { try ledger.database.integer("SELECT count(*) FROM superseded") ?? 0 }
  }

  @Test("Everything at first, then nothing, then what changed with the form that was given")
  func life() throws {
    try ledger.replacing([sample(1), sample(2), sample(3)])
    #expect(
      try give(sink()) == [
        "fresh P:1-77:bolus 500 r1", "fresh P:2-77:bolus 500 r1", "fresh P:3-77:bolus 500 r1",
      ])
    #expect(try owed(sink()) == [])
    try ledger.replacing([sample(1, amount: 600), sample(2), sample(4)])
    #expect(
      try give(sink()) == [
        "revised P:1-77:bolus 500 r1 old", "revised P:1-77:bolus 600 r2",
        "withdrawn P:3-77:bolus 500 r1 old", "fresh P:4-77:bolus 500 r1",
      ])
    #expect(try owed(sink()) == [])
  }

  @Test("A sink that missed some runs is told of the form that it was given, not of those between")
  func missedRuns() throws {
    try ledger.replacing([sample(1, amount: 1), sample(2)])
    _ = try give(sink())
    _ = try give(sink("/other"))
    try ledger.replacing([sample(1, amount: 2), sample(2), sample(5)])
    _ = try give(sink("/other"))
    try ledger.replacing([sample(1, amount: 3)])
    #expect(
      try owed(sink()) == [
        "revised P:1-77:bolus 1 r1 old", "revised P:1-77:bolus 3 r3",
        "withdrawn P:2-77:bolus 500 r1 old",
      ])
    #expect(
      try owed(sink("/other")) == [
        "revised P:1-77:bolus 2 r2 old", "revised P:1-77:bolus 3 r3",
        "withdrawn P:2-77:bolus 500 r1 old", "withdrawn P:5-77:bolus 500 r1 old",
      ])
  }

  @Test("What came and went between two runs, or came back as it was, is owed to nobody")
  func thereAndBack() throws {
    try ledger.replacing([sample(1)])
    _ = try give(sink())
    try ledger.replacing([sample(1, amount: 9), sample(2)])
    try ledger.replacing([])
    try ledger.replacing([sample(1)])
    #expect(try owed(sink()) == [])
    try ledger.replacing([])
    #expect(try owed(sink()) == ["withdrawn P:1-77:bolus 500 r1 old"])
  }

  @Test("Old forms are kept as long as a sink was given them last, and none without sinks")
  func retention() throws {
    try ledger.replacing([sample(1, amount: 1)])
    try ledger.replacing([sample(1, amount: 2)])
    #expect(try keptForms == 0)
    _ = try give(sink())
    _ = try give(sink("/other"))
    try ledger.replacing([sample(1, amount: 3)])
    // Nobody was given this one.
    try ledger.replacing([sample(1, amount: 4)])
    #expect(try keptForms == 1)
    _ = try give(sink())
    #expect(try keptForms == 1)
    _ = try give(sink("/other"))
    #expect(try keptForms == 0)
  }

  @Test("A form that a promise will have given is kept until the promise is kept or taken back")
  func promised() throws {
    let sink = try sink()
    try ledger.replacing([sample(1, amount: 1)])
    let promise = try ledger.promise(
      OutboxEntry(
        advance: .init(sink: sink.number, mark: ledger.changeNumber), target: "/out.csv",
        staged: nil))
    try ledger.replacing([sample(1, amount: 2)])
    try ledger.forgetUnneededForms()
    try ledger.confirm(promise)
    #expect(
      try owed(self.sink()) == [
        "revised P:1-77:bolus 1 r1 old", "revised P:1-77:bolus 2 r2",
      ])
    #expect(try ledger.outbox() == [])
  }

  @Test("A wider selection owes what it adds, a narrower one nothing; nothing is owed twice")
  func widened() throws {
    try ledger.replacing([sample(1), sample(2, .carbs)])
    try ledger.replacing(pump: 2, [sample(3)])
    let bolus = SampleSelection(kinds: [.bolus])
    #expect(try give(sink(pumps: [1], bolus)) == ["fresh P:1-77:bolus 500 r1"])
    #expect(try give(sink(pumps: nil, bolus)) == ["fresh Q:3-77:bolus 500 r1"])
    #expect(try give(sink()) == ["fresh P:2-77:carbs 500 r1"])
    #expect(try give(sink(pumps: [1], bolus)) == [])
    // What a narrow selection was told, the wide one is not told again.
    try ledger.replacing([sample(1, amount: 7)])
    #expect(
      try give(sink(pumps: [1], bolus)) == [
        "revised P:1-77:bolus 500 r1 old", "revised P:1-77:bolus 7 r2",
      ])
    #expect(try give(sink()) == ["withdrawn P:2-77:carbs 500 r1 old"])
    try ledger.replacing([])
    #expect(try give(sink(pumps: [1], bolus)) == ["withdrawn P:1-77:bolus 7 r2 old"])
    #expect(try give(sink()) == [])
  }

  @Test("A sample that moves out of a selection is withdrawn from it, and fresh where it moves in")
  func moved() throws {
    let early = SampleSelection(
      kinds: [.bolus], until: Instant(unixSeconds: 2000))
    let late = SampleSelection(kinds: [.bolus], from: Instant(unixSeconds: 2000))
    try ledger.replacing([sample(1, at: 1000), sample(2, at: 3000)])
    #expect(try give(sink("/early", early)) == ["fresh P:1-77:bolus 500 r1"])
    #expect(try give(sink("/late", late)) == ["fresh P:2-77:bolus 500 r1"])
    try ledger.replacing([sample(1, at: 2500), sample(2, at: 500)])
    #expect(
      try give(sink("/early", early)) == [
        "fresh P:2-77:bolus 500 r2", "withdrawn P:1-77:bolus 500 r1 old",
      ])
    #expect(
      try give(sink("/late", late)) == [
        "fresh P:1-77:bolus 500 r2", "withdrawn P:2-77:bolus 500 r1 old",
      ])
  }

  @Test(
    "A rate of zero is no sample where none are shown, and takes the place of one where they are")
  func zeroRates() throws {
    let keeps = SampleSelection(kinds: [.basal], keepsZeroBasal: true)
    try ledger.replacing([sample(1, .basal, lasting: 300, amount: 40, id: 279)])
    _ = try give(sink())
    _ = try give(sink("/zero", keeps))
    try ledger.replacing([sample(1, .basal, lasting: 300, amount: 0, id: 279)])
    #expect(try give(sink()) == ["withdrawn P:1-77:basal 40 r1 old"])
    #expect(
      Set(try give(sink("/zero", keeps))) == [
        "withdrawn P:1-77:basal 40 r1 old", "fresh P:1-77:basal 0 r1",
      ])
  }

  @Test("A database is told of every change above its mark, and keeps no old forms")
  func database() throws {
    try ledger.replacing([sample(1), sample(2)])
    let first = try sink("/db", isDatabase: true)
    #expect(
      try give(first) == ["revised P:1-77:bolus 500 r1", "revised P:2-77:bolus 500 r1"])
    try ledger.replacing([sample(1, amount: 3)])
    #expect(try keptForms == 0)
    #expect(
      try give(sink("/db", isDatabase: true)) == [
        "revised P:1-77:bolus 3 r2", "withdrawn P:2-77:bolus 500 r1 old",
      ])
  }

  @Test("Marks never go back")
  func marks() throws {
    try ledger.replacing([sample(1), sample(2)])
    let sink = try sink()
    try ledger.move(.init(sink: sink.number, mark: 2))
    try ledger.move(.init(sink: sink.number, mark: 1))
    #expect(try self.sink().mark == 2)
    #expect(try ledger.sinks().map(\.target) == ["/out.csv"])
    #expect(try ledger.owed(to: self.sink()) == SampleChanges())
  }

  @Test("A selection is read as it was kept")
  func selections() {
    let selections = [
      SinkSelection(pumps: nil, samples: Self.all),
      SinkSelection(
        pumps: [3, 1], samples: SampleSelection(kinds: [.carbs], keepsZeroBasal: true)),
      SinkSelection(
        pumps: [],
        samples: SampleSelection(
          kinds: [.bolus, .extended], from: Instant(unixSeconds: -5),
          until: Instant(unixSeconds: 1 << 40))),
    ]
    for selection in selections { #expect(SinkSelection(text: selection.text) == selection) }
    #expect(Set(selections.map(\.text)).count == 3)
    #expect(SinkSelection(text: "nonsense") == nil)
  }

  @Test(
    "Whoever applies what it is given holds what the ledger holds, whenever it asks",
    arguments: 1...8 as ClosedRange<UInt64>)
  func mirror(seed: UInt64) throws {
    var random = TestRandom(seed: 900 + seed)
    var mirrors: [String: [String: String]] = [:]
    for _ in 0..<12 {
      var samples: [Sample] = []
      for number in 0..<60 as Range<UInt32> where random.happens(inThousand: 700) {
        samples.append(
          sample(
            number, at: Int64(random.integer(0...3)), amount: Int64(random.integer(1...2))))
      }
      try ledger.replacing(samples)
      for target in ["/a", "/b", "/c"] where random.happens(inThousand: 400) {
        var mirror = mirrors[target] ?? [:]
        for line in try give(sink(target)) {
          let words = line.split(separator: " ").map(String.init)
          if words.last == "old" {
            #expect(mirror[words[1]] == words[2], "\(random.describe): \(line)")
            mirror[words[1]] = nil
          } else {
            #expect(mirror[words[1]] == nil, "\(random.describe): \(line)")
            mirror[words[1]] = words[2]
          }
        }
        let wanted = Dictionary(
          uniqueKeysWithValues: samples.map {
            (String($0.identity.text(pump: "P").dropFirst(7)), String($0.amount))
          })
        #expect(mirror == wanted, "\(random.describe)")
        mirrors[target] = mirror
      }
    }
    #expect(try ledger.sinks().count == 3)
  }

  @Test("What does not fit into memory is the same")
  func spilled() throws {
    try ledger.replacing((0..<900).map { sample($0, at: Int64($0 % 7)) })
    let lines = try owed(sink())
    #expect(lines.count == 900)
    #expect(try owed(sink(), memory: 4096) == lines)
  }
}
