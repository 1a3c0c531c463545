import Decode
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
    var document = DecodedDocument(
      digest: digest, name: "a", format: .har, bytes: 1, records: 1, ignored: [:],
      missingBodies: 1, isComplete: true)
    document.isMadeUp = true
    document.unknownColumns = ["b"]
    document.fetched = 1
    writer.append(document, to: &buffer)
    writer.append(
      PumpFacts(
        assignment: "a", serial: "b", modelName: "c", modelNumber: "d", softwareVersion: "e"),
      of: digest, to: &buffer)
    writer.append(
      FetchedStatement(
        assignment: "a",
        range: FetchedRange(
          PumpTime.epochInUnixSeconds..<PumpTime.epochInUnixSeconds + 1, .emptyTwice)),
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
    for row in rows {
      var rest = ByteBuffer()
      writer.appendRest(of: row, serial: "9", to: &rest)
      rest.withText(0..<rest.count) { writer.append(row: $0, of: digest, to: &buffer) }
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

  /// Rows of every kind, with every key.
  private static let rows: [ExportRow] = {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: 1, decimals: 1, status: "a")
    bolus.extended = bolus.normal
    bolus.span = PumpTime.epochInUnixSeconds...PumpTime.epochInUnixSeconds + 1
    bolus.carbohydrate = 1
    bolus.requestTime = PumpTime.epochInUnixSeconds
    bolus.number = 1
    (bolus.isAutomatic, bolus.isOverride) = (true, true)
    let contents: [ExportRow.Content] = [
      .bolus(bolus), .reading(glucose: 1, isManual: true),
      .rate(milliunitsPerHour: 1, seconds: 1),
    ]
    return contents.map { content in
      ExportRow(
        source: .tidepool, pump: 0, time: PumpTime.epochInUnixSeconds, place: 1, name: "a",
        content: content)
    }
  }()

  /// The keys of an object and of those in it, but for fields of events and reasons.
  private func keys(of object: [String: Any]) -> Set<String> {
    object.reduce(into: []) { keys, member in
      keys.insert(member.key)
      guard !["fields", "properties", "ignored"].contains(member.key),
        let inner = member.value as? [String: Any]
      else { return }
      keys.formUnion(self.keys(of: inner))
    }
  }

  @Test("has each key and each kind of line")
  func keys() throws {
    let page = try Page("Docs/Filters.md")
    var kinds: Set<String> = []
    var keys: Set<String> = []
    for line in Self.lines {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      keys.formUnion(self.keys(of: object))
      kinds.insert(try #require(object["record"] as? String))
    }
    #expect(kinds.count == 10)
    #expect(keys.count == 55)
    let words = kinds.union(keys).union(ExportSource.allCases.map(\.word))
      .union(FetchedRange.State.words.map(\.text))
      .union(RowKind.allCases.map(\.rawValue))
    for word in words { #expect(page.names(word), "missing: \(word)") }
  }

  @Test("has an example of a line that is read as it stands, for each kind of row")
  func examples() throws {
    let lines = try Page("Docs/Filters.md").text.split(separator: "\n")
      .filter { $0.hasPrefix(#"{"record":"row""#) }
    let kinds = try lines.map { line -> RowKind in
      let bytes = Array(line.utf8)
      let read = try unsafe DecodedLineParser.parse(bytes.span.bytes)
      guard case .row(let row) = read else { throw NoRow() }
      return row.row.content.kind
    }
    #expect(Set(kinds) == Set(RowKind.allCases))
  }

  private struct NoRow: Error {}
}
