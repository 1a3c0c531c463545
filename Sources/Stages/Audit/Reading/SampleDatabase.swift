import Platform
package import PumpModel

/// Reads the samples of a SQLite output back; nothing is written to it.
package struct SampleDatabase {
  private let connection: SQLiteConnection
  private let statement: SQLiteStatement
  private let offset: (String, Instant) -> Int64?

  /// The longest row or text that is looked at; those of outputs have some hundred bytes.
  private static let longestRow: Int32 = 1 << 20
  /// What SQLite answers where a table or column is missing, and where something is too long.
  private static let (generalError, tooLong): (Int32, Int32) = (1, 18)

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - offset: the offset of a zone at an instant, in seconds; nil where the zone is not known.
  /// - Throws: `AuditError` if it cannot be opened or has not the tables of samples.
  package init(
    at path: String, offset: @escaping (String, Instant) -> Int64? = { _, _ in nil }
  ) throws(AuditError) {
    self.offset = offset
    do throws(SQLiteError) {
      connection = try SQLiteConnection(.readOnlyFile(path))
      connection.limitLength(bytes: Self.longestRow)
      try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048; BEGIN;")
      guard try DatabaseForm.hasTable("samples", in: connection) else {
        throw SQLiteError(code: 0, message: "no table of samples")
      }
      statement = try connection.prepare(
        """
        SELECT rowid, external_id, device, type, amount, value, unit, start_epoch, end_epoch,
          start_utc, end_utc, start_local, zone,
          CASE WHEN json_valid(metadata) THEN (
            SELECT group_concat(key || '=' || replace(value, char(10), ' ') || char(10), '')
            FROM (SELECT key, value FROM json_each(metadata) ORDER BY key)
          ) ELSE NULL END, CASE WHEN json_valid(metadata)
            THEN json_type(metadata) = 'object' ELSE 0 END, typeof(amount),
          \(Self.isOfKinds)
        FROM samples ORDER BY rowid
        """)
    } catch {
      throw Self.failure(error)
    }
  }

  /// Whether every cell is of the kind that its column has in an output.
  private static let isOfKinds =
    [
      ("text", "external_id device type unit start_utc end_utc start_local zone metadata"),
      ("integer", "amount start_epoch end_epoch revision"), ("real", "value"),
    ].flatMap { kind, columns in
      columns.split(separator: " ").map { "typeof(\($0)) = '\(kind)'" }
    }.joined(separator: " AND ") + " AND revision > 0"

  /// Hands on every row.
  ///
  /// - Throws: `AuditError` if the file is damaged, and whatever `body` throws.
  package func forEach(_ body: (WrittenEntry) throws -> Void) throws {
    while try step() { try body(entry) }
  }

  /// Whether it says that its tables are of a version.
  package func isOf(_ form: DatabaseForm) throws(AuditError) -> Bool {
    do throws(SQLiteError) {
      return try connection.integer("PRAGMA user_version") == form.version
    } catch {
      throw Self.failure(error)
    }
  }

  /// What is wrong with the database itself: damage, tables that are not those of an output, and tables that
  /// contradict each other; without a form, what tables there should be is not known.
  ///
  /// - Throws: `AuditError` if it cannot even be looked at.
  package func findings(_ form: DatabaseForm? = nil) throws(AuditError) -> [Finding] {
    do throws(SQLiteError) {
      var findings = try form?.findings(in: connection) ?? []
      let problems = try connection.prepare("PRAGMA integrity_check(100)")
      var count = 0
      while try problems.step() { if problems.text(0) != "ok" { count += 1 } }
      if count > 0 {
        findings.append(
          Finding(.databaseDamaged, text: "SQLite's own check finds \(count) things wrong"))
      }
      findings += try MidnightShares(in: connection, offset: offset).findings()
      return findings
    } catch {
      throw Self.failure(error)
    }
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
    if error.code == 0 {
      return .unreadable(WrittenFault("its tables are damaged or none of samples"))
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
    let zone = statement.text(12)
    if let offset = offset(zone, start),
      !LocalOffset.agrees(statement.text(11), with: offset, at: start)
    {
      throw WrittenFault("start_local and zone contradict each other")
    }
    guard statement.int64(14) == 1 else { throw WrittenFault("its metadata is no object of JSON") }
    let id = statement.text(1)
    guard WrittenSample.isExternalID(id) else {
      throw WrittenFault("its external id is none of pumpline's")
    }
    let device = statement.text(2)
    let amount = try amount(of: type)
    guard statement.int64(16) == 1 else {
      throw WrittenFault("a cell is not of the kind that its column has")
    }
    return WrittenSample(
      externalID: id, type: type,
      device: device.isEmpty ? nil : device, start: start, end: end, amount: amount,
      zone: zone, metadata: WrittenMetadata(lines: statement.text(13)), place: place)
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

extension SampleDatabase {
  /// Gives the events of `pump_events` with their pumps and details, as `EventComparison` takes them; none
  /// if there is no such table.
  ///
  /// - Throws: `AuditError` if the file is damaged, and whatever `body` throws.
  package func forEachEvent(
    _ body: (_ event: PumpEventRow, _ device: String, _ lines: String) throws -> Void
  ) throws {
    let select: SQLiteStatement
    do throws(SQLiteError) {
      guard try DatabaseForm.hasTable("pump_events", in: connection) else { return }
      select = try connection.prepare(
        """
        SELECT device, sequence, pump_seconds, event_id, at_epoch, category, name, at_utc, at_local, zone,
          CASE WHEN json_valid(details) THEN (
            SELECT group_concat(key || '=' || replace(value, char(10), ' ') || char(10), '')
            FROM (SELECT key, value FROM json_each(details) ORDER BY key)
          ) ELSE NULL END
        FROM pump_events ORDER BY id
        """)
    } catch {
      throw Self.failure(error)
    }
    func step() throws(AuditError) -> Bool {
      do throws(SQLiteError) { return try select.step() } catch { throw Self.failure(error) }
    }
    while try step() {
      let epoch = select.int64(4)
      let at = Instant(unixSeconds: epoch)
      var event = PumpEventRow(
        pump: 0, at: at,
        reference: EventReference(
          number: UInt32(clamping: select.int64(1)), seconds: UInt32(clamping: select.int64(2))),
        eventID: UInt16(clamping: select.int64(3)), category: select.text(5), name: select.text(6),
        details: [])
      let isOneTime =
        Self.instant(select.text(7)) == at && Self.instant(select.text(8)) == at
        && (offset(select.text(9), at).map {
          LocalOffset.agrees(select.text(8), with: $0, at: at)
        } ?? false)
      // Then it is none that sources give.
      if !isOneTime { event.category += " of contradicting times" }
      try body(event, select.text(0), select.text(10))
    }
  }
}

extension SampleType {
  /// How many decimals the working unit of its kinds has.
  fileprivate var decimals: Int {
    SampleKind.allCases.first { $0.type == self }?.decimals ?? 0
  }
}
