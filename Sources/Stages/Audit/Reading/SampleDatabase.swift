import Platform
package import PumpModel

/// Reads the samples of a SQLite output back; nothing is written to it.
package struct SampleDatabase {
  private let connection: SQLiteConnection
  private let statement: SQLiteStatement

  /// The longest row or text that is looked at; those of outputs have some hundred bytes.
  private static let longestRow: Int32 = 1 << 20
  /// What SQLite answers where a table or column is missing, and where something is too long.
  private static let (generalError, tooLong): (Int32, Int32) = (1, 18)

  /// Opens a database.
  ///
  /// - Throws: `AuditError` if it cannot be opened or has not the tables of samples.
  package init(at path: String) throws(AuditError) {
    do throws(SQLiteError) {
      connection = try SQLiteConnection(.readOnlyFile(path))
      connection.limitLength(bytes: Self.longestRow)
      try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048; BEGIN;")
      statement = try connection.prepare(
        """
        SELECT rowid, external_id, device, type, amount, value, unit, start_epoch, end_epoch,
          start_utc, end_utc, start_local, zone,
          CASE WHEN json_valid(metadata) THEN (
            SELECT group_concat(key || '=' || replace(value, char(10), ' ') || char(10), '')
            FROM (SELECT key, value FROM json_each(metadata) ORDER BY key)
          ) ELSE NULL END, json_valid(metadata), typeof(amount)
        FROM samples ORDER BY rowid
        """)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Hands on every row.
  ///
  /// - Throws: `AuditError` if the file is damaged, and whatever `body` throws.
  package func forEach(_ body: (WrittenEntry) throws -> Void) throws {
    while try step() { try body(entry) }
  }

  /// What is wrong with the database itself: damage, and tables that contradict each other.
  ///
  /// - Throws: `AuditError` if it cannot even be looked at.
  package func findings() throws(AuditError) -> [Finding] {
    do throws(SQLiteError) {
      var findings: [Finding] = []
      let problems = try connection.prepare("PRAGMA integrity_check(100)")
      var count = 0
      while try problems.step() { if problems.text(0) != "ok" { count += 1 } }
      if count > 0 {
        findings.append(
          Finding(.databaseDamaged, text: "SQLite's own check finds \(count) things wrong"))
      }
      let contradictions = try contradictingShares()
      if contradictions > 0 {
        findings.append(
          Finding(
            .databaseDamaged,
            text:
              "of \(contradictions) samples, what basal_over_midnight gives to each day does not "
              + "add up to their amount"))
      }
      return findings
    } catch {
      throw Self.failure(error)
    }
  }

  /// How many samples of basal over midnight are not what their days add up to.
  private func contradictingShares() throws(SQLiteError) -> Int64 {
    let table = "SELECT 1 FROM sqlite_schema WHERE name = 'basal_over_midnight'"
    guard try connection.integer(table) != nil else { return 0 }
    return try connection.integer(
      """
      SELECT count(*) FROM
        (SELECT external_id, sum(amount) AS shares FROM basal_over_midnight GROUP BY external_id)
        LEFT JOIN samples USING (external_id)
      WHERE amount IS NOT shares
      """) ?? 0
  }

  private func step() throws(AuditError) -> Bool {
    do throws(SQLiteError) { return try statement.step() } catch { throw Self.failure(error) }
  }

  /// What is wrong with a file, in words that show nothing of it.
  private static func failure(_ error: SQLiteError) -> AuditError {
    if error.isBusy {
      return .unreadable(WrittenFault("another program is writing to it"))
    }
    if error.isDenied {
      return .unreadable(
        WrittenFault("it may not be opened, or a program that died left a journal beside it"))
    }
    if error.isDamage || [generalError, tooLong].contains(error.primaryCode) {
      return .unreadable(WrittenFault("its tables are damaged or none of samples"))
    }
    return .store(error)
  }

  private var entry: WrittenEntry {
    let place = UInt64(clamping: statement.int64(0))
    do throws(WrittenFault) {
      return .sample(try sample(place))
    } catch {
      return .fault(WrittenFault(at: place, error.reason))
    }
  }

  private func sample(_ place: UInt64) throws(WrittenFault) -> WrittenSample {
    guard let type = SampleType(rawValue: statement.text(3)) else {
      throw WrittenFault("its type is none of a sample")
    }
    guard statement.text(6) == type.unit else {
      throw WrittenFault("its unit is not that of its type")
    }
    let start = Instant(unixSeconds: statement.int64(7))
    let end = Instant(unixSeconds: statement.int64(8))
    guard InstantReading.years.contains(start.unixSeconds),
      InstantReading.years.contains(end.unixSeconds),
      start <= end
    else { throw WrittenFault("its times are none of a sample") }
    for (column, instant) in [(9 as Int32, start), (10, end), (11, start)]
    where Self.instant(statement.text(column)) != instant {
      throw WrittenFault("its times contradict each other")
    }
    guard statement.int64(14) != 0 else { throw WrittenFault("its metadata is no JSON") }
    let id = statement.text(1)
    let device = statement.text(2)
    return WrittenSample(
      externalID: WrittenSample.isExternalID(id) ? id : nil, type: type,
      device: device.isEmpty ? nil : device, start: start, end: end, amount: try amount(of: type),
      zone: statement.text(12), metadata: WrittenMetadata(lines: statement.text(13)), place: place)
  }

  /// The exact amount, which the column for people must say too.
  private func amount(of type: SampleType) throws(WrittenFault) -> WrittenAmount {
    let amount = statement.int64(4)
    guard amount >= 0, statement.text(15) == "integer" else {
      throw WrittenFault("its amount is none that a sample may have")
    }
    let unit: Double =
      switch type.decimals {
      case 6: 1_000_000
      case 3: 1000
      default: 1
      }
    guard statement.double(5) == Double(amount) / unit else {
      throw WrittenFault("amount and value contradict each other")
    }
    return WrittenAmount(amount, decimals: type.decimals)
  }

  private static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    return unsafe InstantReading.instant(bytes.span.bytes, 0..<bytes.count, as: .internet)
  }
}

extension SampleType {
  /// How many decimals the working unit of its kinds has.
  fileprivate var decimals: Int {
    SampleKind.allCases.first { $0.type == self }?.decimals ?? 0
  }
}
