import Platform
package import PumpModel

/// Sorts what events tell that rows of exports may tell too, by the seconds in which it is compared.
package final class CounterpartSpool {
  private let spool: SortSpool
  private var entries: EntryStream?
  private let usesInstants: Bool

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
        try spool.append(key) { arena in
          arena.append(UInt32(counterpart.kind.rawValue))
          arena.append(counterpart.time.seconds)
          arena.append(counterpart.amount)
          arena.append(counterpart.number)
          arena.append(UInt32(truncatingIfNeeded: counterpart.instant.unixSeconds))
          arena.append(UInt32(truncatingIfNeeded: counterpart.instant.unixSeconds >> 32))
        }
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

  /// Takes those up to a time, and gives those of them that are not before another.
  package func take(from first: Int64, through last: Int64) throws(LedgerError) -> [Counterpart] {
    guard var entries = entries.take() else { return [] }
    var found: [Counterpart] = []
    do throws(SQLiteError) {
      while !entries.isAtEnd {
        let seconds = Int64(bitPattern: entries.key.high ^ 1 << 63)
        guard seconds <= last else { break }
        if seconds >= first { found.append(entries.withBody(Self.counterpart)) }
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

  private func seconds(of counterpart: Counterpart) -> Int64 {
    usesInstants ? counterpart.instant.unixSeconds : counterpart.time.wallSeconds
  }

  private static func counterpart(_ bytes: RawSpan) -> Counterpart {
    func word(_ offset: Int) -> UInt32 { bytes.load(offset, as: UInt32.self) }
    return Counterpart(
      kind: SampleKind(rawValue: UInt8(truncatingIfNeeded: word(0))) ?? .bolus,
      time: PumpTime(seconds: word(4)),
      instant: Instant(
        unixSeconds: Int64(bitPattern: UInt64(word(16)) | UInt64(word(20)) << 32)),
      amount: word(8), number: word(12))
  }
}
