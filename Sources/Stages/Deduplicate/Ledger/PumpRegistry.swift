import Platform
package import PumpModel

/// Why pumps of a run could not be named (N1).
package enum NamingError: Error, Sendable, Equatable {
  /// Records carry no pump at all, and no serial number was given.
  case serialNeeded
  /// The given serial number would name pumps of several assignment ids.
  case serialNamesSeveral(count: Int)
}

/// The pumps that a run's documents speak of.
package struct PumpClaims: Sendable {
  /// The pumps as documents state them, by the run's references less one (reference 1 is the first).
  package var stated: [StatedPump]
  /// The references that documents of this run hold, known ones included.
  package var present: Set<UInt32>
  /// Whether a new document holds records that carry no pump at all.
  package var hasUnnamed: Bool
  /// What account answers of this run say.
  package var facts: [PumpFacts]
  /// The serial number given for pumps without one.
  package var serial: String?

  /// Creates claims.
  package init(
    stated: [StatedPump], present: Set<UInt32>, hasUnnamed: Bool, facts: [PumpFacts],
    serial: String?
  ) {
    self.stated = stated
    self.present = present
    self.hasUnnamed = hasUnnamed
    self.facts = facts
    self.serial = serial
  }
}

/// Which of a ledger's pumps a run speaks of.
package struct NamedPumps: Sendable {
  /// The pump of each reference of the run; 0 is the unnamed one.
  package var byReference: [UInt32: Int64] = [:]
  /// Pumps that were proven to be another one.
  package var merged: [(from: Int64, into: Int64)] = []
  /// What the given serial number was remembered of; nil if it named no assignment id.
  var given: PumpFacts?
}

/// The pumps that documents of a run state, by how they state them.
private struct PresentPumps {
  private(set) var assignments: [(reference: UInt32, text: String)] = []
  private(set) var serials: [(reference: UInt32, text: String)] = []

  init(_ claims: PumpClaims) {
    for (index, stated) in claims.stated.enumerated() {
      let reference = UInt32(index + 1)
      guard claims.present.contains(reference) else { continue }
      switch stated {
      case .assignment(let assignment): assignments.append((reference, assignment))
      case .serial(let serial): serials.append((reference, serial))
      }
    }
  }
}

/// Names pumps: by serial number where one is known, else by assignment id; the first name a pump
/// was given stays.
struct PumpRegistry {
  let database: SQLiteConnection

  func name(_ claims: PumpClaims) throws -> NamedPumps {
    try remember(claims.facts)
    let present = PresentPumps(claims)
    var named = NamedPumps()
    named.given = try remember(claims.serial, for: present.assignments.map(\.text))
    if claims.hasUnnamed, claims.serial == nil { throw NamingError.serialNeeded }

    var serials = Set(claims.facts.map(\.serial))
    let toCreate = try serialsWithRecords(claims, present)
    serials.formUnion(toCreate)
    for serial in serials.sorted() {
      try unify(serial, creates: toCreate.contains(serial), into: &named)
    }
    for assignment in present.assignments.map(\.text).sorted()
    where try serial(of: assignment) == nil && pump(ofAssignment: assignment) == nil {
      try link(assignment, to: create(name: assignment, serial: nil))
    }
    for (reference, assignment) in present.assignments {
      named.byReference[reference] = try pump(ofAssignment: assignment)
    }
    for (reference, serial) in present.serials {
      named.byReference[reference] = try pumps(ofSerial: serial).first
    }
    if claims.hasUnnamed, let serial = claims.serial {
      named.byReference[0] = try pumps(ofSerial: serial).first
    }
    return named
  }

  /// The serial numbers whose pumps have records, so that a pump is needed for them.
  private func serialsWithRecords(
    _ claims: PumpClaims, _ present: PresentPumps
  ) throws(SQLiteError) -> Set<String> {
    var needed = Set(present.serials.map(\.text))
    if claims.hasUnnamed, let serial = claims.serial { needed.insert(serial) }
    for (_, assignment) in present.assignments {
      if let serial = try serial(of: assignment) { needed.insert(serial) }
    }
    return needed
  }

  /// Makes all that is known under a serial number one pump.
  private func unify(
    _ serial: String, creates: Bool, into named: inout NamedPumps
  ) throws(SQLiteError) {
    let linked = try assignments(ofSerial: serial)
    var found = Set(try pumps(ofSerial: serial))
    for assignment in linked {
      if let pump = try pump(ofAssignment: assignment) { found.insert(pump) }
    }
    let ordered = found.sorted()
    guard creates || !ordered.isEmpty else { return }
    let pump: Int64
    if let first = ordered.first {
      pump = first
    } else {
      pump = try create(name: serial, serial: serial)
    }
    try setSerial(serial, of: pump)
    for other in ordered.dropFirst() {
      try merge(other, into: pump)
      named.merged.append((other, pump))
    }
    for assignment in linked { try link(assignment, to: pump) }
  }

