/// A pump as a document states it (N1).
package enum StatedPump: Sendable, Hashable {
  /// By the assignment id that its records carry.
  case assignment(String)
  /// By its serial number, in the column of an export.
  case serial(String)
}
