internal import CXML

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What takes the elements of a document as they pass.
package protocol XMLElementHandler: AnyObject {
  /// An element begins; `element` is valid during the call.
  ///
  /// - Returns: whether to go on.
  func begin(_ element: XMLElement) -> Bool

  /// The element that began last and has not ended ends; so many are open around it.
  ///
  /// - Returns: whether to go on.
  func end(depth: Int) -> Bool
}

/// Reads XML as bytes come, with libxml2, and hands its elements on; text between them is passed
/// over.
///
/// Nothing is ever loaded from elsewhere and no entity expands but the five of XML: document types
/// are taken out before the parser sees them, and refused if they declare entities. Memory does not
/// grow with the document. Confined to its owner.
@safe package final class XMLStream {
  private let events: Events
  private let parser: xmlParserCtxtPtr
  private var prolog: XMLProlog? = XMLProlog()
  private var failure: XMLError?

  /// How many bytes the parser is given at once.
  private static let piece = 1 << 16

  /// Creates a stream that has read nothing.
  ///
  /// - Parameters:
  ///   - handler: takes the elements.
  ///   - checksType: whether elements are checked against the document's own type.
  /// - Throws: `XMLError` if there is no memory.
  package init(_ handler: any XMLElementHandler, checksType: Bool = false) throws(XMLError) {
    events = Events(handler, checksType ? try ValidityCheck() : nil)
    var functions = unsafe xmlSAXHandler()
    unsafe functions.initialized = UInt32(truncatingIfNeeded: XML_SAX2_MAGIC)
    unsafe functions.startElementNs = {
      context, name, prefix, _, spaces, _, count, _, attributes in
      guard let name = unsafe name else { return }
      unsafe Events.with(context) { events in
        unsafe events.begin(
          name, attributes, count: Int(count), hasPrefix: prefix != nil || spaces > 0)
      }
    }
    unsafe functions.endElementNs = { context, _, _, _ in
      unsafe Events.with(context) { $0.end() }
    }
    if checksType {
      let take: charactersSAXFunc = { context, text, count in
        guard let text = unsafe text else { return }
        unsafe Events.with(context) { unsafe $0.text(text, count) }
      }
      unsafe functions.characters = take
      unsafe functions.ignorableWhitespace = take
      unsafe functions.cdataBlock = { context, _, _ in
        unsafe Events.with(context) { $0.other(isText: true) }
      }
      unsafe functions.comment = { context, _ in
        unsafe Events.with(context) { $0.other(isText: false) }
      }
      unsafe functions.processingInstruction = { context, _, _ in
        unsafe Events.with(context) { $0.other(isText: false) }
      }
    }
    let pointer = unsafe Unmanaged.passUnretained(events).toOpaque()
    guard let parser = unsafe xmlCreatePushParserCtxt(&functions, pointer, nil, 0, nil) else {
      throw XMLError(.outOfMemory, line: 1)
    }
    unsafe self.parser = parser
    // Entities are put in their places, or an ampersand would come as five characters: there are none
    // but those of XML itself. Nothing is fetched, and nothing said on standard error.
    let options = [XML_PARSE_NOENT, XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING]
    unsafe _ = xmlCtxtUseOptions(parser, Int32(options.reduce(0) { $0 | $1.rawValue }))
    unsafe events.parser = parser
  }

  deinit {
    if let document = unsafe parser.pointee.myDoc { unsafe xmlFreeDoc(document) }
    unsafe xmlFreeParserCtxt(parser)
  }

  /// Takes the next bytes; nothing more after the handler has stopped.
  ///
  /// - Throws: `XMLError`, and the same again for all that follows.
  package func feed(_ bytes: RawSpan) throws(XMLError) {
    if let failure { throw failure }
    do throws(XMLError) {
      try take(bytes)
    } catch {
      failure = error
      throw error
    }
  }

  private func take(_ bytes: RawSpan) throws(XMLError) {
    guard var prolog = prolog.take() else { return try parse(bytes) }
    switch try prolog.feed(bytes) {
    case .more: self.prolog = prolog
    case .ready(let whole):
      if let type = prolog.ownType { events.validity?.read(prolog: type) }
      unsafe try parse(whole.span.bytes)
    }
  }

  /// Whether what was read keeps to the document's own type, if that was to be checked; nil if only
  /// `XMLValidity.of(_:)` can tell.
  package var validity: XMLValidity? {
    switch events.validity?.state ?? .unknown {
    case .unknown: return .unknown
    case .valid: return .valid
    case .invalid(let line): return .invalid(line: line)
    case .malformed(let line): return .malformed(line: line)
    case .undecided: return nil
    }
  }

  /// Ends the document.
  ///
  /// - Throws: `XMLError` if it is not whole.
  package func finish() throws(XMLError) {
    if let failure { throw failure }
    if let prolog { throw XMLError(.cut, line: prolog.lastLine) }
    guard !events.hasStopped else { return }
    let code = unsafe xmlParseChunk(parser, nil, 0, 1)
    let isWhole = unsafe parser.pointee.wellFormed != 0
    guard !isWhole else { return }
    throw XMLError(events.depth > 0 ? .cut : .malformed(code: Int(code)), line: line)
  }

  private func parse(_ bytes: RawSpan) throws(XMLError) {
    var start = 0
    while start < bytes.byteCount, !events.hasStopped {
      let piece = bytes.extracting(start..<min(start + Self.piece, bytes.byteCount))
      let code = unsafe piece.withUnsafeBytes { buffer in
        unsafe xmlParseChunk(
          parser, buffer.assumingMemoryBound(to: CChar.self).baseAddress, Int32(buffer.count), 0)
      }
      if events.isTooDeep { throw XMLError(.tooDeep, line: line) }
      if !events.hasStopped, unsafe parser.pointee.wellFormed == 0 {
        throw XMLError(.malformed(code: Int(code)), line: line)
      }
      start += piece.byteCount
    }
  }

  private var line: Int { events.line }
}

