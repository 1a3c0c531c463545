import Foundation
import Platform
import PumpModel
import Testing

@testable import Emit

@Suite("The page of an audit")
struct AuditPageTests {
  private static let noon = Instant(unixSeconds: 1_777_896_000)
  private static let hostile = "<script>alert(1)</script>\" onload='x' &amp; ]]> \u{202E}\u{0}"

  private func sample(
    _ type: SampleType, at seconds: Int64, for length: Int64 = 0, milliUnits: Int64,
    device: String? = "90000001"
  ) -> WrittenSample {
    WrittenSample(
      externalID: nil, type: type, device: device, start: Self.noon + seconds,
      end: Self.noon + seconds + length, amount: WrittenAmount(milliUnits, decimals: 3))
  }

  /// Three days of basal in pieces of five minutes, with a bolus and a meal a day.
  private var samples: [WrittenSample] {
    let basal = (0..<864).map {
      sample(.basal, at: Int64($0) * 300, for: 300, milliUnits: 50 + Int64($0 % 7))
    }
    let others = (0..<3).flatMap { day in
      [
        sample(.bolus, at: Int64(day) * 86_400 + 60, milliUnits: 2500 + Int64(day)),
        sample(.bolus, at: Int64(day) * 86_400 + 120, for: 3600, milliUnits: 1250),
        sample(.carbohydrates, at: Int64(day) * 86_400 + 30, milliUnits: 30_000),
      ]
    }
    return (basal + others).sorted { $0.start < $1.start }
  }

  private func days(
    _ samples: [WrittenSample], _ content: PageContent? = nil, schedule: ZoneSchedule? = nil
  ) throws -> PageDays {
    var days = PageDays(try schedule ?? Fixture.schedule)
    for sample in samples { days.add(sample) }
    for entry in (content?.findings ?? []) + (content?.accepted ?? []) {
      if let start = entry.start { days.note(at: start) }
    }
    for hole in content?.holes ?? [] { days.note(hole.hole) }
    return days
  }

  private func page(_ samples: [WrittenSample], _ content: PageContent) throws -> String {
    let output = CollectedOutput()
    let page = AuditPage(into: output, content, try days(samples, content))
    try page.writeHead()
    for sample in samples { try page.write(sample) }
    try page.seal()
    return output.text
  }

  /// A page of all that can be on one, with a text in every place where an input can have one.
  private func fullPage(_ text: String) throws -> String {
    var content = PageContent(madeAt: Self.noon)
    content.result = text
    content.sets = [PageContent.Source(name: text, form: text, samples: 1_234_567)]
    content.sets[0].trouble = text
    content.counts = [PageContent.Count("missing", 1)]
    content.findings = Severity.allCases.map {
      PageContent.Entry($0, "clock-drift", pump: text, start: Self.noon, text: text)
    }
    content.findings.append(
      PageContent.Entry(
        .warning, "pumps-overlap", pump: nil, start: Self.noon + 40 * 86_400, text: text))
    content.accepted = [PageContent.Entry(.note, "made-up", pump: nil, start: nil, text: text)]
    content.accepted[0].reason = text
    content.differences = [
      PageContent.Entry(nil, "missing", pump: text, start: Self.noon, text: text)
    ]
    content.holes = [
      (text, Hole(start: Self.noon, end: Self.noon + 7200, reason: .silence)),
      ("90000001", Hole(start: Self.noon, end: nil, reason: .silence)),
    ]
    content.clocks = [
      (
        text,
        ClockRow(
          usesRecords: true, opening: .change, start: Self.noon, end: Self.noon + 86_400,
          offset: -14_400, driftMilliseconds: 61_000, records: 3)
      )
    ]
    return try page(samples + [sample(.bolus, at: 300_000, milliUnits: 1, device: text)], content)
  }

