@testable import Deduplicate
import PumpModel
import TestSupport
import Testing

/// A ledger keeps events or samples, never both.
@Suite("The kind of a ledger")
struct LedgerKindTests {
  private func word(_ body: () throws(LedgerError) -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return error.word
    }
  }

  @Test("A ledger without a first run is of no kind, and is refused by nobody")
  func fresh() throws {
    let ledger = try Ledger.temporary()
    #expect(try ledger.kind() == nil)
    try ledger.check(kind: .events)
    try ledger.check(kind: .samples)
  }

  @Test("What was settled stays, and the other kind is refused", arguments: LedgerKind.allCases)
  func settled(kind: LedgerKind) throws {
    let ledger = try Ledger.temporary()
    try ledger.settle(kind: kind)
    try ledger.settle(kind: kind)
    #expect(try ledger.kind() == kind)
    for other in LedgerKind.allCases where other != kind {
      #expect(
        word { () throws(LedgerError) in try ledger.check(kind: other) }?.hasSuffix(
          kind.rawValue) == true)
      #expect(word { () throws(LedgerError) in try ledger.settle(kind: other) } != nil)
    }
    #expect(try ledger.kind() == kind)
  }

  @Test("A ledger made before kinds had names keeps events")
  func old() throws {
    let ledger = try Ledger.temporary()
    try ledger.keep(LedgerSettings(zones: [], clock: .auto, concentration: .u100))
    #expect(try ledger.kind() == .events)
  }
}
