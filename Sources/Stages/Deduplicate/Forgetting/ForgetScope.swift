import Platform

/// What of a ledger is to be forgotten: documents that are no longer to count, and pumps of which
/// nothing is to be left.
package struct ForgetScope: Sendable {
  /// The documents that go.
  var documents: Set<Int64> = []
  /// The pumps of which nothing stays.
  var pumps: Set<Int64> = []
  /// The names of the pumps that are concerned, in order.
  package var pumpNames: [String] = []
  /// The documents that go, by format.
  package var documentCounts: [DocumentCount] = []

  /// Creates a scope of nothing.
  package init() {}
}

extension Ledger {
  /// The document of a digest with all that it contains, if it is an archive or a capture.
  ///
  /// What another archive or capture also contains is not its alone and stays out.
  ///
  /// - Returns: nil if the ledger knows nothing of that digest.
  package func scope(ofDocument digest: [UInt8]) throws(LedgerError) -> ForgetScope? {
    try run { () throws(SQLiteError) in
      var scope = ForgetScope()
      try insert(
        into: &scope.documents, "SELECT document FROM documents WHERE digest = ?", blob: digest)
      try insert(
        into: &scope.documents,
        """
        SELECT c.document FROM documents d JOIN captures c ON c.capture = d.document
        WHERE d.digest = ? AND NOT EXISTS (
          SELECT 1 FROM captures o WHERE o.document = c.document AND o.capture <> c.capture)
        """, blob: digest)
      try insert(
        into: &scope.documents,
        """
        SELECT d.document FROM archives a JOIN archive_documents m USING (archive)
        JOIN documents d ON d.digest = m.digest
        WHERE a.digest = ? AND NOT EXISTS (
          SELECT 1 FROM archive_documents o WHERE o.digest = m.digest AND o.archive <> a.archive)
        """, blob: digest)
      guard !scope.documents.isEmpty else { return nil }
      try describe(&scope)
      return scope
    }
  }

  /// A pump of a name, a serial number or an assignment id, with the documents that hold nothing
  /// but its records.
  ///
  /// - Returns: nil if there is no such pump.
  package func scope(ofPump name: String) throws(LedgerError) -> ForgetScope? {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT coalesce(same_as, pump) FROM (
          SELECT 1 AS rank, pump, same_as FROM pumps WHERE name = ?1
          UNION ALL SELECT 2, pump, same_as FROM pumps WHERE serial = ?1
          UNION ALL SELECT 3, p.pump, p.same_as FROM assignments a JOIN pumps p USING (pump)
            WHERE a.assignment = ?1
        ) ORDER BY rank, pump LIMIT 1
        """)
      select.bind(1, name)
      guard try select.step() else { return nil }
      var scope = ForgetScope()
      let pump = select.int64(0)
      try insert(
        into: &scope.pumps, "SELECT pump FROM pumps WHERE pump = ?1 OR same_as = ?1", pump)
      try insert(
        into: &scope.documents,
        """
        SELECT n.document FROM document_numbers n WHERE n.pump = ?1
        UNION SELECT r.document FROM export_rows r WHERE r.pump = ?1
        UNION SELECT s.document FROM document_pumps s JOIN assignments a USING (assignment)
          WHERE a.pump = ?1
        EXCEPT SELECT n.document FROM document_numbers n WHERE n.pump <> ?1
        EXCEPT SELECT r.document FROM export_rows r WHERE r.pump <> ?1
        EXCEPT SELECT s.document FROM document_pumps s
          LEFT JOIN assignments a USING (assignment)
          WHERE s.assignment <> '' AND a.pump IS NOT ?1
        """, pump)
      try describe(&scope)
      return scope
    }
  }

  private func describe(_ scope: inout ForgetScope) throws(SQLiteError) {
    var names: Set<String> = []
    var counts: [String: DocumentCount] = [:]
    for document in scope.documents {
      let pumps = try database.prepare(
        """
        SELECT p.name FROM document_numbers n JOIN pumps p USING (pump) WHERE n.document = ?1
        UNION SELECT p.name FROM export_rows r JOIN pumps p USING (pump) WHERE r.document = ?1
        """)
      pumps.bind(1, document)
      while try pumps.step() { names.insert(pumps.text(0)) }
      let facts = try database.prepare("SELECT format, records FROM documents WHERE document = ?")
      facts.bind(1, document)
      guard try facts.step() else { continue }
      let format = facts.text(0)
      counts[format, default: DocumentCount(format: format, documents: 0, records: 0)]
        .documents += 1
      counts[format]?.records += UInt64(clamping: facts.int64(1))
    }
    for pump in scope.pumps {
      let select = try database.prepare("SELECT name FROM pumps WHERE pump = ?")
      select.bind(1, pump)
      while try select.step() { names.insert(select.text(0)) }
    }
    scope.pumpNames = names.sorted()
    scope.documentCounts = counts.values.sorted { $0.format < $1.format }
  }

  private func insert(
    into set: inout Set<Int64>, _ sql: String, blob: [UInt8]
  ) throws(SQLiteError) {
    let statement = try database.prepare(sql)
    statement.bind(1, blob: unsafe blob.span.bytes)
    while try statement.step() { set.insert(statement.int64(0)) }
  }

  func insert(into set: inout Set<Int64>, _ sql: String, _ value: Int64) throws(SQLiteError) {
    let statement = try database.prepare(sql)
    statement.bind(1, value)
    while try statement.step() { set.insert(statement.int64(0)) }
  }
}
