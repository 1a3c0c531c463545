import Foundation
import Testing

@testable import pumpline

/// The renderings of the description: what people read and what shells run.
@Suite struct HelpTests {
  private static let style = TextStyle(isColored: false, isUnicode: true, width: 80)

  @Test func overview() throws {
    try expectSnapshot(
      HelpPage(style: Self.style, isLong: false).text(for: nil), snapshotPath("help.txt"))
  }

  @Test(arguments: Catalog.commands.map(\.name))
  func command(name: String) throws {
    let command = try #require(Catalog.command(named: name))
    let short = HelpPage(style: Self.style, isLong: false).text(for: command)
    let long = HelpPage(style: Self.style, isLong: true).text(for: command)
    try expectSnapshot(short, snapshotPath("help-\(name)-short.txt"))
    try expectSnapshot(long, snapshotPath("help-\(name).txt"))
  }

  @Test(arguments: [50, 80, 100])
  func keepsToItsWidth(width: Int) {
    let page = HelpPage(style: TextStyle(width: width), isLong: true)
    for command in Catalog.commands {
      for line in page.text(for: command).split(separator: "\n") where !line.hasPrefix("  ") {
        #expect(line.count <= width, "\(line)")
      }
    }
  }

  @Test func referencePageIsCurrent() throws {
    try expectSnapshot(ReferencePage.text(), "Docs/CLI.md")
  }

  @Test func manualIsCurrent() throws {
    try expectSnapshot(ManualPage.text(), "Docs/pumpline.1")
  }

  @Test(arguments: Shell.allCases)
  func completions(shell: Shell) throws {
    try expectSnapshot(
      shell.script(for: Catalog.commands), snapshotPath("completions.\(shell.rawValue)"))
  }

  @Test(arguments: [
    ("pumpline co", "convert completions"), ("pumpline convert --ze", "--zero-basal"),
    ("pumpline convert --clock r", "records"), ("pumpline help i", "inspect"),
    ("pumpline convert a --to s", "sqlite samples"),
  ])
  func bashCompletes(line: String, expected: String) throws {
    let script =
      Shell.bash.script(for: Catalog.commands) + """
        COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _pumpline
        echo "${COMPREPLY[*]}"
        """
    let answer = try output(of: ["bash", "--norc", "-c", script])
    #expect(answer.text == expected + "\n")
  }

  /// Whoever has the shells and mandoc gets them asked; 127 is env's word for a missing program.
  @Test(arguments: [
    ["bash", "-n", snapshotPath("completions.bash")],
    ["zsh", "-n", snapshotPath("completions.zsh")],
    ["fish", "--no-execute", snapshotPath("completions.fish")],
    ["mandoc", "-Tlint", "-Wwarning", "Docs/pumpline.1"],
  ])
  func theirReadersAcceptThem(command: [String]) throws {
    let answer = try output(of: command)
    #expect([0, 127].contains(answer.status), "\(answer.text)")
  }

  private func output(of command: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = packageFolder
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
