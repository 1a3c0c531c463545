import Platform
import PumpModel

/// Takes out of a ledger what is to be forgotten; what remains is as if it had never been read,
/// but for the names that pumps were given (N1).
///
/// The ledger must be in its transaction. Afterwards the pumps that `takeOut` names are to be
/// normalized again; then `dropForgottenSamples`, commit, and `Ledger.removeTraces`.
package final class Forgetting {
  let ledger: Ledger
  private let database: SQLiteConnection
  /// What must not be found in the ledger's files afterwards: digests of documents that went, and
  /// assignment ids that nobody names any more.
  package private(set) var traces: [[UInt8]] = []
  /// A few are proof enough, and each is looked for in the whole file.
  private static let mostTraces = 1000

  /// Creates what forgets.
  package init(_ ledger: Ledger) {
    self.ledger = ledger
    database = ledger.database
  }

  /// Takes everything out but the count of changes and the ledger's own id, so that no sink takes a
  /// later change for one that it has confirmed.
  package func takeOutEverything() throws(LedgerError) {
    try ledger.run { () throws(SQLiteError) in
      try noteTraces(of: "SELECT digest FROM documents")
      try noteTraces(of: "SELECT assignment FROM assignments")
      for table in try tables() {
        let rest = table == "settings" ? " WHERE name NOT IN ('change', 'id', 'generation')" : ""
        try database.execute("DELETE FROM \"\(table)\"\(rest)")
      }
      try ledger.set(Ledger.tracesSetting, integer: 1)
    }
  }

  /// Takes documents and pumps out.
  ///
  /// - Returns: the numbers of the pumps that are to be normalized again.
  package func takeOut(_ scope: ForgetScope) throws(LedgerError) -> Set<Int64> {
    try ledger.run { () throws(SQLiteError) in
      var affected: Set<Int64> = []
      for document in scope.documents {
        try ledger.insert(
          into: &affected,
          """
          SELECT pump FROM document_numbers WHERE document = ?1
          UNION SELECT pump FROM export_rows WHERE document = ?1
          """, document)
      }
      // A record that another document tells of another pump holds there from now on.
      affected.formUnion(try pumpsSharingNames(scope))
      let assignments = try self.assignments(of: scope)
      for document in scope.documents {
        try noteTraces(of: "SELECT digest FROM documents WHERE document = ?", document)
      }
      try deleteRows(where: "pump", scope.pumps)
      affected.formUnion(try takeOutOfJournals(scope.documents))
      try deleteUnheldSets()
      try deleteArchives(of: scope.documents, assignments)
      try deleteRows(where: "document", scope.documents)
      try deleteRows(where: "capture", scope.documents)
      try deleteUnheldTexts()
      try deleteUnusedWords()
      try deleteUnusedNames()
      try settleNames(assignments, isForgotten: !scope.pumps.isEmpty)
      affected.subtract(scope.pumps)
      affected.subtract(try deleteEmptyPumps(affected))
      for assignment in assignments where try !isNamed(assignment) {
        note(Array(assignment.utf8))
      }
      try ledger.set(Ledger.tracesSetting, integer: 1)
      return affected
    }
  }

  private func noteTraces(of sql: String, _ value: Int64? = nil) throws(SQLiteError) {
    let statement = try database.prepare(sql)
    if let value { statement.bind(1, value) }
    while try statement.step() {
      note(statement.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } })
    }
  }

  /// A short text may stand in a file by chance.
  private func note(_ trace: [UInt8]) {
    if trace.count >= 16, traces.count < Self.mostTraces { traces.append(trace) }
  }

  private func isNamed(_ assignment: String) throws(SQLiteError) -> Bool {
    let statement = try database.prepare(
      """
      SELECT 1 FROM assignments WHERE assignment = ?1
      UNION ALL SELECT 1 FROM document_pumps WHERE assignment = ?1
      UNION ALL SELECT 1 FROM pumps WHERE name = ?1
      """)
    statement.bind(1, assignment)
    return try statement.step()
  }

  /// The assignment ids of which the scope says something.
  private func assignments(of scope: ForgetScope) throws(SQLiteError) -> Set<String> {
    var found: Set<String> = []
    for document in scope.documents {
      let stated = try database.prepare(
        "SELECT DISTINCT assignment FROM document_pumps WHERE document = ?")
      stated.bind(1, document)
      while try stated.step() { found.insert(stated.text(0)) }
    }
    guard !scope.pumps.isEmpty else { return found }
    // Of a pump that goes, other documents' words go too.
    found = []
    for pump in scope.pumps {
      let linked = try database.prepare("SELECT assignment FROM assignments WHERE pump = ?")
      linked.bind(1, pump)
      while try linked.step() { found.insert(linked.text(0)) }
    }
    return found
  }

  private func run(_ sql: String, _ value: Int64) throws(SQLiteError) {
    let statement = try database.prepare(sql)
    statement.bind(1, value)
    try statement.run()
  }

  private func run(_ sql: String, _ text: String) throws(SQLiteError) {
    let statement = try database.prepare(sql)
    statement.bind(1, text)
    try statement.run()
  }

  /// The tables, or those that have a column.
  private func tables(with column: String? = nil) throws(SQLiteError) -> [String] {
    let statement = try database.prepare(
      """
      SELECT DISTINCT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite!_%' ESCAPE '!'
        AND (?1 IS NULL OR c.name = ?1)
      ORDER BY t.name
      """)
    statement.bind(1, column)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }

  /// Deletes the rows of pumps or documents in every table that has such a column, so that a table
  /// which is added later is not forgotten here.
  private func deleteRows(where column: String, _ numbers: Set<Int64>) throws(SQLiteError) {
    for table in try tables(with: column) {
      let delete = try database.prepare("DELETE FROM \"\(table)\" WHERE \(column) = ?")
      for number in numbers {
        delete.bind(1, number)
        try delete.run()
      }
    }
  }
}

