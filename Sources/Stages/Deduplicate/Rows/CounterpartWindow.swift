package import PumpModel

/// Gives what events tell for one chunk of rows after the other, each dose to one chunk at most.
///
/// Doses may have begun long before they ended, so that one may be looked at for several chunks.
package final class CounterpartWindow {
  private let spools: [CounterpartSpool]
  private let delay: Int64
  private var held: [Counterpart] = []
  /// The places in `held` of what was given last.
  private var given: [Int] = []

  /// Begins with what spools have first; those that ended up to `delay` seconds before the end of a
  /// chunk's range are held for later ones.
  package init(_ spools: [CounterpartSpool], holding delay: Int64) throws(LedgerError) {
    for spool in spools { try spool.rewind() }
    self.spools = spools
    self.delay = delay
  }

  /// Those that ended between two times and are wanted; times must not go back.
  package func take(
    from first: Int64, through last: Int64, where isWanted: (Counterpart) -> Bool
  ) throws(LedgerError) -> [Counterpart] {
    guard let clock = spools.first else { return [] }
    held.removeAll { clock.seconds(of: $0) < first }
    for spool in spools {
      held += try spool.take(from: first, through: last) {
        isWanted($0) || clock.seconds(of: $0) > last - delay
      }
    }
    given = held.indices.filter { isWanted(held[$0]) }
    return given.map { held[$0] }
  }

  /// Takes out those at some places of what was given last: rows have them.
  package func remove(_ places: Set<Int>) {
    for place in places.sorted(by: >) where given.indices.contains(place) {
      held.remove(at: given[place])
    }
    given = []
  }
}
