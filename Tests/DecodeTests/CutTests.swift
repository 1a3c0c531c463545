import Decode
import Foundation
import PumpModel
import TestSupport
import Testing

/// However the bytes of a document arrive, the calls are the same.
@Suite("Cuts and damage")
struct CutTests {
  static let documents: [[UInt8]] = {
    let records = (1...3 as ClosedRange<UInt32>).flatMap {
      RecordEncoder.bytes(DocumentTests.record($0))
    }
    let odd = """
      {"eventCode": 399, "eventProperties": {"rate": -12, "egvInfoBitmask": [0, 5, 12], \
      "glucoseValueStatus": 0, "currentGlucoseDisplayValue": 1e2, "egvTimeStamp": "578970361"}, \
      "sequenceNumber": 9, "pumpDateTime": "2026-05-04T12:00:00"}
      """
    let bad = EventText.event(20, properties: "\"bolusId\": {\"a\": [\"}\\\"\"]}")
    let unknown = EventText.event(4000, properties: "\"q\": \"\\u00e9\"")
    let logs = EventText.document(
      [DocumentTests.bolus, odd, bad, unknown, DocumentTests.bolus],
      clockChanges: [EventText.event(13, properties: "\"timePrior\":1,\"timeAfter\":\"2\"")])
    return [
      Array(logs.utf8), records, Array(RecordEncoder.base64(records).utf8),
      Array(CaptureTests.sample.utf8), Array("\u{FEFF}[\(odd),\(DocumentTests.bolus)] x".utf8),
      Array(FetchedDocumentTests.document.utf8), Array("{\"pumplineFetched\":[{},3]}".utf8),
      Array("{\"pumps\":[{\"assignmentId\":\"a\\n\",\"serialNumber\":12}, null]}".utf8),
    ] + radio
      + (LegacyJSONTests.documents + GlookoTests.documents.prefix(1)
      + [NightscoutTests.document, TidepoolTests.document]).map { Array($0.utf8) }
  }()

  /// What pumps send over Bluetooth, in every form.
  private static let radio: [[UInt8]] = {
    let records = (1...5 as ClosedRange<UInt32>).map { DocumentTests.record($0) }
    var damaged = RadioEncoder.frames(records)
    damaged[20] ^= 1
    let lines = RadioEncoder.recordLines(records)
    return [
      records.flatMap { RecordEncoder.littleEndianBytes($0) }, RadioEncoder.frames(records),
      damaged + [1, 2, 3] + RadioEncoder.frames(records) + [0, 0], Array(lines.utf8),
      Array(("zz" + lines + "feed\n" + RadioEncoder.log(records) + lines).utf8),
      Array("[12:00:00] \(lines)".utf8), RadioCapture.of(records),
      RadioCapture.of(records, .plain), RadioCapture.of(records, .monitor) + [0, 0, 0],
    ]
  }()

  @Test("Every cut position gives the same calls", arguments: documents.indices)
  func everyCut(index: Int) {
    let document = Self.documents[index]
    let whole = Recording.of(document)
    // The capture is long, and each of its responses is cut elsewhere too.
    for cut in stride(from: 0, through: document.count, by: document.count > 2500 ? 5 : 1)
    where Recording.of(document, cutAt: cut).calls != whole.calls {
      Issue.record("cut at \(cut)")
      return
    }
    let single = Recording.of(document, pieces: 1)
    #expect(single.calls == whole.calls)
    // A capture's responses have contents of their own, between its own pieces.
    if whole.verdicts.count == 1 { #expect(single.content == whole.content) }
  }

  @Test("Damaged documents never trap, and give the same calls in whatever pieces they come")
  func mutations() {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["PUMPLINE_FUZZ_SECONDS"].flatMap(Double.init) ?? 1
    let seed = environment["PUMPLINE_FUZZ_SEED"].flatMap(UInt64.init) ?? 20_260_504
    var random = TestRandom(seed: seed)
    let end = ContinuousClock.now + .seconds(seconds)
    var rounds = 0
    repeat {
      let document = Self.mutated(&random)
      let whole = Recording.of(document)
      let pieces = Int.random(in: 1...64, using: &random)
      let pieced = Recording.of(document, pieces: pieces)
      rounds += 1
      if whole.calls != pieced.calls || whole.verdicts.isEmpty {
        Issue.record(
          "seed \(seed), round \(rounds), pieces of \(pieces): \(document)\n\(whole.calls)\n\(pieced.calls)"
        )
        return
      }
    } while ContinuousClock.now < end
    print("damaged documents: seed \(seed), \(rounds) rounds")
  }

  @Test("Half a character within base64 damages it in the same place, however it is cut")
  func halfCharacter() {
    let document = Array(
      (#""ABQic5SBAB\ud83dAAAAQAFAAMAAAAAAP4AAADAAAAAAFCJzlIAUAAwAAAAAA/gAAAP4A""#).utf8)
    let whole = Recording.of(document)
    for pieces in 1...document.count
    where Recording.of(document, pieces: pieces).calls != whole.calls {
      Issue.record("pieces of \(pieces)")
    }
  }

  private static let pieces: [[UInt8]] = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "-", "1e5", "65535", "\\u00", "\\ud83d", " ",
    "\n", "eventCode", "true", "=", "0", ".", "[[[[[[[[", "\u{1}", "99999999999",
  ].map { Array($0.utf8) }

  private static func mutated(_ random: inout TestRandom) -> [UInt8] {
    var document = documents.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...document.count, using: &random)
      let length = Int.random(in: 0...8, using: &random)
      let range = place..<min(document.count, place + length)
      switch Int.random(in: 0...5, using: &random) {
      case 0: document.removeSubrange(range)
      case 1: document.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
      case 2: for index in range { document[index] = .random(in: 0...255, using: &random) }
      case 3: document.replaceSubrange(range, with: pieces.randomElement(using: &random) ?? [])
      case 4:
        let from = Int.random(in: 0...document.count, using: &random)
        let copied = Array(document[from..<min(document.count, from + 40)])
        document.insert(contentsOf: copied, at: place)
      default: document.removeSubrange(place...)
      }
    }
    return document
  }
}
