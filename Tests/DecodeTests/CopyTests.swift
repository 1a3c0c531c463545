import Decode
import PumpModel
import TestSupport
import Testing

@Suite("Copies of one event")
struct CopyTests {
  private func bolus(
    _ delivered: Float, form: PumpRecord.Form = .json, present: UInt16 = .max
  ) -> PumpRecord {
    PumpRecord(
      number: 1, seconds: 1, eventID: 20,
      payload: .init(0x0005_0003, 0, delivered.bitPattern, Float(3).bitPattern), form: form,
      present: present)
  }

  @Test("They differ only by what the rules use, in working units")
  func differ() {
    #expect(!RuleFields.differ(bolus(2.083), bolus(2.0829997)))
    #expect(RuleFields.differ(bolus(2.083), bolus(2.084)))
    #expect(RuleFields.differ(bolus(2), bolus(2, present: 0b01011)))
    var iob = bolus(2)
    iob.payload.word1 = 7
    #expect(!RuleFields.differ(iob, bolus(2)))
  }

  @Test("Binary stands before JSON, else the greater amount; a missing field is the smallest")
  func preferred() {
    let (small, large, binary) = (bolus(1), bolus(2), bolus(0.5, form: .binary))
    #expect(RuleFields.precedes(large, small))
    #expect(!RuleFields.precedes(small, large))
    #expect(RuleFields.precedes(binary, large))
    #expect(!RuleFields.precedes(large, binary))
    let lacking = bolus(2, present: 0b01011)
    #expect(RuleFields.precedes(large, lacking))
    #expect(!RuleFields.precedes(lacking, large))
    #expect(!RuleFields.precedes(small, small))
  }

  @Test("Any two records have an order that does not depend on who comes first")
  func orderIsTotal() {
    var random = TestRandom(seed: 3)
    for _ in 0..<2000 {
      let records = (0..<2).map { _ in
        PumpRecord(
          number: 1, seconds: 1, eventID: [3, 20, 64, 279, 399].randomElement(using: &random) ?? 3,
          payload: .init(
            .random(in: 0...2, using: &random), .random(in: 0...1, using: &random), 0, 0),
          form: .json, present: .random(in: 0...3, using: &random))
      }
      guard records[0].eventID == records[1].eventID else { continue }
      #expect(
        RuleFields.precedes(records[0], records[1]) != RuleFields.precedes(records[1], records[0])
          || records[0] == records[1])
    }
  }
}
