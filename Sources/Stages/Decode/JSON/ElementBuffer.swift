/// The bytes of an object that a chunk's end cuts, until its last brace is there.
///
/// Only braces, brackets and strings are told apart here; whether it is well formed is seen when
/// it is read.
struct ElementBuffer {
  /// What the object's bytes are padded with when it is read, so that words can be loaded.
  static let padding = 64

  private(set) var bytes: [UInt8] = []
  /// Where the object begins in the document.
  private(set) var start: UInt64 = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Whether no object is being gathered.
  var isEmpty: Bool { bytes.isEmpty }

  /// Begins an object; nothing of it has been scanned.
  mutating func begin(at offset: UInt64) {
    clear()
    start = offset
  }

  /// Forgets the object.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    (depth, isInString, isEscaped) = (0, false, false)
  }

  /// Scans on; the position after the object's last brace, or nil if it does not end here.
  mutating func scan(_ span: RawSpan, _ start: Int) -> Int? {
    var position = start
    while position < span.byteCount {
      if isInString, !isEscaped {
        position = JSONBytes.findSpecial(span, position, span.byteCount)
        guard position < span.byteCount else { return nil }
      }
      let byte = span.byte(at: position)
      position += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x22 {
          isInString = false
        } else {
          isEscaped = byte == 0x5C
        }
        continue
      }
      switch byte {
      case 0x22: isInString = true
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D:
        depth -= 1
        if depth <= 0 { return position }
      default: break
      }
    }
    return nil
  }

  /// Keeps bytes of the object.
  mutating func keep(_ span: RawSpan, _ range: Range<Int>) { bytes.append(span, range) }
}