extension Forgetting {
  /// Takes documents out of the sets that hold records; a record that nobody else holds goes.
  private func takeOutOfJournals(_ documents: Set<Int64>) throws(SQLiteError) -> Set<Int64> {
    let holding = try setsHolding(documents)
    guard !holding.isEmpty else { return [] }
    let sets = try DocumentSets(database)
    var remaining: [UInt32: UInt32] = [:]
    var affected: Set<Int64> = []
    var pumps: Set<Int64> = []
    try ledger.insert(
      into: &pumps, "SELECT DISTINCT pump FROM journal WHERE pump <> ?", -1)
    for pump in pumps.sorted() {
      let chunks = try JournalChunks(database, pump: pump)
      for place in try chunks.places() {
        var entries = StoredEntries(try chunks.entries(of: place.chunk))
        var writer = ChunkWriter(chunks: chunks)
        var isChanged = false
        while var entry = entries.next {
          entries.advance()
          if holding.contains(entry.holder) {
            isChanged = true
            entry.holder = try self.remaining(of: entry.holder, documents, sets, &remaining)
            guard entry.holder != DocumentSets.none else { continue }
          }
          try writer.append(entry)
        }
        guard isChanged else { continue }
        affected.insert(pump)
        try chunks.remove(place.chunk)
        try writer.flush()
      }
    }
    return affected
  }

  /// The sets that hold one of the documents: a set's parent was made before it.
  private func setsHolding(_ documents: Set<Int64>) throws(SQLiteError) -> Set<UInt32> {
    let statement = try database.prepare(
      "SELECT holder, parent, document FROM holders ORDER BY holder")
    var found: Set<UInt32> = []
    while try statement.step() {
      let parent = UInt32(truncatingIfNeeded: statement.int64(1))
      if documents.contains(statement.int64(2)) || found.contains(parent) {
        found.insert(UInt32(truncatingIfNeeded: statement.int64(0)))
      }
    }
    return found
  }

