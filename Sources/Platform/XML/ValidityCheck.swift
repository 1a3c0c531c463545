internal import CXML

/// Checks the elements of a document against the document's own type while they pass.
///
/// What may stand in an element, libxml2 decides; of attributes it is asked once for each set of
/// them, since in the types of Health exports their values are free. Where a type wants more than that,
/// of values, of names with prefixes or of defaults, or comments come, the check gives up and says so:
/// the document must be read once more by libxml2's own validating reader.
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

  private(set) var state = State.unknown
  private let context: xmlParserCtxtPtr
  private let rules: xmlValidCtxtPtr
  private var document: xmlDocPtr?
  // Elements are many, so what is known of them is in lists of plain numbers.
  /// Where the parser keeps the names of elements, which is where it keeps each such name.
  private var names: [UInt] = []
  /// For each name an element, for libxml2 to speak of.
  private var nodes: [UInt] = []
  /// The sets of attributes that elements may have.
  private var sets: [AttributeSet] = []
  /// Where the parser keeps the names of the attributes of all sets.
  private var attributeNames: [UInt] = []
  /// The names of the elements that are open, by place.
  private var open: [Int] = []

  /// More names than any type of ours has; those of a document come one by one.
  private static let mostNames = 256
  private static let mostSets = 256

  /// A set of attributes.
  private struct AttributeSet {
    /// The place of the element's name.
    let element: Int
    /// Where its names begin in the list of all.
    let start: Int
    let count: Int
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
    let options = [XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING]
    unsafe document = text.withUnsafeBytes { bytes in
      unsafe xmlCtxtReadMemory(
        context, bytes.assumingMemoryBound(to: CChar.self).baseAddress,
        Int32(clamping: bytes.count), nil, nil, Int32(options.reduce(0) { $0 | $1.rawValue }))
    }
    guard unsafe document != nil, unsafe context.pointee.wellFormed != 0 else {
      state = .malformed(line: max(1, Int(unsafe context.pointee.lastError.line)))
      return
    }
    state = hasDefaults ? .undecided : .valid
  }

  deinit {
    for node in nodes { unsafe xmlFreeNode(xmlNodePtr(bitPattern: node)) }
    unsafe xmlFreeValidCtxt(rules)
    if let document = unsafe document { unsafe xmlFreeDoc(document) }
    unsafe xmlFreeParserCtxt(context)
  }

  private var type: xmlDtdPtr? { unsafe document?.pointee.intSubset }

  /// Whether some attribute has a value that a document need not tell.
  private var hasDefaults: Bool {
    var child = unsafe type?.pointee.children
    while let current = unsafe child {
      if unsafe current.pointee.type == XML_ATTRIBUTE_DECL {
        let attribute = unsafe UnsafeMutableRawPointer(current)
          .assumingMemoryBound(to: xmlAttribute.self)
        if unsafe attribute.pointee.defaultValue != nil { return true }
      }
      unsafe child = current.pointee.next
    }
    return false
  }

  /// An element begins; its attributes are five pointers for each of `count`, as libxml2 gives them.
  ///
  /// `hasPrefixes`: whether it or an attribute has a prefix, or it declares a namespace.
  func begin(
    _ text: UnsafePointer<xmlChar>,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int, hasPrefixes: Bool,
    line: Int
  ) {
    guard state == .valid else { return }
    guard !hasPrefixes, let place = unsafe place(of: text) else { return state = .undecided }
    if open.isEmpty, unsafe xmlStrEqual(type?.pointee.name, text) == 0 {
      return state = .invalid(line: line)
    }
    open.append(place)
    guard
      unsafe xmlValidatePushElement(rules, document, xmlNodePtr(bitPattern: nodes[place]), text)
        == 1
    else {
      return state = .invalid(line: line)
    }
    for set in sets where set.element == place {
      if unsafe isSet(set, attributes, count) { return }
    }
    unsafe judge(attributes, count, of: place, text, line: line)
  }

  /// The element that began last ends.
  func end(line: Int) {
    guard state == .valid, let place = open.popLast() else { return }
    let node = unsafe xmlNodePtr(bitPattern: nodes[place])
    if unsafe xmlValidatePopElement(rules, document, node, node?.pointee.name) != 1 {
      state = .invalid(line: line)
    }
  }

  /// Text between elements.
  func text(_ text: UnsafePointer<xmlChar>, count: Int32, line: Int) {
    guard state == .valid else { return }
    if unsafe xmlValidatePushCData(rules, text, count) != 1 { state = .invalid(line: line) }
  }

  /// Something comes of which only a validating reader knows where it may stand.
  func giveUp() { if state == .valid { state = .undecided } }

  /// The place of a name; nil if there is no room for more.
  private func place(of text: UnsafePointer<xmlChar>) -> Int? {
    let address = UInt(bitPattern: text)
    // What came last comes again most often.
    var place = names.count
    while place > 0 {
      place -= 1
      if names[place] == address { return place }
    }
    guard names.count < Self.mostNames, let node = unsafe xmlNewDocNode(document, nil, text, nil)
    else { return nil }
    names.append(address)
    nodes.append(UInt(bitPattern: node))
    return names.count - 1
  }

  private func isSet(
    _ set: AttributeSet, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ count: Int
  ) -> Bool {
    guard set.count == count else { return false }
    for index in 0..<count
    where unsafe UInt(bitPattern: attributes?[5 * index]) != attributeNames[set.start + index] {
      return false
    }
    return true
  }

  /// Looks at a set of attributes that was not met before.
  private func judge(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int, of place: Int,
    _ element: UnsafePointer<xmlChar>, line: Int
  ) {
    switch unsafe verdict(attributes, count, of: element) {
    case .valid where sets.count < Self.mostSets:
      sets.append(AttributeSet(element: place, start: attributeNames.count, count: count))
      for index in 0..<count {
        attributeNames.append(unsafe UInt(bitPattern: attributes?[5 * index]))
      }
    case .valid: break
    case .invalid: state = .invalid(line: line)
    case .unknown, .malformed, .undecided: state = .undecided
    }
  }

  /// Whether an element may have attributes of these names and no others.
  private func verdict(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int,
    of element: UnsafePointer<xmlChar>
  ) -> State {
    guard let declaration = unsafe xmlGetDtdElementDesc(type, element) else {
      return .invalid(line: 0)
    }
    var declared = unsafe declaration.pointee.attributes
    var found = 0
    while let attribute = unsafe declared {
      let isThere = (0..<count).contains {
        unsafe xmlStrEqual(attributes?[5 * $0], attribute.pointee.name) == 1
      }
      if isThere { found += 1 }
      let isFree = unsafe attribute.pointee.atype == XML_ATTRIBUTE_CDATA
      guard isFree, unsafe attribute.pointee.prefix == nil else { return .undecided }
      if unsafe !isThere && attribute.pointee.def == XML_ATTRIBUTE_REQUIRED {
        return .invalid(line: 0)
      }
      unsafe declared = attribute.pointee.nexth
    }
    return found == count ? .valid : .invalid(line: 0)
  }
}
