@testable import Deduplicate
import Platform
import PumpModel
import TestSupport
import Testing

/// N2: which event the copies of a record are, whoever brought them in whatever order.
@Suite("A journal")
struct JournalTests {
  @Test("Copies of one record are one event")
  func copies() throws {
    let ledger = try Ledger.temporary()
    let outcome = try ledger.importing([
      TestDocument("a", [record(1), record(2), record(1)]),
      TestDocument("b", [record(2), record(3)]),
    ])
    #expect(try ledger.events() == ["0/1@1000:279 0", "0/2@1000:279 0", "0/3@1000:279 0"])
    #expect(outcome.duplicates == [0: 1, 1: 1])
    #expect(outcome.changedPumps == [1])
  }

  @Test("A new document that is said to be complete changes its pump, even if it only has copies")
  func completeCopies() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([TestDocument("a", [record(1), record(4)])])
    let again = try ledger.importing([TestDocument("b", [record(1)])])
    #expect(again.changedPumps == [])
    let complete = try ledger.importing([TestDocument("c", [record(1)], isComplete: true)])
    #expect(complete.changedPumps == [1])
  }

  @Test("Number, pump seconds and id make an event; order is by number, then seconds, then id")
  func identity() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([
      TestDocument("a", [record(2), record(1, at: 9), record(1, at: 8, id: 20), record(1, at: 8)])
    ])
    let (records, reader) = try ledger.read()
    #expect(
      records.map { "\($0.number)@\($0.seconds):\($0.eventID)" } == [
        "1@8:20", "1@8:279", "1@9:279", "2@1000:279",
      ])
    #expect(reader.conflicting.count == 2)
    #expect(reader.conflicting.text == "1, 1")
    #expect(reader.differing.count == 0)
  }

  @Test("Of copies that differ, a binary one stands before a JSON one, then the rules decide")
  func differing() throws {
    let copies = [
      record(1, saying: 5, form: .json), record(1, saying: 2), record(1, saying: 3),
      record(2, saying: 5, form: .json), record(2, saying: 7, form: .json),
      record(3, saying: 1), record(3, saying: 1, form: .json),
    ]
    for order in [copies, copies.reversed()] {
      let ledger = try Ledger.temporary()
      for (index, copy) in order.enumerated() {
        try ledger.importing([TestDocument("\(index)", [copy])])
      }
      let (records, reader) = try ledger.read()
      #expect(records.map(\.payload.word0) == [3, 7, 1])
      #expect(reader.differing.text == "1, 2")
    }
  }

  @Test("Copies that name different groups are different events; one without joins the lowest")
  func groups() throws {
    let copies = [
      record(5, saying: 1, form: .json, group: 2), record(5, saying: 1, form: .json, group: 7),
      record(5, saying: 9), record(6), record(4, form: .json, group: 2),
    ]
    for order in [copies, copies.reversed()] {
      let ledger = try Ledger.temporary()
      for (index, copy) in order.enumerated() {
        try ledger.importing([TestDocument("\(index)", [copy])])
      }
      #expect(
        try ledger.events() == [
          "0/6@1000:279 0", "2/4@1000:279 0", "2/5@1000:279 9", "7/5@1000:279 1",
        ])
      let (_, reader) = try ledger.read()
      #expect(reader.differing.text == "5")
      #expect(reader.conflicting.count == 0)
    }
  }

  @Test("Group 0 that is named is the group of records that name none")
  func groupZero() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([
      TestDocument("a", [record(1, form: .json, group: 0), record(1), record(2, group: 3)])
    ])
    #expect(try ledger.events() == ["0/1@1000:279 0", "3/2@1000:279 0"])
  }

  @Test("A document that is known brings nothing again, whatever it holds")
  func knownDocument() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([TestDocument("a", [record(1)])])
    let again = try ledger.importing([
      TestDocument("a", [record(1)]), TestDocument("a", [record(1)]),
    ])
    #expect(again.known == [0, 1])
    #expect(again.changedPumps == [])
    #expect(again.duplicates == [:])
    #expect(again.pumps == [1: 1])
  }

  @Test("A document that brings nothing new changes no pump")
  func nothingNew() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([TestDocument("a", [record(1), record(2)])])
    let outcome = try ledger.importing([TestDocument("b", [record(2)])])
    #expect(outcome.changedPumps == [])
    #expect(outcome.duplicates == [0: 1])
    #expect(try ledger.holders() == [[1], [1, 2]])
  }

  @Test("A document that is not accepted leaves nothing behind")
  func notAccepted() throws {
    let ledger = try Ledger.temporary()
    let journal = JournalImport(ledger)
    try journal.append([record(1)].span, document: 0)
    try journal.append([record(2)].span, document: 1)
    try ledger.begin()
    _ = try journal.finish(
      [
        AcceptedDocument(
          index: 1, digest: [1], format: .records, isComplete: false, bytes: 26, records: 1,
          missingBodies: 2)
      ],
      claims: PumpClaims(
        stated: [.assignment("A")], present: [1], hasUnnamed: false, facts: [], serial: nil),
      count: 2)
    try ledger.commit()
    #expect(try ledger.events() == ["0/2@1000:279 0"])
    #expect(try ledger.missingBodies() == 2)
  }

  @Test("A record that a document brings a thousand times is held by it once")
  func manyCopies() throws {
    let ledger = try Ledger.temporary()
    let copies = [PumpRecord](repeating: record(1), count: 1000)
    try ledger.importing([TestDocument("a", copies), TestDocument("b", copies)])
    #expect(try ledger.holders() == [[1, 2]])
    #expect(try ledger.database.integer("SELECT count(*) FROM holders") ?? 0 <= 3)
  }

  @Test("Records of the largest numbers, times and groups keep their order")
  func extremes() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([
      TestDocument(
        "a",
        [
          record(.max, at: .max, id: 4095, group: .max), record(0, at: 0, id: 0, group: 0),
          record(.max, at: 0, id: 4095), record(0, at: .max, id: 0, group: .max),
        ])
    ])
    #expect(
      try ledger.read().records.map { "\($0.group)/\($0.number)@\($0.seconds):\($0.eventID)" } == [
        "0/0@0:0", "0/\(UInt32.max)@0:4095", "\(UInt32.max)/0@\(UInt32.max):0",
        "\(UInt32.max)/\(UInt32.max)@\(UInt32.max):4095",
      ])
  }

  /// Records with numbers from a range, each perhaps in several forms.
  private func pool(_ count: Int, _ random: inout TestRandom) -> [PumpRecord] {
    (0..<count).map { _ in
      record(
        UInt32(random.integer(0...count)), at: UInt32(random.integer(0...1)),
        id: [279, 3][random.integer(0...1)], saying: UInt32(random.integer(0...1)),
        form: random.happens(inThousand: 300) ? .json : .binary)
    }
  }

  @Test(
    "Inserted in any order, in runs of any size, records are their sorted set",
    arguments: [1, 2, 511, 512, 513, 1024, 1025, 3000])
  func anyOrder(count: Int) throws {
    var random = TestRandom(seed: UInt64(count))
    let records = pool(count, &random)
    let ledger = try Ledger.temporary()
    var rest = records.shuffled(using: &random)[...]
    var run = 0
    while !rest.isEmpty {
      let size = random.integer(1...max(1, count / 3))
      let part = rest.prefix(size)
      rest = rest.dropFirst(size)
      let half = part.count / 2
      try ledger.importing([
        TestDocument("\(run)a", Array(part.prefix(half))),
        TestDocument("\(run)b", Array(part.dropFirst(half))),
      ])
      run += 1
    }
    #expect(try ledger.events() == expected(records), "\(random.describe)")
    let rows = try ledger.journalRows()
    let entries = Set(
      records.map { "\($0.number) \($0.seconds) \($0.eventID) \($0.form) \($0.payload.word0)" })
    #expect(rows.reduce(0, +) == entries.count, "\(random.describe)")
    #expect(rows.allSatisfy { 1...JournalChunks.entriesPerChunk ~= $0 })
  }

  private func expected(_ records: [PumpRecord]) -> [String] {
    struct Place: Hashable, Comparable {
      var number: UInt32
      var seconds: UInt32
      var id: UInt16
      static func < (left: Place, right: Place) -> Bool {
        (left.number, left.seconds, left.id) < (right.number, right.seconds, right.id)
      }
    }
    var best: [Place: PumpRecord] = [:]
    for record in records {
      let place = Place(number: record.number, seconds: record.seconds, id: record.eventID)
      if let other = best[place], !wordRules.prefers(record, other) { continue }
      best[place] = record
    }
    return best.keys.sorted().map { place in
      "0/\(place.number)@\(place.seconds):\(place.id) \(best[place]?.payload.word0 ?? 0)"
    }
  }

  @Test("Rows are filled one after the other, and a run rewrites only the rows that it touches")
  func rows() throws {
    let ledger = try Ledger.temporary()
    let full = JournalChunks.entriesPerChunk
    let even = (0..<UInt32(2 * full + 176)).map { record($0 * 2) }
    try ledger.importing([TestDocument("a", even)])
    #expect(try ledger.journalRows() == [full, full, 176])
    try ledger.importing([TestDocument("b", [record(UInt32(3 * full) + 1)])])
    #expect(try ledger.journalRows() == [full, full, 1, 176])
    try ledger.importing([TestDocument("c", [record(50_000), record(50_001)])])
    #expect(try ledger.journalRows() == [full, full, 1, 178])
    #expect(try ledger.events().count == even.count + 3)
  }

  @Test("Several groups are read in order also where they do not fit in memory")
  func manyGroups() throws {
    let ledger = try Ledger.temporary()
    var random = TestRandom(seed: 4)
    let records = (0..<5000 as Range<UInt32>).map { number in
      record(number, form: .json, group: UInt32(random.integer(1...3)))
    }
    try ledger.importing([TestDocument("a", records)])
    let expected = records.sorted { ($0.group, $0.number) < ($1.group, $1.number) }
    #expect(
      try ledger.read().records.map { [$0.group, $0.number] }
        == expected.map { [$0.group, $0.number] })
  }
}
