import Platform
package import PumpModel

/// A document of an archive that a ledger knows, as far as a run that meets the archive again has
/// to tell of it.
///
/// Names are not kept.
package struct ArchivedDocument: Sendable, Equatable {
  /// The place in the archive's list of the capture that it lies in, if it does.
  package var parent: Int?
  /// The SHA-256 of its bytes.
  package var digest: [UInt8]
  /// Its format; nil if it is no pump data.
  package var format: DocumentFormat?
  /// How many bytes it has.
  package var bytes: UInt64
  /// How many records passed every check.
  package var accepted: UInt64
  /// Records that are not used, by reason.
  package var ignored: [IgnoredReason: UInt64] = [:]
  /// Records of unknown ids, by id.
  package var unknownIDs: [UInt16: UInt64] = [:]
  /// The pumps that it states.
  package var pumps: Set<StatedPump> = []
  /// Whether it holds something that carries no pump at all.
  package var holdsUnnamed = false

  /// Creates a document.
  package init(
    parent: Int?, digest: [UInt8], format: DocumentFormat?, bytes: UInt64, accepted: UInt64
  ) {
    self.parent = parent
    self.digest = digest
    self.format = format
    self.bytes = bytes
    self.accepted = accepted
  }
}

extension Ledger {
  /// The documents of an archive that was read before without a single reject; nil if it was not,
  /// or if the ledger no longer knows all of them.
  package func documents(
    ofArchive digest: [UInt8]
  ) throws(LedgerError) -> [ArchivedDocument]? {
    try run { () throws(SQLiteError) in
      let select = try database.prepare("SELECT archive FROM archives WHERE digest = ?")
      select.bind(1, blob: unsafe digest.span.bytes)
      guard try select.step() else { return nil }
      let archive = select.int64(0)
      let known = try database.prepare(
        """
        SELECT parent, a.digest, a.format, a.bytes, accepted, d.document IS NOT NULL
        FROM archive_documents a LEFT JOIN documents d ON d.digest = a.digest
        WHERE archive = ? ORDER BY position
        """)
      known.bind(1, archive)
      var documents: [ArchivedDocument] = []
      while try known.step() {
        let format = known.isNull(2) ? nil : DocumentFormat(rawValue: known.text(2))
        guard format == nil || known.int64(5) != 0 else { return nil }
        documents.append(
          ArchivedDocument(
            parent: known.isNull(0) ? nil : Int(known.int64(0)),
            digest: known.withBlob(1) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } },
            format: format, bytes: UInt64(known.int64(3)), accepted: UInt64(known.int64(4))))
      }
      try addCounts(to: &documents, archive)
      return documents
    }
  }

  private func addCounts(
    to documents: inout [ArchivedDocument], _ archive: Int64
  ) throws(SQLiteError) {
    let counts = try database.prepare(
      "SELECT position, kind, key, records FROM archive_counts WHERE archive = ?")
    counts.bind(1, archive)
    while try counts.step() {
      let position = Int(counts.int64(0))
      guard documents.indices.contains(position) else { continue }
      let key = counts.text(2)
      let records = UInt64(counts.int64(3))
      switch counts.text(1) {
      case "ignored":
        if let reason = IgnoredReason(rawValue: key) {
          documents[position].ignored[reason] = records
        }
      case "unknown":
        if let id = UInt16(key) { documents[position].unknownIDs[id] = records }
      case "serial": documents[position].pumps.insert(.serial(key))
      case "pump" where !key.isEmpty: documents[position].pumps.insert(.assignment(key))
      default: documents[position].holdsUnnamed = true
      }
    }
  }

  /// Keeps what an archive holds, so that it need not be read again.
  package func keep(
    archive digest: [UInt8], _ documents: [ArchivedDocument]
  ) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare("INSERT OR IGNORE INTO archives (digest) VALUES (?)")
      insert.bind(1, blob: unsafe digest.span.bytes)
      try insert.run()
      guard database.changes > 0 else { return }
      let archive = database.lastInsertedRow
      let row = try database.prepare(
        "INSERT INTO archive_documents VALUES (?, ?, ?, ?, ?, ?, ?)")
      let count = try database.prepare("INSERT INTO archive_counts VALUES (?, ?, ?, ?, ?)")
      for (position, document) in documents.enumerated() {
        row.bind(1, archive)
        row.bind(2, Int64(position))
        row.bind(3, document.parent.map(Int64.init))
        row.bind(4, blob: unsafe document.digest.span.bytes)
        row.bind(5, document.format?.rawValue)
        row.bind(6, Int64(clamping: document.bytes))
        row.bind(7, Int64(clamping: document.accepted))
        try row.run()
        for (kind, key, records) in document.counts {
          count.bind(1, archive)
          count.bind(2, Int64(position))
          count.bind(3, kind)
          count.bind(4, key)
          count.bind(5, Int64(clamping: records))
          try count.run()
        }
      }
    }
  }
}

extension ArchivedDocument {
  /// The counts as rows, in a fixed order.
  fileprivate var counts: [(kind: String, key: String, records: UInt64)] {
    ignored.map { ("ignored", $0.key.rawValue, $0.value) }.sorted { $0.1 < $1.1 }
      + unknownIDs.map { ("unknown", String($0.key), $0.value) }.sorted { $0.1 < $1.1 }
      + (holdsUnnamed ? [("pump", "", 0)] : [])
      + pumps.map { pump in
        switch pump {
        case .assignment(let assignment): ("pump", assignment, 0)
        case .serial(let serial): ("serial", serial, 0)
        }
      }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }
}
