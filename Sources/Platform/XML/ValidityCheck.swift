internal import CXML

/// Checks the elements of a document against the document's own type while they pass.
///
/// What may stand in an element, libxml2 decides; of attributes it is asked once for each set of
/// them, since in the types of Health exports their values are free. Where a type wants more than that,
/// of values, of names with prefixes or of defaults, the check gives up and says so: the document must
/// be read once more by libxml2's own validating reader.
@safe final class ValidityCheck {
  /// What is known so far.
  enum State: Equatable {
    /// No document type was read.
    case unknown
    case valid
    case invalid(line: Int)
    case malformed(line: Int)
    /// Only a validating reader can tell.
    case undecided
  }

  private let context: xmlParserCtxtPtr
  private let rules: xmlValidCtxtPtr
  private var document: xmlDocPtr?
  /// In a place of its own: elements are too many to ask for each whether somebody else has hold of it.
  private var elements: UnsafeMutablePointer<ElementCheck>?
  private var isMalformedInLine: Int?
  /// Where the type itself has a declaration that is not valid, such as a second one of an element.
  private var isInvalidInLine: Int?

  /// What is known so far.
  var state: State {
    if let line = isMalformedInLine { return .malformed(line: line) }
    if let line = isInvalidInLine { return .invalid(line: line) }
    return unsafe elements?.pointee.state ?? .unknown
  }

  /// Creates a check that knows no type.
  ///
  /// - Throws: `XMLError` if there is no memory.
  init() throws(XMLError) {
    guard let context = unsafe xmlNewParserCtxt(), let rules = unsafe xmlNewValidCtxt() else {
      throw XMLError(.outOfMemory, line: 1)
    }
    unsafe self.context = context
    unsafe self.rules = rules
    // Nothing is said anywhere: it would show what stands there.
    unsafe pumpline_xml_silence(rules)
  }

  /// Reads a document type, once, before any element.
  ///
  /// - Parameter prolog: the document from its beginning to the type's end.
  func read(prolog: ArraySlice<UInt8>) {
    let text = Array(prolog) + Array("<r/>".utf8)
    // Each declaration is looked at by itself, too; that the element after them is none of theirs, nobody
    // listens to.
    let options = [
      XML_PARSE_DTDVALID, XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING,
    ]
    let errors = unsafe TypeErrors(of: context)
    unsafe document = errors.during {
      unsafe text.withUnsafeBytes { bytes in
        unsafe xmlCtxtReadMemory(
          context, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
          Int32(clamping: bytes.count), nil, nil, Int32(options.reduce(0) { $0 | $1.rawValue }))
      }
    }
    guard let document = unsafe document, unsafe context.pointee.wellFormed != 0 else {
      isMalformedInLine = max(1, Int(unsafe context.pointee.lastError.line))
      return
    }
    isInvalidInLine = errors.firstLine
    // What one declaration says of others, such as the notations that it names.
    if isInvalidInLine == nil, unsafe xmlValidateDtdFinal(rules, document) != 1 {
      isInvalidInLine = 1 + prolog.count { $0 == 0x0A }
    }
    guard isInvalidInLine == nil else { return }
    unsafe elements = .allocate(capacity: 1)
    unsafe elements?.initialize(to: ElementCheck(rules, document))
  }

  deinit {
    if let elements = unsafe elements {
      unsafe elements.pointee.free()
      unsafe elements.deinitialize(count: 1)
      unsafe elements.deallocate()
    }
    unsafe xmlFreeValidCtxt(rules)
    if let document = unsafe document { unsafe xmlFreeDoc(document) }
    unsafe xmlFreeParserCtxt(context)
  }

  /// An element begins; its attributes are five pointers for each of `count`, as libxml2 gives them.
  ///
  /// `hasPrefix`: whether it has a prefix, or declares a namespace.
  func begin(
    _ text: UnsafePointer<xmlChar>,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int, hasPrefix: Bool,
    line: Int
  ) {
    unsafe elements?.pointee.begin(text, attributes, count: count, hasPrefix: hasPrefix, line: line)
  }

  /// The element that began last ends.
  func end(line: Int) { unsafe elements?.pointee.end(line: line) }

  /// Text between elements.
  func text(_ text: UnsafePointer<xmlChar>, count: Int32, line: Int) {
    unsafe elements?.pointee.text(text, count: count, line: line)
  }

  /// A comment, an instruction, or text that is marked as such.
  func other(isText: Bool, line: Int) {
    unsafe elements?.pointee.other(isText: isText, line: line)
  }
}