  private func remaining(
    of set: UInt32, _ documents: Set<Int64>, _ sets: DocumentSets,
    _ known: inout [UInt32: UInt32]
  ) throws(SQLiteError) -> UInt32 {
    if let found = known[set] { return found }
    var result = DocumentSets.none
    for document in try sets.documents(of: set) where !documents.contains(Int64(document)) {
      result = try sets.adding(document, to: result)
    }
    known[set] = result
    return result
  }

  /// Deletes the sets that no record is held by any more.
  private func deleteUnheldSets() throws(SQLiteError) {
    var used: Set<UInt32> = []
    try forEachEntry { entry in used.insert(entry.holder) }
    let descending = try database.prepare(
      "SELECT holder, parent FROM holders ORDER BY holder DESC")
    var unused: [Int64] = []
    while try descending.step() {
      let holder = descending.int64(0)
      if used.contains(UInt32(truncatingIfNeeded: holder)) {
        used.insert(UInt32(truncatingIfNeeded: descending.int64(1)))
      } else {
        unused.append(holder)
      }
    }
    for holder in unused { try run("DELETE FROM holders WHERE holder = ?", holder) }
  }

  private func deleteUnheldTexts() throws(SQLiteError) {
    guard try database.integer("SELECT 1 FROM properties LIMIT 1") != nil else { return }
    try database.execute("CREATE TEMP TABLE held_texts (digest BLOB PRIMARY KEY) WITHOUT ROWID")
    let insert = try database.prepare("INSERT OR IGNORE INTO temp.held_texts VALUES (?)")
    try forEachEntry { entry throws(SQLiteError) in
      let record = entry.record
      guard record.hasText else { return }
      let digest = record.payload.bytes
      insert.bind(1, blob: unsafe digest.span.bytes)
      try insert.run()
    }
    try database.execute(
      "DELETE FROM properties WHERE digest NOT IN (SELECT digest FROM temp.held_texts)")
    try database.execute("DELETE FROM temp.held_texts")
  }

  /// The pumps that have rows of records that are told by what is to be forgotten.
  private func pumpsSharingNames(_ scope: ForgetScope) throws(SQLiteError) -> Set<Int64> {
    var pumps: Set<Int64> = []
    for (column, numbers) in [("document", scope.documents), ("pump", scope.pumps)] {
      for number in numbers {
        try ledger.insert(
          into: &pumps,
          """
          SELECT pump FROM export_rows
          WHERE name IN (SELECT name FROM export_rows WHERE \(column) = ?1 AND name IS NOT NULL)
          """, number)
      }
    }
    return pumps
  }

  /// A name stays while a row has it: every sample that is left after forgetting rests on a row.
  private func deleteUnusedNames() throws(SQLiteError) {
    guard try database.integer("SELECT 1 FROM identity_names LIMIT 1") != nil else { return }
    let unused = "digest NOT IN (SELECT name FROM export_rows WHERE name IS NOT NULL)"
    try noteTraces(of: "SELECT name FROM identity_names WHERE \(unused)")
    try database.execute("DELETE FROM identity_names WHERE \(unused)")
  }

  /// A word stays while a row, or a sample that was made of one, may have its code.
  private func deleteUnusedWords() throws(SQLiteError) {
    guard try database.integer("SELECT 1 FROM status_words LIMIT 1") != nil else { return }
    try database.execute(
      """
      DELETE FROM status_words WHERE word NOT IN (
        SELECT normal_status FROM export_rows WHERE normal_status IS NOT NULL
        UNION SELECT extended_status FROM export_rows WHERE extended_status IS NOT NULL)
      """)
  }

  private func forEachEntry(
    _ body: (JournalEntry) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let rows = try database.prepare("SELECT entries FROM journal")
    while try rows.step() {
      var entries = StoredEntries(
        rows.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } })
      while let entry = entries.next {
        try body(entry)
        entries.advance()
      }
    }
  }
}

