import Platform
package import PumpModel

/// Sorts what events tell that rows of exports may tell too, by the seconds in which it is compared.
package final class CounterpartSpool {
  private let spool: SortSpool
  private var entries: EntryStream?
  /// Whether it is sorted by instants; else by the pump's clock.
  package let usesInstants: Bool

  private static let memory = 2 << 20

  /// Creates a spool that is sorted by instants or by the pump's clock.
  package init(usesInstants: Bool) {
    self.usesInstants = usesInstants
    spool = SortSpool(memory: Self.memory)
  }

  /// Takes counterparts in any order.
  package func append(_ counterparts: [Counterpart]) throws(LedgerError) {
    do throws(SQLiteError) {
      for counterpart in counterparts {
        let key = SortKey(
          partition: 0, high: UInt64(bitPattern: seconds(of: counterpart)) ^ 1 << 63,
          low: UInt64(counterpart.number) << 32 | UInt64(counterpart.kind.rawValue))
        try spool.append(key) { CounterpartCoding.append(counterpart, to: &$0) }
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// Ends appending; after that they are only read.
  package func finish() throws(LedgerError) {
    do { try spool.finish() } catch { throw LedgerError(error) }
  }

  /// Begins reading from the first.
  package func rewind() throws(LedgerError) {
    do throws(SQLiteError) {
      entries = spool.partitions.isEmpty ? nil : try EntryStream(try spool.entries(0))
    } catch {
      throw LedgerError(error)
    }
  }

  /// Takes those up to a time, and gives those of them that are not before another and that are
  /// wanted.
  package func take(
    from first: Int64, through last: Int64, where isWanted: (Counterpart) -> Bool
  ) throws(LedgerError) -> [Counterpart] {
    guard var entries = entries.take() else { return [] }
    var found: [Counterpart] = []
    do throws(SQLiteError) {
      while !entries.isAtEnd {
        let seconds = Int64(bitPattern: entries.key.high ^ 1 << 63)
        guard seconds <= last else { break }
        if seconds >= first {
          let counterpart = entries.withBody { CounterpartCoding.counterpart($0) }
          if isWanted(counterpart) { found.append(counterpart) }
        }
        try entries.advance()
      }
    } catch {
      throw LedgerError(error)
    }
    self.entries = entries
    return found
  }

  /// Frees what it takes.
  package func drop() {
    entries = nil
    spool.drop()
  }

  /// When a counterpart ended, in the seconds by which the spool is sorted.
  func seconds(of counterpart: Counterpart) -> Int64 {
    usesInstants ? counterpart.instant.unixSeconds : counterpart.time.wallSeconds
  }
}
