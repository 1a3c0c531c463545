import Decode
import PumpModel
import TestSupport
import Testing

/// Tables of Tandem Source and of the older site, in every form that they come in.
@Suite("Tables")
struct TableTests {
  /// Ways to write a table that must not change what it says.
  static let encoders: [TableEncoder] = {
    var encoders: [TableEncoder] = []
    for site in [TableEncoder.Site.source, .timeline] {
      var encoder = TableEncoder(site)
      for coding in TableEncoder.Coding.allCases {
        encoder.coding = coding
        encoders.append(encoder)
      }
      encoder = TableEncoder(site)
      for lineEnd in ["\r\n", "\r"] {
        encoder.lineEnd = lineEnd
        encoder.isPadded.toggle()
        encoder.isQuoted.toggle()
        encoders.append(encoder)
      }
      encoder = TableEncoder(site)
      for (separator, decimal, dates) in [
        (";", ",", TableEncoder.Dates.dayFirst), ("\t", ".", .monthFirst), (";", ".", .iso),
      ] {
        (encoder.separator, encoder.decimal, encoder.dates) = (separator, decimal, dates)
        encoder.isPadded.toggle()
        encoders.append(encoder)
      }
    }
    var encoder = TableEncoder(.source)
    encoder.isMillimoles = true
    encoders.append(encoder)
    encoder.isTranslated = true
    encoders.append(encoder)
    encoder.coding = .littleEndian
    encoders.append(encoder)
    encoder = TableEncoder(.source)
    encoder.isReversed = true
    encoder.isPadded = false
    encoders.append(encoder)
    return encoders
  }()

