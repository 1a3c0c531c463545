import Platform
package import PumpModel

/// Compares the events that a SQLite output shows with those that sources give: as sets, in the store's
/// database.
package final class EventComparison {
  private let database: SQLiteConnection
  private let insert: SQLiteStatement

  /// Begins with no events.
  ///
  /// - Throws: `AuditError` if the database fails.
  package init(_ store: SampleStore) throws(AuditError) {
    database = store.database
    do throws(SQLiteError) {
      try database.execute(
        """
        CREATE TEMP TABLE events (
          side INTEGER, device TEXT, number INTEGER, seconds INTEGER, id INTEGER, at INTEGER, text TEXT)
        """)
      insert = try database.prepare("INSERT INTO temp.events VALUES (?,?,?,?,?,?,?)")
    } catch {
      throw .store(error)
    }
  }

  /// Adds an event of a pump to a set; `lines` are its details as `WrittenMetadata` has them.
  package func add(
    _ event: PumpEventRow, of device: String, lines: String, to side: SampleSide
  ) throws(AuditError) {
    insert.bind(1, side.rawValue)
    insert.bind(2, device)
    insert.bind(3, Int64(event.reference.number))
    insert.bind(4, Int64(event.reference.seconds))
    insert.bind(5, Int64(event.eventID))
    insert.bind(6, event.at.unixSeconds)
    insert.bind(7, event.category + "\n" + event.name + "\n" + lines)
    do throws(SQLiteError) { try insert.run() } catch { throw .store(error) }
  }

  /// What the two sets differ in; the first set is what should be there.
  ///
  /// - Throws: `AuditError` if the database fails.
  package func findings() throws(AuditError) -> [Finding] {
    do throws(SQLiteError) {
      let select = try database.prepare(
        """
        SELECT sum(side = 0) - sum(side = 1) AS more, number, seconds, at FROM temp.events
        GROUP BY device, number, seconds, id, at, text HAVING more <> 0 ORDER BY at, number
        """)
      var (missing, extra): (Int64, Int64) = (0, 0)
      var first: (name: String, at: Instant)?
      while try select.step() {
        let more = select.int64(0)
        if more > 0 { missing += more } else { extra -= more }
        first =
          first
          ?? ("\(select.int64(1))-\(select.int64(2))", Instant(unixSeconds: select.int64(3)))
      }
      guard let first else { return [] }
      // Samples alone make no events: what emit writes has none.
      guard try database.integer("SELECT 1 FROM temp.events WHERE side = 1 LIMIT 1") != nil else {
        return [
          Finding(
            .tableMalformed,
            text: "pump_events is empty, as emit leaves it, and the sources give \(missing) rows")
        ]
      }
      return [
        Finding(
          .databaseDamaged, start: first.at,
          text:
            "pump_events lacks \(missing) rows that the sources give, and has \(extra) that they do "
            + "not give; the first is of event \(first.name)")
      ]
    } catch {
      throw .store(error)
    }
  }
}
