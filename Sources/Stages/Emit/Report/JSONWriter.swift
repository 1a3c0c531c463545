import Platform
import PumpModel

/// JSON piece by piece into a buffer; commas come by themselves.
struct JSONWriter: ~Copyable {
  /// What is written and not yet handed over.
  var buffer = ByteBuffer()
  private var needsComma = false
  private var time = TimeText()

  /// Begins an object.
  mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Ends an object.
  mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Begins a list.
  mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Ends a list.
  mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Ends the line, after the comma of what is to follow.
  mutating func endLine() {
    separate()
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Ends the last line.
  mutating func endText() { buffer.append(UInt8(ascii: "\n")) }

  /// Appends the key of the value that follows.
  mutating func key(_ key: String) {
    separate()
    buffer.append(JSONText.quoted(key))
    buffer.append(UInt8(ascii: ":"))
  }

  /// Appends a text.
  mutating func text(_ text: String) {
    separate()
    buffer.append(JSONText.quoted(text))
    needsComma = true
  }

  /// Appends what a closure writes between quotes; it must need no escaping.
  mutating func quoted(_ append: (inout ByteBuffer) -> Void) {
    separate()
    buffer.append(UInt8(ascii: "\""))
    append(&buffer)
    buffer.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Appends a whole number, or null.
  mutating func number(_ number: Int64?) {
    guard let number else { return null() }
    separate()
    DecimalText.append(number, decimals: 0, to: &buffer)
    needsComma = true
  }

  /// Appends null.
  mutating func null() {
    separate()
    buffer.append("null")
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    buffer.append(bracket)
  }

  private mutating func close(_ bracket: UInt8) {
    needsComma = false
    buffer.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = false
  }
}

extension JSONWriter {
  /// Appends a field with a text, or null.
  mutating func field(_ name: String, text: String?) {
    key(name)
    if let text { self.text(text) } else { null() }
  }

  /// Appends a field with a whole number, or null.
  mutating func field(_ name: String, number: Int64?) {
    key(name)
    self.number(number)
  }

  /// Appends a field with a UTC time, or null.
  mutating func field(_ name: String, instant: Instant?) {
    key(name)
    guard let instant else { return null() }
    separate()
    buffer.append(UInt8(ascii: "\""))
    time.appendUTC(instant, to: &buffer)
    buffer.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Appends a field with an amount as text, or null.
  mutating func field(_ name: String, amount: Int64?, decimals: Int) {
    key(name)
    guard let amount else { return null() }
    quoted { DecimalText.append(amount, decimals: decimals, to: &$0) }
  }

  /// Appends a field with seconds as a number of minutes, rounded to hundredths: thirds of one never tie.
  mutating func field(_ name: String, minutesOf seconds: Int64) {
    key(name)
    separate()
    let (quotient, rest) = (seconds * 5).quotientAndRemainder(dividingBy: 3)
    DecimalText.append(rest == 2 ? quotient + 1 : quotient, decimals: 2, to: &buffer)
    needsComma = true
  }
}
