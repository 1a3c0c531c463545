import PumpModel
import Testing

@Suite struct SampleIdentityTests {
  @Test(
    arguments: zip(
      SampleKind.allCases, ["basal", "bolus", "extended", "carbs", "cgm", "meter"]))
  func namesEventsByNumberAndPumpSeconds(kind: SampleKind, word: String) {
    let identity = SampleIdentity(
      kind: kind, group: 3, number: 5110, time: PumpTime(seconds: 578_750_470), eventID: 20)
    #expect(identity.text(pump: "90000001") == "tandem:90000001:5110-578750470:\(word)")
  }

  @Test func namesRowsOfTablesByTheirSecondAndCount() {
    var identity = SampleIdentity(
      kind: .bolus, group: 0, number: 578_750_470, time: PumpTime(seconds: 0), eventID: 0)
    identity.scheme = .csv
    #expect(identity.text(pump: "90000001") == "tandem:90000001:csv-578750470-0:bolus")
  }

  @Test func countsSamplesOfOneIdentity() {
    var identity = SampleIdentity(
      kind: .carbs, group: 0, number: .max, time: PumpTime(seconds: .max), eventID: 64)
    identity.ordinal = 2
    #expect(identity.text(pump: "p") == "tandem:p:4294967295-4294967295:carbs~2")
    identity.ordinal = 10
    #expect(identity.text(pump: "p") == "tandem:p:4294967295-4294967295:carbs~10")
  }

  @Test func keepsThePumpsNameAsItIs() {
    let identity = SampleIdentity(
      kind: .meter, group: 0, number: 0, time: PumpTime(seconds: 0), eventID: 16)
    #expect(identity.text(pump: "0ddba115-é") == "tandem:0ddba115-é:0-0:meter")
  }

  @Test(arguments: [0, 1, 9, 10, 99, 100, 4_294_967_295, UInt64.max])
  func writesDecimalDigits(value: UInt64) {
    var bytes: [UInt8] = []
    bytes.append(decimal: value)
    #expect(String(decoding: bytes, as: UTF8.self) == String(value))
  }
}
