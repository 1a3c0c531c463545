/// The line that tells spreadsheets what parts cells, `sep=;`: one may stand above any table.
///
/// It is passed over, since the header tells the same.
enum SeparatorLine {
  /// What first bytes say.
  enum Opinion: Equatable {
    /// More bytes are needed.
    case undecided
    /// There is no such line.
    case none
    /// There is one, of so many bytes, its end included.
    case line(Int)
  }

  private static let word = Array("sep=".utf8)

  /// Whether a line, without its end, is one.
  static func isOne(_ line: [UInt8]) -> Bool {
    line.count == word.count + 1 && line.starts(with: word, by: ASCII.areAlike)
  }

  /// What the first bytes of a text say, its mark left out.
  static func opinion(of bytes: ArraySlice<UInt8>) -> Opinion {
    guard zip(bytes, word).allSatisfy(ASCII.areAlike) else { return .none }
    guard bytes.count > word.count + 1 else { return .undecided }
    let end = bytes.startIndex + word.count + 1
    switch bytes[end] {
    case 0x0A: return .line(word.count + 2)
    case 0x0D where end + 1 == bytes.endIndex: return .undecided
    case 0x0D: return .line(word.count + (bytes[end + 1] == 0x0A ? 3 : 2))
    default: return .none
    }
  }
}
