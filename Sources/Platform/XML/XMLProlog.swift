/// What stands before the first element of a document, with its document type taken out.
///
/// Apple Health's own document types are partly not well formed, and nothing in them is needed: a
/// reader that never sees one loads nothing that it names, and knows no entities that could expand.
/// Lines are kept, so that those of errors are right.
struct XMLProlog {
  /// What became of the bytes so far.
  enum Progress {
    /// The first element has not begun.
    case more
    /// The document without its type, as far as it was given.
    case ready([UInt8])
  }

  /// The longest prolog; Apple's are of some ten thousand bytes.
  static let longest = 1 << 20

  /// All bytes so far, the document type among them.
  private(set) var bytes: [UInt8] = []
  /// Whether there is a document type, and it names nothing to load.
  var hasOwnType: Bool { ownType != nil }
  /// The document up to the end of a type of its own, which names nothing to load.
  private(set) var ownType: ArraySlice<UInt8>?

  /// Takes bytes up to and beyond the first element's start.
  mutating func feed(_ chunk: RawSpan) throws(XMLError) -> Progress {
    unsafe chunk.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    var scan = PrologScan(bytes: bytes)
    switch try scan.run() {
    case .element:
      guard let type = scan.documentType else { return .ready(bytes) }
      ownType = Self.namesSomething(bytes[type]) ? nil : bytes[..<type.upperBound]
      let lines = bytes[type].filter { $0 == 0x0A }
      return .ready(bytes[..<type.lowerBound] + lines + bytes[type.upperBound...])
    case .other:
      // The parser says what is wrong with it.
      return .ready(bytes)
    case .cut:
      guard bytes.count <= Self.longest else { throw XMLError(.longProlog, line: 1) }
      return .more
    }
  }

  /// Whether a document type names something outside, which stands before its brackets.
  private static func namesSomething(_ type: ArraySlice<UInt8>) -> Bool {
    let head = String(decoding: type.prefix { $0 != 0x5B }, as: UTF8.self)
    return head.contains("SYSTEM") || head.contains("PUBLIC")
  }

  /// The line in which the bytes so far end.
  var lastLine: Int { 1 + bytes.count { $0 == 0x0A } }
}

/// One walk over a prolog.
private struct PrologScan {
  let bytes: [UInt8]
  private var position = 0
  /// Where the document type stands.
  private(set) var documentType: Range<Int>?

  enum End { case element, other, cut }

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func run() throws(XMLError) -> End {
    if starts(with: "\u{FEFF}") { position += 3 }
    while true {
      while let byte = current, byte <= 0x20 { position += 1 }
      guard let byte = current else { return .cut }
      guard byte == 0x3C else { return .other }
      // Enough to tell what begins here.
      guard bytes.count - position >= 2 else { return .cut }
      guard bytes[position + 1] != 0x21 || bytes.count - position >= 9 else { return .cut }
      if starts(with: "<?") {
        guard skip(past: "?>") else { return .cut }
      } else if starts(with: "<!--") {
        guard skip(past: "-->") else { return .cut }
      } else if starts(with: "<!DOCTYPE") {
        let start = position
        guard documentType == nil else { throw XMLError(.severalTypes, line: line(of: start)) }
        position += 9
        guard try skipType() else { return .cut }
        documentType = start..<position
      } else {
        return starts(with: "<!") ? .other : .element
      }
    }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    return text.withUTF8Buffer { letters in
      unsafe letters.elementsEqual(bytes[position..<position + count])
    }
  }

  private func line(of position: Int) -> Int { 1 + bytes[..<position].count { $0 == 0x0A } }

  private mutating func skip(past text: StaticString) -> Bool {
    while position < bytes.count {
      if starts(with: text) {
        position += text.utf8CodeUnitCount
        return true
      }
      position += 1
    }
    return false
  }

  /// Skips a document type; false if it does not end in these bytes.
  ///
  /// Of what stands in brackets the end is a bracket and `>`, whatever is wrong before it: the
  /// document type of iOS 16 forgets to close a declaration.
  private mutating func skipType() throws(XMLError) -> Bool {
    var isInside = false
    while let byte = current {
      switch byte {
      case 0x22, 0x27:
        position += 1
        guard let end = bytes[position...].firstIndex(of: byte) else { return false }
        position = end + 1
      case 0x3C where starts(with: "<!--"): guard skip(past: "-->") else { return false }
      case 0x3C where starts(with: "<?"): guard skip(past: "?>") else { return false }
      case 0x3C where starts(with: "<!ENTITY"):
        throw XMLError(.declaresEntities, line: line(of: position))
      case 0x5B:
        isInside = true
        position += 1
      case 0x5D:
        position += 1
        let end = bytes[position...].firstIndex { $0 > 0x20 }
        guard let end else { return false }
        if bytes[end] == 0x3E {
          position = end + 1
          return true
        }
      case 0x3E where !isInside:
        position += 1
        return true
      default: position += 1
      }
    }
    return false
  }
}
