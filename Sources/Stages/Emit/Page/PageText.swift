import Platform
import PumpModel

/// Words of a page.
enum PageText {
  /// A text of an input, for elements and attributes alike.
  static func escaped(_ text: String) -> String {
    String(decoding: XMLText.attribute(text), as: UTF8.self)
  }

  /// A name of an input, whose direction of writing stays its own.
  static func name(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

  /// The date of a day counted from 1970-01-01.
  static func date(_ day: Int64) -> String {
    var buffer = ByteBuffer()
    TimeText.appendDay(day, to: &buffer)
    return text(of: buffer)
  }

  /// A time in UTC.
  static func time(_ instant: Instant) -> String {
    var buffer = ByteBuffer()
    var time = TimeText()
    time.appendUTC(instant, to: &buffer)
    return text(of: buffer)
  }

  /// A number with blanks between its thousands.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
      text.append(digit)
    }
    return text
  }

  /// A count with its noun.
  static func counted(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A length in a drawing, with one decimal; what is not finite is nothing.
  static func length(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e6 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let rest = tenths.magnitude % 10
    return (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
  }

  /// A UTC offset to the nearest minute, such as `-4:00`; what is further off than years is `?`.
  static func offset(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e9 else { return "?" }
    let minutes = Int((seconds / 60).rounded())
    let rest = minutes.magnitude % 60
    return (minutes < 0 ? "-" : "+") + "\(minutes.magnitude / 60):" + (rest < 10 ? "0" : "")
      + "\(rest)"
  }

  private static func text(of buffer: borrowing ByteBuffer) -> String {
    buffer.withText(0..<buffer.count) { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }
}
