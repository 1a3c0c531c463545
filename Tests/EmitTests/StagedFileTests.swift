import Foundation
import Platform
import Testing

@Suite struct StagedFileTests {
  private func write(_ text: String, to file: some OutputFile) throws {
    var buffer = ByteBuffer()
    buffer.append(utf8: text)
    try buffer.flush(to: file)
  }

  @Test func `a target keeps its old content until the file is published`() throws {
    let folder = try TestFolder()
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.file("x")))
    let file = try StagedFile(.file(folder.file("x")))
    try write("new", to: file)
    try file.seal()
    #expect(try folder.text("x") == "old")
    try file.publish()
    #expect(try folder.text("x") == "new")
    file.discard()
    #expect(try folder.names == ["x"])
  }

  @Test func `a link stays and what it points to is replaced`() throws {
    let folder = try TestFolder()
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.file("real")))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: "real")
    let file = try StagedFile(.file(folder.file("link")))
    try write("new", to: file)
    try file.publish()
    #expect(try folder.text("real") == "new")
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link"))
    #expect(target == "real")
  }

  @Test func `what is no regular file is refused`() throws {
    let folder = try TestFolder()
    _ = try run("mkfifo", [folder.file("fifo")])
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("nowhere"), withDestinationPath: "missing/away")
    let paths = ["", "/", folder.path, folder.file("fifo"), folder.file("nowhere")]
    for path in paths + [folder.file("none/x"), folder.file("x/"), "a\0b"] {
      #expect("\(path)") {
        try OutputTarget.file(path).check()
      } throws: { error in
        if case .cannotCreate = error as? OutputError { true } else { false }
      }
      #expect(throws: OutputError.self) { _ = try StagedFile(.file(path)) }
    }
    #expect(try folder.names == ["fifo", "nowhere"])
  }

  @Test func `what a dead run without a ledger left is removed by the next, and nothing else`()
    throws
  {
    let folder = try TestFolder()
    let living = try StagedFile(.file(folder.file("x")))
    try write("new", to: living)
    let living2 = try StagedFile(.file(folder.file("y")), owner: "0123")
    let database = try StagedFile(.file(folder.file("z")), isLocked: false)
    let own = try folder.names
    #expect(own.count == 3)
    // A process that died holds no locks.
    let others = [
      ".pumpline-run-7.partial", ".pumpline-7.partial", ".pumpline-00ff-7.partial",
      "pumpline-run-7.partial", ".pumpline-run-8.txt",
    ]
    for name in others { try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file(name))) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(".pumpline-run-9.partial"), withDestinationPath: "pumpline-run-7.partial")
    try FileManager.default.createDirectory(
      atPath: folder.file(".pumpline-run-10.partial"), withIntermediateDirectories: false)
    let next = try StagedFile(.file(folder.file("x")))
    next.discard()
    let left =
      own + others.dropFirst() + [".pumpline-run-9.partial", ".pumpline-run-10.partial"]
    #expect(try folder.names == left.sorted())
    try living.publish()
    #expect(try folder.text("x") == "new")
    living2.discard()
    database.discard()
  }

  @Test func `a full device is named with what to do`() throws {
    let descriptor = unsafe open("/dev/full", O_WRONLY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let file = StagedFile(descriptor: descriptor, name: "out/export.xml")
    #expect {
      try write("text", to: file)
    } throws: { error in
      error as? OutputError == .outOfSpace(path: "out/export.xml")
        && "\(error)".contains("out/export.xml") && "\(error)".contains("free some")
    }
  }

  @Test func `a reader that is gone is an error of its own`() throws {
    let pipe = Pipe()
    let file = StagedFile(descriptor: pipe.fileHandleForWriting.fileDescriptor, name: "-")
    try pipe.fileHandleForReading.close()
    #expect(throws: OutputError.brokenPipe) { try write("text", to: file) }
  }

  @Test func `rows longer than the buffer make it grow`() throws {
    let output = CollectedOutput()
    var buffer = ByteBuffer()
    let long = [UInt8](repeating: 120, count: 3 * ByteBuffer.size)
    buffer.append(long)
    buffer.append("end")
    try buffer.drain(to: output)
    let left = buffer.count
    #expect(output.bytes.count == long.count + 3)
    #expect(left == 0)
  }

  @Test func `a failure below an archive comes out of it`() throws {
    let descriptor = unsafe open("/dev/full", O_WRONLY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let file = StagedFile(descriptor: descriptor, name: "x.zip")
    #expect(throws: OutputError.outOfSpace(path: "x.zip")) {
      let archive = try ZipWriter(
        to: file, name: "x.zip", entry: "x", date: ZipDate(unixSeconds: 0, offset: 0))
      try write("text", to: archive)
      try archive.seal()
    }
  }
}
