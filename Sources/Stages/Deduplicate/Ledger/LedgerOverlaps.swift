import Platform
package import PumpModel

/// Two pumps that gave insulin at the same time.
package struct PumpOverlap: Sendable {
  /// The pump whose name comes first.
  package var pump: String
  /// The other one.
  package var other: String
  /// From when.
  package var start: Instant
  /// Until when.
  package var end: Instant
  /// On how many days.
  package var days: Int64
}

extension Ledger {
  /// The pairs of pumps that gave insulin at the same time, by day.
  package func overlaps() throws(LedgerError) -> [PumpOverlap] {
    try run { () throws(SQLiteError) in
      // One pump overlaps with none, however many days it has.
      guard try database.integer("SELECT 1 FROM pumps LIMIT 1 OFFSET 1") != nil else { return [] }
      let statement = try database.prepare(
        """
        SELECT p.name, q.name, min(max(a.active_from, b.active_from)),
          max(min(a.active_until, b.active_until)), count(*)
        FROM days a JOIN days b ON a.day = b.day AND a.pump <> b.pump
          AND a.active_from < b.active_until AND b.active_from < a.active_until
        JOIN pumps p ON p.pump = a.pump JOIN pumps q ON q.pump = b.pump
        WHERE (p.name, p.pump) < (q.name, q.pump)
        GROUP BY a.pump, b.pump ORDER BY p.name, q.name
        """)
      var found: [PumpOverlap] = []
      while try statement.step() {
        found.append(
          PumpOverlap(
            pump: statement.text(0), other: statement.text(1),
            start: Instant(unixSeconds: statement.int64(2)),
            end: Instant(unixSeconds: statement.int64(3)), days: statement.int64(4)))
      }
      return found
    }
  }
}
