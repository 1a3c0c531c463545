import PumpModel
import TestSupport
import Testing

/// The same records in another form or wrapping are the same records.
@Suite("Any form, any wrapping", .needsBuiltTool)
struct AnyFormTests {
  private static func whole(_ history: RandomHistory) throws -> LedgerContent {
    try Importer(history.options).run([history.account, history.wholeAnswer])
  }

  /// Forms of a history's records; those that name no pump need its serial number.
  private static func forms(_ history: RandomHistory) -> [Document] {
    [
      Document("records.bin", RecordEncoder.document(history.records)),
      Document("events.json", Base64Encoder.pumpEvents(history.records)),
    ] + history.radioForms
  }

  @Test(
    "Records as bytes, base64, frames, lines and captures give what JSON gives",
    arguments: Seeds.first(3))
  func binary(seed: UInt64) throws {
    var random = TestRandom(seed: 6000 + seed)
    let history = RandomHistory(&random)
    let wanted = try Self.whole(history)
    for form in Self.forms(history) {
      // The account tells Apple Health's device string, so it is there too.
      let content = try Importer(history.options + ["--serial", history.pump.serial])
        .run([form, history.account])
      expectEqual(content, wanted, "\(random.describe), \(form.name)")
    }
  }

  @Test("All forms of a record are one record", arguments: Seeds.first(2))
  func mixed(seed: UInt64) throws {
    var random = TestRandom(seed: 7000 + seed)
    let history = RandomHistory(&random)
    let documents = (Self.forms(history) + history.windows(3, &random) + [history.account])
      .shuffled(using: &random)
    let content = try Importer(history.options + ["--serial", history.pump.serial])
      .run(documents)
    expectEqual(content, try Self.whole(history), random.describe)
  }

  @Test("Archives, compression and captures change nothing", arguments: Seeds.first(1))
  func wrapped(seed: UInt64) throws {
    var random = TestRandom(seed: 8000 + seed)
    let history = RandomHistory(&random)
    let wanted = try Self.whole(history)
    let windows = history.windows(2, &random)
    let entries = (windows + [history.account]).map {
      ArchiveBuilder.Entry.file("data/" + $0.name, $0.bytes)
    }
    let inner = ArchiveBuilder.archive(.tar, entries, compression: .zstd)
    var capture = HarCapture()
    capture.add(windows[0].bytes)
    capture.add(windows[1].bytes, as: .base64)
    capture.add(history.account.bytes)
    let gzip = ArchiveBuilder.archive(
      .raw, [.file("whole.json", history.wholeAnswer.bytes)], compression: .gzip)
    let wrappings: [(String, [Document])] = [
      ("zip", [Document("a.zip", ArchiveBuilder.archive(.zip, entries))]),
      ("7z", [Document("a.7z", ArchiveBuilder.archive(.sevenZip, entries))]),
      ("tar.xz", [Document("a.tar.xz", ArchiveBuilder.archive(.tar, entries, compression: .xz))]),
      (
        "tar.zst in a zip",
        [Document("b.zip", ArchiveBuilder.archive(.storedZip, [.file("inner.tar.zst", inner)]))]
      ),
      ("gz", [Document("whole.json.gz", gzip), history.account]),
      ("har", [Document("capture.har", capture.bytes)]),
    ]
    for (name, documents) in wrappings {
      let content = try Importer(history.options).run(documents)
      expectEqual(content, wanted, "\(random.describe), \(name)")
    }
  }
}
