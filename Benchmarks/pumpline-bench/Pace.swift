import Foundation

/// How often a second something can be done, as a line of JSON.
enum Pace {
  /// Does the work some times and reports the median pace in CPU time.
  ///
  /// The results are used, so that no optimizer leaves the work out.
  static func report(count: Int, _ work: () throws -> UInt64) rethrows {
    var used: UInt64 = 0
    var seconds: [Double] = []
    // The first pass warms up and is not counted.
    for pass in 0..<16 {
      let start = clock()
      used ^= try work()
      if pass > 0 { seconds.append(Double(clock() - start) / Double(CLOCKS_PER_SEC)) }
    }
    let median = seconds.sorted()[seconds.count / 2]
    Terminal.say(#"{"perSecond":\#(Double(count) / median),"used":\#(used)}"#)
  }
}