  /// The elements of a page as an XML parser sees them.
  private final class Elements: XMLElementHandler {
    var ids: [String] = []
    var links: [String] = []
    var count = 0
    var scripts = 0
    var loads = 0

    func begin(_ element: XMLElement) -> Bool {
      count += 1
      if element.isNamed("script") { scripts += 1 }
      if let id = text(element, "id") { ids.append(id) }
      if let link = text(element, "href") { links.append(link) }
      for name in ["src", "srcset", "action", "data", "style", "onload", "onclick"]
      where has(element, name) {
        loads += 1
      }
      for name in [element.isNamed("link"), element.isNamed("iframe"), element.isNamed("img")]
      where name { loads += 1 }
      return true
    }

    func end(depth: Int) -> Bool { true }

    private func text(_ element: XMLElement, _ name: StaticString) -> String? {
      element.text(of: name)
    }

    private func has(_ element: XMLElement, _ name: String) -> Bool {
      switch name {
      case "src": text(element, "src") != nil
      case "srcset": text(element, "srcset") != nil
      case "action": text(element, "action") != nil
      case "data": text(element, "data") != nil
      case "style": text(element, "style") != nil
      case "onload": text(element, "onload") != nil
      default: text(element, "onclick") != nil
      }
    }
  }

  private func elements(of page: String) throws -> Elements {
    let elements = Elements()
    let stream = try XMLStream(elements)
    let bytes = Array(page.utf8)
    unsafe try stream.feed(bytes.span.bytes)
    try stream.finish()
    return elements
  }

  @Test("It is well formed, has each id once, and links only to what it has")
  func wellFormed() throws {
    let elements = try elements(of: fullPage("a name"))
    #expect(Set(elements.ids).count == elements.ids.count)
    #expect(elements.links.allSatisfy { $0.first == "#" })
    #expect(Set(elements.links.map { String($0.dropFirst()) }).isSubset(of: elements.ids))
    // The day of a finding is there, though no sample lies in it.
    #expect(elements.ids.contains("d2026-06-13"))
    #expect(elements.links.contains("#d2026-06-13"))
  }

  @Test("It refers to nothing outside, and forbids itself to load or run anything else")
  func alone() throws {
    let page = try fullPage("a name")
    for word in [
      "http:", "https:", "=\"//", "(//", "@import", "url(\"", "fetch(", "XMLHttp", "eval(",
    ] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(try elements(of: page).loads == 0)
    #expect(page.contains("default-src 'none'"))
    #expect(!page.contains("unsafe-inline"))
  }

