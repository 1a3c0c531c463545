import Decode
import PumpModel
import TestSupport
import Testing

/// Tables below the line that tells spreadsheets what parts cells.
@Suite("Tables below a line that names the separator")
struct SeparatorLineTests {
  private static let ends = ["\r\n", "\n", "\r"]

  @Test("A table of the pump's maker says the same below it, however it is cut", arguments: ends)
  func maker(end: String) {
    for (separator, site) in [(",", TableEncoder.Site.source), (";", .source), (",", .timeline)] {
      var encoder = TableEncoder(site)
      encoder.separator = separator
      let table = encoder.bytes(TableFixture.rows)
      let marked = table.starts(with: [0xEF, 0xBB, 0xBF])
      let line = Array("sep=\(separator)\(end)".utf8)
      let document = (marked ? Array(table.prefix(3)) : []) + line + table.dropFirst(marked ? 3 : 0)
      let (plain, below) = (Recording.of(table), Recording.of(document))
      #expect(below.verdict == plain.verdict && below.rejects.isEmpty)
      #expect(below.rows.map(\.content) == plain.rows.map(\.content) && !below.rows.isEmpty)
      #expect(below.rows.map(\.place) == plain.rows.map { $0.place + 1 })
      for cut in 0..<40 {
        #expect(Recording.of(document, cutAt: cut).calls == below.calls, "cut at \(cut)")
      }
    }
  }

  @Test("A table of Glooko's says the same below it, with a title and without", arguments: ends)
  func glooko(end: String) {
    let table = GlookoTests.documents[0]
    let header = table.split(separator: "\r\n").dropFirst().joined(separator: "\r\n") + "\r\n"
    for text in [table, header] {
      let plain = Recording.of(text)
      for document in ["sep=,\(end)\(text)", "\u{FEFF}SEP=,\(end)\(text)"] {
        let below = Recording.of(document)
        #expect(below.verdict == .whole(.glooko) && below.rejects.isEmpty)
        #expect(below.rows.map(\.content) == plain.rows.map(\.content) && !below.rows.isEmpty)
        for cut in 0..<20 {
          #expect(Recording.of(Array(document.utf8), cutAt: cut).calls == below.calls)
        }
      }
    }
  }

  @Test(
    "What is no such line, or stands above something else, is what it was",
    arguments: [
      "sep=", "sep=;", "sep=;\n", "sep=;;\nTandem", "separate\n", "s", "sep=;\nwhat is it",
    ])
  func others(text: String) {
    #expect(Recording.of(text).verdict == .unrecognised)
    #expect(Recording.of(text, pieces: 1).verdict == .unrecognised)
  }

  @Test("The line stands once and at the top")
  func once() {
    let table = GlookoTests.documents[0]
    #expect(Recording.of("sep=,\r\nsep=,\r\n\(table)").verdict == .unrecognised)
  }
}
