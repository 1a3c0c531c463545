import Foundation

/// `scan`: reads a file and looks for every opening brace in it.
///
/// What any reader of JSON has to do at least, so the bound that `convert` is measured against.
enum Scan {
  static func run(_ arguments: Arguments) throws {
    guard let path = arguments.files.first, let handle = FileHandle(forReadingAtPath: path) else {
      throw Usage("name a file to scan")
    }
    var found = 0
    var total = 0
    while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty {
      total += piece.count
      unsafe piece.withUnsafeBytes { bytes in
        guard var next = bytes.baseAddress else { return }
        let end = unsafe next + bytes.count
        while let hit = unsafe memchr(next, 0x7B, end - next) {
          found += 1
          unsafe next = UnsafeRawPointer(hit) + 1
        }
      }
    }
    Terminal.say("\(total) bytes, \(found) braces")
  }
}
