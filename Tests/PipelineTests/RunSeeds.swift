import Foundation

/// The seeds of tests that rest on chance.
///
/// `PUMPLINE_SEED=7` takes that one alone, `PUMPLINE_ROUNDS=50` takes more than usual.
enum RunSeeds {
  static func first(_ usual: UInt64) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["PUMPLINE_SEED"].flatMap(UInt64.init) { return [seed] }
    let count = environment["PUMPLINE_ROUNDS"].flatMap(UInt64.init) ?? usual
    return Array(1...max(1, count))
  }
}
