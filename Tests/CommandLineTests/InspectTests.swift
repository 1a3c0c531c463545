import Foundation
import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// What `inspect` shows.
@Suite struct InspectTests {
  @Test func forAPerson() throws {
    let text = InspectText(summary: Self.summary, style: TextStyle(), isWhole: false).text
    try expectSnapshot(text, snapshotPath("inspect.txt"))
  }

  @Test func forANarrowTerminalWithoutUnicode() throws {
    let style = TextStyle(isUnicode: false, width: 50)
    let text = InspectText(summary: Self.summary, style: style, isWhole: false).text
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(
      text.split(separator: "\n").contains("  2026-05  ...##*-" + String(repeating: ".", count: 24))
    )
  }

  @Test func forAProgram() throws {
    let text = InspectJSON.value(of: Self.summary).text
    try expectSnapshot(text + "\n", snapshotPath("inspect.json"))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(object?["unrecognised"] as? Int == 2)
  }

  /// Exports of every kind, with all that there may be to say of them.
  @Test func exportsInEightyColumns() throws {
    var summary = InspectSummary()
    for format in DocumentFormat.allCases {
      var document = InspectSummary.Document(
        name: "downloads/archives.zip › exports/\(format.rawValue).file", format: format,
        records: 1442, rejected: format == .glooko ? 3 : 0)
      let reasons: [IgnoredReason] =
        switch format {
        case .timelineCSV: [.basalRow, .insulinOnBoardRow, .incompleteRow]
        case .therapyEvents: [.repeatedRow, .otherRow]
        case .suspensionsJSON: [.suspensionRow]
        case .tidepool, .nightscout: [.basalRow, .otherOrigin, .otherRow]
        case .hexLines, .btsnoop: [.noHistory]
        case .records: [.erasedFlash, .unknownEvent, .noRule]
        default: []
        }
      document.ignored = Dictionary(uniqueKeysWithValues: reasons.map { ($0, 1234) })
      document.isMadeUp = format == .pumpLogs
      if format == .glooko { document.unknownColumns = ["Mood", "Tint\u{1B}[2J", "Weather"] }
      if format == .har { document.missingBodies = 2 }
      summary.documents.append(document)
    }
    var pump = InspectedPump()
    pump.serial = "90000001"
    for kind in InspectedPump.RowKind.allCases { pump.add(kind, at: 1_777_896_000) }
    var other = InspectedPump()
    other.add(.rate, at: 1_777_896_000, isInstant: true)
    other.add(eventID: 279, at: PumpTime(seconds: 578_750_400))
    summary.pumps = [pump, other]
    summary.rejects.add(
      RejectedPart(
        document: "downloads/archives.zip › exports/glooko.file",
        reject: Reject(
          .line(7),
          "numbers of this row and of earlier ones contradict each other: say how to read them "
            + "with --decimal")))
    let text = InspectText(summary: summary, style: TextStyle(), isWhole: true).text
    // Paths stay whole, so that they can be copied.
    for line in text.split(separator: "\n") where !line.hasSuffix(".file:") {
      #expect(line.count <= 80, "\(line)")
    }
    try expectSnapshot(text, snapshotPath("inspect-exports.txt"))
  }

  @Test func longListsAreCutUnlessAskedFor() {
    var summary = InspectSummary()
    for index in 0..<25 {
      summary.documents.append(
        .init(name: "day-\(index).json", format: .pumpLogs, records: 1, rejected: 0))
    }
    let short = InspectText(summary: summary, style: TextStyle(), isWhole: false).text
    #expect(short.contains("  and 5 more; -v shows all\n"))
    let whole = InspectText(summary: summary, style: TextStyle(), isWhole: true).text
    #expect(whole.contains("day-24.json"))
  }

  @Test func emptyYearsAreOneLine() {
    var coverage = Coverage()
    coverage.add(PumpTime(seconds: 0))
    coverage.add(PumpTime(seconds: 579_000_000))
    let lines = CoverageCalendar(coverage: coverage, style: TextStyle()).lines
    #expect(lines.count == 5)
    #expect(lines[2].contains("219 months without records"))
  }

  @Test func jsonTextIsEscaped() {
    let value = JSONValue.object([("a\"\\", .string("x\n\u{1}\u{7F}é")), ("b", .array([]))])
    #expect(value.text == "{\n  \"a\\\"\\\\\": \"x\\n\\u0001\\u007fé\",\n  \"b\": []\n}")
  }

  private static let summary: InspectSummary = {
    var summary = InspectSummary()
    summary.documents = [
      .init(name: "a.zip/logs.json", format: .pumpLogs, records: 1234, rejected: 2),
      .init(name: "a.zip/pumper.json", format: .pumper, records: 0, rejected: 0),
    ]
    summary.unrecognised = 2
    summary.eventNames = [3: "BASAL_RATE_CHANGE", 13: "TIME_CHANGED", 279: "BASAL_DELIVERY"]
    summary.pumps = [namedPump, InspectedPump()]
    summary.rejects.add(
      RejectedPart(document: "a.zip/logs.json", reject: Reject(.index(7), "no bolus id")))
    return summary
  }()

  /// Four days of May: two whole ones, half a one, an hour.
  private static var namedPump: InspectedPump {
    var pump = InspectedPump(
      assignment: "assignment-1",
      facts: PumpFacts(
        assignment: "assignment-1", serial: "90000001", modelName: "Mobi",
        softwareVersion: "7.8"))
    let start = PumpTime(seconds: UInt32(1_777_852_800 - PumpTime.epochInUnixSeconds))
    for hour in (0..<60).map({ UInt32($0) }) + [72] {
      pump.add(eventID: 279, at: PumpTime(seconds: start.seconds + hour * 3600))
    }
    pump.add(eventID: 3, at: PumpTime(seconds: start.seconds + 86_399))
    pump.add(eventID: 999, at: start)
    pump.add(eventID: 13, at: PumpTime(seconds: start.seconds + 3600))
    pump.clockChanges = [
      .init(number: 17, after: PumpTime(seconds: start.seconds + 3600), shiftSeconds: 3600),
      .init(number: 99, after: PumpTime(seconds: start.seconds + 9000), shiftSeconds: -90_061),
    ]
    return pump
  }
}
