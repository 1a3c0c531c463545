package import Platform
package import PumpModel

/// Why outputs could not be compared at all.
package enum AuditError: Error, Sendable, Equatable {
  /// An output cannot be read to its end.
  case unreadable(WrittenFault)
  /// The database in which samples are compared failed.
  case store(SQLiteError)
}
