import PumpModel

/// Doses in an order in which those that a part of a row may be are found without a look at others.
struct CandidateDoses {
  /// A dose that may be a part's.
  struct Candidate {
    /// Its place among the doses.
    var event: Int
    /// How many seconds its span is away.
    var apart: Int64
  }

  private let events: [Counterpart]
  private let spans: [ClosedRange<Int64>]
  /// By kind, amount and end.
  private let order: [Int]
  private let longest: Int64

  /// A pump cannot end so many equal doses within hours: further ones are not looked at.
  private static let mostLookedAt = 1024

  /// Sorts doses, each with the seconds between which rows may say that it was.
  init(_ events: [Counterpart], spanning spans: [ClosedRange<Int64>]) {
    self.events = events
    self.spans = spans
    longest = spans.map { $0.upperBound - $0.lowerBound }.max() ?? 0
    order = events.indices.sorted {
      let (left, right) = (events[$0], events[$1])
      return (left.kind.rawValue, left.amount, spans[$0].upperBound, spans[$0].lowerBound, left)
        < (
          right.kind.rawValue, right.amount, spans[$1].upperBound, spans[$1].lowerBound, right
        )
    }
  }

  /// Gives the doses of a part's kind and amount that are within reach of its end.
  func forEach(of part: DoseMatching.Part, _ body: (Candidate) -> Void) {
    var amount = part.amount > part.widest ? part.amount - part.widest : 0
    let most = part.amount + part.widest
    while amount <= most {
      var place = place(kind: part.kind, amount, endingAt: part.end - DoseMatching.reach)
      guard place < order.count, events[order[place]].kind == part.kind else { return }
      let found = events[order[place]].amount
      guard found == amount else {
        // None of this amount ended late enough, or there is none of it.
        amount = found
        continue
      }
      var looked = 0
      while place < order.count, looked < Self.mostLookedAt {
        let event = order[place]
        let span = spans[event]
        guard events[event].kind == part.kind, events[event].amount == amount,
          span.upperBound <= part.end + DoseMatching.reach + longest
        else { break }
        let apart = max(0, span.lowerBound - part.end, part.end - span.upperBound)
        if apart <= DoseMatching.reach, part.mayBe(events[event]) {
          body(Candidate(event: event, apart: apart))
        }
        place += 1
        looked += 1
      }
      amount += 1
    }
  }

  /// The first place in the order that is not before a kind, an amount and an end.
  private func place(kind: SampleKind, _ amount: UInt32, endingAt end: Int64) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      let event = order[middle]
      let isBefore =
        (events[event].kind.rawValue, events[event].amount, spans[event].upperBound)
        < (kind.rawValue, amount, end)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
