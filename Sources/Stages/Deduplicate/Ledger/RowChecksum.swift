import Platform
import PumpModel

/// The checksums of the ledger's packed rows: of the journal and of samples.
enum RowChecksum {
  /// The checksum of a row's bytes.
  static func of(_ bytes: RawSpan) -> Int64 {
    var digest = StateDigest()
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      digest.mix(bytes.load(offset, as: UInt64.self))
      offset += 8
    }
    while offset < bytes.byteCount {
      digest.mix(UInt64(bytes.load(offset, as: UInt8.self)))
      offset += 1
    }
    digest.mix(Int64(bytes.byteCount))
    return Int64(bitPattern: digest.value)
  }

  /// Reads a row whose bytes stand in one column and their checksum in the next.
  ///
  /// Rows that were written before there were checksums have none, and those of a temporary ledger.
  static func checkedBytes(
    of statement: SQLiteStatement, _ column: Int32
  ) throws(SQLiteError) -> [UInt8] {
    let bytes = statement.withBlob(column) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
    if !statement.isNull(column + 1) {
      try check(unsafe of(bytes.span.bytes), of: statement, column + 1)
    }
    return bytes
  }

  /// Compares the checksum of a row with that in a column.
  static func check(
    _ sum: Int64, of statement: SQLiteStatement, _ column: Int32
  ) throws(SQLiteError) {
    guard statement.isNull(column) || statement.int64(column) == sum else {
      throw .checkFailed("a row does not have the checksum that it was written with")
    }
  }
}

extension SQLiteError {
  /// A code that SQLite does not have.
  private static let checkCode: Int32 = -1

  /// What the ledger holds contradicts itself.
  static func checkFailed(_ what: String) -> SQLiteError {
    SQLiteError(code: checkCode, message: what)
  }

  /// Whether this is no error of SQLite's, but a check of the ledger's own that failed.
  var isFailedCheck: Bool { code == Self.checkCode }
}
