import Foundation
import TestSupport
import Testing

/// All formats hold the same doses, and other programs read them so.
@Suite("Agreement of formats", .needsBuiltTool)
struct AgreementTests {
  private let folder: TemporaryFolder
  private var url: URL { URL(filePath: folder.path) }

  /// Converts a day into every format.
  init() throws {
    folder = try TemporaryFolder()
    var random = TestRandom(seed: 77)
    let history = RandomHistory(&random)
    try folder.write("whole.json", history.wholeAnswer.bytes)
    try folder.write("pumper.json", history.account.bytes)
    guard BuiltTool.exists else { return }
    let outcome = try BuiltTool.run(
      ["convert", "whole.json", "pumper.json"] + history.options
        + ["out.ndjson", "out.csv", "out.xml", "out.db", "export.zip"].flatMap { ["-o", $0] },
      in: URL(filePath: folder.path))
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }

  /// How many samples of a type there are and what they add up to, as decimals.
  private struct Sum: Equatable, CustomStringConvertible {
    var count = 0
    var value = Decimal()

    mutating func add(_ text: some StringProtocol) {
      count += 1
      value += Decimal(string: String(text), locale: nil) ?? .nan
    }

    static func + (left: Sum, right: Sum) -> Sum {
      Sum(count: left.count + right.count, value: left.value + right.value)
    }

    var description: String { "\(count) samples of \(value)" }
  }

  private func sumsOfSamples() throws -> [String: Sum] {
    struct Sample: Decodable {
      var type: String
      var value: String
    }
    var sums: [String: Sum] = [:]
    for line in try text("out.ndjson").split(separator: "\n") {
      let sample = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
      sums[sample.type, default: Sum()].add(sample.value)
    }
    return sums
  }

  private func sumsOfRows() throws -> [String: Sum] {
    var sums: [String: Sum] = [:]
    for row in try text("out.csv").split(whereSeparator: \.isNewline).dropFirst() {
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      sums[String(fields[2]), default: Sum()].add(fields[3])
    }
    return sums
  }

  /// The sums of an Apple Health file, by HealthKit's type.
  private func sumsOfRecords() throws -> [String: Sum] {
    var sums: [String: Sum] = [:]
    for line in try text("out.xml").split(separator: "\n") where line.hasPrefix(" <Record ") {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      let value = parts.firstIndex { $0.hasSuffix(" value=") }.map { parts[$0 + 1] }
      sums[String(parts[1]), default: Sum()].add(try #require(value))
    }
    return sums
  }

  @Test("NDJSON and CSV have equal sums by type")
  func csv() throws {
    let sums = try sumsOfSamples()
    #expect(Set(sums.keys) == ["insulin.basal", "insulin.bolus", "nutrition.carbohydrates"])
    #expect(try sumsOfRows() == sums)
  }

  @Test("Apple Health has the same sums")
  func appleHealth() throws {
    let sums = try sumsOfSamples()
    let records = try sumsOfRecords()
    let insulin = [sums["insulin.basal"], sums["insulin.bolus"]].compactMap(\.self).reduce(Sum(), +)
    #expect(records["HKQuantityTypeIdentifierInsulinDelivery"] == insulin)
    #expect(
      records["HKQuantityTypeIdentifierDietaryCarbohydrates"] == sums["nutrition.carbohydrates"])
    #expect(records.count == 2)
  }

  @Test("SQLite has the same sums, and its daily totals add up to them", .needs("sqlite3"))
  func sqlite() throws {
    let sums = try sumsOfSamples()
    let tool = try #require(BuiltTool.installed("sqlite3"))
    // Amounts are whole numbers there: µIU of basal, mIU of boluses, mg of carbohydrate.
    let query = """
      SELECT type, count(*), sum(amount) FROM samples GROUP BY type ORDER BY type;
      SELECT round(sum(basal_iu), 6), round(sum(bolus_iu), 3), round(sum(carbs_g), 3)
      FROM daily_totals;
      """
    let rows = try BuiltTool.run(tool, ["-separator", ",", "out.db", query], in: url)
      .output.split(separator: "\n").map { $0.split(separator: ",") }
    #expect(rows.count == 4)
    let scales: [String: Decimal] = [
      "insulin.basal": 1_000_000, "insulin.bolus": 1000, "nutrition.carbohydrates": 1000,
    ]
    for row in rows.prefix(3) {
      let type = String(row[0])
      let amount = try #require(Decimal(string: String(row[2])))
      let scale = try #require(scales[type])
      #expect(sums[type] == Sum(count: Int(row[1]) ?? 0, value: amount / scale))
    }
    let types = ["insulin.basal", "insulin.bolus", "nutrition.carbohydrates"]
    for (total, type) in zip(rows[3], types) {
      let value = NSDecimalNumber(decimal: sums[type]?.value ?? 0).doubleValue
      #expect(abs((Double(total) ?? .nan) - value) < 0.000_002)
    }
  }

  @Test("xmllint finds export.xml valid by its own DTD", .needs("xmllint"))
  func valid() throws {
    let tool = try #require(BuiltTool.installed("xmllint"))
    let outcome = try BuiltTool.run(tool, ["--valid", "--noout", "out.xml"], in: url)
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
  }

  @Test(
    "The archive holds the same export.xml, under the name that Health gives it", .needs("unzip"))
  func archive() throws {
    let tool = try #require(BuiltTool.installed("unzip"))
    let outcome = try BuiltTool.run(
      tool, ["-p", "export.zip", "apple_health_export/export.xml"], in: url)
    #expect(outcome.output == (try text("out.xml")))
  }

  /// healthkit-to-sqlite of `PUMPLINE_HEALTHKIT_TO_SQLITE`, or of the path.
  private static let healthKitToSQLite: URL? =
    ProcessInfo.processInfo.environment["PUMPLINE_HEALTHKIT_TO_SQLITE"].map { URL(filePath: $0) }
    ?? BuiltTool.installed("healthkit-to-sqlite")

  @Test(
    "healthkit-to-sqlite reads the archive with equal sums", .needs("sqlite3"),
    .enabled(if: Self.healthKitToSQLite != nil, "healthkit-to-sqlite is not installed"))
  func otherReader() throws {
    let sums = try sumsOfSamples()
    let tool = try #require(Self.healthKitToSQLite)
    let reading = try BuiltTool.run(tool, ["export.zip", "health.db"], in: url)
    #expect(reading.code == 0, "\(reading.errors)")
    let query = """
      SELECT count(*), printf('%.6f', sum(value)) FROM rInsulinDelivery;
      SELECT count(*), printf('%.6f', sum(value)) FROM rDietaryCarbohydrates;
      SELECT count(DISTINCT metadata_HKExternalUUID) FROM rInsulinDelivery;
      """
    let sqlite = try #require(BuiltTool.installed("sqlite3"))
    let rows = try BuiltTool.run(sqlite, ["-separator", ",", "health.db", query], in: url)
      .output.split(separator: "\n").map { $0.split(separator: ",") }
    let insulin = [sums["insulin.basal"], sums["insulin.bolus"]].compactMap(\.self).reduce(Sum(), +)
    let wanted = [insulin, sums["nutrition.carbohydrates"] ?? Sum()]
    #expect(rows.count == 3)
    for (row, sum) in zip(rows, wanted) {
      #expect(Int(row[0]) == sum.count)
      #expect(Decimal(string: String(row[1])) == sum.value)
    }
    #expect(Int(rows[2][0]) == insulin.count)
  }
}
