import PumpModel

/// By which times samples without ids are brought together.
struct SamplePairing {
  /// Whether one side tells of a bolus only its end, and of a meal the end of the bolus that it came with.
  let tellsEndsOnly: Bool

  /// The most seconds between two tellings of one sample (N10).
  private static let reach: Int64 = 60

  /// The time by which a sample is ordered, in SQL.
  var order: String {
    tellsEndsOnly ? "CASE type WHEN \(SampleType.bolus.code) THEN stop ELSE start END" : "start"
  }

  /// The same of a sample.
  func time(of sample: WrittenSample) -> Instant {
    tellsEndsOnly && sample.type == .bolus ? sample.end : sample.start
  }

  /// From when to when a sample was, as both sides can tell it.
  func span(of sample: WrittenSample) -> (start: Instant, end: Instant) {
    tellsEndsOnly && sample.type == .bolus
      ? (sample.end, sample.end) : (sample.start, sample.end)
  }

  /// How far apart the times of two samples of a type may be that are one, in seconds.
  func reach(_ type: SampleType) -> Int64 {
    tellsEndsOnly && type == .carbohydrates ? DoseLength.normal : Self.reach
  }

  /// Whether the times of two samples may be those of one.
  func isClose(_ left: WrittenSample, _ right: WrittenSample) -> Bool {
    let (one, other) = (span(of: left), span(of: right))
    let reach = reach(left.type)
    return abs(one.start - other.start) <= reach && abs(one.end - other.end) <= reach
  }
}
