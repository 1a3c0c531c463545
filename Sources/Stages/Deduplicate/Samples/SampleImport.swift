import Platform
package import PumpModel

/// Samples that others made, on their way into a ledger of the kind `samples`.
///
/// They wait sorted beside the ledger, then each is compared with what the ledger held under its
/// external id: fresh, unchanged or revised. What is not among them stays. Of several samples of
/// one id the one of the greatest revision counts, of these the last.
package final class SampleImport {
  private let ledger: Ledger
  private let spool: SortSpool
  /// The pumps by name, each with its number here.
  private var pumps: [[UInt8]: UInt32] = [:]
  private var names: [[UInt8]] = []
  private var taken: UInt64 = 0
  /// The ledger's words, and those that are to be added.
  private var words: StatusWords?
  private var newWords: [(word: String, code: UInt16)] = []
  /// The names of records, in a temporary table until the ledger is in its transaction.
  private var givenNames: NameKeeper?
  private let sha256 = Digest256()

  private static let memory = 10 << 20
  /// Any account has a handful of pumps; a million names would fill the memory.
  private static let mostPumps = 4096

  /// Creates an import.
  package init(_ ledger: Ledger) {
    self.ledger = ledger
    spool = SortSpool(memory: Self.memory)
  }

  /// Takes a sample of a pump whose name is given as UTF-8; false if it is one pump too many.
  ///
  /// Group and event id of its identity are not looked at. If it `isWithdrawn`, this is no sample
  /// but word that one was withdrawn. `statusWord` is how its bolus ended, where there is no code
  /// of the pump for it. `name` is what its id begins with, if it is of a named record. Throws `LedgerError` where the temporary file cannot grow.
  package func append(
    _ sample: Sample, pump: [UInt8], revision: UInt32, isWithdrawn: Bool,
    lineage: [EventReference], statusWord: String? = nil, name: String? = nil
  ) throws(LedgerError) -> Bool {
    guard let pump = number(of: pump) else { return false }
    var sample = sample
    if let name { sample.identity = try identity(sample.identity, named: name) }
    if let statusWord {
      guard let code = try code(of: statusWord) else { return false }
      sample.metadata.status = code
    }
    // Orders samples that share all of an id but its ordinal, and gives each a key of its own.
    sample.identity.group = UInt32(max(sample.identity.ordinal, 1)) - 1
    sample.identity.eventID = 0
    var key = StoredSample.key(of: sample)
    key.partition = pump << 3 | UInt32(StoredSample.storageKind(sample))
    taken += 1
    try ledger.run { () throws(SQLiteError) in
      try spool.append(key) { arena in
        arena.append(taken)
        SampleCoding.append(
          sample, revision: revision, change: 0, isWithdrawn: isWithdrawn, lineage: lineage[...],
          to: &arena)
      }
    }
    return true
  }

  /// The code of a word; nil if there are no more codes.
  private func code(of word: String) throws(LedgerError) -> UInt16? {
    if words == nil { words = try ledger.statusWords() }
    if let code = words?.code(of: word) { return code }
    var next = try ledger.nextStatusCode()
    if let last = newWords.last { next = Int64(last.code) + 1 }
    guard let code = UInt16(exactly: next) else { return nil }
    words?.add(word, code: code)
    newWords.append((word, code))
    return code
  }

  /// Keeps the words that are new; another run may have given their codes to others meanwhile.
  private func keepWords() throws(LedgerError) {
    guard !newWords.isEmpty else { return }
    let words = try ledger.run { () throws(SQLiteError) in
      let list = try StatusWordList(ledger.database)
      for (word, _) in newWords { try list.keep(word) }
      return try list.read()
    }
    guard newWords.allSatisfy({ words.code(of: $0.word) == $0.code }) else { throw .busy }
  }

  /// The identity of a named record's sample.
  private func identity(
    _ identity: SampleIdentity, named name: String
  ) throws(LedgerError) -> SampleIdentity {
    try ledger.run { () throws(SQLiteError) in
      let names: NameKeeper
      if let givenNames {
        names = givenNames
      } else {
        try ledger.database.execute(
          "CREATE TEMP TABLE given_names (digest INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        names = try NameKeeper(ledger.database, table: "temp.given_names")
        givenNames = names
      }
      let digest = NameKeeper.digest(of: name, by: sha256)
      try names.keep(name, under: digest)
      var named = SampleIdentity(kind: identity.kind, named: digest)
      named.ordinal = identity.ordinal
      return named
    }
  }

  private func keepNames() throws(SQLiteError) {
    guard givenNames != nil else { return }
    givenNames = nil
    let names = try NameKeeper(ledger.database)
    let given = try ledger.database.prepare("SELECT name, digest FROM temp.given_names")
    while try given.step() {
      try names.keep(given.text(0), under: UInt64(bitPattern: given.int64(1)))
    }
    given.reset()
    try ledger.database.execute("DROP TABLE temp.given_names")
  }

  private func number(of pump: [UInt8]) -> UInt32? {
    if let number = pumps[pump] { return number }
    guard names.count < Self.mostPumps else { return nil }
    let number = UInt32(names.count)
    names.append(pump)
    pumps[pump] = number
    return number
  }

  /// Compares the samples with the ledger's and keeps them; the ledger must be in its transaction.
  package func finish() throws(LedgerError) -> SampleImportOutcome {
    try keepWords()
    return try ledger.run { () throws(SQLiteError) in
      try spool.finish()
      try keepNames()
      var outcome = SampleImportOutcome()
      var change = try ledger.change
      for partition in spool.partitions {
        // A rate of zero, which no line can be, has no kind.
        guard let kind = StoredSample.kind(ofStorage: UInt64(partition & 7)) else { continue }
        let rows = try SampleRows(
          ledger.database, pump: try pump(named: names[Int(partition >> 3)]),
          storageKind: UInt64(partition & 7))
        var union = SampleUnion(rows: rows, change: change)
        try union.add(EntryStream(try spool.entries(partition)))
        change = union.change
        outcome.changes[kind, default: SampleChanges()] += union.changes
        outcome.superseded += union.superseded
      }
      try ledger.setChange(change)
      spool.drop()
      return outcome
    }
  }

  private func pump(named name: [UInt8]) throws(SQLiteError) -> Int64 {
    let select = try ledger.database.prepare("SELECT pump FROM pumps WHERE name = ?")
    select.bind(1, utf8: name.span)
    if try select.step() { return select.int64(0) }
    let insert = try ledger.database.prepare("INSERT INTO pumps (name) VALUES (?)")
    insert.bind(1, utf8: name.span)
    try insert.run()
    return ledger.database.lastInsertedRow
  }
}

/// What taking samples of others did.
package struct SampleImportOutcome: Sendable {
  /// The changes of each kind; withdrawn ones only where word of it came.
  package var changes: [SampleKind: SampleChanges] = [:]
  /// How many were set aside, since another of the same id counts.
  package var superseded: UInt64 = 0

  /// Creates an outcome of nothing.
  package init() {}
}

extension Ledger {
  /// The count of changes to samples; those that change from now on have greater numbers.
  package func changeCount() throws(LedgerError) -> UInt64 {
    try run { () throws(SQLiteError) in try change }
  }

  /// Tells the model and software of pumps that have samples here: of those with a serial number
  /// or an assignment id as their name.
  package func keep(_ facts: [PumpFacts]) throws(LedgerError) {
    try run { () throws(SQLiteError) in
      let insert = try database.prepare(
        """
        INSERT INTO assignments
          (assignment, pump, serial, model_name, model_number, software_version)
        SELECT ?1, pump, ?2, ?3, ?4, ?5 FROM pumps WHERE name IN (?1, ?2) ORDER BY pump LIMIT 1
        ON CONFLICT (assignment) DO UPDATE SET
          model_name = coalesce(excluded.model_name, model_name),
          model_number = coalesce(excluded.model_number, model_number),
          software_version = coalesce(excluded.software_version, software_version)
        """)
      for fact in facts.sorted(by: { ($0.assignment, $0.serial) < ($1.assignment, $1.serial) }) {
        insert.bind(1, fact.assignment)
        insert.bind(2, fact.serial)
        insert.bind(3, fact.modelName)
        insert.bind(4, fact.modelNumber)
        insert.bind(5, fact.softwareVersion)
        try insert.run()
      }
    }
  }
}