/// Where libxml2's calls arrive.
@safe private final class Events {
  private let handler: any XMLElementHandler
  let validity: ValidityCheck?
  var parser: xmlParserCtxtPtr?
  private(set) var depth = 0
  private(set) var hasStopped = false
  private(set) var isTooDeep = false

  /// How many elements may be open: the parser remembers each.
  private static let deepest = 256

  init(_ handler: any XMLElementHandler, _ validity: ValidityCheck?) {
    self.handler = handler
    self.validity = validity
  }

  /// Calls what libxml2 was told to call; the stream keeps it for longer than any call.
  @inline(__always)
  static func with(_ context: UnsafeMutableRawPointer?, _ body: (Events) -> Void) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Events>.fromOpaque(context)._withUnsafeGuaranteedRef { body($0) }
  }

  var line: Int {
    guard let input = unsafe parser?.pointee.input else { return 1 }
    return Int(unsafe input.pointee.line)
  }

  func begin(
    _ name: UnsafePointer<xmlChar>,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int, hasPrefix: Bool
  ) {
    guard !hasStopped else { return }
    if let validity {
      unsafe validity.begin(name, attributes, count: count, hasPrefix: hasPrefix, line: line)
    }
    let element = unsafe XMLElement(
      depth: depth, line: line, name: name, attributes: attributes, count: count)
    depth += 1
    isTooDeep = depth > Self.deepest
    if isTooDeep { return stop() }
    if !handler.begin(element) { stop() }
  }

  func text(_ text: UnsafePointer<xmlChar>, _ count: Int32) {
    guard !hasStopped, let validity else { return }
    unsafe validity.text(text, count: count, line: line)
  }

  /// A comment, an instruction, or text that is marked as such.
  func other(isText: Bool) { validity?.other(isText: isText, line: line) }

  func end() {
    guard !hasStopped else { return }
    depth -= 1
    validity?.end(line: line)
    if !handler.end(depth: depth) { stop() }
  }

  private func stop() {
    hasStopped = true
    unsafe xmlStopParser(parser)
  }
}

/// An element that begins: its name and its attributes, where the parser has them.
@safe package struct XMLElement {
  /// How many elements are open around it.
  package let depth: Int
  /// The line in which its start ends, counted from 1.
  package let line: Int

  private let name: UnsafePointer<UInt8>
  /// Five pointers for each: name, prefix, namespace, and where the value begins and ends.
  private let attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private let count: Int

  init(
    depth: Int, line: Int, name: UnsafePointer<UInt8>,
    attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int
  ) {
    self.depth = depth
    self.line = line
    unsafe self.name = name
    unsafe self.attributes = attributes
    self.count = count
  }

  /// Whether it has a name.
  package func isNamed(_ text: StaticString) -> Bool { unsafe Self.isText(name, text) }

  /// The value of an attribute, valid as long as the element; nil if there is no such attribute.
  package func value(of attribute: StaticString) -> XMLValue? {
    guard let attributes = unsafe attributes else { return nil }
    for index in 0..<count {
      guard let name = unsafe attributes[5 * index], unsafe Self.isText(name, attribute),
        let start = unsafe attributes[5 * index + 3], let end = unsafe attributes[5 * index + 4]
      else { continue }
      return unsafe XMLValue(start: start, count: end - start)
    }
    return nil
  }

  /// An attribute's value as text; nil if there is no such attribute.
  package func text(of attribute: StaticString) -> String? { value(of: attribute)?.text }

  /// Whether bytes that end in a zero are a text.
  private static func isText(_ bytes: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
    // The first letter tells most of them apart.
    guard unsafe bytes[0] == text.utf8Start[0] else { return false }
    return unsafe strcmp(
      UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self),
      UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)) == 0
  }
}
