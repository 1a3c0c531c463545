import Platform
package import PumpModel

/// A pump of a ledger.
package struct LedgerPump: Sendable {
  /// Its number in the ledger.
  package var number: Int64
  /// How outputs name it.
  package var label: PumpLabel
  /// Its serial number, if one is known.
  package var serial: String?
  /// Whether its log has several sequence groups.
  package var hasGroups: Bool
  /// The name of the pump that it was proven to be.
  package var sameAs: String?
  /// Whether its data is made up; what is made of it says so.
  package var isDemo = false
}

extension Ledger {
  /// The pumps, by name; those proven to be others are there for what was withdrawn of them.
  package func pumps() throws(LedgerError) -> [LedgerPump] {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare(
        """
        SELECT p.pump, p.name, p.serial, p.has_groups, other.name,
          (SELECT max(a.model_name) FROM assignments a WHERE a.pump = p.pump),
          (SELECT max(a.model_number) FROM assignments a WHERE a.pump = p.pump),
          (SELECT max(a.software_version) FROM assignments a WHERE a.pump = p.pump)
        FROM pumps p LEFT JOIN pumps other ON other.pump = p.same_as
        ORDER BY p.name, p.pump
        """)
      let isDemo = try dataNature().isDemo
      var pumps: [LedgerPump] = []
      func text(_ column: Int32) -> String? {
        statement.isNull(column) ? nil : statement.text(column)
      }
      while try statement.step() {
        pumps.append(
          LedgerPump(
            number: statement.int64(0),
            label: PumpLabel(
              name: statement.text(1), modelName: text(5), modelNumber: text(6),
              softwareVersion: text(7)),
            serial: text(2), hasGroups: statement.int64(3) != 0, sameAs: text(4), isDemo: isDemo))
      }
      return pumps
    }
  }

  /// A reader of a pump's journal, or of what comes at or after a number << 32 | pump seconds, if
  /// the pump's log has one group of numbers.
  package func journal(
    of pump: LedgerPump, rules: CopyRules, from: UInt64 = 0
  ) throws(LedgerError) -> JournalReader {
    try run { () throws(SQLiteError) in
      try JournalReader(
        database, pump: pump.number, hasGroups: pump.hasGroups, rules: rules, from: from)
    }
  }

  /// The numbers between which a pump's history was said to be complete: by group, the lowest and
  /// the highest of all documents of which it was said.
  package func completeNumbers(
    of pump: Int64
  ) throws(LedgerError) -> [(group: UInt32, numbers: ClosedRange<UInt32>)] {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare(
        """
        SELECT coalesce(n.sequence_group, 0), min(n.lowest), max(n.highest)
        FROM document_numbers n JOIN documents d USING (document)
        WHERE n.pump = ? AND d.is_complete = 1 GROUP BY 1 ORDER BY 1
        """)
      statement.bind(1, pump)
      var claims: [(group: UInt32, numbers: ClosedRange<UInt32>)] = []
      while try statement.step() {
        let lowest = UInt32(truncatingIfNeeded: statement.int64(1))
        let highest = UInt32(truncatingIfNeeded: statement.int64(2))
        guard lowest <= highest else { continue }
        claims.append((UInt32(truncatingIfNeeded: statement.int64(0)), lowest...highest))
      }
      return claims
    }
  }

  /// How `estimatedDateTime` differs from the time of a pump's records, with the pump seconds
  /// between which it did so.
  package func estimatedTimes(
    of pump: Int64
  ) throws(LedgerError) -> [(differsBy: Int64, records: Int64, first: PumpTime, last: PumpTime)] {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare(
        """
        SELECT differs_by, sum(records), min(first), max(last) FROM estimated_times
        WHERE pump = ? GROUP BY differs_by ORDER BY differs_by
        """)
      statement.bind(1, pump)
      var found: [(differsBy: Int64, records: Int64, first: PumpTime, last: PumpTime)] = []
      while try statement.step() {
        found.append(
          (
            statement.int64(0), statement.int64(1),
            PumpTime(seconds: UInt32(truncatingIfNeeded: statement.int64(2))),
            PumpTime(seconds: UInt32(truncatingIfNeeded: statement.int64(3)))
          ))
      }
      return found
    }
  }

  /// How many responses without a body the captures that were read have.
  package func missingBodies() throws(LedgerError) -> Int64 {
    try run { () throws(SQLiteError) in
      try database.integer("SELECT sum(missing_bodies) FROM documents") ?? 0
    }
  }

  /// How many documents of some formats were read.
  package func documents(of formats: [DocumentFormat]) throws(LedgerError) -> Int64 {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare("SELECT count(*) FROM documents WHERE format = ?")
      var count: Int64 = 0
      for format in formats {
        statement.bind(1, format.rawValue)
        if try statement.step() { count += statement.int64(0) }
        statement.reset()
      }
      return count
    }
  }

  /// How many samples a pump has that are not withdrawn, by kind; rates of zero do not count.
  package func sampleCounts(of pump: Int64) throws(LedgerError) -> [SampleKind: UInt64] {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT high, live FROM samples WHERE pump = ? AND live > 0")
      statement.bind(1, pump)
      var live = [UInt64](repeating: 0, count: 64)
      while try statement.step() {
        live[Int(unordered(statement.int64(0)) >> 58)] += UInt64(clamping: statement.int64(1))
      }
      var counts: [SampleKind: UInt64] = [:]
      for (storage, live) in live.enumerated() where live > 0 {
        guard let kind = StoredSample.kind(ofStorage: UInt64(storage)) else { continue }
        counts[kind, default: 0] += live
      }
      return counts
    }
  }
}
