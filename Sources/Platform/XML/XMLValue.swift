#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The value of an attribute, where the parser has it: not to be kept beyond its element.
///
/// What is asked of values by the million is asked here, without a text or a closure for each.
@safe package struct XMLValue {
  private let start: UnsafePointer<UInt8>
  /// How many bytes it has.
  package let count: Int

  init(start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// The value as text.
  package var text: String {
    unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Whether it is a text.
  package func isText(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasPrefix(text)
  }

  /// Whether it is a text.
  package func isText(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { unsafe isEqual(to: UnsafeRawBufferPointer($0)) }
  }

  /// Whether it begins with a text.
  package func hasPrefix(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return unsafe memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// Whether its bytes are those of a list.
  package func isEqual(to bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe isEqual(to: $0) }
  }

  private func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
    guard count == bytes.count else { return false }
    guard let other = bytes.baseAddress else { return true }
    return unsafe memcmp(start, other, count) == 0
  }

  /// Lets a closure read its bytes.
  package func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
    body(unsafe RawSpan(_unsafeStart: start, byteCount: count))
  }
}
