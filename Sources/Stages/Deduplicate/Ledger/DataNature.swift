import Platform
import PumpModel

/// How made-up data and a pump's would have come together.
package enum DataMixture: Sendable, Equatable {
  /// One run read both.
  case inOneRun
  /// A run read made-up data, and the ledger holds a pump's.
  case demoIntoReal
  /// A run read a pump's data, and the ledger holds made-up data.
  case realIntoDemo
}

/// Whether some data is made up or a pump's; data of both kinds never comes together.
struct DataNature {
  private(set) var isDemo = false
  private(set) var isReal = false

  /// Takes in a piece of data.
  mutating func add(isDemo: Bool) {
    if isDemo { self.isDemo = true } else { isReal = true }
  }
}

extension Ledger {
  /// Whether everything in the ledger is made up.
  package func isDemo() throws(LedgerError) -> Bool {
    try run { () throws(SQLiteError) in try isMarkedDemo }
  }

  private var isMarkedDemo: Bool {
    get throws(SQLiteError) {
      try database.integer("SELECT value FROM settings WHERE name = 'demo'") == 1
    }
  }

  /// What the ledger holds; neither before the first pump, and then it may become either.
  func dataNature() throws(SQLiteError) -> DataNature {
    var nature = DataNature()
    if try isMarkedDemo {
      nature.add(isDemo: true)
    } else if try database.integer(
      "SELECT EXISTS (SELECT 1 FROM pumps) OR EXISTS (SELECT 1 FROM assignments)") == 1
    {
      nature.add(isDemo: false)
    }
    return nature
  }

  /// Refuses what a run read if it would come together with data of the other kind, and settles for
  /// all later runs which kind the ledger holds; it must be in its transaction.
  ///
  /// - Throws: `LedgerError.mixed`.
  func settle(_ new: DataNature, held: DataNature) throws(LedgerError) {
    if new.isDemo, new.isReal { throw .mixed(.inOneRun) }
    if new.isDemo, held.isReal { throw .mixed(.demoIntoReal) }
    if new.isReal, held.isDemo { throw .mixed(.realIntoDemo) }
    guard new.isDemo, !held.isDemo else { return }
    try run { () throws(SQLiteError) in try set("demo", integer: 1) }
  }
}

extension JournalImport {
  /// What the documents hold that the ledger did not know; those without any pump hold neither.
  func nature(
    of documents: some Sequence<AcceptedDocument>, named: NamedPumps
  ) throws(SQLiteError) -> DataNature {
    let demoPumps = try demoPumps()
    var nature = DataNature()
    for document in documents {
      if document.isMadeUp {
        nature.add(isDemo: true)
        continue
      }
      for reference in document.references {
        guard let pump = named.byReference[reference] else { continue }
        nature.add(isDemo: demoPumps.contains(pump))
      }
      for facts in document.facts {
        nature.add(isDemo: DemoData.isName(facts.assignment) || DemoData.isName(facts.serial))
      }
    }
    return nature
  }

  /// The pumps that have a name of a made-up one.
  private func demoPumps() throws(SQLiteError) -> Set<Int64> {
    var found: Set<Int64> = []
    for sql in [
      "SELECT pump, name, coalesce(serial, '') FROM pumps",
      "SELECT pump, assignment, coalesce(serial, '') FROM assignments WHERE pump IS NOT NULL",
    ] {
      let names = try ledger.database.prepare(sql)
      while try names.step() {
        guard DemoData.isName(names.text(1)) || DemoData.isName(names.text(2)) else { continue }
        found.insert(names.int64(0))
      }
    }
    return found
  }
}
