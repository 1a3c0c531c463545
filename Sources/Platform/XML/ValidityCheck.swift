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
    case valid
    case invalid(line: Int)
    case malformed(line: Int)
    /// Only a validating reader can tell.
    case undecided
  }

  private(set) var state = State.valid
  private let context: xmlParserCtxtPtr
  private let document: xmlDocPtr?
  private let rules: xmlValidCtxtPtr
  private var names: [Name] = []
  /// The names of the elements that are open, by place.
  private var open: [Int] = []

  /// More names than any type of ours has; those of a document come one by one.
  private static let mostNames = 256
  private static let mostSets = 64

  /// A name of elements.
  @safe private struct Name {
    /// Where the parser keeps it, which is where it keeps each such name.
    let text: UnsafePointer<xmlChar>
    /// An element of this name, for libxml2 to speak of.
    let node: xmlNodePtr
    /// The sets of attributes that it may have: where the parser keeps their names.
    var sets: [[UInt]] = []

    init(_ text: UnsafePointer<xmlChar>, _ node: xmlNodePtr) {
      unsafe self.text = text
      unsafe self.node = node
    }
  }

  /// Reads a document type.
  ///
  /// - Parameter prolog: the document from its beginning to the type's end.
  /// - Throws: `XMLError` if there is no memory.
  init(prolog: ArraySlice<UInt8>) throws(XMLError) {
    guard let context = unsafe xmlNewParserCtxt(), let rules = unsafe xmlNewValidCtxt() else {
      throw XMLError(.outOfMemory, line: 1)
    }
    unsafe self.context = context
    unsafe self.rules = rules
    // Nothing is said anywhere: it would show what stands there.
    unsafe pumpline_xml_silence(rules)
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
    if hasDefaults { state = .undecided }
  }

  deinit {
    for name in names { unsafe xmlFreeNode(name.node) }
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
    let node = unsafe names[place].node
    let fits = unsafe xmlValidatePushElement(rules, document, node, text) == 1
    guard fits else { return state = .invalid(line: line) }
    unsafe check(attributes, count, of: place, line: line)
  }

  /// The element that began last ends.
  func end(line: Int) {
    guard state == .valid, let place = open.popLast() else { return }
    let name = names[place]
    if unsafe xmlValidatePopElement(rules, document, name.node, name.text) != 1 {
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
    for place in names.indices where unsafe names[place].text == text { return place }
    guard names.count < Self.mostNames, let node = unsafe xmlNewDocNode(document, nil, text, nil)
    else { return nil }
    unsafe names.append(Name(text, node))
    return names.count - 1
  }

  private func check(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int, of place: Int,
    line: Int
  ) {
    for set in names[place].sets where unsafe Self.isSet(set, attributes, count) { return }
    let set = (0..<count).map { unsafe UInt(bitPattern: attributes?[5 * $0]) }
    switch unsafe judge(attributes, count, of: names[place].text) {
    case .valid where names[place].sets.count < Self.mostSets: names[place].sets.append(set)
    case .valid: break
    case .invalid: state = .invalid(line: line)
    case .malformed, .undecided: state = .undecided
    }
  }

  private static func isSet(
    _ set: [UInt], _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) -> Bool {
    guard set.count == count else { return false }
    for index in 0..<count where unsafe UInt(bitPattern: attributes?[5 * index]) != set[index] {
      return false
    }
    return true
  }

  /// Whether an element may have attributes of these names and no others.
  private func judge(
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
