import Foundation

/// A file that is written in large pieces; `-` is standard output.
struct OutputFile {
  /// What is not written yet; append to it, then call `flushIfLarge`.
  var pending: [UInt8] = []
  private let handle: FileHandle

  init(_ path: String) throws {
    pending.reserveCapacity(1 << 20)
    if path == "-" {
      handle = .standardOutput
      return
    }
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw Usage("cannot write to \(path)") }
    self.handle = handle
  }

  mutating func flushIfLarge() throws {
    if pending.count > 1_000_000 { try flush() }
  }

  mutating func flush() throws {
    try handle.write(contentsOf: Data(pending))
    pending.removeAll(keepingCapacity: true)
  }
}
