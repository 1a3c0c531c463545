@testable import Deduplicate
import PumpModel
import Testing

/// Which documents hold a record.
@Suite("Sets of documents")
struct DocumentSetTests {
  @Test("A set is found again, whoever asks")
  func found() throws {
    let ledger = try Ledger.temporary()
    let sets = try DocumentSets(ledger.database)
    let one = try sets.adding(1, to: DocumentSets.none)
    let both = try sets.adding(2, to: one)
    #expect(try sets.adding(1, to: DocumentSets.none) == one)
    #expect(try sets.adding(2, to: one) == both)
    #expect(try sets.documents(of: both) == [1, 2])
    #expect(try sets.documents(of: DocumentSets.none) == [])
    let others = try DocumentSets(ledger.database)
    #expect(try others.adding(2, to: one) == both)
    #expect(try others.adding(3, to: both) > both)
  }

  @Test("A document that is in a set already makes no other set")
  func contained() throws {
    let sets = try DocumentSets(try Ledger.temporary().database)
    let one = try sets.adding(1, to: DocumentSets.none)
    let both = try sets.adding(2, to: one)
    #expect(try sets.adding(1, to: one) == one)
    #expect(try sets.adding(1, to: both) == both)
    #expect(try sets.adding(2, to: both) == both)
  }

  @Test("A union holds the documents of both, once each")
  func union() throws {
    let sets = try DocumentSets(try Ledger.temporary().database)
    let left = try sets.adding(3, to: sets.adding(1, to: DocumentSets.none))
    let right = try sets.adding(2, to: sets.adding(3, to: DocumentSets.none))
    #expect(try sets.documents(of: sets.union(left, right)) == [1, 2, 3])
    #expect(try sets.union(left, left) == left)
    #expect(try sets.union(left, DocumentSets.none) == left)
    #expect(try sets.union(DocumentSets.none, right) == right)
  }

  @Test("Completeness is a claim from the lowest to the highest number, by group")
  func claims() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([
      TestDocument("a", [record(5), record(9), record(100, group: 4)], isComplete: true),
      TestDocument("b", [record(50)]),
    ])
    func claims() throws -> [String] {
      try ledger.completeNumbers(of: 1).map { "\($0.group): \($0.numbers)" }
    }
    #expect(try claims() == ["0: 5...9", "4: 100...100"])
    // Said later of a document that is known, and joined with what was said before.
    let outcome = try ledger.importing([TestDocument("b", [record(50)], isComplete: true)])
    #expect(outcome.changedPumps == [1])
    #expect(try claims() == ["0: 5...50", "4: 100...100"])
    let again = try ledger.importing([TestDocument("b", [record(50)], isComplete: true)])
    #expect(again.changedPumps == [])
  }

  @Test("A list of clock changes does not widen a claim")
  func clockChanges() throws {
    var change = record(2000, id: 13)
    change.isFromClockChanges = true
    let ledger = try Ledger.temporary()
    try ledger.importing([TestDocument("a", [record(5), record(9), change], isComplete: true)])
    #expect(try ledger.completeNumbers(of: 1).map(\.numbers) == [5...9])
    #expect(try ledger.events().count == 3)
  }
}
