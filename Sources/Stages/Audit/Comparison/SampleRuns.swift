import PumpModel

/// Where the samples of a set come in order of time, and where the order begins anew.
///
/// Most outputs are in order, or in order within each type or pump: then they need not be sorted, but are
/// read as a few runs side by side.
struct SampleRuns {
  /// What samples are ordered by, before the order in which they came.
  struct Key {
    var start: Int64
    var end: Int64
    var type: Int64
    var amount: Int64

    init(_ sample: WrittenSample) {
      start = sample.start.unixSeconds
      end = sample.end.unixSeconds
      type = sample.type.code
      amount = sample.amount.parts
    }

    /// Whether it comes before another.
    @inline(__always)
    func precedes(_ other: Key) -> Bool {
      if start != other.start { return start < other.start }
      return (end, type, amount) < (other.end, other.type, other.amount)
    }
  }

  /// Samples in order, by their numbers.
  private var runs: [ClosedRange<Int64>] = []
  private var last: Key?
  private var isBroken = false

  /// So many runs are read side by side.
  private static let most = 12

  /// Takes the next sample, with its number.
  mutating func add(_ sample: WrittenSample, _ number: Int64) {
    guard !isBroken else { return }
    let key = Key(sample)
    if let last, !key.precedes(last), let run = runs.last {
      runs[runs.count - 1] = run.lowerBound...number
    } else if runs.count < Self.most {
      runs.append(number...number)
    } else {
      return forget()
    }
    last = key
  }

  /// Forgets all runs: the samples are not what they were, or too many runs.
  mutating func forget() {
    isBroken = true
    runs = []
  }

  /// The numbers of the samples of each run, in the order in which they came; nil if they are not known,
  /// or too many.
  var ranges: [ClosedRange<Int64>]? { isBroken ? nil : runs }
}
