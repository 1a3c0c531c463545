import Platform
import PumpModel

extension JournalImport {
  /// The pumps that a known document has records of.
  func pumps(of document: Int64) throws(SQLiteError) -> Set<Int64> {
    let select = try ledger.database.prepare(
      """
      SELECT coalesce(p.same_as, p.pump) FROM document_numbers n JOIN pumps p USING (pump)
      WHERE n.document = ?
      """)
    select.bind(1, document)
    var pumps: Set<Int64> = []
    while try select.step() { pumps.insert(select.int64(0)) }
    return pumps
  }

  /// Keeps who said what of pumps, so that it can be taken back with the document that said it.
  func keepStatements(
    _ documents: [AcceptedDocument], _ claims: PumpClaims, _ named: NamedPumps
  ) throws(SQLiteError) {
    let database = ledger.database
    var numbers: [UInt32: Int64] = [:]
    let select = try database.prepare(
      """
      SELECT document, EXISTS (SELECT 1 FROM document_pumps s WHERE s.document = d.document)
      FROM documents d WHERE digest = ?
      """)
    let statements = try Statements(database)
    let capture = try database.prepare("INSERT OR IGNORE INTO captures VALUES (?, ?)")
    for document in documents {
      select.bind(1, blob: unsafe document.digest.span.bytes)
      defer { select.reset() }
      guard try select.step() else { continue }
      let number = select.int64(0)
      numbers[document.index] = number
      if let parent = document.parent.flatMap({ numbers[$0] }) {
        capture.bind(1, parent)
        capture.bind(2, number)
        try capture.run()
      }
      var assignments: [String] = []
      var serials: [String] = []
      for reference in document.references.sorted() where reference > 0 {
        switch claims.stated[Int(reference) - 1] {
        case .assignment(let assignment): assignments.append(assignment)
        case .serial(let serial): serials.append(serial)
        }
      }
      if select.int64(1) == 0 {
        for assignment in assignments { try statements.keep(number, assignment) }
        for serial in serials {
          try statements.keep(number, PumpFacts(assignment: "", serial: serial))
        }
        for facts in document.facts { try statements.keep(number, facts) }
        if document.references.contains(0), let serial = claims.serial {
          try statements.keep(number, PumpFacts(assignment: "", serial: serial))
        }
      }
      if let given = named.given, assignments.contains(given.assignment) {
        try statements.keep(number, given)
      }
    }
  }
}

/// Writes what documents say of pumps.
private struct Statements {
  private let insert: SQLiteStatement

  init(_ database: SQLiteConnection) throws(SQLiteError) {
    insert = try database.prepare("INSERT INTO document_pumps VALUES (?, ?, ?, ?, ?, ?)")
  }

  /// Records carry an assignment id.
  func keep(_ document: Int64, _ assignment: String) throws(SQLiteError) {
    try keep(document, assignment, nil, nil, nil, nil)
  }

  /// An assignment id is a pump.
  func keep(_ document: Int64, _ facts: PumpFacts) throws(SQLiteError) {
    try keep(
      document, facts.assignment, facts.serial, facts.modelName, facts.modelNumber,
      facts.softwareVersion)
  }

  private func keep(
    _ document: Int64, _ assignment: String, _ serial: String?, _ modelName: String?,
    _ modelNumber: String?, _ softwareVersion: String?
  ) throws(SQLiteError) {
    insert.bind(1, document)
    insert.bind(2, assignment)
    insert.bind(3, serial)
    insert.bind(4, modelName)
    insert.bind(5, modelNumber)
    insert.bind(6, softwareVersion)
    try insert.run()
  }
}
