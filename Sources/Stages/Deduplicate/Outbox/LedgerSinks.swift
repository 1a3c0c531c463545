import Platform
import PumpModel

/// What a ledger knows of an output that is given changes only.
package struct LedgerSink: Sendable, Equatable {
  /// Its number in the ledger.
  package var number: Int64
  /// The format's word.
  package var format: String
  /// The absolute path, or the name that a pipeline gave it; `-` is standard output.
  package var target: String
  /// What it shows.
  package var selection: SinkSelection
  /// Whether it is a database that is kept current in place.
  package var isDatabase: Bool
  /// The ledger's count of changes up to which it was given everything.
  package var mark: UInt64
}

extension Ledger {
  /// The ledger's own id, 32 hexadecimal digits: the same for as long as the file lives.
  package var id: String {
    get throws(LedgerError) {
      try run { () throws(SQLiteError) in
        try database.text("SELECT value FROM settings WHERE name = 'id'") ?? ""
      }
    }
  }

  /// What databases that show this ledger remember it by; another one after `forgetOutputs`.
  package var outputIdentity: String {
    get throws(LedgerError) {
      let id = try id
      return try run { () throws(SQLiteError) in
        let count = try database.integer("SELECT value FROM settings WHERE name = 'generation'")
        return "\(id).\(count ?? 0)"
      }
    }
  }

  /// Makes databases that show this ledger be written anew: something was taken out of it that
  /// leaves no trace among its changes.
  package func forgetOutputs() throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let count = try database.integer("SELECT value FROM settings WHERE name = 'generation'")
      try set("generation", integer: (count ?? 0) + 1)
    }
  }

  /// The count of changes to samples so far.
  package var changeNumber: UInt64 {
    get throws(LedgerError) { try run { () throws(SQLiteError) in try change } }
  }

  /// All sinks, by target and format.
  package func sinks() throws(LedgerError) -> [LedgerSink] {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare(
        """
        SELECT sink, format, target, selection, is_database, mark FROM sinks
        ORDER BY target, format, selection
        """)
      var sinks: [LedgerSink] = []
      while try statement.step() {
        guard let selection = SinkSelection(text: statement.text(3)) else { continue }
        sinks.append(
          LedgerSink(
            number: statement.int64(0), format: statement.text(1), target: statement.text(2),
            selection: selection, isDatabase: statement.int64(4) != 0,
            mark: UInt64(max(statement.int64(5), 0))))
      }
      return sinks
    }
  }

  /// The sink of an output, made with mark 0 if the ledger has none yet; in the transaction.
  package func sink(
    format: String, target: String, selection: SinkSelection, isDatabase: Bool
  ) throws(LedgerError) -> LedgerSink {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare(
        """
        INSERT INTO sinks (format, target, selection, is_database, mark) VALUES (?, ?, ?, ?, 0)
        ON CONFLICT DO NOTHING
        """)
      insert.bind(1, format)
      insert.bind(2, target)
      insert.bind(3, selection.text)
      insert.bind(4, isDatabase ? 1 as Int64 : 0)
      try insert.run()
    }
    let all = try sinks()
    guard
      let sink = all.first(where: {
        $0.format == format && $0.target == target && $0.selection == selection
      })
    else { throw .failed(SQLiteError(code: 0, message: "a sink could not be kept")) }
    // What is owed would be lost without a word.
    guard sink.mark <= (try changeNumber) else {
      throw .checkFailed("an output was given more changes than there are")
    }
    return sink
  }

  /// How many samples a sink is owed: fresh, revised and withdrawn ones.
  package func owed(to sink: LedgerSink) throws(LedgerError) -> SampleChanges {
    try OwedSamples(self, sink: sink, order: .device).counts
  }
}
