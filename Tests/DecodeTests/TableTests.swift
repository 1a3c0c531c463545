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
      #expect(recording.rows.count == (cut == "110,30,10" ? 1 : 0), "\(cut)")
      #expect(recording.rejects.map(\.position) == (cut == "110,30,10" ? [] : [.line(5)]))
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
      "Tandem", "Tandem Diabetes Care Inc.", "Tandem Diabetes Care Inc. and others\n" + bolus,
      "Tandem Diabetes Care Inc.\nDaily report\n\na,b,c\n1,2,3\n", "tandem" + bolus.dropFirst(6),
      "Tandem Diabetes Care Inc.\n" + String(repeating: "\n", count: 100) + bolus,
      "Tandem Diabetes Care Inc.\n" + String(repeating: "x", count: 70_000) + "\n" + bolus,
      "\"Tandem Diabetes", "Date,Insulin\n2026-05-04,2.35\n", " " + bolus,
    ] {
      #expect(Recording.of(text).verdict == .unrecognised, "\(text.prefix(40))")
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
