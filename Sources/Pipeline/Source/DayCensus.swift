import PumpModel

/// Which days of a pump's clock an answer has records of.
final class DayCensus {
  private let assignment: String
  /// The days, counted from 1970-01-01.
  private(set) var days: Set<Int64> = []
  /// The newest record's time, in seconds since 1970.
  private(set) var newest: Int64?
  /// How many records there are.
  private(set) var records = 0

  init(of assignment: String) { self.assignment = assignment }

  /// Takes in a record of some pump.
  func take(_ record: PumpRecord, of stated: String?) {
    guard stated == assignment else { return }
    let seconds = PumpTime(seconds: record.seconds).wallSeconds
    days.insert(seconds.flooredDivision(by: 86_400))
    newest = max(newest ?? seconds, seconds)
    records += 1
  }
}
