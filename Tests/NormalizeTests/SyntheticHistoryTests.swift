import Decode
import Normalize
import PumpModel
import TestSupport
import Testing

/// Whole histories of a simulated pump, whose true totals are known.
@Suite("Whole histories")
struct SyntheticHistoryTests {
  private func history(_ options: SyntheticPump.Options) -> (History, SyntheticPump.Totals) {
    var pump = SyntheticPump(options)
    var history = History(zone: options.zone) { [] }
    while let record = pump.next() {
      if case .event(var event, _) = EventDecoder.decode(record) {
        event.group = record.group
        history.append(event)
      }
    }
    return (history, pump.totals)
  }

  private func options(_ seed: UInt64, days: Int = 12) -> SyntheticPump.Options {
    var options = SyntheticPump.Options(seed: seed, days: days)
    options.start = TestZones.instant(2026, 10, 27, in: options.zone)
    options.trips = [.init(day: 8, zone: TestZones.paris)]
    options.hasAlgorithm = seed % 2 == 0
    return options
  }

  @Test("Boluses, meals and the basal rate add up to what the pump gave", arguments: [1, 2, 3, 4])
  func totals(seed: UInt64) {
    let (history, totals) = history(options(seed))
    let outcome = history.outcome()
    func sum(_ kinds: Set<SampleKind>) -> Int64 {
      outcome.batch.samples.filter { kinds.contains($0.identity.kind) }.reduce(0) { $0 + $1.amount }
    }
    #expect(outcome.batch.holes.isEmpty, "seed \(seed)")
    let unfinished = outcome.batch.pending.contains { $0.kind == .bolus || $0.kind == .extended }
    if !unfinished { #expect(sum([.bolus, .extended]) == Int64(totals.bolus), "seed \(seed)") }
    let rateSeconds = outcome.batch.samples.filter { $0.identity.kind == .basal }.reduce(0) {
      $0 + Int64($1.metadata.rate ?? 0) * ($1.end - $1.start)
    }
    #expect(rateSeconds == Int64(totals.basalRateSeconds), "seed \(seed)")
    let days = outcome.days.reduce(0) { $0 + $1.basal }
    let tolerance = Int64(outcome.days.count)
    #expect(abs(days - Int64(totals.basalRateSeconds) * 10 / 36) <= tolerance, "seed \(seed)")
  }

  @Test("How a history is cut into batches changes nothing", arguments: [5, 6])
  func batches(seed: UInt64) {
    var options = options(seed, days: 5)
    options.gapsInHundredDays = 60
    options.powerLossesInHundredDays = 40
    let (history, _) = history(options)
    let whole = history.outcome()
    var random = TestRandom(seed: seed)
    let (timeline, missing) = history.placed()
    var normalizer = PumpNormalizer(
      timeline: timeline, missing: missing, claims: [], concentration: .u100, now: history.now)
    var batch = NormalizedBatch()
    var events = history.events[...]
    while !events.isEmpty {
      let count = random.integer(1...40)
      normalizer.process(Array(events.prefix(count)), into: &batch)
      events = events.dropFirst(count)
    }
    normalizer.end(into: &batch)
    var account = PumpAccount(timeline: timeline)
    let segment = normalizer.cut()
    account.add(segment)
    account.addFindings(into: &batch)
    #expect(batch.samples == whole.batch.samples)
    #expect(batch.lineage == whole.batch.lineage)
    #expect(batch.pending == whole.batch.pending)
    #expect(batch.holes == whole.batch.holes)
    #expect(segment.days.map(\.day) == whole.days.map(\.day))
    #expect(account.clocks() == whole.clockRows)
  }

  @Test("No sample overlaps the next of its kind, and none ends before it starts")
  func order() {
    var options = options(7, days: 20)
    options.gapsInHundredDays = 50
    options.powerLossesInHundredDays = 20
    let (history, _) = history(options)
    var end = Int64.min
    for sample in history.outcome().batch.samples.sorted(by: { $0.start < $1.start })
    where sample.identity.kind == .basal {
      #expect(sample.start < sample.end)
      if sample.start.unixSeconds < end {
        Issue.record("#\(sample.identity.first) overlaps the sample before it")
      }
      end = sample.end.unixSeconds
    }
  }
}
