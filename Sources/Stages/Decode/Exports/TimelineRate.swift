import PumpModel

/// Reads one delivery of the older site's `therapytimeline` (FORMATS F): a rate and how long it held.
enum TimelineRate {
  /// The highest rate of a pump, in U/h.
  private static let highest: UInt32 = 15

  /// What is read of a delivery.
  static let members = ExportMembers(.x, .y, .duration)

  /// Whether an object is such a delivery at all.
  static func looksLike(_ object: ExportObject) -> Bool { object.has(.x) && object.has(.y) }

  static func outcome(of object: ExportObject, place: UInt64) -> RowOutcome {
    do throws(ExportFault) {
      return try read(object, place)
    } catch {
      return .rejected(error.reason)
    }
  }

  private static func read(
    _ object: ExportObject, _ place: UInt64
  ) throws(ExportFault) -> RowOutcome {
    try object.checkNames()
    guard let instant = try object.number(.x)?.whole, PumpTime.canShow(instant) else {
      throw ExportFault(.x, "is a time that no pump shows")
    }
    guard let rate = try object.amount(.y) else { throw ExportFault(.y, "is missing") }
    guard let milliunits = rate.thousandths(upTo: highest) else {
      throw ExportFault(.y, "is above 15 U/h")
    }
    guard let seconds = try object.amount(.duration) else {
      throw ExportFault(.duration, "is missing")
    }
    guard let whole = seconds.whole else { throw ExportFault(.duration, "is not whole seconds") }
    guard whole <= Int64(ExportRow.longestRate) else {
      throw ExportFault(.duration, "is longer than any rate holds")
    }
    let time = PacificClock.wallSeconds(at: instant)
    guard PumpTime.canShow(time) else { throw ExportFault(.x, "is a time that no pump shows") }
    guard whole > 0 else { return .ignored(.basalRow) }
    return .row(
      ExportRow(
        source: .legacy, pump: 0, time: time, place: place,
        content: .rate(milliunitsPerHour: milliunits, seconds: UInt32(whole))))
  }
}
