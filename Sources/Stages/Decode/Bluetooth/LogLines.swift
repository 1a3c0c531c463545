/// Cuts a log into lines, from chunks cut anywhere, with their places.
///
/// Of a line that is longer than any with history, nothing is held.
struct LogLines {
  /// The longest line in bytes.
  static let longest = 4096

  /// A line and where it stands.
  struct Place {
    /// Counted from 1.
    var number: UInt64 = 1
    /// Where its first byte stands in the document.
    var offset: UInt64 = 0
  }

  private var held: [UInt8] = []
  private var isTooLong = false
  private var place = Place()

  /// Takes the next bytes, and hands on the lines that end in them, without what ends them; nil is a
  /// line that is too long.
  mutating func feed(_ bytes: RawSpan, _ body: (Place, RawSpan?) -> Void) {
    var start = 0
    while let end = LineReader.newline(in: bytes, from: start) {
      if held.isEmpty, !isTooLong, end - start <= Self.longest {
        body(place, bytes.extracting(start..<end))
        place.offset += UInt64(end - start)
      } else {
        keep(bytes, start..<end)
        handHeld(body)
      }
      place.number += 1
      place.offset += 1
      start = end + 1
    }
    keep(bytes, start..<bytes.byteCount)
  }

  /// Ends the bytes; a last line need not be ended.
  mutating func finish(_ body: (Place, RawSpan?) -> Void) {
    if !held.isEmpty || isTooLong { handHeld(body) }
  }

  /// Whether the line that has begun is too long already.
  var isInLongLine: Bool { isTooLong }

  private var skipped: UInt64 = 0

  private mutating func keep(_ bytes: RawSpan, _ range: Range<Int>) {
    if isTooLong || held.count + range.count > Self.longest {
      isTooLong = true
      skipped += UInt64(held.count + range.count)
      held.removeAll(keepingCapacity: true)
    } else {
      held.append(bytes, range)
    }
  }

  private mutating func handHeld(_ body: (Place, RawSpan?) -> Void) {
    if isTooLong {
      body(place, nil)
    } else {
      let line = held
      let whole = line.span
      body(place, unsafe whole.bytes)
    }
    place.offset += skipped + UInt64(held.count)
    (isTooLong, skipped) = (false, 0)
    held.removeAll(keepingCapacity: true)
  }
}
