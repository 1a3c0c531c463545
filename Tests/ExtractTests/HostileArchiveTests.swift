import Extract
import Platform
import TestSupport
import Testing

@Suite("Damaged and hostile archives")
struct HostileArchiveTests {
  private let folder: TemporaryFolder
  private let json = Array(#"{"events":[]}"#.utf8)
  private let litter = Array("a note".utf8)

  init() throws { folder = try TemporaryFolder() }

  private func lines(
    _ bytes: [UInt8], limits: InputWalker.Limits = InputWalker.Limits()
  ) throws -> [String] {
    try walk([folder.write("x", bytes)], limits: limits).lines
  }

  @Test("A member with a wrong checksum is refused and the rest is read")
  func badChecksum() throws {
    var bytes = ArchiveBuilder.archive(
      .storedZip, [.file("a", json), .file("n", litter), .file("b", json)])
    bytes.replaceFirst(Array("events".utf8), with: Array("evenTs".utf8))
    bytes.replaceFirst(Array("a note".utf8), with: Array("b note".utf8))
    let found = try lines(bytes)
    #expect(found.count == 3, "\(found)")
    #expect(found[0].hasPrefix("refused x › a: is damaged"))
    #expect(found[1...] == ["ignored x › n", "took x › b"])
  }

  @Test("A gzip stream with a wrong checksum is noticed, of a document and of a tape archive")
  func badGzip() throws {
    var bytes = ArchiveBuilder.archive(.raw, [.file("", json)], compression: .gzip)
    bytes[bytes.count - 8] ^= 1
    #expect(try lines(bytes) == ["refused *x: is damaged (wrong checksum)"])
    bytes = ArchiveBuilder.archive(.tar, [.file("a", json)], compression: .gzip)
    bytes[bytes.count - 5] ^= 1
    #expect(try lines(bytes) == ["took x › a", "container *x: is damaged (wrong checksum)"])
  }

  @Test("Joined gzip streams are read as one")
  func joinedGzip() throws {
    let one = ArchiveBuilder.archive(.raw, [.file("", json)], compression: .gzip)
    let visitor = try walk([folder.write("x", one + one)])
    #expect(visitor.lines == ["took *x"] && visitor.contents == [json + json])
  }

  @Test("What follows a gzip stream and is none is noticed: it may be the rest of the document")
  func badJoint() throws {
    let one = ArchiveBuilder.archive(.raw, [.file("", json)], compression: .gzip)
    var other = one
    other[1] ^= 1
    for tail in [other, [0, 0, 0, 0] + one, Array(one.prefix(8)), [0], Array("x".utf8)] {
      #expect(
        try lines(one + tail) == [
          "refused *x: is damaged (bytes after the end of what is compressed)"
        ])
    }
    let inner = ArchiveBuilder.archive(.zip, [.file("a.gz", one + other), .file("b", json)])
    let found = try lines(inner)
    #expect(found.count == 2 && found[0].contains("is damaged") && found[1] == "took x › b")
  }

  @Test("A member that cannot be unpacked is refused and the rest of a zip is read")
  func badStream() throws {
    let long = json + Array(String(repeating: "0123456789,", count: 30_000).utf8)
    var bytes = ArchiveBuilder.archive(
      .zip, [.file("a", long), .file("b", json), .file("c", json)])
    for index in 300..<360 { bytes[index] = 0xFF }
    let found = try lines(bytes)
    #expect(found.count == 3, "\(found)")
    #expect(found[0].contains("x › a: is damaged"))
    #expect(found[1...] == ["took x › b", "took x › c"])
    let streamed = try lines(
      ArchiveBuilder.archive(.tar, [.file("i.zip", bytes), .file("d", json)]))
    #expect(streamed.last == "took x › d", "\(streamed)")
  }

  @Test("A zip cut off before its directory cannot be opened")
  func cutZip() throws {
    let bytes = ArchiveBuilder.archive(.storedZip, [.file("a", json), .file("b", json)])
    for count in [bytes.count - 22, 120, 60, 5] {
      let found = try lines(Array(bytes.prefix(count)))
      #expect(found.count == 1 && found[0].hasPrefix("container *x: "), "\(count): \(found)")
    }
  }

