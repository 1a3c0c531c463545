@testable import Deduplicate
import Foundation
import Platform
import TestSupport
import Testing

/// A ledger that is opened for a run that keeps nothing.
@Suite("A ledger that keeps nothing")
struct LedgerDryRunTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/ledger.db" }

  init() throws { folder = try TemporaryFolder() }

  @Test("New tables are there for the run, and gone with it")
  func tables() throws {
    do {
      let ledger = try Ledger(.file(path), waitMilliseconds: 0, keepsNothing: true)
      try ledger.begin()
      #expect(try ledger.settings() == nil)
      #expect(try ledger.database.integer("PRAGMA user_version") == LedgerSchema.version)
      ledger.rollback()
    }
    let after = try SQLiteConnection(.readOnlyFile(path))
    #expect(try after.integer("PRAGMA user_version") == 0)
    #expect(try after.integer("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test("Its place is temporary where a file would have to be made, and could be")
  func place() throws {
    func isTemporary(_ path: String) -> Bool {
      if case .temporary = Ledger.Place.forDryRun(path) { true } else { false }
    }
    #expect(isTemporary(path))
    #expect(!isTemporary(folder.path + "/nowhere/ledger.db"))
    #expect(!isTemporary(folder.path))
    _ = try Ledger(.file(path), waitMilliseconds: 0)
    #expect(!isTemporary(path))
  }
}
