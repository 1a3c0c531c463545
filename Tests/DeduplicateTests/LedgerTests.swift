@testable import Deduplicate
import Foundation
import Platform
import PumpModel
import TestSupport
import Testing

/// The file behind a ledger: what is made, what is refused, what is kept.
@Suite("A ledger")
struct LedgerTests {
  private func error(opening path: String) -> String? {
    do throws(LedgerError) {
      _ = try Ledger(.file(path), waitMilliseconds: 0)
      return nil
    } catch {
      return error.word
    }
  }

  @Test("A file is made readable for its owner only, with the journals beside it")
  func mode() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ledger.db"
    do {
      let ledger = try Ledger(.file(path), waitMilliseconds: 0)
      try ledger.importing([TestDocument("a", [record(1)])])
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files.count == 3)
      for file in files {
        let attributes = try FileManager.default.attributesOfItem(
          atPath: folder.path + "/" + file)
        #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
      }
    }
    #expect(SQLiteFile(at: path) == .database(applicationID: 0x706D_706C))
  }

  @Test("What a run kept is there for the next one")
  func reopened() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ledger.db"
    do {
      let ledger = try Ledger(.file(path), waitMilliseconds: 0)
      try ledger.importing([TestDocument("a", [record(1)])])
      try ledger.replacing([sample(1)])
    }
    let ledger = try Ledger(.file(path), waitMilliseconds: 0)
    #expect(try ledger.events().count == 1)
    #expect(try ledger.replacing([sample(1)]).counts == [0, 1, 0, 0])
  }

  @Test("A file of no bytes becomes a ledger")
  func emptyFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("ledger.db", [])
    #expect(error(opening: path) == nil)
    #expect(SQLiteFile(at: path) == .database(applicationID: 0x706D_706C))
  }

  @Test("A database of another program is refused, and not a byte of it is changed")
  func otherDatabase() throws {
    let folder = try TemporaryFolder()
    for sql in [
      "CREATE TABLE notes (text TEXT)", "PRAGMA application_id = 7", "PRAGMA user_version = 7",
    ] {
      let path = folder.path + "/\(UUID().uuidString).db"
      do { try SQLiteConnection(.file(path)).execute(sql) }
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(error(opening: path) == "notALedger")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.allSatisfy { $0.hasSuffix(".db") })
  }

  @Test(
    "A file that is no database is refused, however short", arguments: [1, 99, 100, 511, 4096])
  func noDatabase(size: Int) throws {
    let folder = try TemporaryFolder()
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: size)
    let path = try folder.write("notes.txt", text)
    #expect(error(opening: path) == "notALedger")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text))
  }

  @Test("A ledger of a newer pumpline is refused and left as it is")
  func newer() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ledger.db"
    _ = try Ledger(.file(path), waitMilliseconds: 0)
    let version = LedgerSchema.version + 1
    do { try SQLiteConnection(.file(path)).execute("PRAGMA user_version = \(version)") }
    #expect(error(opening: path) == "newer \(version)")
    #expect(try SQLiteConnection(.file(path)).integer("PRAGMA user_version") == version)
  }

  @Test("In a folder that is not there no ledger may be made")
  func noFolder() throws {
    let folder = try TemporaryFolder()
    #expect(error(opening: folder.path + "/none/ledger.db") == "denied")
  }

  @Test("The second of two runs waits, then says that the ledger is busy")
  func busy() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ledger.db"
    let first = try Ledger(.file(path), waitMilliseconds: 0)
    let second = try Ledger(.file(path), waitMilliseconds: 20)
    try first.begin()
    do throws(LedgerError) {
      try second.begin()
      Issue.record("two runs write at once")
    } catch {
      #expect(error.word == "busy")
    }
    first.rollback()
    try second.begin()
    second.rollback()
  }

  @Test("What was not committed is taken back")
  func rollback() throws {
    let folder = try TemporaryFolder()
    let ledger = try Ledger(.file(folder.path + "/ledger.db"), waitMilliseconds: 0)
    try ledger.importing([TestDocument("a", [record(1)])])
    try ledger.begin()
    try ledger.keep(LedgerSettings(zones: [], clock: .zone, concentration: .u200))
    ledger.rollback()
    ledger.rollback()
    #expect(try ledger.settings() == nil)
    #expect(try ledger.events().count == 1)
  }

  @Test("A temporary ledger has no file")
  func temporary() throws {
    let ledger = try Ledger.temporary()
    let records = (0..<2_000 as Range<UInt32>).map { record($0 &* 1_001 % 2_000, at: $0) }
    try ledger.importing([TestDocument("a", records)])
    let file = try ledger.database.prepare("PRAGMA database_list")
    #expect(try file.step())
    #expect(file.text(2) == "")
    #expect(try ledger.read().records.count == 2_000)
  }

  @Test("Settings come back as they were kept, later ones in place of earlier ones")
  func settings() throws {
    let ledger = try Ledger.temporary()
    #expect(try ledger.settings() == nil)
    for zones in [
      [LedgerSettings.Zone(name: "Europe/Paris", fromWall: nil)],
      [
        LedgerSettings.Zone(name: "America/New_York", fromWall: nil),
        LedgerSettings.Zone(name: "Asia/Tokyo", fromWall: -5),
        LedgerSettings.Zone(name: "America/New_York", fromWall: 1_780_000_000),
      ],
    ] {
      let settings = LedgerSettings(zones: zones, clock: .records, concentration: .u500)
      try ledger.keep(settings)
      #expect(try ledger.settings() == settings)
    }
  }
}
