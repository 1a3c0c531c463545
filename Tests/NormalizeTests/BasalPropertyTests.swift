import Normalize
import PumpModel
import TestSupport
import Testing

/// N4 read word by word, over whole lists, against what works in one pass.
@Suite("Basal on random histories")
struct BasalPropertyTests {
  /// Evidence, most of it near the limits of the rules; time may step back a little.
  private func history(_ random: inout TestRandom) -> History {
    var wall = WallText.wall("2026-05-04 00:00")
    let steps: [Int64] = [0, 1, 2, 3, 60, 298, 300, 302, 599, 600, 601, 897, 900, 901, 1800, 7200]
    let hasHeartbeats = random.happens(inThousand: 700)
    var lines: [HistoryStep] = []
    for _ in 0..<random.integer(1...260) {
      wall += steps[random.integer(0...15)]
      if random.happens(inThousand: 20) { wall -= Int64(random.integer(0...600)) }
      if random.happens(inThousand: 10) {
        wall += Int64([93_599, 93_600, 93_601][random.integer(0...2)])
      }
      if random.happens(inThousand: 8) { lines.append(.skip(UInt32(random.integer(1...4)))) }
      let rate = UInt16(random.integer(0...3) * 700)
      let what: What =
        switch random.integer(0...19) {
        case 0...5 where hasHeartbeats: .heartbeat(rate, source: UInt16(random.integer(0...4)))
        case 0...3: .other
        case 4...8:
          .change(rate, base: rate / 2, .init(rawValue: UInt8(random.integer(0...127))))
        case 9: .newDay(rate)
        case 10, 11: .suspend
        case 12: .resume
        case 13, 14: .temp(Double(random.integer(0...250)))
        case 15: .alarm([2, 26, 18][random.integer(0...2)])
        default: .other
        }
      let time = CivilTime(secondsSince1970: wall)
      lines.append(
        at(
          "\(time.year)-\(time.month)-\(time.day) \(time.hour):\(time.minute):\(time.second)", what
        ))
    }
    return History { lines }
  }

  private struct Evidence {
    var number: UInt32
    var at: Int64
    var rate: Int64?
    var isInferred = false
    var cutsInferred = false
  }

  /// What is evidence, in order.
  private func evidence(_ history: History) -> [Evidence] {
    func times(_ ids: Set<UInt16>) -> [Int64] {
      history.events.filter { ids.contains($0.id) }.map(\.time.wallSeconds)
    }
    let (heartbeats, changes, suspends) = (times([279]), times([3]), times([11]))
    func isNear(_ times: [Int64], _ at: Int64, _ reach: Int64) -> Bool {
      times.contains { abs($0 - at) <= reach }
    }
    var base: (change: Int64?, newDay: Int64?)
    var found: [Evidence] = []
    for event in history.events {
      var evidence = Evidence(number: event.number, at: event.time.wallSeconds)
      switch event.payload {
      case .basalDelivery(let rate, _): evidence.rate = Int64(rate)
      case .basalRateChange(let rate, let scheduled, _):
        evidence.rate = Int64(rate)
        base.change = Int64(scheduled ?? rate)
      case .newDay(let rate):
        evidence.rate = Int64(rate)
        base.newDay = Int64(rate)
      case .suspended: evidence.rate = 0
      case .resumed: break
      case .tempRateStart(let hundredths):
        guard let scheduled = base.change ?? base.newDay, !isNear(changes, evidence.at, 2),
          !isNear(heartbeats, evidence.at, 900)
        else { continue }
        let product = scheduled * Int64(hundredths)
        var rate = product / 10_000
        let rest = product % 10_000
        if rest > 5000 || (rest == 5000 && rate % 2 == 1) { rate += 1 }
        guard rate <= 15_000 else { continue }
        evidence.rate = rate
        evidence.isInferred = true
      case .alarm(2), .alarm(26):
        guard !isNear(suspends, evidence.at, 2) else { continue }
        evidence.rate = 0
        evidence.cutsInferred = true
      default: continue
      }
      found.append(evidence)
    }
    return found
  }

  /// Samples and holes of a history, as lines.
  private func lines(_ history: History) -> [String] {
    let heartbeats = history.events.filter { $0.id == 279 }.map(\.time.wallSeconds)
    let known = history.placed().missing.known.map { UInt32(truncatingIfNeeded: $0) }
    var lines: [String] = []
    let all = evidence(history)
    for (open, next) in zip(all, all.dropFirst()) where next.at > open.at {
      let seconds = next.at - open.at
      let isNear = heartbeats.contains {
        0...900 ~= open.at - $0 || 0...900 ~= $0 - next.at
      }
      let isMissing = known.contains { open.number < $0 && $0 < next.number }
      let span = "\(open.at)–\(next.at)"
      if isMissing, seconds > 600 {
        lines.append("hole \(span) numbers-missing")
      } else if isNear, seconds > 900 {
        lines.append("hole \(span) heartbeats-missing")
      } else if !isNear, seconds > 93_600 {
        lines.append("hole \(span) silence")
      } else if let rate = open.rate {
        var amount = rate * seconds * 10 / 36
        let rest = rate * seconds * 10 % 36
        if rest > 18 || (rest == 18 && amount % 2 == 1) { amount += 1 }
        let flag = open.isInferred || next.cutsInferred ? " inferred" : ""
        if amount > 0 || rate == 0 { lines.append("#\(open.number) \(span) \(amount)\(flag)") }
      }
    }
    return lines
  }

  @Test(
    "Samples and holes are what the rule says", arguments: 1...300 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let history = history(&random)
    let outcome = history.outcome()
    let samples = outcome.batch.samples.map { sample in
      let flag = sample.metadata.flags.contains(.inferred) ? " inferred" : ""
      return "#\(sample.identity.first) \(sample.start.unixSeconds)–\(sample.end.unixSeconds) "
        + "\(sample.amount)\(flag)"
    }
    let holes = outcome.batch.holes.map { hole in
      "hole \(hole.start.unixSeconds)–\(hole.end?.unixSeconds ?? 0) \(hole.reason.rawValue)"
    }
    let found = (samples + holes).sorted()
    let expected = lines(history).sorted()
    if found != expected {
      let differing = Set(found).symmetricDifference(expected).sorted()
      Issue.record("\(differing.prefix(6)), \(random.describe)")
    }
  }
}
