import Decode
import PumpModel
import Testing

/// Tables that people saved, and those of the conformance cases.
@Suite("Tables beside the package", .enabled(if: SharedFiles.areThere))
struct TableCaptureTests {
  @Test("A Swedish export is read in full: 222 readings, no meter, no bolus")
  func source() throws {
    let bytes = try #require(SharedFiles.bytes("data/source_daily_timeline_sv_mmol.csv"))
    let recording = Recording.of(bytes)
    #expect(recording.verdict == .whole(.sourceCSV))
    #expect(recording.rows.count == 222)
    #expect(recording.rows.allSatisfy { $0.pump == Recording.reference("90000013") })
    #expect(recording.calls.count == 222 + 3)
  }

  @Test("A therapy timeline is read in full: sensor, insulin on board and four boluses")
  func timeline() throws {
    let bytes = try #require(SharedFiles.bytes("data/tconnect_therapytimeline2csv.csv"))
    let recording = Recording.of(bytes)
    #expect(recording.verdict == .whole(.timelineCSV))
    let boluses = recording.rows.compactMap {
      if case .bolus(let bolus) = $0.content { bolus } else { nil }
    }
    #expect(boluses.compactMap(\.normal?.amount) == [13_530, 1500, 2000, 2500])
    #expect(boluses.compactMap(\.carbohydrate) == [75_000])
    #expect(recording.rows.count == 7)
    #expect(recording.rejects == [])
    #expect(recording.calls.count { $0 == .ignore(.insulinOnBoardRow, nil) } == 3)
  }

  @Test(
    "Tables of the cases are whole, with as many rows and rejects as they have",
    arguments: [
      ("003-rules-at-the-date", 2, 0), ("079-source-csv", 4, 0), ("080-bom", 4, 0),
      ("081-utf-16", 4, 0), ("082-crlf-no-final-newline", 4, 0), ("083-columns-swapped", 3, 0),
      ("084-decimal-comma", 2, 1), ("085-mmol-swedish", 2, 0), ("205-wall-time-twice-csv", 1, 0),
      ("222-csv-overlap", 6, 0), ("297-csv-metadata", 4, 0), ("298-csv-count", 4, 1),
      ("316-legacy-csv", 3, 0), ("317-legacy-extended", 2, 0),
    ])
  func cases(name: String, rows: Int, rejects: Int) throws {
    let recordings = SharedFiles.caseInputs(name).map { Recording.of($0) }
    try #require(!recordings.isEmpty)
    #expect(recordings.map(\.rows.count).reduce(0, +) == rows)
    #expect(recordings.map(\.rejects.count).reduce(0, +) == rejects)
    for recording in recordings {
      let verdict = try #require(recording.verdict)
      #expect([.whole(.sourceCSV), .whole(.timelineCSV)].contains(verdict))
    }
  }
}
