import PumpModel
import TestSupport
import Testing

@Suite struct SyntheticPumpTests {
  @Test func givesTheSameRecordsForTheSameSeed() {
    let options = SyntheticPump.Options(seed: 4, days: 3)
    #expect(Array(SyntheticPump(options)) == Array(SyntheticPump(options)))
    let other = SyntheticPump.Options(seed: 5, days: 3)
    #expect(Array(SyntheticPump(options)) != Array(SyntheticPump(other)))
  }

  @Test func numbersEveryRecord() {
    let records = Array(SyntheticPump(SyntheticPump.Options(seed: 2, days: 20)))
    for (record, next) in zip(records, records.dropFirst()) {
      #expect(next.number == record.number + 1)
    }
    #expect((620...740).contains(records.count / 20))
  }

  @Test func losesNumbersInGaps() {
    var options = SyntheticPump.Options(seed: 2, days: 10)
    options.gapsInHundredDays = 60
    var pump = SyntheticPump(options)
    var last: UInt32 = options.firstNumber
    var missing = 0
    while let record = pump.next() {
      missing += Int(record.number - last) - 1
      last = record.number
    }
    #expect(missing > 0)
    #expect(missing <= pump.totals.lost)
  }

  /// Totals are counted by the simulation; here they are read from what it wrote.
  @Test(arguments: [true, false], [UInt64(1), 2, 3])
  func writesWhatItCounts(hasAlgorithm: Bool, seed: UInt64) {
    var options = SyntheticPump.Options(seed: seed, days: 40)
    options.hasAlgorithm = hasAlgorithm
    var pump = SyntheticPump(options)
    var reader = TotalsReader()
    while let record = pump.next() { reader.read(record) }
    #expect(reader.bolus == pump.totals.bolus)
    #expect(reader.carbs == pump.totals.carbs)
    #expect(reader.rateSeconds == pump.totals.basalRateSeconds)
    #expect(reader.dayTotals.count == 40)
    for (written, read) in reader.dayTotals { #expect(abs(written - read) < 0.002) }
    #expect(Set(reader.ids).isSuperset(of: [3, 11, 12, 20, 33, 55, 64, 81, 90, 229, 279, 399]))
  }

  @Test func setsTheClockAfterDaylightSaving() {
    var options = SyntheticPump.Options(seed: 9, days: 365)
    options.start = TestZones.instant(2025, 1, 1, in: options.zone)
    let changes = SyntheticPump(options).filter { $0.eventID == 13 }
    let hours = changes.map { change in
      let shift = Int64(change.payload.u32(at: 4)) - Int64(change.payload.u32(at: 0))
      return Int((Double(shift) / 3_600_000).rounded())
    }
    #expect(hours == [1, -1])
  }

  @Test func setsTheClockOnJourneys() {
    var options = SyntheticPump.Options(seed: 9, days: 20)
    options.trips = [.init(day: 5, zone: TestZones.tokyo), .init(day: 12, zone: TestZones.newYork)]
    let shifts = SyntheticPump(options).filter { $0.eventID == 13 || $0.eventID == 14 }
      .map { change in
        let scale = change.eventID == 13 ? 1.0 : 86_400_000
        return (Double(change.payload.u32(at: 4)) - Double(change.payload.u32(at: 0))) * scale
      }
    #expect(shifts.count == 4)
    let hours = (Int((shifts[0] + shifts[1]) / 3_600_000 + 0.5), shifts[2] + shifts[3])
    #expect(hours.0 == 13)
    #expect(abs(hours.1 / 3_600_000 + 13) < 0.01)
  }

  @Test func startsIn2008AfterLosingPower() {
    var options = SyntheticPump.Options(seed: 6, days: 3)
    options.incidents = [.init(2000, .powerLoss(minutes: 90))]
    let records = Array(SyntheticPump(options))
    let start = records.firstIndex { $0.seconds == 0 }
    guard let start else {
      Issue.record("no record of 2008")
      return
    }
    #expect(records[start].eventID == 90)
    #expect(records[start + 1].eventID == 14)
    #expect(records[start + 2].eventID == 13)
    #expect(records[start + 2].seconds > records[start - 1].seconds)
  }
}

/// Adds up a history of one stretch of the clock, by the rules' own words.
private struct TotalsReader {
  var bolus = 0
  var carbs = 0
  var rateSeconds = 0
  /// What [81] says at each day's end, and what the rates since midnight amount to.
  var dayTotals: [(Double, Double)] = []
  var ids: Set<UInt16> = []
  private var grams: [UInt16: Int] = [:]
  private var evidence: (seconds: UInt32, rate: Int)?
  private var day = 0

  mutating func read(_ record: PumpRecord) {
    let payload = record.payload
    ids.insert(record.eventID)
    switch record.eventID {
    case 279: take(Int(payload.u16(at: 6)), at: record.seconds)
    case 3, 90: take(Int((payload.f32(at: 0) * 1000).rounded()), at: record.seconds)
    case 11: take(0, at: record.seconds)
    case 64: grams[payload.u16(at: 2)] = Int(payload.u16(at: 6))
    case 20, 21:
      guard payload.u16(at: 2) != 5 else { return }
      bolus += Int((payload.f32(at: 8) * 1000).rounded())
      carbs += grams.removeValue(forKey: payload.u16(at: 0)) ?? 0
    case 81 where payload.u8(at: 15) == 1:
      let open = evidence.map { $0.rate * Int(record.seconds - $0.seconds) } ?? 0
      dayTotals.append((Double(payload.f32(at: 0)), Double(day + open) / 3_600_000))
    default: break
    }
    if record.eventID == 90 { day = 0 }
  }

  private mutating func take(_ rate: Int, at seconds: UInt32) {
    if let evidence {
      let sum = evidence.rate * Int(seconds - evidence.seconds)
      rateSeconds += sum
      day += sum
    }
    evidence = (seconds, rate)
  }
}
