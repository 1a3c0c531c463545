package import PumpModel

extension LocalDay {
  /// Reads `YYYY-MM-DD`; nil unless it is a real date and nothing else.
  package init?(text: some StringProtocol) {
    var scanner = TimeScanner(text)
    guard let day = scanner.day(), scanner.isAtEnd else { return nil }
    self.init(daysSince1970: day)
  }

  /// The day as `YYYY-MM-DD`.
  package var text: String {
    let civil = civil
    return "\(padded(civil.year, to: 4))-\(padded(civil.month))-\(padded(civil.day))"
  }
}

extension WallTime {
  /// Reads `YYYY-MM-DD[THH:MM[:SS]]`; nil unless it is a real time and nothing else.
  package init?(text: some StringProtocol) {
    var scanner = TimeScanner(text)
    guard let day = scanner.day() else { return nil }
    var seconds: Int64 = 0
    if !scanner.isAtEnd {
      guard scanner.skip("T"), let time = scanner.timeOfDay(secondsRequired: false),
        scanner.isAtEnd
      else { return nil }
      seconds = time
    }
    self.init(secondsSince1970: day * 86_400 + seconds)
  }

  /// The time as `YYYY-MM-DDTHH:MM:SS`.
  package var text: String {
    let civil = CivilTime(secondsSince1970: secondsSince1970)
    let day = LocalDay(daysSince1970: secondsSince1970.flooredDivision(by: 86_400))
    return "\(day.text)T\(padded(civil.hour)):\(padded(civil.minute)):\(padded(civil.second))"
  }
}

extension PumpTime {
  /// What the pump's clock shows.
  package var wallTime: WallTime { WallTime(secondsSince1970: wallSeconds) }
}

extension Instant {
  /// Which whole second stands for a time between two.
  package enum FractionRounding: Sendable {
    /// The one before.
    case down
    /// The one after.
    case up
  }

  /// Reads an RFC 3339 time such as `2026-05-04T12:31:10-04:00`; nil if it is none.
  ///
  /// Leap seconds are refused: Unix time has no number for them.
  package init?(rfc3339 text: some StringProtocol, rounding: FractionRounding = .down) {
    var scanner = TimeScanner(text)
    guard let day = scanner.day(), scanner.skip("T") || scanner.skip("t"),
      let time = scanner.timeOfDay(secondsRequired: true),
      let isFractional = scanner.fraction(),
      let offset = scanner.offset(), scanner.isAtEnd
    else { return nil }
    let up: Int64 = isFractional && rounding == .up ? 1 : 0
    self.init(unixSeconds: day * 86_400 + time - offset + up)
  }
}

/// Reads a UTC offset as Apple Health files write it, `±HHMM`, in minutes; nil if it is none or
/// further from UTC than any clock on Earth.
package func utcOffsetMinutes(text: String) -> Int? {
  var scanner = TimeScanner(text)
  guard let sign = scanner.sign(), let hours = scanner.digits(2), let minutes = scanner.digits(2),
    scanner.isAtEnd, minutes < 60
  else { return nil }
  let total = sign * Int(hours * 60 + minutes)
  return (-12 * 60...14 * 60).contains(total) ? total : nil
}

private func padded(_ number: Int, to width: Int = 2) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
