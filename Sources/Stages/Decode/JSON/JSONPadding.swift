/// The call of a function around a JSON document, `callback({…});`, as services answer to scripts.
enum JSONPadding {
  /// The longest name of a function that is looked through.
  private static let longestName = 64

  /// What a text's first bytes say.
  enum Opinion: Equatable {
    /// More bytes are needed.
    case undecided
    /// They are no call.
    case none
    /// They are a call, whose argument begins after so many bytes.
    case call(opening: Int)
  }

  /// What the bytes from a place on say; what stands before it is white space.
  static func opinion(of bytes: RawSpan, from first: Int) -> Opinion {
    var position = first
    while position < bytes.byteCount, isOfName(bytes.byte(at: position)) { position += 1 }
    guard position > first, position - first <= longestName else { return .none }
    guard position < bytes.byteCount else { return .undecided }
    guard bytes.byte(at: position) == 0x28 else { return .none }
    let argument = JSONBytes.skipSpace(bytes, position + 1)
    guard argument < bytes.byteCount else { return .undecided }
    return bytes.byte(at: argument) == 0x7B ? .call(opening: position + 1) : .none
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x24, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}
