package import PumpModel

/// Gives what may be told by one chunk of rows after the other.
///
/// Doses may have begun long before they ended, so that one may be looked at for several chunks.
package final class CounterpartWindow {
  private let spools: [CounterpartSpool]
  private var held: [Counterpart] = []
  /// Up to which second spools were read.
  private var end = Int64.min

  /// Begins with what spools have first, all of which are sorted by one clock.
  package init(_ spools: [CounterpartSpool]) throws(LedgerError) {
    for spool in spools { try spool.rewind() }
    self.spools = spools
  }

  /// Those that ended between two times and are wanted.
  ///
  /// Of those that are not wanted yet, such as ended at `next` or later are held for later calls; their
  /// ranges must not begin before `first`.
  package func take(
    from first: Int64, through last: Int64, holdingFrom next: Int64,
    where isWanted: (Counterpart) -> Bool
  ) throws(LedgerError) -> [Counterpart] {
    guard let clock = spools.first else { return [] }
    held.removeAll { clock.seconds(of: $0) < first }
    if last > end {
      for spool in spools {
        held += try spool.take(from: first, through: last) {
          isWanted($0) || clock.seconds(of: $0) >= next
        }
      }
      end = last
    }
    return held.filter { clock.seconds(of: $0) <= last && isWanted($0) }
  }
}
