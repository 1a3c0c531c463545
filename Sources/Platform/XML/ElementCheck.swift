internal import CXML

/// Checks elements that pass against a document type that was read.
///
/// Elements are many, so what is known of their names is kept in lists of plain numbers, and of an
/// empty element that comes again where it may come again libxml2 is not told at all.
@safe struct ElementCheck {
  private(set) var state: ValidityCheck.State

  private let rules: xmlValidCtxtPtr
  private let document: xmlDocPtr
  private var names: [Name] = []
  /// The sets of attributes that elements may have.
  private var sets: [AttributeSet] = []
  /// Where the parser keeps the names of the attributes of all sets.
  private var attributeNames: [UInt] = []
  /// The elements that are open and that libxml2 knows of.
  private var open: [OpenElement] = []
  /// The name of the innermost open element, by place, if libxml2 does not know of it.
  private var untold: Int?

  /// More names than any type of ours has; those of a document come one by one.
  private static let mostNames = 256
  private static let mostSets = 256

  /// What is known of a name of elements.
  private struct Name {
    /// Where the parser keeps it, which is where it keeps each such name.
    let address: UInt
    /// An element of that name, for libxml2 to speak of.
    let node: UInt
    /// Whether there may be nothing in such an element.
    let isEmpty: Bool
    /// Whether there may be elements in it and no text.
    let holdsElements: Bool
    /// Whether what may be in it once may come any number of times, in any order.
    let takesMore: Bool
    /// The place of the set of attributes that it had last.
    var lastSet = 0
  }

  private struct OpenElement {
    /// The place of its name.
    let name: Int
    /// The place of the name of the child that libxml2 was told of last.
    var lastChild: Int?
  }

  /// A set of attributes.
  private struct AttributeSet {
    /// The place of the element's name.
    let element: Int
    /// Where its names begin in the list of all.
    let start: Int
    let count: Int
  }

  /// Begins with a document that holds nothing but its type; both must outlive this.
  init(_ rules: xmlValidCtxtPtr, _ document: xmlDocPtr) {
    unsafe self.rules = rules
    unsafe self.document = document
    state = unsafe Self.hasDefaults(document) ? .undecided : .valid
  }

  /// Gives back what it holds; nothing may be asked afterwards.
  func free() {
    for name in names { unsafe xmlFreeNode(xmlNodePtr(bitPattern: name.node)) }
  }