extension Forgetting {
  /// An archive with a document that goes, or that names what is to be forgotten, is to be read
  /// again when it comes back.
  private func deleteArchives(
    of documents: Set<Int64>, _ assignments: Set<String>
  ) throws(SQLiteError) {
    var archives: Set<Int64> = []
    for document in documents {
      try ledger.insert(
        into: &archives,
        """
        SELECT m.archive FROM archive_documents m JOIN documents d USING (digest)
        WHERE d.document = ?
        """, document)
    }
    let naming = try database.prepare(
      "SELECT archive FROM archive_counts WHERE kind = 'pump' AND key = ?")
    for assignment in assignments {
      naming.bind(1, assignment)
      while try naming.step() { archives.insert(naming.int64(0)) }
      naming.reset()
    }
    try deleteRows(where: "archive", archives)
  }

  /// Takes back what only forgotten documents said of assignment ids; `isForgotten`: these ids are
  /// themselves to be forgotten.
  private func settleNames(
    _ assignments: Set<String>, isForgotten: Bool
  ) throws(SQLiteError) {
    for assignment in assignments {
      if isForgotten { try run("DELETE FROM document_pumps WHERE assignment = ?", assignment) }
      try run(
        """
        DELETE FROM assignments WHERE assignment = ?1
          AND NOT EXISTS (SELECT 1 FROM document_pumps s WHERE s.assignment = ?1)
        """, assignment)
      try run(
        """
        UPDATE assignments SET
          serial = (SELECT s.serial FROM document_pumps s
            WHERE s.assignment = ?1 AND s.serial IS NOT NULL ORDER BY s.document LIMIT 1),
          model_name = (SELECT s.model_name FROM document_pumps s
            WHERE s.assignment = ?1 AND s.model_name IS NOT NULL ORDER BY s.document DESC LIMIT 1),
          model_number = (SELECT s.model_number FROM document_pumps s
            WHERE s.assignment = ?1 AND s.model_number IS NOT NULL
            ORDER BY s.document DESC LIMIT 1),
          software_version = (SELECT s.software_version FROM document_pumps s
            WHERE s.assignment = ?1 AND s.software_version IS NOT NULL
            ORDER BY s.document DESC LIMIT 1)
        WHERE assignment = ?1
        """, assignment)
    }
    // A serial number that nobody states any more is known of no pump but one that it names.
    try database.execute(
      """
      UPDATE pumps SET serial = CASE WHEN serial = name THEN serial ELSE (
        SELECT min(a.serial) FROM assignments a WHERE a.pump = pumps.pump) END
      WHERE serial IS NOT NULL
        AND serial NOT IN (
          SELECT a.serial FROM assignments a WHERE a.pump = pumps.pump AND a.serial IS NOT NULL
          UNION SELECT s.serial FROM document_pumps s JOIN document_numbers n USING (document)
          WHERE s.assignment = '' AND n.pump = pumps.pump
          UNION SELECT s.serial FROM document_pumps s JOIN export_rows r USING (document)
          WHERE s.assignment = '' AND r.pump = pumps.pump)
      """)
  }

  /// Deletes those of some pumps that have no record left, with the names proven to be theirs.
  private func deleteEmptyPumps(_ pumps: Set<Int64>) throws(SQLiteError) -> Set<Int64> {
    var empty: Set<Int64> = []
    for pump in pumps {
      let select = try database.prepare(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM journal WHERE pump = ?1)
          OR EXISTS (SELECT 1 FROM export_rows WHERE pump = ?1)
        """)
      select.bind(1, pump)
      guard try !select.step() else { continue }
      try ledger.insert(
        into: &empty, "SELECT pump FROM pumps WHERE pump = ?1 OR same_as = ?1", pump)
    }
    for pump in empty {
      // What an account answer says of an assignment id holds without its pump.
      try run("UPDATE assignments SET pump = NULL WHERE pump = ?", pump)
    }
    try deleteRows(where: "pump", empty)
    return empty
  }
}
