import Extract
import TestSupport
import Testing

@Suite("Documents in archives")
struct ArchiveWalkTests {
  private let folder: TemporaryFolder
  private let json = Array(#"{"events":[]}"#.utf8)
  private let litter = Array("a note".utf8)

  init() throws { folder = try TemporaryFolder() }

  private func lines(
    _ name: String, _ bytes: [UInt8], limits: InputWalker.Limits = InputWalker.Limits()
  ) throws -> [String] {
    try walk([folder.write(name, bytes)], limits: limits).lines
  }

  @Test(
    "Members are read and litter is ignored, whatever the archive is called",
    arguments: [ArchiveBuilder.Format.zip, .storedZip, .tar, .sevenZip])
  func members(_ format: ArchiveBuilder.Format) throws {
    // Without a locale, the writer knows no other names for 7-Zip.
    let last = format == .sevenZip ? "e.json" : "é.json"
    let bytes = ArchiveBuilder.archive(
      format,
      [.folder("d/"), .file("d/a.json", json), .file("n.txt", litter), .file(last, json)])
    let expected = ["took x › d/a.json", "ignored x › n.txt", "took x › \(last)"]
    let found = try lines("x", bytes)
    #expect(found.sorted() == expected.sorted())
  }

  @Test("A compressed tape archive is one level", arguments: ArchiveBuilder.Compression.allCases)
  func compressedTar(_ compression: ArchiveBuilder.Compression) throws {
    let inner = ArchiveBuilder.archive(.zip, [.file("b.json", json)])
    let bytes = ArchiveBuilder.archive(
      .tar, [.file("a.json", json), .file("i.zip", inner)], compression: compression)
    #expect(try lines("x", bytes) == ["took x › a.json", "took x › i.zip › b.json"])
  }

  @Test(
    "A document compressed on its own is the document that was named",
    arguments: [ArchiveBuilder.Compression.gzip, .xz, .zstd])
  func compressedDocument(_ compression: ArchiveBuilder.Compression) throws {
    let bytes = ArchiveBuilder.archive(.raw, [.file("", json)], compression: compression)
    #expect(try lines("x.json.gz", bytes) == ["took *x.json.gz"])
    let cut = ArchiveBuilder.archive(
      .raw, [.file("", json + pseudoRandom(200_000))], compression: compression
    ).dropLast(1000)
    let found = try lines("y", Array(cut))
    #expect(found.count == 1 && found[0].hasPrefix("refused *y: is "), "\(found)")
  }

  @Test("An empty document compressed on its own is unrecognised")
  func compressedNothing() throws {
    let bytes = ArchiveBuilder.archive(.raw, [.file("", [])], compression: .gzip)
    #expect(try lines("x", bytes) == ["ignored *x"])
  }

  @Test("One archive inside another is read, and what lies deeper is one problem")
  func nested() throws {
    let third = ArchiveBuilder.archive(.zip, [.file("3.json", json)])
    let second = ArchiveBuilder.archive(.zip, [.file("2.json", json), .file("third.zip", third)])
    let first = ArchiveBuilder.archive(.zip, [.file("s.zip", second), .file("1.json", json)])
    let found = try lines("x", first)
    #expect(found[0] == "took x › s.zip › 2.json")
    #expect(found[1].hasPrefix("member x › s.zip › third.zip: lies in an archive in an archive"))
    #expect(found[2] == "took x › 1.json")
    #expect(found.count == 3)
  }

  @Test(
    "Every kind of archive is read inside another",
    arguments: [ArchiveBuilder.Format.zip, .storedZip, .tar, .sevenZip])
  func nestedKinds(_ format: ArchiveBuilder.Format) throws {
    let inner = ArchiveBuilder.archive(format, [.file("a.json", json), .file("n", litter)])
    let bytes = ArchiveBuilder.archive(.tar, [.file("i", inner)], compression: .gzip)
    #expect(try lines("x", bytes) == ["took x › i › a.json", "ignored x › i › n"])
  }

  @Test("Compression in compression counts levels too")
  func nestedStreams() throws {
    let once = ArchiveBuilder.archive(.raw, [.file("", json)], compression: .gzip)
    let twice = ArchiveBuilder.archive(.raw, [.file("", once)], compression: .gzip)
    let thrice = ArchiveBuilder.archive(.raw, [.file("", twice)], compression: .gzip)
    #expect(try lines("x", twice) == ["took *x"])
    let found = try lines("y", thrice)
    #expect(found.count == 1 && found[0].hasPrefix("member *y: lies in an archive in an archive"))
  }

  @Test("An empty archive holds nothing")
  func empty() throws {
    for format in [ArchiveBuilder.Format.zip, .sevenZip] {
      let found = try lines("x", ArchiveBuilder.archive(format, []))
      #expect(found == [], "\(format)")
    }
  }

  @Test("Content arrives byte for byte")
  func content() throws {
    let big = json + pseudoRandom(1_500_000)
    for format in [ArchiveBuilder.Format.zip, .storedZip, .tar, .sevenZip] {
      let inner = ArchiveBuilder.archive(format, [.file("a", big), .file("b", json)])
      let outer = ArchiveBuilder.archive(.zip, [.file("i", inner)])
      let visitor = try walk([folder.write("x", inner), folder.write("y", outer)])
      #expect(visitor.contents == [big, json, big, json], "\(format)")
    }
  }

  @Test("A known archive is not opened")
  func known() throws {
    let visitor = RecordingVisitor()
    visitor.refusesArchives = true
    let bytes = ArchiveBuilder.archive(.zip, [.file("a", json)])
    try InputWalker(visitor: visitor).walk(folder.write("x", bytes))
    #expect(visitor.lines == [])
  }
}

/// Bytes that no compression makes shorter, the same every time.
func pseudoRandom(_ count: Int) -> [UInt8] {
  var state: UInt64 = 88_172_645_463_325_252
  var words: [UInt64] = []
  words.reserveCapacity(count / 8 + 1)
  for _ in 0...(count / 8) {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    words.append(state)
  }
  return unsafe words.withUnsafeBytes { unsafe Array($0.prefix(count)) }
}
