import Decode
import PumpModel
import Testing

@Suite("Fields that the rules use")
struct FieldRuleTests {
  /// Reads one event; its payload if it was taken.
  private func payload(_ code: Int, _ properties: String) -> PumpEvent.Payload? {
    let recording = Recording.of(
      EventText.document([EventText.event(code, properties: properties)]))
    guard let record = recording.records.first,
      case .event(let event, _) = EventDecoder.decode(record)
    else { return nil }
    return event.payload
  }

  private func rejects(_ code: Int, _ properties: String) -> Int {
    let document = EventText.document([EventText.event(code, properties: properties)])
    return Recording.of(document).rejects.count
  }

  @Test(
    "A record without a field that the rules need is rejected",
    arguments: [
      (2, ["\"percent\":50"]), (3, ["\"commandedBasalRate\":1"]), (5, ["\"alarmId\":2"]),
      (13, ["\"timePrior\":1", "\"timeAfter\":2"]), (14, ["\"datePrior\":1", "\"dateAfter\":2"]),
      (16, ["\"bg\":100"]),
      (20, ["\"bolusId\":1", "\"completionStatus\":3", "\"insulinDelivered\":1"]),
      (21, ["\"bolusId\":1", "\"completionStatus\":3", "\"insulinDelivered\":1"]),
      (48, ["\"carbs\":1"]), (55, ["\"bolusId\":1"]), (59, ["\"bolusId\":1"]),
      (64, ["\"bolusId\":1"]), (65, ["\"bolusId\":1"]), (66, ["\"bolusId\":1"]),
      (81, ["\"dailyTotalBasal\":1"]), (90, ["\"commandedBasalRate\":1"]),
      (
        256, ["\"glucoseValueStatus\":0", "\"currentGlucoseDisplayValue\":9", "\"egvTimeStamp\":9"]
      ),
      (
        399, ["\"glucoseValueStatus\":0", "\"currentGlucoseDisplayValue\":9", "\"egvTimeStamp\":9"]
      ),
      (
        372, ["\"glucoseValueStatus\":0", "\"currentGlucoseDisplayValue\":9", "\"egvTimeStamp\":9"]
      ),
      (
        480, ["\"glucoseValueStatus\":0", "\"currentGlucoseDisplayValue\":9", "\"egvTimeStamp\":9"]
      ),
      (279, ["\"commandedRate\":1"]), (280, ["\"bolusId\":1", "\"bolusDeliveryStatus\":1"]),
    ])
  func requiredFields(code: Int, fields: [String]) {
    #expect(rejects(code, fields.joined(separator: ",")) == 0)
    for missing in fields.indices {
      var rest = fields
      rest.remove(at: missing)
      #expect(rejects(code, rest.joined(separator: ",")) == 1, "\(code) without \(fields[missing])")
      rest = fields
      rest[missing] = "\(fields[missing].prefix { $0 != ":" }):null"
      #expect(rejects(code, rest.joined(separator: ",")) == 1, "\(code) with null")
      rest[missing] = "\(fields[missing].prefix { $0 != ":" }):{}"
      #expect(rejects(code, rest.joined(separator: ",")) == 1, "\(code) with an object")
    }
  }

