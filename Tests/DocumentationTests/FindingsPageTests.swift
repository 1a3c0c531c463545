import Foundation
import PumpModel
import Testing

@Suite("Docs/Findings.md and the closed list of findings")
struct FindingsPageTests {
  @Test("has a section for each code, in order")
  func sections() throws {
    let sections = try Page("Docs/Findings.md").text.components(separatedBy: "\n## ").dropFirst()
    let names = sections.map { $0.prefix { $0 != "\n" } }
    #expect(names.map(String.init) == FindingCode.allCases.map { "`\($0.rawValue)`" })
  }

  @Test("begins with a table of all codes, as the source has them")
  func table() throws {
    let page = try Page("Docs/Findings.md")
    let lines = FindingCode.allCases.map { code in
      "| [`\(code.rawValue)`](#\(code.rawValue)) | \(code.severity.rawValue) |\n"
    }
    let head = "| finding | severity |\n|---|---|\n"
    let parts = page.text.components(separatedBy: head)
    try #require(parts.count == 2)
    let table = parts[1].components(separatedBy: "\n\n")[0] + "\n"
    guard table != lines.joined() else { return }
    if ProcessInfo.processInfo.environment["PUMPLINE_RECORD"] != nil {
      let text = parts[0] + head + lines.joined() + parts[1].dropFirst(table.count)
      try text.write(
        to: Page.root.appending(path: page.path), atomically: true, encoding: .utf8)
    }
    Issue.record("the table is not that of FindingCode; PUMPLINE_RECORD=1 makes it anew")
  }

  @Test("says the severity of each", arguments: FindingCode.allCases)
  func severity(_ code: FindingCode) throws {
    let section = try section(of: code)
    #expect(section.hasPrefix("\n\nSeverity: \(code.severity.rawValue).\n"))
  }

  @Test("says what each means, why it matters and what to do", arguments: FindingCode.allCases)
  func questions(_ code: FindingCode) throws {
    let section = try section(of: code)
    for question in ["What it means.", "Why it matters.", "What to do."] {
      #expect(section.contains("**\(question)**"), "\(code.rawValue) lacks: \(question)")
    }
  }

  private func section(of code: FindingCode) throws -> String {
    let parts = try Page("Docs/Findings.md").text.components(
      separatedBy: "\n## `\(code.rawValue)`")
    let section = try #require(parts.count == 2 ? parts[1] : nil, "no section \(code.rawValue)")
    return section.components(separatedBy: "\n## ")[0]
  }
}
