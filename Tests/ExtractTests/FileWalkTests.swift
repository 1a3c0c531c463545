import Extract
import Foundation
import TestSupport
import Testing

@Suite("Documents in files, folders and pipes")
struct FileWalkTests {
  private let folder: TemporaryFolder
  private let json = Array(#"{"events":[]}"#.utf8)

  init() throws { folder = try TemporaryFolder() }

  @Test("A file that is named is direct, and an empty one unrecognised")
  func files() throws {
    let visitor = try walk([folder.write("a.json", json), folder.write("e", [])])
    #expect(visitor.lines == ["took *a.json", "ignored *e"])
    #expect(visitor.contents == [json])
  }

  @Test("A long file arrives byte for byte")
  func longFile() throws {
    let bytes = json + pseudoRandom(700_001)
    #expect(try walk([folder.write("a", bytes)]).contents == [bytes])
  }

  @Test("A folder is walked in the order of the bytes of its names, and links are passed over")
  func folders() throws {
    try folder.write("f/b.json", json)
    try folder.write("f/B.json", json)
    try folder.write("f/.DS_Store", [0, 0, 0, 1])
    try folder.write("f/c/a.zip", ArchiveBuilder.archive(.zip, [.file("m", json)]))
    try folder.write("f/z", [])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/f/link", withDestinationPath: "b.json")
    #expect(makePipe(folder.path + "/f/pipe"))
    let found = try walk([folder.path + "/f"]).lines
    #expect(
      found == [
        "ignored .DS_Store", "took B.json", "took b.json", "took a.zip › m",
        "skipped link: a symbolic link in a folder is not followed",
        "skipped pipe: a pipe in a folder is not read", "ignored z",
      ])
  }

  @Test("A damaged archive in a folder is a problem that is not direct")
  func damagedInFolder() throws {
    try folder.write("f/a.zip", Array("PK\u{3}\u{4}and nothing".utf8))
    try folder.write("f/b.json", json)
    let found = try walk([folder.path + "/f"]).lines
    #expect(
      found.count == 2 && found[0].hasPrefix("container a.zip: ") && found[1] == "took b.json")
  }

  @Test("What is missing stops the run and says what to do")
  func missing() throws {
    let error = #expect(throws: ExtractError.self) { try walk([folder.path + "/none"]) }
    #expect(error?.kind == .missing)
    #expect(
      error?.description.hasSuffix("/none does not exist. Check the spelling of the path.") == true)
    #expect(throws: ExtractError.self) { try walk([""]) }
    #expect(throws: ExtractError.self) { try walk(["a\0b"]) }
  }

  @Test("A device is not opened")
  func device() {
    let error = #expect(throws: ExtractError.self) { try walk(["/dev/zero"]) }
    #expect(error?.kind == .notAFile)
  }

  @Test("A pipe without a writer that is named reads as empty and does not wait")
  func namedPipe() throws {
    #expect(makePipe(folder.path + "/p"))
    #expect(try walk([folder.path + "/p"]).lines == ["ignored *p"])
  }

  @Test(
    "Archives are read from a pipe",
    arguments: [
      ArchiveBuilder.Format.zip, .storedZip, .tar, .sevenZip,
    ])
  func pipes(_ format: ArchiveBuilder.Format) throws {
    let bytes = ArchiveBuilder.archive(format, [.file("a", json), .file("b", json)])
    #expect(try walkPipe(bytes) == ["took 0 › a", "took 0 › b"])
  }

  @Test("A zip too long to hold is read in passing, and one cut off is noticed")
  func longZipFromPipe() throws {
    let long = json + pseudoRandom(17 << 20)
    let bytes = ArchiveBuilder.archive(.storedZip, [.file("a", long), .file("b", json)])
    #expect(try walkPipe(bytes) == ["took 0 › a", "took 0 › b"])
    let cut = try walkPipe(Array(bytes.dropLast(10)))
    #expect(cut == ["took 0 › a", "took 0 › b", "container *0: is cut off"])
  }

  @Test("A 7-Zip too long to hold says what to do")
  func longSevenZipFromPipe() throws {
    let bytes = ArchiveBuilder.archive(.sevenZip, [.file("a", json + pseudoRandom(17 << 20))])
    let found = try walkPipe(bytes)
    #expect(
      found.count == 1 && found[0].hasSuffix("(a 7-Zip of this length must be a file of its own)"))
  }

  /// Feeds bytes through a pipe, which is named as the shell names one.
  private func walkPipe(_ bytes: [UInt8]) throws -> [String] {
    let pipe = Pipe()
    let writer = Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let number = pipe.fileHandleForReading.fileDescriptor
    return try walk(["/dev/fd/\(number)"]).lines.map {
      $0.replacing("\(number) ›", with: "0 ›").replacing("*\(number)", with: "*0")
    }
  }
}

private func makePipe(_ path: String) -> Bool { unsafe mkfifo(path, 0o600) == 0 }
