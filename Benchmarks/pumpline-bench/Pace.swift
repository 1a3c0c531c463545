/// How often a second something can be done, as a line of JSON.
enum Pace {
  /// Does the work some times and reports the median pace; the results are used, so that no
  /// optimizer leaves the work out.
  static func report(count: Int, _ work: () throws -> UInt64) rethrows {
    let clock = ContinuousClock()
    var used: UInt64 = 0
    var seconds: [Double] = []
    // The first pass warms up and is not counted.
    for pass in 0..<16 {
      var result: UInt64 = 0
      let took = try clock.measure { result = try work() }
      used ^= result
      let (whole, atto) = took.components
      if pass > 0 { seconds.append(Double(whole) + Double(atto) / 1e18) }
    }
    let median = seconds.sorted()[seconds.count / 2]
    Terminal.say(#"{"perSecond":\#(Double(count) / median),"used":\#(used)}"#)
  }
}