  @Test("Its policy allows its own script and style by their digests")
  func policy() throws {
    let page = try fullPage("a name")
    for (name, end) in [("<script>", "</script>"), ("<style>", "</style>")] {
      let start = try #require(page.range(of: name)).upperBound
      let text = page[
        start..<(try #require(page.range(of: end, range: start..<page.endIndex)).lowerBound)]
      let digest = Digest256()
      let bytes = Array(text.utf8)
      digest.update(unsafe bytes.span.bytes)
      let hash = Data(digest.finish().bytes).base64EncodedString()
      #expect(page.contains("'sha256-\(hash)'"))
    }
  }

  @Test("Whatever an input names, it stays text")
  func hostile() throws {
    let page = try fullPage(Self.hostile)
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("onload='x' &amp; "))
    let (plain, hostile) = (try elements(of: fullPage("a name")), try elements(of: page))
    #expect(hostile.count == plain.count)
    #expect(hostile.scripts == 2)
    #expect(hostile.loads == 0)
    // What the script reads holds numbers alone.
    let data = try #require(page.range(of: "id=\"days\">")).upperBound
    let lines = page[data...].prefix(while: { $0 != "<" }).split(separator: "\n")
    #expect(lines.count >= 4)
    for line in lines { #expect(line.wholeMatch(of: /[0-9a-z@:.,|-]+/) != nil) }
  }

  @Test("The days add up to the samples, of every type", arguments: [0, 13, 3600, 86_399])
  func sums(shift: Int64) throws {
    let moved = samples.map { sample in
      var sample = sample
      sample.start = sample.start + shift
      sample.end = sample.end + shift
      return sample
    }
    let days = try days(moved)
    func sum(_ type: SampleType) -> Int64 {
      moved.filter { $0.type == type }.reduce(0) { $0 + $1.amount.parts }
    }
    let all = days.numbers.compactMap { days.byDay[$0] }
    #expect(all.reduce(0) { $0 + $1.basal.parts } == sum(.basal))
    #expect(all.reduce(0) { $0 + $1.bolus.parts } == sum(.bolus))
    #expect(all.reduce(0) { $0 + $1.carbohydrates.parts } == sum(.carbohydrates))
    #expect(days.sums[.bolus]?.amount.parts == sum(.bolus))
    #expect(all.reduce(0) { $0 + $1.samples } == moved.count)
  }

  @Test("A row shows the sums of its day")
  func row() throws {
    let morning = [
      sample(.basal, at: 0, for: 300, milliUnits: 50),
      sample(.bolus, at: 60, milliUnits: 2500), sample(.carbohydrates, at: 60, milliUnits: 30_500),
    ]
    let page = try page(morning, PageContent(madeAt: Self.noon))
    #expect(
      page.contains(
        "<tr id=\"d2026-05-04\"><th scope=\"row\"><a href=\"#d2026-05-04\">Mon 04</a></th>"
          + "<td>0.050</td><td>2.500</td><td>2.550</td><td>30.5</td><td>1</td>"))
    // Rates in mU/h, doses in mU, carbs in dg, to base 36, at seconds of the wall clock.
    #expect(page.contains("\n2026-05-04|0|@m80,go|m9o.1xg|m9o.8h|\n"))
  }

  @Test("Weeks are sums of their days, from Monday on, the newest first")
  func weeks() throws {
    // Monday 2026-05-04 at noon UTC, and the Sundays before and after.
    let samples = [-1, 0, 6, 7].map { day in
      sample(.bolus, at: day * 86_400, milliUnits: 1000 + 500 * (day + 1))
    }
    let page = try page(samples, PageContent(madeAt: Self.noon))
    let part = page.components(separatedBy: "id=\"weeks\"").last ?? ""
    let cells = part.prefix { $0 != "|" }.split(separator: "\n").filter { $0.hasPrefix("<tr>") }
      .map { $0.replacing(/<[^>]+>/, with: " ").split(separator: " ").joined(separator: " ") }
    #expect(
      cells.prefix(3) == [
        "2026-W20 2026-05-11 1 0.0 5.0 5.0 5.0 0", "2026-W19 2026-05-04 2 0.0 6.0 6.0 3.0 0",
        "2026-W18 2026-04-27 1 0.0 1.0 1.0 1.0 0",
      ])
  }

  @Test("Paper is light, whatever the screen")
  func paper() throws {
    let page = try page(samples, PageContent(madeAt: Self.noon))
    #expect(page.contains("@media screen and (prefers-color-scheme:dark)"))
    #expect(page.components(separatedBy: "prefers-color-scheme:dark").count == 2)
  }

  @Test("Basal over midnight counts in both days, by the zone's midnight")
  func midnight() throws {
    // 23:50 in New York.
    let basal = sample(.basal, at: 15 * 3600 + 50 * 60, for: 1200, milliUnits: 200)
    let days = try days([basal])
    #expect(days.numbers.count == 2)
    #expect(days.numbers.compactMap { days.byDay[$0]?.basal.text } == ["0.1", "0.1"])
    #expect(days.numbers.compactMap { days.byDay[$0]?.samples } == [1, 0])
    let page = try page([basal], PageContent(madeAt: Self.noon))
    #expect(page.contains("\n2026-05-04|0|@1u7c,go:go|||\n2026-05-05|0|@0,go:go|||\n"))
  }

