import Foundation
import TestSupport
import Testing

/// A ledger of its own, into which documents are imported run by run.
final class Importer {
  private let folder: TemporaryFolder
  private let options: [String]

  /// Makes an empty ledger, to which every run is given some options.
  init(_ options: [String]) throws {
    folder = try TemporaryFolder()
    self.options = options
  }

  private var url: URL { URL(filePath: folder.path) }

  /// Imports documents in one run and gives what the whole ledger then holds.
  @discardableResult
  func run(
    _ documents: [Document], options: [String] = [], environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> LedgerContent {
    for document in documents { try folder.write(document.name, document.bytes) }
    let arguments =
      ["convert"] + documents.map(\.name) + self.options + options
      + [
        "--ledger", "ledger", "--now", "2028-01-01T00:00:00Z", "--report", "report.json",
        "--to", "samples", "--output", "out.ndjson", "--to", "csv", "--output", "out.csv",
        "--to", "apple-health", "--output", "out.xml",
      ]
    let outcome = try BuiltTool.run(arguments, in: url, environment: environment)
    #expect(outcome.code == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
    return LedgerContent(
      samples: try text("out.ndjson"), csv: try text("out.csv"), xml: try text("out.xml"),
      report: try text("report.json"))
  }

  /// Imports documents in one run that writes nothing.
  func take(
    _ documents: [Document], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for document in documents { try folder.write(document.name, document.bytes) }
    let outcome = try BuiltTool.run(
      ["convert"] + documents.map(\.name) + options
        + ["--ledger", "ledger", "--now", "2028-01-01T00:00:00Z"], in: url)
    #expect(outcome.code == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
  }

  /// Takes a document that was imported out of the ledger again.
  func forget(
    _ document: Document, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let told = try BuiltTool.run(["inspect", "--json", document.name], in: url).output
    let digest = told.split(separator: #""sha256": ""#).dropFirst().first?.prefix(64)
    let outcome = try BuiltTool.run(
      [
        "ledger", "forget", "ledger", "--yes", "--now", "2028-01-01T00:00:00Z", "--document",
        String(try #require(digest)),
      ], in: url)
    #expect(outcome.code == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
  }

  /// Proves the ledger against its own journal.
  func verify(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try BuiltTool.run(["ledger", "verify", "ledger"], in: url)
    #expect(
      outcome.code == 0, "\(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }
}

/// What a ledger gives: outputs and the report's arrays of the whole ledger, revisions masked (N10).
struct LedgerContent {
  let parts: [(name: String, lines: [Substring])]

  init(samples: String, csv: String, xml: String, report: String) {
    // What comes before `pending` is of one run.
    let whole = report.range(of: "\"pending\":").map { report[$0.lowerBound...] } ?? ""
    parts = [
      ("samples", Self.masked(samples, after: #""revision":"#)),
      ("csv", Self.withoutRevisions(csv)),
      ("export.xml", Self.masked(xml, after: #""HKMetadataKeySyncVersion" value=""#)),
      ("report", Self.lines(String(whole))),
    ]
  }

  /// Where two ledgers differ first, for people; nil if they are equal.
  func difference(from other: LedgerContent) -> String? {
    for (own, wanted) in zip(parts, other.parts) where own.lines != wanted.lines {
      let index = zip(own.lines, wanted.lines).enumerated().first { $1.0 != $1.1 }?.offset
      let at = index ?? min(own.lines.count, wanted.lines.count)
      let pair = [own, wanted].map { at < $0.lines.count ? String($0.lines[at]) : "(the end)" }
      return "\(own.name), line \(at + 1): \(pair[0])\nshould be: \(pair[1])"
    }
    return nil
  }

  private static func lines(_ text: String) -> [Substring] {
    // A carriage return and its line feed are one character.
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private static func masked(_ text: String, after mark: String) -> [Substring] {
    lines(text).map { line in
      guard let found = line.range(of: mark) else { return line }
      let rest = line[found.upperBound...].drop { $0.isNumber }
      return line[..<found.upperBound] + "·" + rest
    }
  }

  private static func withoutRevisions(_ csv: String) -> [Substring] {
    let rows = lines(csv)
    guard let column = rows.first?.split(separator: ",").firstIndex(of: "revision") else {
      return rows
    }
    return rows.map { row in
      var fields = row.split(separator: ",", omittingEmptySubsequences: false)
      if fields.count > column { fields[column] = "·" }
      return Substring(fields.joined(separator: ","))
    }
  }
}

/// Expects two ledgers to hold the same.
func expectEqual(
  _ content: LedgerContent, _ wanted: LedgerContent, _ comment: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let difference = content.difference(from: wanted) else { return }
  Issue.record("\(comment)\n\(difference)", sourceLocation: sourceLocation)
}
