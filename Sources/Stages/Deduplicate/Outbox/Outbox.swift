import Platform

/// An output that a run promised when its ledger committed.
package struct OutboxEntry: Sendable, Equatable {
  /// Its number in the ledger; 0 before it is kept.
  package var number: Int64 = 0
  /// The sink whose mark it moves, and to where; nil: the output holds all samples.
  package var advance: Advance?
  /// The absolute path of the output; `-` is standard output.
  package var target: String
  /// The file that is to take its place, and the SHA-256 of it; nil: it is written after the
  /// commit, straight to the target.
  package var staged: StagedOutput?

  /// Creates an entry that is not kept yet.
  package init(advance: Advance?, target: String, staged: StagedOutput?) {
    self.advance = advance
    self.target = target
    self.staged = staged
  }

  /// A mark that moves.
  package struct Advance: Sendable, Equatable {
    /// The sink's number.
    package var sink: Int64
    /// The count of changes up to which the output gives everything.
    package var mark: UInt64

    /// Creates a movement.
    package init(sink: Int64, mark: UInt64) {
      self.sink = sink
      self.mark = mark
    }
  }

  /// A sealed file beside its target.
  package struct StagedOutput: Sendable, Equatable {
    /// Its absolute path.
    package var path: String
    /// Its SHA-256.
    package var digest: [UInt8]

    /// Describes a file.
    package init(path: String, digest: [UInt8]) {
      self.path = path
      self.digest = digest
    }
  }
}

extension Ledger {
  /// The outputs that were promised and not yet confirmed, in order.
  package func outbox() throws(LedgerError) -> [OutboxEntry] {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT entry, sink, mark, target, staged, digest FROM outbox ORDER BY entry")
      var entries: [OutboxEntry] = []
      while try statement.step() {
        var entry = OutboxEntry(advance: nil, target: statement.text(3), staged: nil)
        entry.number = statement.int64(0)
        if !statement.isNull(1) {
          entry.advance = .init(sink: statement.int64(1), mark: UInt64(max(statement.int64(2), 0)))
        }
        if !statement.isNull(4) {
          let digest = statement.withBlob(5) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
          entry.staged = .init(path: statement.text(4), digest: digest)
        }
        entries.append(entry)
      }
      return entries
    }
  }

  /// Keeps a promise, in the transaction that makes it; gives the entry with its number.
  package func promise(_ entry: OutboxEntry) throws(LedgerError) -> OutboxEntry {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare(
        "INSERT INTO outbox (sink, mark, target, staged, digest) VALUES (?, ?, ?, ?, ?)")
      insert.bind(1, entry.advance?.sink)
      insert.bind(2, entry.advance.map { Int64(clamping: $0.mark) })
      insert.bind(3, entry.target)
      insert.bind(4, entry.staged?.path)
      if let staged = entry.staged { insert.bind(5, blob: unsafe staged.digest.span.bytes) }
      try insert.run()
      var kept = entry
      kept.number = database.lastInsertedRow
      return kept
    }
  }

  /// Ends a promise that was kept: the sink's mark moves forward.
  package func confirm(_ entry: OutboxEntry) throws(LedgerError) {
    if let advance = entry.advance { try move(advance) }
    try takeBack(entry)
  }

  /// Moves a sink's mark, which never goes back.
  package func move(_ advance: OutboxEntry.Advance) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let update = try database.prepare("UPDATE sinks SET mark = max(mark, ?) WHERE sink = ?")
      update.bind(1, Int64(clamping: advance.mark))
      update.bind(2, advance.sink)
      try update.run()
    }
  }

  /// Ends a promise that was not kept: what it held is owed as before.
  package func takeBack(_ entry: OutboxEntry) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let delete = try database.prepare("DELETE FROM outbox WHERE entry = ?")
      delete.bind(1, entry.number)
      try delete.run()
    }
  }

  /// Forgets the old forms of samples that no sink was given last.
  package func forgetUnneededForms() throws(LedgerError) {
    try run { () throws(SQLiteError) in try SupersededForms.forgetUnneeded(database) }
  }

  /// The folders in which staged files of this ledger may lie.
  package func stagingFolders() throws(LedgerError) -> Set<String> {
    try run { () throws(SQLiteError) in
      let statement = try database.prepare("SELECT folder FROM staging_folders")
      var folders: Set<String> = []
      while try statement.step() { folders.insert(statement.text(0)) }
      return folders
    }
  }

  /// Remembers a folder before a file is staged in it.
  package func keep(stagingFolder folder: String) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare("INSERT OR IGNORE INTO staging_folders VALUES (?)")
      insert.bind(1, folder)
      try insert.run()
    }
  }
}