  @Test("However a table is written, its rows are the same", arguments: encoders.indices)
  func roundTrip(index: Int) {
    let encoder = Self.encoders[index]
    var random = TestRandom(seed: UInt64(index) + 1)
    for round in 0..<4 {
      // The first row has a day and decimals that can be read in one way only.
      let first: TableEncoder.Row = (
        "90000001", TableFixture.bolus(at: TableFixture.noon + 20 * 86_400, 1250)
      )
      let rows = [first] + TableFixture.random(round * 5, &random)
      let recording = Recording.of(encoder.bytes(rows))
      #expect(
        recording.verdict == .whole(encoder.site == .source ? .sourceCSV : .timelineCSV),
        "\(random.describe)")
      #expect(recording.rejects == [], "\(random.describe)")
      #expect(
        TableFixture.read(recording) == TableFixture.expected(rows, from: encoder),
        "\(random.describe), round \(round)")
    }
  }

  @Test("Every cut position gives the same calls", arguments: encoders.indices)
  func everyCut(index: Int) {
    let document = Self.encoders[index].bytes(TableFixture.rows)
    let whole = Recording.of(document)
    for cut in stride(from: index % 97, through: document.count, by: 97)
    where Recording.of(document, cutAt: cut).calls != whole.calls {
      Issue.record("cut at \(cut)")
      return
    }
    #expect(Recording.of(document, pieces: 1).calls == whole.calls)
  }

  /// One encoder of each separator, with quotes and without.
  static let distinct: [Int] = {
    var seen: Set<String> = []
    return encoders.indices.filter { index in
      let encoder = encoders[index]
      return encoder.coding == .utf8
        && seen.insert(
          "\(encoder.site)\(encoder.separator)\(encoder.isQuoted)\(encoder.isReversed)"
        )
        .inserted
    }
  }()

  @Test("A table that breaks off says nothing that the whole does not say", arguments: distinct)
  func everyPrefix(index: Int) {
    let document = Self.encoders[index].bytes(Array(TableFixture.rows.suffix(1)))
    let rows = Recording.of(document).rows
    for end in document.count - 100..<document.count {
      let cut = Recording.of(Array(document.prefix(end)))
      guard case .whole = cut.verdict else { continue }
      for row in cut.rows where !rows.contains(row) {
        Issue.record("\(end) bytes: \(row)")
        return
      }
    }
  }

  @Test("A last row without a line end counts if it is whole, and is a reject if not")
  func lastRow() {
    var text = TableFixture.source([[:]])
    text.removeLast()
    #expect(Recording.of(text).rows.count == 1)
    for cut in ["110,30,10", ",110,30,10", "8,110,30,10", "ompleted,,,,,100,0,48,110,30,10"] {
      let recording = Recording.of(String(text.dropLast(cut.count)))
      #expect(recording.verdict == .whole(.sourceCSV))
      #expect(recording.rows.isEmpty, "\(cut)")
      #expect(recording.rejects.map(\.position) == [.line(5)])
    }
  }

  @Test("A row of boluses that lacks a cell anywhere is a reject, not amounts of other columns")
  func shortRow() {
    let whole = Array(TableFixture.source([[:]]).utf8)
    #expect(Recording.of(whole).rows.count == 1)
    let row = whole.split(separator: 0x0A).last ?? []
    var isQuoted = false
    for (index, byte) in zip(row.indices, row) {
      if byte == 0x22 { isQuoted.toggle() }
      guard byte == 0x2C, !isQuoted else { continue }
      var short = whole
      short.remove(at: index)
      let recording = Recording.of(short)
      #expect(recording.rows.isEmpty, "without the comma at \(index - row.startIndex)")
      #expect(recording.rejects.map(\.position) == [.line(5)])
    }
  }

  @Test("Each pump is asked for once, and a row without a serial number has none")
  func pumps() {
    let recording = Recording.of(
      TableFixture.source([[:], [4: "90000002"], [4: ""], [:], [4: " 90000002 "]]))
    let serials = recording.calls.compactMap {
      if case .serial(let serial) = $0 { serial } else { nil }
    }
    #expect(serials == ["90000001", "90000002"])
    let (first, second) = (Recording.reference("90000001"), Recording.reference("90000002"))
    #expect(recording.rows.map(\.pump) == [first, second, 0, first, second])
    #expect(recording.rows.map(\.place) == [5, 6, 7, 8, 9])
  }

  @Test("What is no table of Tandem's stays unrecognised")
  func foreign() {
    let bolus = TableFixture.source([[:]])
    for text in [
      "Tandem", "Tandem Diabetes Care Inc. and others\n" + bolus, "tandem" + bolus.dropFirst(6),
      String(repeating: "x", count: 70_000) + "\n" + bolus, "\"Tandem Diabetes",
      "Date,Insulin\n2026-05-04,2.35\n", " " + bolus,
    ] {
      #expect(Recording.of(text).verdict == .unrecognised, "\(text.prefix(40))")
    }
  }

  @Test("A table of the maker's without a header that is known is refused, not passed over")
  func withoutHeader() {
    let first = "Tandem Diabetes Care Inc."
    for text in [
      first, first + "\nDaily report\n\na,b,c\n1,2,3\n",
      first + String(repeating: "\n", count: 100) + TableFixture.source([[:]]),
      first + "\n" + String(repeating: "x", count: 70_000) + "\n",
    ] {
      #expect(
        Recording.of(text).verdict
          == .damaged(.sourceCSV, Reject(.whole, "none of its headers is known")))
    }
  }

  @Test("Rows above the first known header are told, and so are those below an unknown one")
  func unknownSections() {
    let odd = "Apparat,Nummer,Art,Tid,Glukos\nt:slim,90000001,EGV,2026-05-04T12:00:00,8.6\n"
    let above = Recording.of(
      TableFixture.sourceHead + odd
        + TableFixture.source([[:]]).dropFirst(TableFixture.sourceHead.count))
    #expect(above.rejects.map(\.position) == [.line(4), .line(5)])
    #expect(above.rows.count == 1)
    // Below readings in mg/dL they must not become readings in mg/dL.
    let readings =
      "DeviceType,SerialNumber,Description,EventDateTime,Readings (mg/dL)\n"
      + "t:slim,90000001,EGV,2026-05-04T11:55:00,155\n"
    let below = Recording.of(TableFixture.sourceHead + readings + odd + odd)
    #expect(below.rows.count == 1)
    #expect(
      below.rejects == [
        Reject(.line(6), "a header that is not known; none of the rows below it is read")
      ])
    #expect(below.calls.count { $0 == .ignore(.otherRow, nil) } == 3)
  }

  @Test("A text of two bytes a character with a mark is read, whatever it holds")
  func wideTexts() {
    for text in [GlookoTests.documents[0], NightscoutTests.document, LegacyJSONTests.documents[0]] {
      let plain = Recording.of(text)
      for coding in [TableEncoder.Coding.littleEndianWithMark, .bigEndianWithMark] {
        let bytes = coding.bytes(text)
        let whole = Recording.of(bytes)
        #expect(whole.verdict == plain.verdict)
        #expect(whole.calls == plain.calls)
        #expect(whole.content == bytes)
        #expect(Recording.of(bytes, pieces: 1).calls == whole.calls)
        let cut = Recording.of(bytes + [0x20])
        #expect(cut.rejects.last?.reason == "the text ends inside a character")
      }
    }
    for bytes in [[0xFF], [0xFE], [0xFF, 0xFE], [0xFE, 0xFF, 0]] as [[UInt8]] {
      #expect(Recording.of(bytes).verdict == .unrecognised)
    }
  }

  @Test("A timeline without any section is a valid answer without rows")
  func emptyTimeline() {
    let recording = Recording.of(
      "Tandem Diabetes Care Inc.\nt:connect Therapy Timeline Data Export\n")
    #expect(recording.verdict == .whole(.timelineCSV))
    #expect(recording.rows == [])
  }

  @Test("Sections of the older site stand in any order, and rows that no rule uses are counted")
  func sectionOrder() {
    let head = "Tandem Diabetes Care Inc.\nt:connect Therapy Timeline Data Export\n\n"
    let sections = [
      "DeviceType,SerialNumber,Description,EventDateTime,Readings (CGM / BGM)\n"
        + "\"t:slim\",\"90000001\",\"EGV\",\"2021-04-01T00:01:33\",\"235\",\n"
        + "\"t:slim\",\"90000001\",\"BG\",\"2021-04-01T00:01:33\",\"99\",\n\n",
      "Type,EventID,EventDateTime,IOB\n\"IOB\",\"81\",\"2021-04-01T00:00:19\",\"13.24\"\n\n",
      "Type,EventDateTime,BasalRate\n\"Basal\",\"2021-04-01T00:00:19\",\"\"\n"
        + "\"Basal\",\"2021-04-01T00:00:19\",\"0.8\"\n\n",
    ]
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
      let recording = Recording.of(head + order.map { sections[$0] }.joined())
      #expect(recording.verdict == .whole(.timelineCSV))
      #expect(
        TableFixture.read(recording).map(\.content) == [
          .reading(glucose: 235, isManual: false), .reading(glucose: 99, isManual: true),
        ])
      let ignored = recording.calls.compactMap {
        if case .ignore(let reason, _) = $0 { reason } else { nil }
      }
      #expect(Set(ignored) == [.basalRow, .insulinOnBoardRow])
      #expect(ignored.count == 3)
    }
  }

  @Test(
    "Flags for numbers and dates hold for tables in a browser's capture, and are asked for there")
  func captureForms() {
    var encoder = TableEncoder(.source)
    (encoder.separator, encoder.decimal, encoder.dates) = (";", ",", .dayFirst)
    let rows = [
      TableEncoder.Row("90000001", TableFixture.bolus(at: TableFixture.noon, 1250, decimals: 3))
    ]
    for body in [HarCapture.Body.plain, .base64] {
      var capture = HarCapture()
      capture.add(encoder.bytes(rows), as: body)
      func verdict(_ forms: CellForms) -> (DocumentVerdict?, [ExportRow]) {
        let recording = Recording.of(capture.bytes, forms: forms)
        #expect(recording.verdict == .whole(.har))
        return (recording.verdicts.first, TableFixture.read(recording))
      }
      for (forms, flag) in [
        (CellForms(decimal: .comma), "--date-order"), (CellForms(dates: .dmy), "--decimal"),
      ] {
        guard case (.damaged(.sourceCSV, let reject)?, _) = verdict(forms) else {
          Issue.record("not refused without \(flag)")
          continue
        }
        #expect(reject.reason.contains(flag))
      }
      let (whole, read) = verdict(CellForms(decimal: .comma, dates: .dmy))
      #expect(whole == .whole(.sourceCSV))
      #expect(read == TableFixture.expected(rows, from: encoder))
    }
  }

  @Test("Texts in a capture that begin with words are read, whatever the words")
  func wordsInCapture() {
    for (text, format) in [
      (GlookoTests.documents[0], DocumentFormat.glooko), (GlookoTests.documents[3], .glooko),
      (GlookoTests.documents[6], .glooko), (LegacyExport.suspensions(count: 2), .suspensionsJSON),
    ] {
      var capture = HarCapture()
      capture.add(Array(text.utf8), type: "text/plain")
      let recording = Recording.of(capture.bytes)
      #expect(recording.verdicts == [.whole(format), .whole(.har)])
      #expect(Recording.of(capture.bytes, pieces: 1).calls == recording.calls)
    }
  }

  @Test("A table is read from a browser's capture too, in plain text and as base64")
  func capture() {
    let table = TableEncoder(.source).bytes(TableFixture.rows)
    let alone = Recording.of(table).rows
    #expect(!alone.isEmpty)
    for body in [HarCapture.Body.plain, .base64] {
      var capture = HarCapture()
      capture.add(table, as: body, type: "text/csv")
      #expect(Recording.of(capture.bytes).rows == alone)
      #expect(Recording.of(capture.bytes, pieces: 1).rows == alone)
    }
    // What only begins like a table is base64, whole or cut.
    for text in ["T", "TandemDiabetes", "Tand", "Tandem"] {
      var capture = HarCapture()
      capture.add(Array(text.utf8), type: "text/plain")
      #expect(Recording.of(capture.bytes).rows == [])
      #expect(Recording.of(capture.bytes).verdict == .whole(.har))
    }
  }
}