  @Test("A day of an hour more or less keeps every amount")
  func daylightSaving() throws {
    for hour in [Fixture.instant("2026-03-08T05:00:00"), Fixture.instant("2026-11-01T04:00:00")] {
      let basal = (0..<30).map { index in
        var sample = sample(.basal, at: 0, for: 3600, milliUnits: 100)
        sample.start = hour + Int64(index) * 3600
        sample.end = sample.start + 3600
        return sample
      }
      let days = try days(
        basal, schedule: ZoneSchedule([.init(rules: Fixture.newYork, from: nil)]))
      #expect(days.numbers.count == 2)
      #expect(days.byDay.values.reduce(0) { $0 + $1.basal.parts } == 3_000_000_000_000)
    }
  }

  @Test("Times and amounts that no pump has cost no more than their text")
  func absurd() throws {
    var long = sample(.basal, at: 0, milliUnits: 100)
    long.end = Instant(unixSeconds: 253_402_300_799)
    var large = sample(.bolus, at: 0, milliUnits: 1)
    large.amount = WrittenAmount(parts: .max)
    var fast = sample(.basal, at: 10, for: 1, milliUnits: 1)
    // The greatest that 3600 times of are still 64 bits.
    fast.amount = WrittenAmount(parts: .max / 3600)
    var faster = fast
    faster.amount = WrittenAmount(parts: .max)
    let samples = [long, large, large, fast, faster]
    let days = try days(samples)
    #expect(days.numbers.count == 1)
    #expect(days.sums[.bolus]?.amount == WrittenAmount(parts: .max))
    #expect(days.byDay.values.first?.basal == WrittenAmount(parts: .max))
    _ = try elements(of: page(samples, PageContent(madeAt: Self.noon)))
    var far = PageDays(.utc)
    for day in 0..<(PageDays.mostDays + 5) {
      far.add(sample(.bolus, at: Int64(day) * 86_400, milliUnits: 1))
    }
    #expect(far.numbers.count == PageDays.mostDays)
    #expect(far.samplesBeyond == 5)
  }

  @Test("Amounts are rounded half up, to any decimals")
  func rounding() {
    for (parts, decimals, text) in [
      (0 as Int64, 3, "0.000"), (499_999_999, 3, "0.000"), (500_000_000, 3, "0.001"),
      (999_500_000_000, 3, "1.000"), (12_050_000_000_000, 1, "12.1"),
      (12_049_999_999_999, 1, "12.0"), (1_500_000_000_000, 0, "2"),
      (.max, 3, "9223372.037"), (.max, 11, "9223372.03685477581"),
    ] {
      #expect(WrittenAmount(parts: parts).fixed(decimals: decimals) == text)
    }
  }

  @Test("Made-up data is said to be made up, and a pump's is not")
  func demo() throws {
    let content = PageContent(madeAt: Self.noon)
    let words = "Synthetic demo data"
    #expect(try !page([sample(.bolus, at: 0, milliUnits: 1)], content).contains(words))
    let named = sample(.bolus, at: 0, milliUnits: 1, device: "DEMO0000001")
    #expect(try page([named], content).contains(words))
    var labelled = sample(.bolus, at: 0, milliUnits: 1)
    labelled.metadata = WrittenMetadata([("dataSource", DemoData.label)])
    #expect(try page([labelled], content).contains(words))
  }

  @Test("An output of nothing is a page too")
  func empty() throws {
    let elements = try elements(of: page([], PageContent(madeAt: Self.noon)))
    #expect(!elements.ids.contains { $0.hasPrefix("d2") })
  }

  @Test("Base64 is that of RFC 4648")
  func base64() {
    for (text, encoded) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("\u{7F}\u{3F}\u{3E}", "fz8+"),
    ] {
      #expect(Base64Text.encoded(Array(text.utf8)) == encoded)
    }
  }
}
