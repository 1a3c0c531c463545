import PumpModel
import Testing

@Suite("Amounts and times as outputs write them")
struct WrittenSampleTests {
  private func amount(_ text: String) -> WrittenAmount? {
    let bytes = Array(text.utf8)
    return unsafe WrittenAmount(bytes.span.bytes, 0..<bytes.count)
  }

  private func instant(_ text: String, _ form: InstantReading.Form) -> Int64? {
    let bytes = Array(text.utf8)
    return unsafe InstantReading.instant(bytes.span.bytes, 0..<bytes.count, as: form)?.unixSeconds
  }

  @Test(
    "are exact up to twelve decimals, and rounded half up beyond",
    arguments: [
      ("2.083", "2.083"), ("0", "0"), ("007.500", "7.5"), ("5.91532e-05", "0.0000591532"),
      ("1e3", "1000"), ("0.000000000001", "0.000000000001"), ("0.0000000000005", "0.000000000001"),
      ("0.00000000000049", "0"), ("0.30000000000000004", "0.3"), (".5", "0.5"), ("5.", "5"),
    ])
  func amounts(text: String, wanted: String) {
    #expect(amount(text)?.text == wanted)
  }

  @Test(
    "are nothing where they are no decimal, or too great",
    arguments: ["", "-1", "+1", "1,5", "1.5 IU", "e5", ".", "1e", "1e99", "NaN", "9999999999"])
  func noAmounts(text: String) {
    #expect(amount(text) == nil)
  }

  @Test("are times of one form, of real days")
  func instants() {
    #expect(instant("2026-05-04T08:00:00-04:00", .internet) == 1_777_896_000)
    #expect(instant("2026-05-04T12:00:00Z", .internet) == 1_777_896_000)
    #expect(instant("2026-05-04 08:00:00 -0400", .health) == 1_777_896_000)
    for text in [
      "2026-05-04 08:00:00 -04:00", "2026-05-04T08:00:00 -0400", "2026-02-30 08:00:00 -0400",
      "2026-05-04 24:00:00 +0000", "2026-05-04 08:00:00 Z", "", "0000-01-01 00:00:00 +0100",
    ] {
      #expect(instant(text, .health) == nil, "\(text)")
    }
    #expect(instant("2026-05-04 08:00:00 -0400", .internet) == nil)
    #expect(instant("9999-12-31T23:59:59-01:00", .internet) == nil)
  }

  @Test("have metadata in the order of names, and tell what differs")
  func metadata() {
    let first = WrittenMetadata([("status", "completed"), ("part", "normal\nx")])
    #expect(first.lines == "part=normal x\nstatus=completed\n")
    let second = WrittenMetadata([("part", "normal x"), ("rate", "1=2")])
    #expect(second.entries.last?.text == "1=2")
    #expect(first.names(differingFrom: second) == ["rate", "status"])
    #expect(first.names(differingFrom: second, except: ["rate"]) == ["status"])
    #expect(first.names(differingFrom: first).isEmpty)
  }

  @Test("know ids of pumpline's from those of others")
  func ids() {
    for id in [
      "tandem:1:1-5:bolus", "tidepool:x:basal", "nightscout:y:bolus", "glooko:1:2-0:bolus",
    ] {
      #expect(WrittenSample.isExternalID(id))
    }
    for id in ["pumpsync.bolus.1", "", "strava://activities/1", "Tandem:1:1-5:bolus"] {
      #expect(!WrittenSample.isExternalID(id))
    }
  }
}