  @Test(
    "A tape archive cut off is one problem and its last member is lost",
    arguments: [
      ArchiveBuilder.Compression.none, .gzip, .xz, .zstd,
    ])
  func cutTar(_ compression: ArchiveBuilder.Compression) throws {
    let bytes = ArchiveBuilder.archive(
      .tar, [.file("a", json), .file("b", json + pseudoRandom(400_000))], compression: compression)
    let found = try lines(Array(bytes.prefix(300_000)))
    #expect(found.count == 3, "\(found)")
    #expect(found[..<2] == ["took x › a", "lost x › b"])
    #expect(found[2].hasPrefix("container *x: is cut off"), "\(found)")
  }

  @Test(
    "A tape archive cut off between two members is one problem, though each is whole",
    arguments: [ArchiveBuilder.Compression.none, .gzip])
  func cutBetween(_ compression: ArchiveBuilder.Compression) throws {
    let bytes = ArchiveBuilder.archive(.tar, [.file("a", json), .file("b", litter)])
    func found(_ count: Int) throws -> [String] {
      let cut = Array(bytes.prefix(count))
      guard compression != .none else { return try lines(cut) }
      return try lines(
        ArchiveBuilder.archive(.raw, [.file("", cut)], compression: compression))
    }
    #expect(try found(1024) == ["took x › a", "container *x: is cut off"])
    #expect(try found(2048) == ["took x › a", "ignored x › b", "container *x: is cut off"])
    // One block of zeros is an end.
    #expect(try found(2048 + 512) == ["took x › a", "ignored x › b"])
  }

  @Test("Tape archives joined to one file are all read, with zeros between them or without")
  func joinedTar() throws {
    let first = ArchiveBuilder.archive(.tar, [.file("a", json)])
    let second = ArchiveBuilder.archive(.tar, [.file("b", json)])
    let expected = ["took x › a", "took x › b"]
    #expect(try lines(first + second) == expected)
    #expect(try lines(Array(first.prefix(1024)) + second) == expected)
    #expect(try lines(Array(first.prefix(1536)) + second) == expected)
    let compressed = ArchiveBuilder.archive(
      .raw, [.file("", first + second)], compression: .gzip)
    #expect(try lines(compressed) == expected)
  }

  @Test("The oldest tape archives are told by the sum in their header, which no text has by chance")
  func oldTar() throws {
    var bytes = ArchiveBuilder.archive(.tar, [.file("a", json)])
    for index in 257..<512 { bytes[index] = 0 }
    func sign() {
      for index in 148..<156 { bytes[index] = 0x20 }
      let sum = bytes[..<512].reduce(0) { $0 + Int($1) }
      bytes.replaceSubrange(
        148..<154, with: Array(("000000" + String(sum, radix: 8)).suffix(6).utf8))
      bytes[154] = 0
    }
    sign()
    #expect(try lines(bytes) == ["took x › a"])
    bytes[150] ^= 1
    #expect(try lines(bytes) == ["ignored *x"])
  }

  @Test("What follows a tape archive and is none is noticed")
  func litterBehindTar() throws {
    let first = ArchiveBuilder.archive(.tar, [.file("a", json)])
    let found = try lines(first + pseudoRandom(2000))
    #expect(found.count == 2 && found[0] == "took x › a", "\(found)")
    #expect(found[1].hasPrefix("container *x: is "), "\(found)")
  }

  @Test("Zips joined to one file are one problem, since only the last would be read")
  func joinedZip() throws {
    let first = ArchiveBuilder.archive(.zip, [.file("a", json)])
    let second = ArchiveBuilder.archive(.zip, [.file("b", json)])
    let found = try lines(first + second)
    #expect(found.count == 1, "\(found)")
    #expect(found[0].hasPrefix("container *x: is damaged (another zip lies before it"), "\(found)")
    // Also where the first holds nothing, or the second stands in the comment of the first.
    let empty = ArchiveBuilder.archive(.zip, [])
    var commented = first
    commented[first.count - 2] = UInt8(empty.count)
    for bytes in [empty + second, commented + empty] {
      #expect(try lines(bytes) == found, "\(bytes.count) bytes")
    }
    // And where the second is cut off, so that the first would be read, or something else follows.
    for rest in [Array(second.dropLast(22)), Array("\n".utf8), json] {
      #expect(try lines(first + rest) == ["container *x: is damaged (bytes after its end)"])
    }
    // A zip that another one holds as it is ends before its own end.
    let outer = ArchiveBuilder.archive(.storedZip, [.file("i.zip", second), .file("a", json)])
    #expect(try lines(outer) == ["took x › i.zip › b", "took x › a"])
  }

