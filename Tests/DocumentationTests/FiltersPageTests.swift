import Emit
import Foundation
import Platform
import PumpModel
import Testing

@Suite("Docs/Filters.md names what is in the lines of decode")
struct FiltersPageTests {
  private static let digest = [UInt8](repeating: 1, count: 32)

  /// Lines of every kind, with every key.
  private static var lines: [String] {
    var writer = DecodedLineWriter(version: 1)
    var buffer = ByteBuffer()
    writer.appendBegin(to: &buffer)
    writer.append(
      DecodedDocument(
        digest: digest, name: "a", format: .har, bytes: 1, records: 1, ignored: [:],
        missingBodies: 1, isComplete: true), to: &buffer)
    writer.append(
      PumpFacts(
        assignment: "a", serial: "b", modelName: "c", modelNumber: "d", softwareVersion: "e"),
      of: digest, to: &buffer)
    var record = PumpRecord(number: 1, seconds: 1, eventID: 1, payload: .init(), form: .json)
    record.hasGroup = true
    record.isFromClockChanges = true
    let field = PumpEventRow.Detail(name: "a", value: "b")
    for detail in [DecodedContent.Detail.fields([field]), .properties(Array("{}".utf8))] {
      if case .properties = detail { record.hasText = true }
      writer.append(
        record, at: 1, of: digest, pump: DecodedLineWriter.quoted("a"),
        content: DecodedContent(name: "A", detail: detail), to: &buffer)
    }
    writer.append(
      DecodedEstimate(digest: digest, pump: "a", differsBy: 1, records: 1, first: 1, last: 1),
      to: &buffer)
    for position in [Reject.Position.offset(0), .line(1), .index(0)] {
      writer.append(Reject(position, "b"), in: "a", of: nil, format: .har, to: &buffer)
    }
    writer.append(.specialFile, name: "a", count: 1, to: &buffer)
    writer.appendEnd(to: &buffer)
    let text = buffer.withText(0..<buffer.count) { span in
      String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
    }
    return text.split(separator: "\n").map(String.init)
  }

  @Test("has each key and each kind of line")
  func keys() throws {
    let page = try Page("Docs/Filters.md")
    var kinds: Set<String> = []
    var keys: Set<String> = []
    for line in Self.lines {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      keys.formUnion(object.keys)
      kinds.insert(try #require(object["record"] as? String))
    }
    #expect(kinds.count == 8)
    #expect(keys.count == 34)
    for word in kinds.union(keys) { #expect(page.names(word), "missing: \(word)") }
  }
}
