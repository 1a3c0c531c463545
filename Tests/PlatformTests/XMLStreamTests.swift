import Platform
import Testing

@Suite("Reading XML as it comes")
struct XMLStreamTests {
  /// Keeps what passes, as text.
  private final class Recorder: XMLElementHandler {
    var text = ""
    var limit = Int.max

    func begin(_ element: XMLElement) -> Bool {
      let name = element.isNamed("r") ? "r" : element.isNamed("a") ? "a" : "?"
      text += "\(element.depth)\(name)\(element.text(of: "x").map { "[\($0)]" } ?? "") "
      limit -= 1
      return limit > 0
    }

    func end(depth: Int) -> Bool {
      text += "\(depth)/ "
      return true
    }
  }

  private func read(
    _ text: String, pieces: Int = .max, limit: Int = .max
  ) throws(XMLError) -> String {
    let recorder = Recorder()
    recorder.limit = limit
    let stream = try XMLStream(recorder)
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = pieces < bytes.count - start ? start + pieces : bytes.count
      let piece = Array(bytes[start..<end])
      unsafe try stream.feed(piece.span.bytes)
      start = end
    }
    try stream.finish()
    return recorder.text
  }

  private func failure(_ text: String) -> XMLError.Kind? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test("gives elements with their attributes, cut anywhere", arguments: [1, 2, 7, Int.max])
  func elements(pieces: Int) throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE r [ <!ELEMENT r (a*)> <!-- it's ]> not the end --> <!ATTLIST a x CDATA "]>"> ]>
      <r><a x="1 &amp; 2 &lt; &#233; é"/> text <a>&quot;</a></r>
      """
    #expect(try read(text, pieces: pieces) == "0r 1a[1 & 2 < é é] 1/ 1a 1/ 0/ ")
  }

  @Test("reads behind a document type that is not well formed, as iOS 16 writes it")
  func brokenType() throws {
    let text = "<!DOCTYPE r [\n<!ATTLIST a x CDATA #IMPLIED\n<!ELEMENT b EMPTY>\n>\n]>\n<r/>"
    #expect(try read(text) == "0r 0/ ")
  }

  @Test("fetches no document type")
  func externalType() throws {
    #expect(try read("<!DOCTYPE r SYSTEM \"file:///nowhere/at/all.dtd\"><r/>") == "0r 0/ ")
  }

  @Test(
    "refuses entities that a document declares, its own and others'",
    arguments: [
      "<!ENTITY a \"b\">", "<!ENTITY a SYSTEM \"file:///etc/hostname\">",
      "<!ENTITY % p SYSTEM \"http://127.0.0.1/p.dtd\"> %p;",
      "<!ENTITY a \"bbbbbbbb\"><!ENTITY c \"&a;&a;&a;&a;&a;&a;&a;&a;\">",
    ])
  func entities(declaration: String) {
    #expect(failure("<!DOCTYPE r [ \(declaration) ]><r x=\"&c;\"/>") == .declaresEntities)
  }

  @Test("refuses entities that nobody declared, in attributes and in text")
  func undeclared() {
    for text in ["<r x=\"&b;\"/>", "<r>&b;</r>", "<!DOCTYPE r SYSTEM \"b.dtd\"><r x=\"&b;\"/>"] {
      guard case .malformed = failure(text) else {
        Issue.record("taken: \(text)")
        continue
      }
    }
  }

  @Test("says in which line a document is damaged, and nothing of what stands there")
  func damage() throws {
    let error = try #require(throws: XMLError.self) {
      try read("<!DOCTYPE r [\n\n]>\n<r>\n<a x='1'>\n</b></r>")
    }
    #expect(error.line == 6)
    #expect(error.reason == "is not well formed in line 6 (libxml2 error 76)")
    #expect(failure("<r><a>") == .cut)
    #expect(failure("<!DOCTYPE r [") == .cut)
    #expect(failure("") == .cut)
    #expect(failure("<!DOCTYPE r [ ]><!DOCTYPE r [ ]><r/>") == .severalTypes)
    #expect(failure("<!--" + String(repeating: " ", count: 2 << 20)) == .longProlog)
  }

  @Test("refuses elements too deep in each other")
  func depth() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "<r>", count: count) + String(repeating: "</r>", count: count)
    }
    _ = try read(nested(256))
    #expect(failure(nested(257)) == .tooDeep)
  }

  @Test("stops where its handler stops, whatever follows")
  func stops() throws {
    #expect(try read("<r><a/><a/><</r>", limit: 2) == "0r 1a ")
  }
}

@Suite("Whether XML keeps to its own document type")
struct XMLValidityTests {
  private static let type = """
    <!DOCTYPE r [
    <!ELEMENT r (a*)>
    <!ELEMENT a EMPTY>
    <!ATTLIST a x CDATA #REQUIRED>
    ]>

    """

  private func validity(_ text: String) throws -> XMLValidity {
    try XMLValidity.of(ByteStream(memory: Array(text.utf8)))
  }

  /// Passes by elements.
  private final class Nobody: XMLElementHandler {
    func begin(_ element: XMLElement) -> Bool { true }
    func end(depth: Int) -> Bool { true }
  }

  /// What is found while a document passes; nil if that is not enough.
  private func validityInPassing(_ text: String) throws -> XMLValidity? {
    let stream = try XMLStream(Nobody(), checksType: true)
    unsafe try stream.feed(Array(text.utf8).span.bytes)
    try stream.finish()
    return stream.validity
  }

  @Test(
    "is told in passing as a validating reader tells it",
    arguments: [
      "<r/>", "<r><a x='1'/></r>", "<r>\n<a/>\n</r>", "<r>\n<b/>\n</r>", "<a x='1'/>", "<s/>",
      "<r><a x='1' y='2'/></r>", "<r><a x='1'> </a></r>", "<r><a x='1'>t</a></r>",
      "<r>\n <a x='1'/> t\n</r>", "<r><a x='1'><!-- c --></a></r>", "<r><![CDATA[ ]]></r>",
      "<r><a x='1'><a x='1'/></a></r>", "<r z='1'><a x='1'/></r>", "<r><m>t<a x='1'/>t</m></r>",
      "<r><m>t<r/></m></r>", "<r><any>t<a x='1'/><r/></any></r>", "<r><any><b/></any></r>",
      "<r><any><a/></any></r>", "<r><two><c/><d/></two></r>", "<r><two><d/><c/></two></r>",
      "<r><two><c/></two></r>", "<r><two><c/><d/><d/></two></r>", "<r><two/></r>",
      "<r><a x='1'/><two><c/><d/></two><a x='2'/></r>", "<r><any xmlns='u'/></r>",
      "<r xmlns:p='u'><p:a x='1'/></r>", "<r><a x='1' xml:lang='en'/></r>",
      // What comes again where it may come again.
      "<r><a x='1'/><a x='2'/><a/></r>", "<r><a x='1'/><a x='2'> </a></r>",
      "<r><a x='1'/><a x='2'>t</a><a x='3'/></r>", "<r><a x='1'/><a x='2'><c/></a></r>",
      "<r><a x='1'/><a x='2'><a x='3'/></a></r>", "<r><a x='1'/><a x='2'/>t</r>",
      "<r><a x='1'/><a x='2'/><c/></r>", "<r><a x='1'/><a x='2' y='3'/></r>",
      "<r><a x='1'/><a x='2' xml:lang='en'/></r>", "<r><a x='1'/><a x='2'><!-- c --></a></r>",
      "<r><plus/></r>", "<r><plus><c/></plus></r>", "<r><plus><c/><c/><c/></plus></r>",
      "<r><plus><c/><c/><d/></plus></r>", "<r><plus><c/>t<c/></plus></r>",
      "<r><plus><c/> <c/> </plus><plus><c/></plus></r>", "<r><plus><c/><c/></plus><plus/></r>",
      "<r><choice><c/><c/><d/><c/><d/><d/></choice></r>", "<r><choice><c/><c/><b/></choice></r>",
      "<r><m><a x='1'/><a x='2'/>t<a x='3'/></m></r>", "<r><m><a x='1'/><c/></m></r>",
      "<r><once><c/></once></r>", "<r><once><c/><c/></once></r>",
      "<r><maybe><c/><c/></maybe></r>", "<r><two><c/><c/></two></r>",
      "<r><pairs><c/><d/><c/><d/></pairs></r>", "<r><pairs><c/><c/><d/></pairs></r>",
      "<r><either><c/><d/><c/><a x='1'/></either></r>", "<r><either><c/><c/></either></r>",
      "<r><full><plus><c/></plus><plus/></full></r>", "<r><full><plus><c/></plus></full></r>",
    ])
  func inPassing(_ body: String) throws {
    let type = """
      <!DOCTYPE r [
      <!ELEMENT r (a|m|any|two|plus|choice|once|maybe|pairs|either|full)*>
      <!ELEMENT a EMPTY> <!ATTLIST a x CDATA #REQUIRED>
      <!ELEMENT plus (c+)> <!ELEMENT choice (c|d)+> <!ELEMENT once (c)> <!ELEMENT maybe (c?)>
      <!ELEMENT pairs (c,d)*> <!ELEMENT either ((c,(d|a))|(d,c))+> <!ELEMENT full (plus)*>
      <!ELEMENT m (#PCDATA|a)*> <!ELEMENT any ANY> <!ELEMENT two (c,d)>
      <!ELEMENT c EMPTY> <!ELEMENT d EMPTY> <!ATTLIST d o CDATA #IMPLIED>
      ]>

      """
    let found = try validityInPassing(type + body)
    guard let found else {
      #expect(body.contains("xml"), "only names with prefixes are left to the reader")
      return
    }
    switch (found, try validity(type + body)) {
    case (.invalid, .invalid), (.valid, .valid): break
    case let (found, told): Issue.record("\(found) in passing, \(told) by the reader")
    }
  }

  @Test("is told in passing with the line, however far down, and once only")
  func linesInPassing() throws {
    let rows = String(repeating: "<a x='1'/>\n", count: 70_000)
    #expect(try validityInPassing(Self.type + "<r>\n\(rows)</r>") == .valid)
    #expect(
      try validityInPassing(Self.type + "<r>\n\(rows)<a/>\n<b/></r>") == .invalid(line: 70_007))
  }

  @Test("is told in passing of what libxml2's reader lets pass")
  func beyondReader() throws {
    let attributes = "<!DOCTYPE r [ <!ELEMENT r (a)> <!ATTLIST a x CDATA #IMPLIED> ]>\n"
    #expect(try validityInPassing(attributes + "<r>\n<a x='1'/></r>") == .invalid(line: 3))
    for inside in ["<!-- c -->", "<?p i?>", "<![CDATA[]]>"] {
      #expect(
        try validityInPassing(Self.type + "<r><a x='1'/>\n<a x='1'>\(inside)</a></r>")
          == .invalid(line: 7), "\(inside)")
    }
    #expect(
      try validityInPassing(Self.type + "<r><a x='1'/><![CDATA[ ]]></r>") == .invalid(line: 6))
    #expect(
      try validityInPassing(Self.type + "<r><!-- c --><a x='1'/><?p i?></r><!-- c -->") == .valid)
  }

  @Test(
    "is told of types whose declarations are not valid themselves, as a validating reader tells it",
    arguments: [
      ("<!ELEMENT a EMPTY>", 4), ("<!ELEMENT a (r)>", 4), ("<!ELEMENT r (a*)>", 4),
      ("<!ELEMENT b (#PCDATA|a|a)*>", 4), ("<!ELEMENT b EMPTY>\n<!ELEMENT b EMPTY>", 5),
      ("<!NOTATION n SYSTEM 'p'>\n<!NOTATION n SYSTEM 'q'>", 5),
      ("<!ATTLIST r y NOTATION (n) #IMPLIED>", 5), ("<!ATTLIST r y (p|q) 'z'>", 4),
      ("<!ATTLIST r y ID #IMPLIED z ID #IMPLIED>", 4),
      // The first declaration of an attribute counts.
      ("<!ATTLIST a x CDATA #REQUIRED x CDATA #IMPLIED>", nil),
      ("<!ATTLIST a x CDATA #REQUIRED>\n<!ATTLIST a x CDATA #IMPLIED>", nil),
      ("<!NOTATION n SYSTEM 'p'>\n<!NOTATION m SYSTEM 'q'>", nil), ("<!ELEMENT b (r|c)>", nil),
    ] as [(String, Int?)])
  func types(_ declarations: String, line: Int?) throws {
    let text = """
      <!DOCTYPE r [
      <!ELEMENT r (a*)>
      <!ELEMENT a EMPTY>
      \(declarations)
      ]>
      <r><a x='1'/></r>
      """
    let attributes = declarations.contains("a x") ? "" : " <!ATTLIST a x CDATA #REQUIRED>"
    let whole = text.replacing("a EMPTY>\n", with: "a EMPTY>\(attributes)\n", maxReplacements: 1)
    #expect(try validityInPassing(whole) == (line.map { .invalid(line: $0) } ?? .valid))
    switch try validity(whole) {
    case .valid: #expect(line == nil)
    case .invalid: #expect(line != nil)
    case let told: Issue.record("\(told)")
    }
  }

  @Test("is left to the reader where a type wants more of attributes than their names")
  func wantsMore() throws {
    for list in ["x (p|q) #REQUIRED", "x ID #IMPLIED", "x CDATA 'p'", "x CDATA #FIXED 'p'"] {
      let type = "<!DOCTYPE r [ <!ELEMENT r EMPTY> <!ATTLIST r \(list)> ]>\n"
      #expect(try validityInPassing(type + "<r x='p'/>") == nil, "\(list)")
    }
    #expect(try validityInPassing("<r/>") == .unknown)
    #expect(try validityInPassing("<!DOCTYPE r SYSTEM \"nowhere.dtd\"><r/>") == .unknown)
    #expect(throws: XMLError.self) {
      try validityInPassing("<!DOCTYPE r [ <!ENTITY a 'b'> ]><r/>")
    }
    let broken = "<!DOCTYPE r [\n<!ATTLIST a x CDATA #IMPLIED\n<!ELEMENT b EMPTY>\n>\n]>\n<r/>"
    guard case .malformed = try validityInPassing(broken) else {
      Issue.record("taken")
      return
    }
  }

  @Test("is told, with the line of the first thing that does not")
  func lines() throws {
    #expect(try validity(Self.type + "<r>\n<a x='1'/>\n</r>") == .valid)
    #expect(try validity(Self.type + "<r>\n<a/>\n</r>") == .invalid(line: 7))
    #expect(try validity(Self.type + "<r>\n<b/>\n</r>") == .invalid(line: 7))
    #expect(try validity(Self.type + "<r>\n<a x='1'/></r>\n<") == .malformed(line: 8))
  }

  @Test("is told of documents longer than a chunk")
  func long() throws {
    let rows = String(repeating: "<a x='1'/>\n", count: 60_000)
    #expect(try validity(Self.type + "<r>\n\(rows)</r>") == .valid)
    #expect(try validity(Self.type + "<r>\n\(rows)<a/></r>") == .invalid(line: 60_007))
  }

  @Test("is not known without a type, or with one that names something to load")
  func unknown() throws {
    #expect(try validity("<r/>") == .unknown)
    #expect(try validity("<!DOCTYPE r SYSTEM \"nowhere.dtd\"><r/>") == .unknown)
    #expect(try validity("<!DOCTYPE r PUBLIC \"a\" \"b\" [ <!ELEMENT r (a)> ]><r/>") == .unknown)
    #expect(throws: XMLError.self) { try validity("<!DOCTYPE r [ <!ENTITY a 'b'> ]><r/>") }
  }

  @Test("fails where a type is not well formed, as iOS 16 writes it")
  func brokenType() throws {
    let text = "<!DOCTYPE r [\n<!ATTLIST a x CDATA #IMPLIED\n<!ELEMENT b EMPTY>\n>\n]>\n<r/>"
    guard case .malformed = try validity(text) else {
      Issue.record("taken")
      return
    }
  }
}