  @Test("A tape archive with a damaged header is one problem")
  func damagedTar() throws {
    var bytes = ArchiveBuilder.archive(.tar, [.file("a", json), .file("b", json)])
    let second = try #require((1024..<bytes.count).first { bytes[$0] == UInt8(ascii: "b") })
    bytes[second] = UInt8(ascii: "c")
    let found = try lines(bytes)
    #expect(found.count == 2 && found[0] == "took x › a", "\(found)")
    #expect(found[1].hasPrefix("container *x: is damaged"))
  }

  @Test("What breaks inside a broken archive is told once")
  func cutAround() throws {
    let inner = ArchiveBuilder.archive(.tar, [.file("b", json + pseudoRandom(400_000))])
    let bytes = ArchiveBuilder.archive(.tar, [.file("i", inner)], compression: .gzip)
    let found = try lines(Array(bytes.prefix(200_000)))
    #expect(found.count == 2, "\(found)")
    #expect(found[0] == "lost x › i › b" && found[1].hasPrefix("container *x: is cut off"))
  }

  @Test("A member with a password is one problem and the rest is read")
  func password() throws {
    let bytes = ArchiveBuilder.archive(.zip, [.file("a", json)], password: "secret")
    #expect(try lines(bytes) == ["member x › a: needs a password"])
  }

  @Test("Members with names that lead outside are refused if they are ours")
  func unsafeNames() throws {
    let names = ["../a", "/etc/a", #"C:\a"#, #"..\a"#, #"d\..\..\a"#, #"\\host\a"#, "d/../a"]
    for format in [ArchiveBuilder.Format.zip, .tar] {
      let bytes = ArchiveBuilder.archive(
        format, names.map { .file($0, json) } + [.file("../n", litter), .file("..a/b..", json)])
      let found = try lines(bytes)
      #expect(found.count == names.count + 2, "\(found)")
      for line in found.prefix(names.count) {
        #expect(
          line.hasPrefix("refused ") && line.hasSuffix(": has a name that leads out of its archive")
        )
      }
      #expect(found.suffix(2) == ["ignored x › ../n", "took x › ..a/b.."])
    }
  }

  @Test("An archive under an unsafe name is not opened")
  func unsafeArchive() throws {
    let inner = ArchiveBuilder.archive(.zip, [.file("b", json)])
    let found = try lines(ArchiveBuilder.archive(.zip, [.file("../i", inner)]))
    #expect(found == ["member x › ../i: has a name that leads out of its archive"])
  }

