import Platform
import TestSupport
import Testing

@Suite("The subset of YAML that is read")
struct YAMLReaderTests {
  @Test("Mappings, lists and scalars keep their order and their places")
  func tree() throws {
    let node = try YAMLReader.read(
      text: """
        # A comment.
        source:
          inputs: [a.zip, 'b c']   # two
          serial: "90000001"
        tests:
          - one
        """)
    #expect(
      node
        == mapping(
          1 + 1, 1,
          [
            (
              "source", 2, 1,
              mapping(
                3, 3,
                [
                  (
                    "inputs", 3, 3,
                    YAMLNode(
                      content: .sequence([scalar("a.zip", 3, 12), scalar("b c", 3, 19)]),
                      mark: YAMLMark(line: 3, column: 11))
                  ),
                  ("serial", 4, 3, scalar("90000001", 4, 11)),
                ])
            ),
            (
              "tests", 5, 1,
              YAMLNode(
                content: .sequence([scalar("one", 6, 5)]), mark: YAMLMark(line: 6, column: 3))
            ),
          ]))
  }

  @Test(
    "Scalars stay what they look like", arguments: ["no", "0x1F", "1e3", "~", "null", "2026-05-04"])
  func scalars(text: String) throws {
    #expect(try YAMLReader.read(text: text) == scalar(text, 1, 1))
  }

  @Test("Columns count characters, not bytes")
  func characters() throws {
    #expect(error(in: "é: {ü: &a b}") == YAMLError("anchors (&) are not read", at: at(1, 8)))
  }

  @Test("A byte order mark and Windows line ends are passed over")
  func lineEnds() throws {
    let node = try YAMLReader.read(text: "\u{FEFF}a: b\r\nc: d\r\n")
    #expect(
      node == mapping(1, 1, [("a", 1, 1, scalar("b", 1, 4)), ("c", 2, 1, scalar("d", 2, 4))]))
  }

  @Test(
    "What is no part of the subset is refused where it stands",
    arguments: [
      ("a: &x b", 1, 4, "anchors"), ("&x a: b", 1, 1, "anchors"), ("a: *x", 1, 4, "aliases"),
      ("a: !!str b", 1, 4, "tags"), ("a: !x [b]", 1, 4, "tags"), ("!x a: b", 1, 1, "tags"),
      ("a: !<tag:x> {}", 1, 4, "tags"), ("a: b\n<<: {c: d}", 2, 1, "merge keys"),
      ("a: b\nc: d\na: e", 3, 1, "stands twice, first in line 1"),
      ("{a: b, a: c}", 1, 8, "stands twice"), ("? [a]\n: b", 1, 3, "a key must be a word"),
      ("%YAML 1.1\n---\na: b", 1, 1, "begins with %"),
      ("%TAG ! x\n---\na: b", 1, 1, "begins with %"),
      ("a: b\n---\nc: d", 2, 1, "a second document"), ("--- a\n--- b", 2, 1, "a second document"),
      ("", 1, 1, "says nothing"), ("# only a comment\n", 2, 1, "says nothing"),
      ("a: b\n\tc: d", 2, 1, "tab"), ("a: [b", 1, 6, "did not find"),
      ("a: b: c", 1, 5, "mapping values are not allowed"), ("a: 'b", 1, 6, "quoted scalar"),
      ("a: \"\\q\"", 1, 5, "unknown escape"), ("a:\n\tb: c", 2, 1, "cannot start any token"),
      ("a: \u{1}", 1, 4, "control characters"), ("a: \"\\0\"", 1, 4, "NUL"),
      ("a: b\n\u{0}c: d", 2, 1, "control characters"), ("a: @b", 1, 4, "cannot start any token"),
    ] as [(String, Int, Int, String)])
  func refused(text: String, line: Int, column: Int, reason: String) {
    let found = error(in: text)
    #expect(found?.mark == at(line, column))
    #expect(found?.reason.contains(reason) == true, "\(String(describing: found))")
  }

  @Test("Bytes that are no UTF-8 are refused where they stand")
  func encoding() {
    func mark(_ bytes: [UInt8]) -> YAMLMark? { error(in: bytes)?.mark }
    #expect(mark(Array("a: é\nb: ".utf8) + [0xFF]) == at(2, 4))
    #expect(mark(Array("a: b".utf8) + [0xC3]) == at(1, 5))
    #expect(mark([0xFF, 0xFE, 0x61, 0x00]) == at(1, 1))
  }

  @Test("A billion laughs end at the first")
  func laughs() {
    let text = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"
    #expect(error(in: text)?.mark == at(1, 4))
  }

  @Test("Depth is bounded, in both styles")
  func depth() throws {
    let limit = YAMLReader.maximalDepth
    func flow(_ depth: Int) -> String {
      String(repeating: "[", count: depth - 1) + "x" + String(repeating: "]", count: depth - 1)
    }
    _ = try YAMLReader.read(text: flow(limit))
    #expect(error(in: flow(limit + 1))?.mark == at(1, limit + 1))
    #expect(error(in: flow(20_000))?.reason.contains("deep") == true)
    let block = (0..<2000).map { String(repeating: " ", count: $0) + "a:" }.prefix(200)
    #expect(error(in: block.joined(separator: "\n"))?.reason.contains("deep") == true)
    #expect(error(in: String(repeating: "- ", count: 20_000) + "x")?.mark == at(1, 2 * limit + 1))
  }

  @Test("Sizes are bounded")
  func sizes() throws {
    let text = String(repeating: "x", count: YAMLReader.maximalScalarBytes)
    _ = try YAMLReader.read(text: "a: \(text)")
    #expect(error(in: "a: \(text)x")?.mark == at(1, 4))
    #expect(error(in: "\(text)x: a")?.mark == at(1, 1))
    let comment = String(repeating: "#\n", count: YAMLReader.maximalBytes / 2)
    #expect(error(in: comment)?.reason == "the file says nothing")
    #expect(error(in: comment + "#")?.reason.contains("64 KiB") == true)
  }

  @Test("Damaged text is an error or a tree, and never anything else")
  func damage() {
    let whole = Array("source:\n  inputs: [a, \"b\\n\"]\nemit:\n  - {file: 'x'}\n".utf8)
    var random = TestRandom(seed: 20_260_504)
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<random.integer(1...4) {
        bytes[random.integer(0...bytes.count - 1)] = UInt8(random.integer(0...255))
      }
      guard let error = error(in: bytes) else { continue }
      let why = Comment(rawValue: "\(bytes), \(random.describe)")
      #expect(error.mark.line >= 1 && error.mark.line <= 6 && error.mark.column >= 1, why)
      #expect(!error.reason.isEmpty, why)
    }
  }

  private func error(in text: String) -> YAMLError? { error(in: Array(text.utf8)) }

  private func error(in bytes: [UInt8]) -> YAMLError? {
    do {
      _ = try YAMLReader.read(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func at(_ line: Int, _ column: Int) -> YAMLMark { YAMLMark(line: line, column: column) }

  private func scalar(_ text: String, _ line: Int, _ column: Int) -> YAMLNode {
    YAMLNode(content: .scalar(text), mark: at(line, column))
  }

  private func mapping(
    _ line: Int, _ column: Int, _ entries: [(String, Int, Int, YAMLNode)]
  ) -> YAMLNode {
    YAMLNode(
      content: .mapping(
        entries.map { YAMLNode.Entry(key: $0, mark: at($1, $2), value: $3) }),
      mark: at(line, column))
  }
}

extension YAMLReader {
  fileprivate static func read(text: String) throws(YAMLError) -> YAMLNode {
    try read(Array(text.utf8))
  }
}