  private func remember(_ facts: [PumpFacts]) throws(SQLiteError) {
    let statement = try database.prepare(
      """
      INSERT INTO assignments
        (assignment, serial, model_name, model_number, software_version)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (assignment) DO UPDATE SET
        serial = coalesce(serial, excluded.serial),
        model_name = coalesce(excluded.model_name, model_name),
        model_number = coalesce(excluded.model_number, model_number),
        software_version = coalesce(excluded.software_version, software_version)
      """)
    for fact in facts.sorted(by: { ($0.assignment, $0.serial) < ($1.assignment, $1.serial) }) {
      statement.bind(1, fact.assignment)
      statement.bind(2, fact.serial)
      statement.bind(3, fact.modelName)
      statement.bind(4, fact.modelNumber)
      statement.bind(5, fact.softwareVersion)
      try statement.run()
    }
  }

  /// Gives the serial number to the one pump of the run that has none.
  private func remember(_ given: String?, for assignments: [String]) throws -> PumpFacts? {
    guard let given else { return nil }
    let without = try assignments.filter { try serial(of: $0) == nil }
    guard without.count < 2 else {
      throw NamingError.serialNamesSeveral(count: without.count)
    }
    guard let assignment = without.first else { return nil }
    let facts = PumpFacts(assignment: assignment, serial: given)
    try remember([facts])
    return facts
  }
}

extension PumpRegistry {
  private func serial(of assignment: String) throws(SQLiteError) -> String? {
    let statement = try database.prepare("SELECT serial FROM assignments WHERE assignment = ?")
    statement.bind(1, assignment)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.text(0)
  }

  private func pump(ofAssignment assignment: String) throws(SQLiteError) -> Int64? {
    let statement = try database.prepare("SELECT pump FROM assignments WHERE assignment = ?")
    statement.bind(1, assignment)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.int64(0)
  }

  private func assignments(ofSerial serial: String) throws(SQLiteError) -> [String] {
    let statement = try database.prepare(
      "SELECT assignment FROM assignments WHERE serial = ? ORDER BY assignment")
    statement.bind(1, serial)
    var found: [String] = []
    while try statement.step() { found.append(statement.text(0)) }
    return found
  }

  private func pumps(ofSerial serial: String) throws(SQLiteError) -> [Int64] {
    let statement = try database.prepare(
      "SELECT pump FROM pumps WHERE serial = ? AND same_as IS NULL ORDER BY pump")
    statement.bind(1, serial)
    var found: [Int64] = []
    while try statement.step() { found.append(statement.int64(0)) }
    return found
  }

  private func create(name: String, serial: String?) throws(SQLiteError) -> Int64 {
    let statement = try database.prepare("INSERT INTO pumps (name, serial) VALUES (?, ?)")
    statement.bind(1, name)
    statement.bind(2, serial)
    try statement.run()
    let pump = database.lastInsertedRow
    let update = try database.prepare("UPDATE pumps SET name_checksum = ? WHERE pump = ?")
    update.bind(1, Self.checksum(ofName: name, of: pump))
    update.bind(2, pump)
    try update.run()
    return pump
  }

  /// What tells that a pump still has the name that it was given: all its samples are named by it.
  static func checksum(ofName name: String, of pump: Int64) -> Int64 {
    let bytes = Array("\(pump):\(name)".utf8)
    return RowChecksum.of(unsafe bytes.span.bytes)
  }

  private func setSerial(_ serial: String, of pump: Int64) throws(SQLiteError) {
    let statement = try database.prepare("UPDATE pumps SET serial = ? WHERE pump = ?")
    statement.bind(1, serial)
    statement.bind(2, pump)
    try statement.run()
  }

  private func link(_ assignment: String, to pump: Int64) throws(SQLiteError) {
    let statement = try database.prepare(
      """
      INSERT INTO assignments (assignment, pump) VALUES (?, ?)
      ON CONFLICT (assignment) DO UPDATE SET pump = excluded.pump
      """)
    statement.bind(1, assignment)
    statement.bind(2, pump)
    try statement.run()
  }

  private func merge(_ pump: Int64, into other: Int64) throws(SQLiteError) {
    for sql in [
      "UPDATE pumps SET same_as = ?2 WHERE pump = ?1 OR same_as = ?1",
      "UPDATE assignments SET pump = ?2 WHERE pump = ?1",
      "UPDATE document_numbers SET pump = ?2 WHERE pump = ?1",
      "UPDATE estimated_times SET pump = ?2 WHERE pump = ?1",
      "UPDATE OR REPLACE export_rows SET pump = ?2 WHERE pump = ?1",
      """
      UPDATE pumps SET has_groups = max(has_groups,
        (SELECT has_groups FROM pumps WHERE pump = ?1)) WHERE pump = ?2
      """,
    ] {
      let statement = try database.prepare(sql)
      statement.bind(1, pump)
      statement.bind(2, other)
      try statement.run()
    }
    try PlacedNames(database).give(pump: other)
  }
}