  @Test("Links in archives are problems and are not followed")
  func links() throws {
    let bytes = ArchiveBuilder.archive(
      .tar, [.link("a", to: "/etc/passwd"), .file("b", json), .hardLink("c", to: "b")])
    let reason = "is a link; links are not followed"
    #expect(
      try lines(bytes) == ["member x › a: \(reason)", "took x › b", "member x › c: \(reason)"])
  }

  @Test(
    "A member that expands too far is refused and the rest is read",
    arguments: [
      ArchiveBuilder.Format.zip, .tar, .sevenZip,
    ])
  func bomb(_ format: ArchiveBuilder.Format) throws {
    let bomb = json + [UInt8](repeating: 0, count: 40 << 20)
    let bytes = ArchiveBuilder.archive(
      format, [.file("a", bomb), .file("b", json)], compression: format == .tar ? .gzip : .none)
    let found = try lines(bytes)
    #expect(found == ["refused x › a: expands beyond 200 times its size or 16 GiB", "took x › b"])
  }

  @Test("What expands no further than 16 MiB is free of the ratio")
  func smallBomb() throws {
    let bytes = ArchiveBuilder.archive(
      .raw, [.file("", json + [UInt8](repeating: 0, count: 16_000_000))], compression: .gzip)
    #expect(try lines(bytes) == ["took *x"])
  }

  @Test("A bomb in passing, of one stream, ends")
  func streamBomb() throws {
    let bytes = ArchiveBuilder.archive(
      .raw, [.file("", json + [UInt8](repeating: 0, count: 60 << 20))], compression: .zstd)
    #expect(try lines(bytes) == ["refused *x: expands beyond 200 times its size or 16 GiB"])
  }

  @Test("A member beyond the longest length is refused")
  func longMember() throws {
    var limits = InputWalker.Limits()
    limits.member.memberBytes = 600_000
    let bytes = ArchiveBuilder.archive(
      .tar, [.file("a", json + [UInt8](repeating: 0, count: 700_000)), .file("b", json)])
    #expect(try lines(bytes, limits: limits).last == "took x › b")
    #expect(try lines(bytes, limits: limits)[0].hasPrefix("refused x › a: expands"))
  }

  @Test("Too many entries and too many bytes stop the run")
  func tooLarge() throws {
    let bytes = ArchiveBuilder.archive(.tar, (0..<20).map { .file("\($0)", json) })
    var entries = InputWalker.Limits()
    entries.inputEntries = 19
    var length = InputWalker.Limits()
    length.inputBytes = 19 * UInt64(json.count)
    for limits in [entries, length] {
      let error = #expect(throws: ExtractError.self) { try lines(bytes, limits: limits) }
      #expect(error?.kind == .tooLarge)
    }
    entries.inputEntries = 20
    #expect(try lines(bytes, limits: entries).count == 20)
  }

  @Test("An xz that asks for more than 128 MiB of dictionary is refused")
  func dictionary() throws {
    var bytes = ArchiveBuilder.archive(.raw, [.file("", json)], compression: .xz)
    // The block header's filter: id 0x21, one byte of properties.
    let filter = try #require(
      bytes[12..<24].indices.first { bytes[$0] == 0x21 && bytes[$0 + 1] == 1 })
    bytes[filter + 2] = 31
    #expect(try lines(bytes) == ["container *x: needs more than 128 MiB of memory to unpack"])
  }

  @Test("A zstd that asks for more than 128 MiB of window is refused")
  func window() throws {
    // Magic, a descriptor without a length, a window of 2^31 bytes, one last raw block of a byte.
    let bytes: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 21 << 3, 9, 0, 0, 0x7B]
    let found = try lines(bytes)
    let expected = "container *x: needs more than 128 MiB of memory to unpack"
    #expect(found.count == 1 && found[0].hasPrefix(expected), "\(found)")
  }

  @Test("Names cannot move the cursor of a terminal")
  func names() throws {
    let bytes = ArchiveBuilder.archive(.tar, [.file("a\u{1B}[2J\n\u{202E}b", json)])
    #expect(try lines(bytes) == ["took x › a\u{FFFD}[2J\u{FFFD}\u{FFFD}b"])
  }

  @Test("No mutation of an archive makes a walk fail", arguments: 0..<6)
  func mutations(_ kind: Int) throws {
    let entries: [ArchiveBuilder.Entry] = [.file("a", json), .file("n", litter), .file("b", json)]
    let original =
      switch kind {
      case 0: ArchiveBuilder.archive(.zip, entries)
      case 1: ArchiveBuilder.archive(.sevenZip, entries)
      case 2: ArchiveBuilder.archive(.tar, entries, compression: .gzip)
      case 3: ArchiveBuilder.archive(.tar, entries, compression: .xz)
      case 4: ArchiveBuilder.archive(.tar, entries, compression: .zstd)
      default:
        ArchiveBuilder.archive(.tar, [.file("i", ArchiveBuilder.archive(.storedZip, entries))])
      }
    let noise = pseudoRandom(600)
    for round in 0..<150 {
      var bytes = original
      let place = (Int(noise[round * 3]) << 8 | Int(noise[round * 3 + 1])) % bytes.count
      bytes[place] = noise[round * 3 + 2]
      if round % 5 == 0 { bytes = Array(bytes.prefix(place)) }
      _ = try lines(bytes)
    }
  }
}

extension [UInt8] {
  /// Replaces the first place where some bytes stand by as many others.
  mutating func replaceFirst(_ old: [UInt8], with new: [UInt8]) {
    guard count >= old.count else { return }
    for start in 0...(count - old.count) where self[start..<start + old.count].elementsEqual(old) {
      replaceSubrange(start..<start + old.count, with: new)
      return
    }
  }
}
