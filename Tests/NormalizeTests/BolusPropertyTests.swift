import PumpModel
import TestSupport
import Testing

/// N5 and N6 read word by word, over whole lists, against what works in one pass.
@Suite("Boluses on random histories")
struct BolusPropertyTests {
  /// A history in which few ids come again and again, at every distance.
  private func history(_ random: inout TestRandom) -> History {
    var wall = WallText.wall("2026-05-04 00:00")
    var steps: [HistoryStep] = []
    for _ in 0..<random.integer(1...60) {
      wall += Int64([1, 60, 600, 7200, 43_200, 86_399, 86_400, 86_401][random.integer(0...7)])
      let bolus = UInt16(random.integer(1...3))
      let amount = UInt32(random.integer(0...2) * 500)
      let status = UInt16([3, 3, 0, 5][random.integer(0...3)])
      let what: What =
        switch random.integer(0...9) {
        case 0, 1: .request(bolus, grams: UInt16(random.integer(0...2) * 10), type: 0)
        case 2: .start(bolus)
        case 3: .startExtended(bolus)
        case 4, 5: .end(bolus, amount, status: status)
        case 6: .endExtended(bolus, amount, status: status)
        case 7: .progress(bolus, started: random.happens(inThousand: 700))
        case 8: .options(bolus, UInt8(random.integer(0...3)))
        default: .other
        }
      let time = CivilTime(secondsSince1970: wall)
      steps.append(
        at(
          "\(time.year)-\(time.month)-\(time.day) \(time.hour):\(time.minute):\(time.second)", what
        ))
    }
    return History { steps }
  }

  private typealias Part = (number: UInt32, at: Int64, payload: PumpEvent.Payload)

  /// The parts of each bolus: of one id, consecutive ones at most 24 hours apart.
  private func groups(_ history: History) -> [[Part]] {
    var groups: [[Part]] = []
    for bolus in 1...3 as ClosedRange<UInt16> {
      var last = Int64.min / 2
      for event in history.events where id(event.payload) == bolus {
        let part = (event.number, event.time.wallSeconds, event.payload)
        if part.1 - last > 86_400 { groups.append([]) }
        groups[groups.count - 1].append(part)
        last = part.1
      }
    }
    return groups
  }

  private func id(_ payload: PumpEvent.Payload) -> UInt16? {
    switch payload {
    case .bolusRequest1(let bolus, _, _), .bolusRequest2(let bolus, _, _),
      .bolusRequest3(let bolus), .bolusStarted(_, let bolus), .bolusProgress(let bolus, _, _),
      .bolusCompleted(_, let bolus, _, _, _):
      bolus
    default: nil
    }
  }

  private func isEnd(_ part: Part, of kind: PumpEvent.BolusPart) -> Bool {
    if case .bolusCompleted(kind, _, _, _, _) = part.payload { true } else { false }
  }

  private func isStart(_ part: Part, of kind: PumpEvent.BolusPart) -> Bool {
    if case .bolusStarted(kind, _) = part.payload { true } else { false }
  }

  private func isProgress(_ part: Part) -> Bool {
    if case .bolusProgress(_, true, _) = part.payload { true } else { false }
  }

  /// Doses and meals of a bolus as `number kind start end amount`.
  private func samples(_ group: [Part]) -> [String] {
    var lines: [String] = []
    var isAdmitted = false
    for (index, part) in group.enumerated() {
      guard case .bolusCompleted(let kind, _, let status, let delivered, _) = part.payload,
        status != 5
      else { continue }
      isAdmitted = true
      guard delivered > 0 else { continue }
      let since = group[..<index].lastIndex { isEnd($0, of: kind) }.map { $0 + 1 } ?? 0
      let own = group[since..<index]
      let start =
        own.last { isStart($0, of: kind) }?.at
        ?? (kind == .normal
          ? own.first(where: isProgress)?.at
          : group[..<index].last { isEnd($0, of: .normal) }?.at)
      lines.append(
        "\(part.number) \(kind == .normal ? "bolus" : "extended") \(start ?? part.at) \(part.at) "
          + "\(delivered)")
    }
    for part in group {
      if isAdmitted, case .bolusRequest1(_, let grams?, _) = part.payload, grams > 0 {
        lines.append("\(part.number) carbs \(part.at) \(part.at) \(Int(grams) * 1000)")
        break
      }
    }
    return lines
  }

  private func pending(_ group: [Part]) -> [String] {
    var lines: [String] = []
    for (kind, word) in [(PumpEvent.BolusPart.normal, "bolus"), (.extended, "extended")] {
      let since = group.lastIndex { isEnd($0, of: kind) }.map { $0 + 1 } ?? 0
      if let start = group[since...].last(where: { isStart($0, of: kind) }) {
        lines.append("\(start.number) \(word)")
      }
    }
    let isOver = group.contains { isEnd($0, of: .normal) || isEnd($0, of: .extended) }
    let isStarted = group.contains { isStart($0, of: .normal) || isStart($0, of: .extended) }
    if !isOver, !isStarted, let first = group.first(where: isProgress) {
      lines.append("\(first.number) bolus")
    }
    return lines
  }

  @Test(
    "Samples and pending parts are what the rule says", arguments: 1...300 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var random = TestRandom(seed: seed)
    let history = history(&random)
    let outcome = history.outcome()
    let found = outcome.batch.samples.map {
      "\($0.identity.first) \($0.identity.kind.idSuffix) \($0.start.unixSeconds) "
        + "\($0.end.unixSeconds) \($0.amount)"
    }
    let groups = groups(history)
    #expect(found.sorted() == groups.flatMap(samples).sorted(), "\(random.describe)")
    let waiting = outcome.batch.pending.map { "\($0.number) \($0.kind.rawValue)" }
    #expect(waiting.sorted() == groups.flatMap(pending).sorted(), "\(random.describe)")
    let silent = groups.count { group in
      samples(group).isEmpty && pending(group).isEmpty
        && !group.contains { isEnd($0, of: .normal) || isEnd($0, of: .extended) }
        && group.contains {
          switch $0.payload {
          case .bolusRequest1, .bolusRequest2, .bolusRequest3: true
          default: false
          }
        }
    }
    #expect(outcome.batch.incomplete.count == silent, "\(random.describe)")
  }
}
