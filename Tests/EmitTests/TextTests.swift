import Foundation
import Platform
import PumpModel
import TestSupport
import Testing

@testable import Emit

@Suite struct TextTests {
  @Test(
    arguments: [
      (0, 6, "0"), (0, 0, "0"), (70_833, 6, "0.070833"), (1, 6, "0.000001"), (2083, 3, "2.083"),
      (2_000, 3, "2"), (-50, 3, "-0.05"), (62_500, 3, "62.5"), (100, 0, "100"), (-7, 0, "-7"),
      (10, 1, "1"), (.min, 6, "-9223372036854.775808"), (.max, 0, "9223372036854775807"),
    ] as [(Int64, Int, String)])
  func `amounts are the shortest decimal`(amount: Int64, decimals: Int, text: String) {
    #expect(appended { DecimalText.append(amount, decimals: decimals, to: &$0) } == text)
  }

  @Test func `amounts agree with another formatter`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = TestRandom(seed: seed)
    for _ in 0..<20_000 {
      let amount = Int64(bitPattern: random.next() >> UInt64.random(in: 0..<64, using: &random))
      let decimals = [0, 3, 6].randomElement(using: &random) ?? 0
      let text = appended { DecimalText.append(amount, decimals: decimals, to: &$0) }
      let decimal = Decimal(amount) / pow(10, decimals)
      #expect(text == decimal.description, "seed \(seed)")
    }
  }

  @Test func `digits of every length come out`() {
    var value: UInt64 = 1
    for _ in 0..<19 {
      for number in [value - 1, value, value + 1, value * 9] {
        #expect(appended { $0.append(decimal: number) } == String(number))
      }
      value *= 10
    }
    #expect(appended { $0.append(decimal: .max) } == String(UInt64.max))
    for number in stride(from: 0 as UInt64, to: 100_000_000, by: 9973) {
      #expect(appended { $0.append(decimal: number) } == String(number))
    }
  }

  @Test func `times agree with another formatter`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = TestRandom(seed: seed)
    let formatter = ISO8601DateFormatter()
    var time = TimeText()
    for _ in 0..<2000 {
      let seconds = Int64.random(in: 0..<7_258_118_400, using: &random)
      let expected = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      let text = appended { time.appendUTC(Instant(unixSeconds: seconds), to: &$0) }
      #expect(text == expected, "seed \(seed)")
    }
  }

  @Test func `local times carry their offset`() {
    let instant = Fixture.instant("2026-05-04T16:31:10")
    var time = TimeText()
    #expect(
      appended { time.appendLocal(instant, offset: -14_400, to: &$0) }
        == "2026-05-04T12:31:10-04:00")
    #expect(
      appended { time.appendLocal(instant, offset: 20_700, to: &$0) }
        == "2026-05-04T22:16:10+05:45")
    #expect(
      appended { time.appendApple(instant, offset: -12_600, to: &$0) }
        == "2026-05-04 13:01:10 -0330")
    #expect(
      appended { time.appendApple(instant, offset: 0, to: &$0) } == "2026-05-04 16:31:10 +0000")
  }

  @Test func `an offset with seconds leaves the instant as it is`() {
    var time = TimeText()
    #expect(
      appended { time.appendLocal(Instant(unixSeconds: 0), offset: -2670, to: &$0) }
        == "1969-12-31T23:16:00-00:44")
  }

  @Test func `times beyond four-digit years are clamped`() {
    var time = TimeText()
    #expect(
      appended { time.appendUTC(Instant(unixSeconds: .max), to: &$0) } == "9999-12-31T23:59:59Z")
    #expect(
      appended { time.appendLocal(Instant(unixSeconds: .min), offset: -60, to: &$0) }
        == "0000-01-01T00:00:00-00:01")
  }

  @Test(arguments: Fixture.samples.map(\.sample.identity), ["90556643", "", "a:b"])
  func `external ids are those of the model`(identity: SampleIdentity, pump: String) {
    let text = appended { IdentityText.appendSuffix(identity, to: &$0) }
    #expect(IdentityText.prefix(pump: pump) + text == identity.text(pump: pump))
  }

  @Test func `text for XML loses only what XML cannot hold`() {
    let text = "a&b<c>\"d\"\n\t\u{B}\0\u{FFFF}é😀"
    #expect(
      String(decoding: XMLText.attribute(text), as: UTF8.self)
        == "a&amp;b&lt;c&gt;&quot;d&quot;&#10;&#9;é😀")
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""),
    ("two\nlines", "\"two\nlines\""), ("=1+1", "\"'=1+1\""), ("+1", "\"'+1\""),
    ("-1", "\"'-1\""), ("@x", "\"'@x\""), ("\tx", "\"'\tx\""), ("\rx", "\"'\rx\""), ("", ""),
  ])
  func `text in CSV is never taken for a formula`(text: String, field: String) {
    #expect(String(decoding: CSVText.field(text), as: UTF8.self) == field)
  }
}
