import PumpModel

/// A record that may be evidence of the commanded basal rate (N4), or a mark between such records.
struct BasalCandidate {
  var kind: Kind
  var position: EventPosition
  /// Unix seconds; for marks, not used.
  var at: Int64 = 0
  /// The stretch of the clock that the record lies in.
  var stretch: Int = 0

  enum Kind {
    /// [279]
    case heartbeat(rate: Int32, source: UInt16?)
    /// [3]
    case change(rate: Int32, isSuspended: Bool, isTemp: Bool)
    /// [90] that is no power-up.
    case newDay(rate: Int32, isTemp: Bool)
    /// [11]
    case suspend
    /// [12]
    case resume
    /// [2], with the scheduled rate then and the percentage of it.
    case tempStart(scheduled: Int32?, percentHundredths: UInt16)
    /// [5] of an occlusion.
    case occlusion
    /// Records without a known time lie here.
    case unknownTime
    /// Numbers known to be missing lie here.
    case missingNumbers
    /// [81] of the day's end lies here: it is compared with what comes after it in order only.
    case total(PumpTotalCheck)
  }

  /// Whether the element has no time of its own.
  var isMark: Bool {
    switch kind {
    case .unknownTime, .missingNumbers, .total: true
    default: false
    }
  }

  /// Mixes in all that the candidate says.
  func mix(into digest: inout StateDigest) {
    digest.mix(position)
    digest.mix(at)
    digest.mix(Int64(stretch))
    switch kind {
    case .heartbeat(let rate, let source):
      digest.mix(1 as Int64)
      digest.mix(Int64(rate))
      digest.mix(source.map(Int64.init))
    case .change(let rate, let isSuspended, let isTemp):
      digest.mix(2 as Int64)
      digest.mix(Int64(rate))
      digest.mix(isSuspended)
      digest.mix(isTemp)
    case .newDay(let rate, let isTemp):
      digest.mix(3 as Int64)
      digest.mix(Int64(rate))
      digest.mix(isTemp)
    case .suspend: digest.mix(4 as Int64)
    case .resume: digest.mix(5 as Int64)
    case .tempStart(let scheduled, let percent):
      digest.mix(6 as Int64)
      digest.mix(scheduled.map(Int64.init))
      digest.mix(Int64(percent))
    case .occlusion: digest.mix(7 as Int64)
    case .unknownTime: digest.mix(8 as Int64)
    case .missingNumbers: digest.mix(9 as Int64)
    case .total(let check):
      digest.mix(10 as Int64)
      check.mix(into: &digest)
    }
  }
}

/// Evidence of the commanded rate from an instant on.
struct BasalEvidence {
  var position: EventPosition
  var at: Int64
  var stretch: Int
  /// mU/h; nil: not known until the next evidence.
  var rate: Int32?
  var source: RateSource?
  var isSuspended = false
  /// The rate was concluded, not recorded.
  var isInferred = false
  /// The end that it gives to the segment before it was concluded.
  var cutsInferred = false
  /// A [279] lies at most 15 minutes before it, itself included.
  var followsHeartbeat = false

  /// Mixes in all that the evidence says.
  func mix(into digest: inout StateDigest) {
    digest.mix(position)
    digest.mix(at)
    digest.mix(Int64(stretch))
    digest.mix(rate.map(Int64.init))
    digest.mix(source.map { Int64($0.rawValue) })
    for flag in [isSuspended, isInferred, cutsInferred, followsHeartbeat] { digest.mix(flag) }
  }
}
