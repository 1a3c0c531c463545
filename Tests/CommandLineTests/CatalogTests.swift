import Foundation
import Pipeline
import Testing

@testable import pumpline

/// What must hold of the description of commands.
@Suite struct CatalogTests {
  @Test func namesAreUnique() {
    #expect(Set(Catalog.commands.map(\.name)).count == Catalog.commands.count)
    for command in Catalog.commands {
      let names = command.allOptions.map(\.long)
      let letters = command.allOptions.compactMap(\.short)
      #expect(Set(names).count == names.count)
      #expect(Set(letters).count == letters.count)
    }
  }

  @Test func everySummaryIsASentence() {
    let summaries =
      Catalog.commands.flatMap { command in
        [command.summary, command.arguments.summary] + command.details
          + command.allOptions.flatMap { [$0.summary, $0.details].filter { !$0.isEmpty } }
          + command.examples.map(\.purpose)
      } + ExitStatus.allCases.map(\.meaning)
    for summary in summaries {
      #expect(summary.hasSuffix("."), "\(summary)")
      #expect(summary.first?.isUppercase == true || summary.contains(":"), "\(summary)")
    }
  }

  @Test func everyCommandHasExamplesThatParse() throws {
    for command in Catalog.commands {
      #expect(!command.examples.isEmpty)
      for example in command.examples where !example.line.contains("<(") {
        let line = example.line.split(separator: " > ").first.map(String.init) ?? ""
        for command in line.components(separatedBy: " | ") where command.hasPrefix("pumpline") {
          let result = run(command)
          #expect([.ok, .rejects].contains(result.status), "\(command): \(result.error)")
        }
      }
    }
  }

  @Test func everyOptionIsUnderAHeadingAndHasWordsForItsValue() {
    for option in Catalog.commands.flatMap(\.allOptions) {
      guard let value = option.value else { continue }
      #expect(!value.placeholder.isEmpty)
      #expect(!value.form.hasSuffix("."))
    }
  }

  @Test func helpKnowsEveryCommand() {
    #expect(CommandSpec.help.arguments.values == .choices(Catalog.commands.map(\.name)))
  }
}
