/// How far one member may expand (N2), so that a small file cannot keep a run busy for days.
package struct ExpansionLimits: Sendable, Equatable {
  /// So many bytes of a member are free of the ratio.
  package var freeBytes: UInt64
  /// How many bytes beyond the free ones may come of one compressed byte.
  package var ratio: UInt64
  /// The longest member.
  package var memberBytes: UInt64

  /// Creates limits, those of N2 unless said.
  package init(
    freeBytes: UInt64 = 16 << 20, ratio: UInt64 = 200, memberBytes: UInt64 = 16 << 30
  ) {
    self.freeBytes = freeBytes
    self.ratio = ratio
    self.memberBytes = memberBytes
  }

  /// Whether a member may have become so long.
  ///
  /// `compressed` is nil where nothing is compressed.
  func allow(expanded: UInt64, compressed: UInt64?) -> Bool {
    guard expanded <= memberBytes else { return false }
    guard expanded > freeBytes, let compressed else { return true }
    return (expanded - freeBytes) / ratio <= compressed
  }
}

/// What one input has used up of the bytes and entries that it may have, across all its archives.
package final class ExpansionBudget {
  private let byteLimit: UInt64
  private let entryLimit: Int
  /// Bytes that came out of the input so far.
  package private(set) var bytes: UInt64 = 0
  /// Entries met so far.
  package private(set) var entries = 0

  /// Creates a budget, that of N2 unless said.
  package init(bytes: UInt64 = 64 << 30, entries: Int = 100_000) {
    byteLimit = bytes
    entryLimit = entries
  }

  /// Takes bytes off the budget.
  package func spend(bytes count: Int) throws(InputError) {
    bytes += UInt64(count)
    if bytes > byteLimit { throw InputError(.inputTooLarge) }
  }

  /// Takes one entry off the budget.
  package func spendEntry() throws(InputError) {
    entries += 1
    if entries > entryLimit { throw InputError(.tooManyEntries) }
  }
}
