/// The options and files of a command; options are pairs of a name and a value.
struct Arguments {
  private var options: [String: String] = [:]
  private(set) var files: [String] = []

  init(_ words: some Sequence<String>) throws {
    var iterator = words.makeIterator()
    while let word = iterator.next() {
      guard word.hasPrefix("--") else {
        files.append(word)
        continue
      }
      guard let value = iterator.next() else { throw Usage("\(word) needs a value") }
      options[String(word.dropFirst(2))] = value
    }
  }

  func text(_ name: String, default value: String) -> String { options[name] ?? value }

  func integer(_ name: String) throws -> Int? {
    guard let text = options[name] else { return nil }
    guard let value = Int(text), value >= 0 else { throw Usage("--\(name) needs a number") }
    return value
  }
}

/// A wrong call.
struct Usage: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