  @Test("Optional fields are absent when missing, null or, in 16 bits, 65535")
  func optionalFields() {
    #expect(
      payload(3, "\"commandedBasalRate\":0.8")
        == .basalRateChange(commanded: 800, base: nil, change: nil))
    #expect(
      payload(3, "\"commandedBasalRate\":0.8,\"baseBasalRate\":1,\"changeType\":[1,6]")
        == .basalRateChange(commanded: 800, base: 1000, change: [.newProfile, .shutDown]))
    #expect(
      payload(20, "\"bolusId\":65535,\"completionStatus\":3,\"insulinDelivered\":2.0829997")
        == .bolusCompleted(.normal, bolus: 65_535, status: 3, delivered: 2083, requested: nil))
    #expect(
      payload(279, "\"commandedRate\":800,\"commandedRateSource\":65535")
        == .basalDelivery(commanded: 800, source: nil))
    #expect(
      payload(280, "\"bolusId\":7,\"bolusDeliveryStatus\":1,\"bolusSource\":null")
        == .bolusProgress(bolus: 7, isStarted: true, source: nil))
    #expect(
      payload(65, "\"bolusId\":7,\"options\":3")
        == .bolusRequest2(bolus: 7, options: 3, override: nil))
    #expect(payload(16, "\"bg\":100") == .meterReading(glucose: 100, isManual: false))
    #expect(
      payload(16, "\"bg\":100,\"bgEntryType\":0") == .meterReading(glucose: 100, isManual: true))
    #expect(payload(81, "\"dailyTotalBasal\":22.35") == .dailyBasal(total: 22_350, isFinal: false))
    #expect(rejects(279, "\"commandedRate\":65535") == 1)
    #expect(rejects(20, "\"bolusId\":1,\"completionStatus\":65535,\"insulinDelivered\":1") == 1)
  }

  @Test(
    "Commanded rates above 15 U/h, negative or absurd reject; base rates are absent",
    arguments: ["15.001", "-0.001", "1e40", "1000000000000000000000000000000000000000000"])
  func rates(rate: String) {
    #expect(rejects(3, "\"commandedBasalRate\":\(rate)") == 1)
    #expect(rejects(90, "\"commandedBasalRate\":\(rate)") == 1)
    #expect(
      payload(3, "\"commandedBasalRate\":15,\"baseBasalRate\":\(rate)")
        == .basalRateChange(commanded: 15_000, base: nil, change: nil))
    #expect(rejects(279, "\"commandedRate\":15001") == 1)
  }

  @Test("15.0004 U/h rounds to 15 and is one; rounding is half to even")
  func roundingAtTheLimit() {
    #expect(payload(90, "\"commandedBasalRate\":15.0004") == .newDay(commanded: 15_000))
    #expect(
      payload(3, "\"commandedBasalRate\":15.0004,\"baseBasalRate\":15.0004")
        == .basalRateChange(commanded: 15_000, base: nil, change: nil))
    // 0.0625 and 0.1875 are exact: 62.5 and 187.5 thousandths.
    #expect(payload(90, "\"commandedBasalRate\":0.0625") == .newDay(commanded: 62))
    #expect(payload(90, "\"commandedBasalRate\":0.1875") == .newDay(commanded: 188))
  }

  @Test(
    "Delivered amounts above 80 IU, negative or absurd reject; requested ones are absent",
    arguments: ["80.5", "80.0004", "-1", "1e40"])
  func amounts(amount: String) {
    let start = "\"bolusId\":1,\"completionStatus\":3,"
    #expect(rejects(20, start + "\"insulinDelivered\":\(amount)") == 1)
    #expect(rejects(21, start + "\"insulinDelivered\":\(amount)") == 1)
    #expect(
      payload(21, start + "\"insulinDelivered\":80,\"insulinRequested\":\(amount)")
        == .bolusCompleted(.extended, bolus: 1, status: 3, delivered: 80_000, requested: nil))
  }

  @Test("Floats that are not finite reject in bytes too")
  func notFinite() {
    for bits in [Float.nan, .infinity, -.infinity].map(\.bitPattern) {
      let bolus = PumpRecord(
        number: 1, seconds: 1, eventID: 20, payload: .init(0x0001_0003, 0, bits, 0), form: .binary)
      #expect(EventDecoder.decode(bolus) == .rejected(.amountOutOfRange))
      let rate = PumpRecord(
        number: 1, seconds: 1, eventID: 3, payload: .init(bits), form: .binary)
      #expect(EventDecoder.decode(rate) == .rejected(.rateOutOfRange))
      let carbs = PumpRecord(
        number: 1, seconds: 1, eventID: 48, payload: .init(bits), form: .binary)
      #expect(EventDecoder.decode(carbs) == .rejected(.carbsOutOfRange))
    }
  }

  @Test("A temp rate's percentage must be 0 to 250")
  func percent() {
    #expect(payload(2, "\"percent\":250") == .tempRateStart(percentHundredths: 25_000))
    #expect(payload(2, "\"percent\":0") == .tempRateStart(percentHundredths: 0))
    for percent in ["250.01", "-1", "1e40"] { #expect(rejects(2, "\"percent\":\(percent)") == 1) }
  }

  @Test("Carbohydrate of 65535 or more rejects the field of a request, the record of an entry")
  func carbs() {
    for grams in ["65535", "70000", "-5", "99999999999999999999"] {
      let recording = Recording.of(
        EventText.document([
          EventText.event(64, properties: "\"bolusId\":5,\"bolusType\":1,\"carbAmount\":\(grams)")
        ]))
      #expect(recording.rejects.count == 1, "\(grams)")
      #expect(recording.records.count == 1, "\(grams)")
      #expect(
        payload(64, "\"bolusId\":5,\"carbAmount\":\(grams)")
          == .bolusRequest1(bolus: 5, grams: nil, type: nil))
      #expect(rejects(48, "\"carbs\":\(grams)") == 1)
    }
    #expect(
      payload(64, "\"bolusId\":5,\"carbAmount\":65534,\"bolusType\":0")
        == .bolusRequest1(bolus: 5, grams: 65_534, type: 0))
    #expect(payload(48, "\"carbs\":12.5") == .carbsEntered(milligrams: 12_500))
  }

  @Test("Readings that were not shown are no readings, and are counted")
  func glucoseNotShown() {
    let time = "\"egvTimeStamp\":5"
    for (code, fields) in [
      (399, "\"glucoseValueStatus\":1,\"currentGlucoseDisplayValue\":401"),
      (256, "\"glucoseValueStatus\":0,\"currentGlucoseDisplayValue\":0"),
      (480, "\"glucoseValueStatus\":0,\"currentGlucoseDisplayValue\":65535"),
    ] {
      let recording = Recording.of(
        EventText.document([EventText.event(code, properties: "\(fields),\(time)")]))
      #expect(recording.calls.contains(.ignore(.glucoseNotShown, UInt16(code))))
      #expect(recording.records.count == 1)
      #expect(payload(code, "\(fields),\(time)") == .other)
    }
    #expect(payload(16, "\"bg\":0") == .other)
    #expect(
      payload(372, "\"glucoseValueStatus\":0,\"currentGlucoseDisplayValue\":99,\(time)")
        == .sensorReading(glucose: 99, takenAt: PumpTime(seconds: 5)))
  }

  @Test("A clock change is the difference of its two times")
  func clockChanges() {
    #expect(
      payload(13, "\"timePrior\":55657000,\"timeAfter\":52057000")
        == .clockChange(shiftMilliseconds: -3_600_000))
    #expect(
      payload(14, "\"datePrior\":5280,\"dateAfter\":5281")
        == .clockChange(shiftMilliseconds: 86_400_000))
  }

  @Test("No other id decodes to a clock change")
  func clockChangeIDs() {
    var movers: [UInt16] = []
    for id in UInt16(0)..<4096 {
      var event = EventDecoder.blank
      let record = PumpRecord(
        number: 1, seconds: 5_000_000, eventID: id, payload: PumpRecord.Payload(1, 2, 3, 4),
        form: .binary)
      _ = EventDecoder.decode(record, into: &event)
      if case .clockChange = event.payload { movers.append(id) }
      #expect(EventDecoder.mayMoveClock(id) == movers.contains(id))
    }
    #expect(movers == [13, 14])
  }

  @Test("Unknown ids and ids without a rule are counted and kept")
  func ignoredEvents() {
    let recording = Recording.of(
      EventText.document([
        EventText.event(4000, number: 1, properties: "\"x\": [1, \"}\"]"),
        EventText.event(26, number: 2, properties: "\"alertId\":3"),
        EventText.event(31, number: 3, properties: ""),
      ]))
    #expect(recording.calls.contains(.ignore(.unknownEvent, 4000)))
    #expect(recording.calls.contains(.ignore(.noRule, 26)))
    #expect(recording.calls.contains(.keep("{\"x\": [1, \"}\"]}")))
    #expect(recording.calls.contains(.keep("{}")))
    #expect(recording.records.map(\.hasText) == [true, false, true])
  }
}
