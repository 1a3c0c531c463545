import Foundation

/// A page of the documentation, as it stands in the repository.
struct Page {
  /// Its path in the repository.
  let path: String
  /// Its text.
  let text: String

  /// The folder of Package.swift.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Reads a page.
  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// Every page that people read: those at the top, and all under `Docs` and `Samples`.
  static func all() throws -> [Page] {
    let top = try FileManager.default.contentsOfDirectory(atPath: root.path)
      .filter { $0.hasSuffix(".md") }
    let below = ["Docs", "Samples"].flatMap { folder in
      (FileManager.default.enumerator(atPath: root.appending(path: folder).path)?
        .compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }
    return try (top + below).sorted().map(Page.init)
  }

  /// The lines, without those of code blocks.
  var prose: [Substring] {
    var isCode = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if line.hasPrefix("```") {
        isCode.toggle()
        return false
      }
      return !isCode
    }
  }

  /// The headings, without their marks.
  var headings: [String] {
    prose.filter { $0.hasPrefix("#") }
      .map { $0.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces) }
  }

  /// The names by which links reach the headings, as GitHub makes them.
  var anchors: Set<String> {
    Set(
      headings.map { heading in
        heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
          .replacingOccurrences(of: " ", with: "-")
      })
  }

  /// The targets of links and pictures.
  var links: [String] {
    prose.flatMap { line in line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) } }
  }

  /// Whether the page names something as code.
  func names(_ word: String) -> Bool { text.contains("`\(word)`") }
}
