import Platform
package import PumpModel

/// Compares the two sets of a store: by external id where both have it, the rest one to one by type,
/// time and amount.
package struct SampleComparison {
  private let store: SampleStore
  private let content: SampleContent
  private var result = ComparisonResult()
  private let insertUnmatched: SQLiteStatement
  private let insertDifference: SQLiteStatement
  private let goesOn: () throws -> Void

  /// So many samples of one id are looked at together; more are duplicates without a look.
  private static let mostOfOneID = 256
  /// So many samples that lie close to each other are looked at together.
  private static let mostInCluster = 2048
  /// How often `goesOn` is asked: every so many samples.
  private static let pause = 4096

  /// Prepares a comparison; `goesOn` is asked again and again, and may throw to end it.
  package init(
    _ store: SampleStore, content: SampleContent, goesOn: @escaping () throws -> Void = {}
  ) throws(AuditError) {
    self.store = store
    self.content = content
    self.goesOn = goesOn
    do throws(SQLiteError) {
      insertUnmatched = try store.database.prepare("INSERT INTO unmatched VALUES (?)")
      insertDifference = try store.database.prepare("INSERT INTO differences VALUES (?,?,?,?)")
    } catch {
      throw .store(error)
    }
  }

  /// Compares; the differences are in the store afterwards.
  ///
  /// - Throws: `AuditError` if the database fails, and whatever `goesOn` throws.
  package mutating func run() throws -> ComparisonResult {
    do {
      try compareByID()
      try compareByTime()
    } catch let error as SQLiteError {
      throw AuditError.store(error)
    }
    return result
  }

  // MARK: By external id

  private mutating func compareByID() throws {
    try store.database.execute("INSERT INTO unmatched SELECT n FROM samples WHERE id IS NULL")
    let select = try store.database.prepare(
      """
      SELECT \(StoredRow.columns(of: "samples")) FROM samples WHERE id IS NOT NULL
      ORDER BY id, side, n
      """)
    var group = SampleGroup()
    var seen = 0
    while try select.step() {
      seen += 1
      if seen % Self.pause == 0 { try goesOn() }
      guard let row = StoredRow(select) else { continue }
      if row.sample.externalID != group.id {
        try settle(group)
        group = SampleGroup(id: row.sample.externalID)
      }
      if group[row.side].count < Self.mostOfOneID {
        group[row.side].append(row)
      } else {
        try note(.duplicated, row)
      }
    }
    try settle(group)
  }

  /// Pairs the samples of one id, equal ones first.
  private mutating func settle(_ group: SampleGroup) throws {
    var rest = group
    for row in group[.first] {
      guard
        let place = rest[.second].firstIndex(where: {
          content.fields(row.sample, $0.sample).isEmpty
        })
      else { continue }
      rest[.second].remove(at: place)
      rest[.first].removeAll { $0.number == row.number }
      result.matchedByID += 1
    }
    let pairs = min(rest[.first].count, rest[.second].count)
    for (first, second) in zip(rest[.first], rest[.second]) {
      result.matchedByID += 1
      try note(.changed, first, second, content.fields(first.sample, second.sample))
    }
    for side in SampleSide.allCases {
      // Of an id that the other set lacks, the first sample may be its under another name.
      let isKnown = !group[side.other].isEmpty
      for (index, row) in rest[side].dropFirst(pairs).enumerated() {
        if isKnown || index > 0 {
          try note(.duplicated, row)
        } else {
          insertUnmatched.bind(1, row.number)
          try insertUnmatched.run()
        }
      }
    }
  }

  // MARK: By type, time and amount

  private mutating func compareByTime() throws {
    guard try store.database.integer("SELECT 1 FROM unmatched LIMIT 1") != nil else { return }
    // Looked up for copies of what is left over.
    try store.database.execute(
      "CREATE INDEX samples_by_start ON samples (start, side, type, stop, amount)")
    let isCopy = try store.database.prepare(
      """
      SELECT 1 FROM samples s WHERE start = ?1 AND side = ?2 AND type = ?3 AND stop = ?4
        AND amount = ?5 AND device IS ?6
        AND n <> ?7 AND (n < ?7 OR n NOT IN (SELECT n FROM unmatched)) LIMIT 1
      """)
    // Glucose readings are one kind here: other programs do not tell where they come from.
    let select = try store.database.prepare(
      """
      SELECT \(StoredRow.columns(of: "samples")) FROM unmatched JOIN samples USING (n)
      ORDER BY min(type, \(SampleType.sensorGlucose.code)), \(content.pairing.order), stop, amount, side, n
      """)
    var cluster = SampleCluster(content.pairing)
    var seen = 0
    while try select.step() {
      seen += 1
      if seen % Self.pause == 0 { try goesOn() }
      guard let row = StoredRow(select) else { continue }
      if !cluster.reaches(row.sample) || cluster.count >= Self.mostInCluster {
        try settle(cluster, isCopy)
        cluster = SampleCluster(content.pairing)
      }
      cluster.add(row)
    }
    try settle(cluster, isCopy)
  }

  private mutating func settle(_ cluster: SampleCluster, _ isCopy: SQLiteStatement) throws {
    guard cluster.count > 0 else { return }
    let matching = cluster.match()
    for pair in matching.pairs {
      result.matchedByTime += 1
      let (first, second) = (pair.first, pair.second)
      let differ =
        pair.isComparable ? content.fields(first.sample, second.sample) : pair.fields
      if !differ.isEmpty { try note(.changed, first, second, differ) }
    }
    for row in matching.rest {
      let sample = row.sample
      isCopy.bind(1, sample.start.unixSeconds)
      isCopy.bind(2, row.side.rawValue)
      isCopy.bind(3, sample.type.code)
      isCopy.bind(4, sample.end.unixSeconds)
      isCopy.bind(5, sample.amount.parts)
      isCopy.bind(6, sample.device)
      isCopy.bind(7, row.number)
      defer { isCopy.reset() }
      if try isCopy.step() {
        try note(.duplicated, row)
      } else {
        try note(row.side == .first ? .missing : .extra, row)
      }
    }
  }

  // MARK: Notes

  private mutating func note(_ kind: SampleDifference.Kind, _ row: StoredRow) throws(SQLiteError) {
    if row.side == .first {
      try note(kind, row, nil, [])
    } else {
      try note(kind, nil, row, [])
    }
  }

  private mutating func note(
    _ kind: SampleDifference.Kind, _ first: StoredRow?, _ second: StoredRow?, _ fields: [String]
  ) throws(SQLiteError) {
    result.differences[kind, default: 0] += 1
    insertDifference.bind(1, kind.code)
    insertDifference.bind(2, first?.number)
    insertDifference.bind(3, second?.number)
    insertDifference.bind(4, fields.joined(separator: ","))
    try insertDifference.run()
  }
}

/// The samples of one external id.
private struct SampleGroup {
  let id: String?
  private var rows: [[StoredRow]] = [[], []]

  init(id: String? = nil) { self.id = id }

  subscript(side: SampleSide) -> [StoredRow] {
    get { rows[Int(side.rawValue)] }
    set { rows[Int(side.rawValue)] = newValue }
  }
}
