@testable import Deduplicate
import PumpModel
import Testing

/// N1: how pumps get their names.
@Suite("Names of pumps")
struct PumpRegistryTests {
  private func facts(_ assignment: String, _ serial: String) -> PumpFacts {
    PumpFacts(assignment: assignment, serial: serial, modelName: "Pump of \(serial)")
  }

  private func document(_ name: String, pumps: UInt32...) -> TestDocument {
    TestDocument(name, pumps.map { record(UInt32($0) * 10, pump: $0) })
  }

  private func error(_ body: () throws -> Void) -> NamingError? {
    do {
      try body()
      return nil
    } catch {
      return error as? NamingError
    }
  }

  @Test("A pump is named by its serial number, also where that is read after its records")
  func serial() throws {
    let ledger = try Ledger.temporary()
    let outcome = try ledger.importing([document("a", pumps: 1)], facts: [facts("A", "90000001")])
    #expect(try ledger.pumpNames() == ["1:90000001"])
    #expect(outcome.pumps == [1: 1])
    #expect(try ledger.pumps().first?.label.modelName == "Pump of 90000001")
    #expect(try ledger.pumps().first?.serial == "90000001")
  }

  @Test("Without one its assignment id names it, and every pump of an account has its own name")
  func assignments() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing(
      [document("a", pumps: 1, 2, 3)], assignments: ["B", "A", "C"], facts: [facts("C", "9")])
    #expect(try ledger.pumpNames() == ["1:9", "2:A", "3:B"])
    #expect(try ledger.pumps().filter { $0.serial == nil }.map(\.label.name) == ["A", "B"])
  }

  @Test("The first name stays: a serial number that is learnt later changes no id")
  func learntLater() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([document("a", pumps: 1)])
    let later = try ledger.importing([document("b", pumps: 1)], facts: [facts("A", "90000001")])
    #expect(try ledger.pumpNames() == ["1:A"])
    #expect(try ledger.pumps().first?.serial == "90000001")
    #expect(later.changedPumps == [])
    // Records of that serial number under another assignment id are of the same pump.
    try ledger.importing(
      [document("c", pumps: 1)], assignments: ["B"], facts: [facts("B", "90000001")])
    #expect(try ledger.pumpNames() == ["1:A"])
  }

  @Test("Account answers alone name nothing")
  func answersAlone() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([], facts: [facts("A", "90000001")])
    #expect(try ledger.pumpNames() == [])
    // But they are remembered.
    try ledger.importing([document("a", pumps: 1)])
    #expect(try ledger.pumpNames() == ["1:90000001"])
  }

  @Test("Two names that prove one pump: the one given first stays, in both orders")
  func twoNames() throws {
    for serialFirst in [true, false] {
      let ledger = try Ledger.temporary()
      if serialFirst {
        try ledger.importing(
          [document("a", pumps: 1)], assignments: ["A"], facts: [facts("A", "S")])
        try ledger.importing([document("b", pumps: 1)], assignments: ["B"])
      } else {
        try ledger.importing([document("b", pumps: 1)], assignments: ["B"])
        try ledger.importing(
          [document("a", pumps: 1)], assignments: ["A"], facts: [facts("A", "S")])
      }
      let outcome = try ledger.importing([], facts: [facts("B", "S")])
      #expect(
        try ledger.pumpNames() == (serialFirst ? ["1:S", "2:B=S"] : ["1:B", "2:S=B"]))
      #expect(outcome.changedPumps == [1, 2])
      #expect(try ledger.events(of: 1) == ["0/10@1000:279 0"])
      #expect(try ledger.events(of: 2) == [])
      #expect(try ledger.holders(of: 1) == [[1, 2]])
    }
  }

  @Test("A pump that was proven to be another brings its groups and claims along")
  func merged() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([document("a", pumps: 1)], assignments: ["A"])
    try ledger.importing(
      [
        TestDocument(
          "b", [record(7, group: 3), record(8, group: 3)], isComplete: true)
      ], assignments: ["B"])
    try ledger.importing([], facts: [facts("A", "S"), facts("B", "S")])
    #expect(try ledger.pumpNames() == ["1:A", "2:B=A"])
    #expect(try ledger.events(of: 1) == ["0/10@1000:279 0", "3/7@1000:279 0", "3/8@1000:279 0"])
    #expect(try ledger.completeNumbers(of: 1).map(\.numbers) == [7...8])
    // A third name: what pointed to the second points to the first now.
    try ledger.importing([document("c", pumps: 1)], assignments: ["C"])
    try ledger.importing([], facts: [facts("C", "S")])
    #expect(try ledger.pumpNames() == ["1:A", "2:B=A", "3:C=A"])
  }

  @Test("Within one run the serial number, then the smaller text, is given first")
  func withinOneRun() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing(
      [document("a", pumps: 1, 2)], assignments: ["B", "A"],
      facts: [facts("A", "S"), facts("B", "S")])
    #expect(try ledger.pumpNames() == ["1:S"])
    #expect(try ledger.events(of: 1).count == 2)
  }

  @Test("--serial names the one pump of the run that has none, and is remembered")
  func givenSerial() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([document("a", pumps: 1)], serial: "S")
    #expect(try ledger.pumpNames() == ["1:S"])
    try ledger.importing([document("b", pumps: 1)])
    #expect(try ledger.pumpNames() == ["1:S"])
  }

  @Test("--serial is refused only where it would name two assignment ids")
  func givenSerialTwice() throws {
    let ledger = try Ledger.temporary()
    let refused = error {
      try ledger.importing([document("a", pumps: 1, 2)], assignments: ["A", "B"], serial: "S")
    }
    #expect(refused == .serialNamesSeveral(count: 2))
    try ledger.importing(
      [document("a", pumps: 1, 2)], assignments: ["A", "B"], facts: [facts("B", "T")],
      serial: "S")
    #expect(try ledger.pumpNames() == ["1:S", "2:T"])
    // All have one now: another run's number names nobody.
    try ledger.importing(
      [document("b", pumps: 1, 2)], assignments: ["A", "B"], serial: "U")
    #expect(try ledger.pumpNames() == ["1:S", "2:T"])
  }

  @Test("Records that carry no pump at all need --serial")
  func unnamed() throws {
    let refused = try Ledger.temporary()
    #expect(error { try refused.importing([document("a", pumps: 0)]) } == .serialNeeded)
    let ledger = try Ledger.temporary()
    try ledger.importing([document("a", pumps: 0)], serial: "S")
    #expect(try ledger.pumpNames() == ["1:S"])
    // A document that is known needs no name again.
    #expect(error { try ledger.importing([document("a", pumps: 0)]) } == nil)
    #expect(error { try ledger.importing([document("b", pumps: 0)]) } == .serialNeeded)
  }

  @Test("So do records in a list of clock changes: none is dropped in silence")
  func unnamedClockChanges() throws {
    var change = record(7, id: 13, pump: 0)
    change.isFromClockChanges = true
    let refused = try Ledger.temporary()
    #expect(error { try refused.importing([TestDocument("a", [change])]) } == .serialNeeded)
    let ledger = try Ledger.temporary()
    try ledger.importing([TestDocument("a", [change])], serial: "S")
    #expect(try ledger.events().count == 1)
  }

  @Test("--serial makes unnamed records and an assignment without a serial number one pump")
  func unnamedAndAssignment() throws {
    let ledger = try Ledger.temporary()
    try ledger.importing([document("a", pumps: 0, 1)], serial: "S")
    #expect(try ledger.pumpNames() == ["1:S"])
    #expect(try ledger.events().count == 2)
  }
}