  /// Whether some attribute has a value that a document need not tell.
  private static func hasDefaults(_ document: xmlDocPtr) -> Bool {
    var child = unsafe document.pointee.intSubset?.pointee.children
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

  /// An element begins, as `ValidityCheck` has it.
  mutating func begin(
    _ text: UnsafePointer<xmlChar>,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int, hasPrefix: Bool,
    line: Int
  ) {
    guard state == .valid else { return }
    tellUntold(line: line)
    guard !hasPrefix, let place = unsafe place(of: text) else { return state = .undecided }
    let isKnown = unsafe isKnown(attributes, count, of: place)
    if !isKnown, unsafe hasPrefixes(attributes, count) { return state = .undecided }
    if isMore(place) {
      untold = place
    } else {
      if open.isEmpty, unsafe xmlStrEqual(document.pointee.intSubset?.pointee.name, text) == 0 {
        return state = .invalid(line: line)
      }
      push(place, line: line)
      guard state == .valid else { return }
    }
    if !isKnown { unsafe judge(attributes, count, of: place, text, line: line) }
  }

  /// The element that began last ends.
  mutating func end(line: Int) {
    guard state == .valid else { return }
    if untold != nil {
      untold = nil
      return
    }
    guard let element = open.popLast() else { return }
    let node = unsafe xmlNodePtr(bitPattern: names[element.name].node)
    if unsafe xmlValidatePopElement(rules, document, node, node?.pointee.name) != 1 {
      state = .invalid(line: line)
    }
  }

  /// Text between elements.
  mutating func text(_ text: UnsafePointer<xmlChar>, count: Int32, line: Int) {
    guard state == .valid else { return }
    tellUntold(line: line)
    if unsafe xmlValidatePushCData(rules, text, count) != 1 { state = .invalid(line: line) }
  }

  /// A comment, an instruction, or text that is marked as such, of which libxml2's reader says nothing:
  /// an empty element holds none of them, and one of elements no text, be it of spaces.
  mutating func other(isText: Bool, line: Int) {
    guard state == .valid, let place = untold ?? open.last?.name else { return }
    if names[place].isEmpty || isText && names[place].holdsElements {
      state = .invalid(line: line)
    }
  }

  // MARK: What may stand where

  /// Whether nothing changes by an element here: it is empty, the last one that its parent took had the
  /// same name, and its parent takes any number of them.
  private func isMore(_ place: Int) -> Bool {
    guard names[place].isEmpty, let parent = open.last else { return false }
    return parent.lastChild == place && names[parent.name].takesMore
  }

  /// Tells libxml2 of the innermost element, since something stands in it.
  private mutating func tellUntold(line: Int) {
    guard let place = untold else { return }
    untold = nil
    push(place, line: line)
  }

  private mutating func push(_ place: Int, line: Int) {
    if !open.isEmpty { open[open.count - 1].lastChild = place }
    open.append(OpenElement(name: place))
    let node = unsafe xmlNodePtr(bitPattern: names[place].node)
    if unsafe xmlValidatePushElement(rules, document, node, node?.pointee.name) != 1 {
      state = .invalid(line: line)
    }
  }

  /// The place of a name; nil if there is no room for more.
  private mutating func place(of text: UnsafePointer<xmlChar>) -> Int? {
    let address = UInt(bitPattern: text)
    // What came last comes again most often.
    var place = names.count
    while place > 0 {
      place -= 1
      if names[place].address == address { return place }
    }
    guard names.count < Self.mostNames, let node = unsafe xmlNewDocNode(document, nil, text, nil)
    else { return nil }
    let declaration = unsafe xmlGetDtdElementDesc(document.pointee.intSubset, text)
    names.append(
      Name(
        address: address, node: UInt(bitPattern: node),
        isEmpty: unsafe declaration?.pointee.etype == XML_ELEMENT_TYPE_EMPTY,
        holdsElements: unsafe declaration?.pointee.etype == XML_ELEMENT_TYPE_ELEMENT,
        takesMore: unsafe Self.takesMore(declaration?.pointee.content)))
    return names.count - 1
  }

  /// Whether a model is one name, or a choice of names, any number of times.
  private static func takesMore(_ model: xmlElementContentPtr?) -> Bool {
    guard let model = unsafe model,
      unsafe [XML_ELEMENT_CONTENT_MULT, XML_ELEMENT_CONTENT_PLUS].contains(model.pointee.ocur)
    else { return false }
    var rest: xmlElementContentPtr? = unsafe model
    while let choice = unsafe rest, unsafe choice.pointee.type == XML_ELEMENT_CONTENT_OR {
      guard unsafe choice == model || choice.pointee.ocur == XML_ELEMENT_CONTENT_ONCE,
        let first = unsafe choice.pointee.c1, unsafe isName(first)
      else { return false }
      unsafe rest = choice.pointee.c2
    }
    guard let last = unsafe rest else { return false }
    return unsafe last == model ? last.pointee.type == XML_ELEMENT_CONTENT_ELEMENT : isName(last)
  }

  /// Whether a part of a model is one name, once.
  private static func isName(_ part: xmlElementContentPtr) -> Bool {
    unsafe part.pointee.ocur == XML_ELEMENT_CONTENT_ONCE
      && (part.pointee.type == XML_ELEMENT_CONTENT_ELEMENT
        || part.pointee.type == XML_ELEMENT_CONTENT_PCDATA)
  }

  // MARK: Attributes

  /// Whether an element of a name was found to have just these attributes, none of them with a prefix.
  private mutating func isKnown(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int, of place: Int
  ) -> Bool {
    let last = names[place].lastSet
    if last < sets.count, unsafe isSet(sets[last], attributes, count, of: place) { return true }
    for index in sets.indices where unsafe isSet(sets[index], attributes, count, of: place) {
      names[place].lastSet = index
      return true
    }
    return false
  }

  private func isSet(
    _ set: AttributeSet, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ count: Int, of place: Int
  ) -> Bool {
    guard set.element == place, set.count == count else { return false }
    guard let attributes = unsafe attributes else { return count == 0 }
    for index in 0..<count
    where unsafe UInt(bitPattern: attributes[5 * index]) != attributeNames[set.start + index]
      || attributes[5 * index + 1] != nil
    {
      return false
    }
    return true
  }

  private func hasPrefixes(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) -> Bool {
    (0..<count).contains { unsafe attributes?[5 * $0 + 1] != nil }
  }

  /// Looks at a set of attributes that was not met before.
  private mutating func judge(
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
  ) -> ValidityCheck.State {
    guard
      let declaration = unsafe xmlGetDtdElementDesc(document.pointee.intSubset, element),
      // What only its attributes speak of is not declared.
      unsafe declaration.pointee.etype != XML_ELEMENT_TYPE_UNDEFINED
    else { return .invalid(line: 0) }
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
