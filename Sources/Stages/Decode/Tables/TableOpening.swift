/// Whether a document's first bytes are those of Tandem's tables.
enum TableOpening {
  /// What every table of Tandem's begins with (FORMATS C, E).
  static let words = Array("Tandem Diabetes Care Inc.".utf8)

  /// What first bytes say.
  enum Opinion: Equatable {
    /// More bytes are needed.
    case undecided
    /// They are no table's.
    case foreign
    /// They are a table's, whose characters begin after `mark` bytes.
    case table(DocumentText.Coding, mark: Int)
  }

  // A mark of two bytes a character was taken off before (`DocumentReader`).
  private static let forms: [(coding: DocumentText.Coding, mark: [UInt8])] = [
    (.bytes, []), (.bytes, [0xEF, 0xBB, 0xBF]), (.littleEndian, []), (.bigEndian, []),
  ]

  private static let openings: [(coding: DocumentText.Coding, mark: Int, bytes: [UInt8])] =
    forms.flatMap { form in
      [words, [0x22] + words].map { text in
        let bytes: [UInt8] =
          switch form.coding {
          case .bytes: text
          case .littleEndian: text.flatMap { [$0, 0] }
          case .bigEndian: text.flatMap { [0, $0] }
          }
        return (form.coding, form.mark.count, form.mark + bytes)
      }
    }

  /// What first bytes say, below a line that names what parts cells or without one.
  static func opinion(of bytes: [UInt8]) -> Opinion {
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let span = bytes.span
    switch SeparatorLine.opinion(of: bytes[mark...]) {
    case .undecided: return .undecided
    case .none: return unsafe opinion(ofText: span.bytes)
    case .line(let count):
      let rest = unsafe span.bytes.extracting(droppingFirst: mark + count)
      switch opinion(ofText: rest) {
      case .table(.bytes, mark: 0): return .table(.bytes, mark: mark)
      case .undecided: return .undecided
      case .table, .foreign: return .foreign
      }
    }
  }

  private static func opinion(ofText bytes: RawSpan) -> Opinion {
    var opinion = Opinion.foreign
    for opening in openings {
      let count = min(bytes.byteCount, opening.bytes.count)
      guard (0..<count).allSatisfy({ bytes.byte(at: $0) == opening.bytes[$0] }) else { continue }
      if count == opening.bytes.count { return .table(opening.coding, mark: opening.mark) }
      opinion = .undecided
    }
    return opinion
  }
}
