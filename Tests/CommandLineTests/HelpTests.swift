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
    try expectSnapshot(short, snapshotPath("help-\(command.slug)-short.txt"))
    try expectSnapshot(long, snapshotPath("help-\(command.slug).txt"))
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
    ("pumpline convert --clock = r", "records"),
    ("pumpline convert --clock =", "auto records zone"),
    ("pumpline convert --only basal,c", "basal,carbs"), ("pumpline --color n", "never"),
    ("pumpline --quiet v", "validate"), ("pumpline run --in", "--input --insulin --include"),
    ("pumpline run Pipelines/d", "Pipelines/demo.yaml"), ("pumpline run READ", ""),
    ("pumpline validate Pi", "Pipelines"), ("pumpline convert READ", "README.md"),
    ("pumpline run a.yaml --zone Antarctica/Maw", "Antarctica/Mawson"),
    ("pumpline le", "ledger"), ("pumpline ledger ex", "export"),
    ("pumpline ledger forget p.ledger --do", "--document"),
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

  @Test(
    .enabled(if: isInstalled("fish"), "fish is not installed"),
    arguments: [
      ("pumpline ru", "run"), ("pumpline convert a --to s", "samples sqlite"),
      ("pumpline convert --only basal,c", "basal,carbs"), ("pumpline run a.yaml --inp", "--input"),
      ("pumpline run --clock=r", "--clock=records"), ("pumpline run --ledger READ", "README.md"),
      ("pumpline run Pipelines/demo.y", "Pipelines/demo.yaml"),
      ("pumpline help v", "validate verify"),
      ("pumpline run a.yaml --zone Antarctica/Maw", "Antarctica/Mawson"),
    ])
  func fishCompletes(line: String, expected: String) throws {
    let script = Shell.fish.script(for: Catalog.commands) + "complete -C '\(line)'"
    let answer = try output(of: ["fish", "--no-config", "-c", script])
    let words = answer.text.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
    #expect(words.sorted().joined(separator: " ") == expected)
  }

  @Test func bashReadsItsScript() throws {
    #expect(try output(of: ["bash", "-n", snapshotPath("completions.bash")]).status == 0)
  }

  @Test(.enabled(if: isInstalled("zsh"), "zsh is not installed"))
  func zshReadsItsScript() throws {
    #expect(try output(of: ["zsh", "-n", snapshotPath("completions.zsh")]).status == 0)
  }

  @Test(.enabled(if: isInstalled("fish"), "fish is not installed"))
  func fishReadsItsScript() throws {
    #expect(try output(of: ["fish", "-n", snapshotPath("completions.fish")]).status == 0)
  }

  @Test(.enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
  func mandocReadsTheManual() throws {
    let answer = try output(of: ["mandoc", "-Tlint", "-Wwarning", "Docs/pumpline.1"])
    #expect(answer.status == 0, "\(answer.text)")
  }

  private static func isInstalled(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
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
