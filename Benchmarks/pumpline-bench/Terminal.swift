import Foundation

/// Where this tool writes to and how it ends.
enum Terminal {
  static func say(_ text: String) { write(text, to: .standardOutput) }

  static func fail(_ text: String) -> Never {
    write(text, to: .standardError)
    exit(64)
  }

  private static func write(_ text: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data((text + "\n").utf8))
  }
}
