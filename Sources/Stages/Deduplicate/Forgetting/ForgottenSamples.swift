import Platform
import PumpModel

extension Forgetting {
  /// Drops withdrawn samples of pumps that were normalized again, if they rest on a record which is
  /// no longer in the journal: nobody is owed the news that they are gone.
  package func dropForgottenSamples(of pumps: Set<Int64>) throws(LedgerError) {
    try ledger.run { () throws(SQLiteError) in
      for pump in pumps {
        let journal = try JournalLookup(ledger.database, pump: pump)
        var names: Set<Int64> = []
        try ledger.insert(
          into: &names, "SELECT pump FROM pumps WHERE pump = ?1 OR same_as = ?1", pump)
        for name in names {
          try dropForgottenForms(of: name, journal)
          for kind in 0..<8 as Range<UInt64> {
            try dropForgotten(
              SampleRows(ledger.database, pump: name, storageKind: kind), journal)
          }
        }
      }
    }
  }

  /// Drops forms that sinks were given of samples that rest on a record which is gone.
  private func dropForgottenForms(
    of name: Int64, _ journal: JournalLookup
  ) throws(SQLiteError) {
    let select = try ledger.database.prepare(
      "SELECT high, low, from_change, entry FROM superseded WHERE pump = ? ORDER BY high, low")
    let delete = try ledger.database.prepare(
      "DELETE FROM superseded WHERE pump = ? AND high = ? AND low = ? AND from_change = ?")
    select.bind(1, name)
    var forgotten: [(high: Int64, low: Int64, from: Int64)] = []
    while try select.step() {
      let stored = select.withBlob(3) { SampleCoding.stored($0, at: 0) }
      if try !journal.holds(stored) {
        forgotten.append((select.int64(0), select.int64(1), select.int64(2)))
      }
    }
    for form in forgotten {
      delete.bind(1, name)
      delete.bind(2, form.high)
      delete.bind(3, form.low)
      delete.bind(4, form.from)
      try delete.run()
    }
  }

  private func dropForgotten(
    _ rows: SampleRows, _ journal: JournalLookup
  ) throws(SQLiteError) {
    for chunk in try rows.places().map(\.chunk) {
      let bytes = try rows.entries(of: chunk)
      var kept: [StoredSample] = []
      var isChanged = false
      var offset = 0
      while offset < bytes.count {
        let stored = SampleCoding.stored(unsafe bytes.span.bytes, at: offset)
        offset += SampleCoding.size(unsafe bytes.span.bytes, at: offset)
        if stored.isWithdrawn, try !journal.holds(stored) {
          isChanged = true
        } else {
          kept.append(stored)
        }
      }
      guard isChanged else { continue }
      _ = try rows.take(chunk)
      var writer = SampleRowWriter(rows: rows)
      for stored in kept { try writer.append(stored) }
      try writer.finish()
    }
  }
}

extension SampleRowWriter {
  fileprivate mutating func append(_ stored: StoredSample) throws(SQLiteError) {
    let sample = stored.sample
    try append(
      StoredSample.key(of: sample), change: stored.change, isLive: !stored.isWithdrawn,
      isTaken: sample.identity.ordinal > 1, start: sample.start.unixSeconds,
      end: sample.end.unixSeconds
    ) { arena in
      SampleCoding.append(
        sample, revision: stored.revision, change: stored.change,
        isWithdrawn: stored.isWithdrawn, lineage: stored.lineage[...], to: &arena)
    }
  }
}

/// Tells whether a pump's journal holds records; remembers the row it looked at last, since
/// questions come in order.
private final class JournalLookup {
  private let select: SQLiteStatement
  private let selectRow: SQLiteStatement
  private let selectNamed: SQLiteStatement
  private let selectMeal: SQLiteStatement
  private let pump: Int64
  private var row = JournalRow(bytes: [])

  init(_ database: SQLiteConnection, pump: Int64) throws(SQLiteError) {
    self.pump = pump
    select = try database.prepare(
      """
      SELECT entries FROM journal WHERE pump = ? AND high <= ? ORDER BY high DESC, low DESC LIMIT 1
      """)
    selectRow = try database.prepare(
      """
      SELECT 1 FROM export_rows
      WHERE pump = ? AND section = ? AND source = ? AND time = ? AND ordinal = ? LIMIT 1
      """)
    selectNamed = try database.prepare(
      "SELECT 1 FROM export_rows WHERE pump = ? AND section = ? AND name = ? LIMIT 1")
    selectMeal = try database.prepare(
      """
      SELECT 1 FROM export_rows WHERE name = ? AND section IN (0, \(RowCoding.meals))
        AND carbohydrate IS NOT NULL LIMIT 1
      """)
  }

  /// Whether all that a sample rests on is there.
  func holds(_ stored: StoredSample) throws(SQLiteError) -> Bool {
    let identity = stored.sample.identity
    guard identity.scheme == .event else { return try holdsRow(identity) }
    if try !holds(identity.first, identity.second) { return false }
    for event in stored.lineage where try !holds(event.number, event.seconds) { return false }
    return true
  }

  private func holdsRow(_ identity: SampleIdentity) throws(SQLiteError) -> Bool {
    let section: Int64 =
      switch identity.kind {
      case .bolus, .extended, .carbs: 0
      case .cgm: 1
      case .meter: 2
      case .basal: 3
      }
    if identity.scheme == .named {
      selectNamed.bind(1, pump)
      selectNamed.bind(2, section)
      selectNamed.bind(3, Int64(bitPattern: identity.nameDigest))
      defer { selectNamed.reset() }
      guard try selectNamed.step() else { return false }
      guard identity.kind == .carbs else { return true }
      selectMeal.bind(1, Int64(bitPattern: identity.nameDigest))
      defer { selectMeal.reset() }
      return try selectMeal.step()
    }
    let sources: [ExportSource] =
      switch identity.scheme {
      case .event, .named: []
      case .csv: [.csv]
      case .legacy: [.legacy]
      }
    for source in sources {
      selectRow.bind(1, pump)
      selectRow.bind(2, section)
      selectRow.bind(3, Int64(source.rawValue))
      selectRow.bind(4, PumpTime(seconds: identity.first).wallSeconds)
      selectRow.bind(5, Int64(identity.second))
      defer { selectRow.reset() }
      if try selectRow.step() { return true }
    }
    return false
  }

  private func holds(_ number: UInt32, _ seconds: UInt32) throws(SQLiteError) -> Bool {
    let high = UInt64(number) << 32 | UInt64(seconds)
    if row.spans(high) { return row.holds(high) }
    select.bind(1, pump)
    select.bind(2, ordered(high))
    defer { select.reset() }
    guard try select.step() else { return false }
    row = JournalRow(
      bytes: select.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } })
    return row.holds(high)
  }
}

/// A row of sorted entries, looked through by number and seconds.
private struct JournalRow {
  let bytes: [UInt8]

  private var count: Int { bytes.count / JournalEntry.size }

  /// Whether a key lies between the first and the last.
  func spans(_ high: UInt64) -> Bool {
    count > 0 && self.high(at: 0) <= high && high <= self.high(at: count - 1)
  }

  func holds(_ high: UInt64) -> Bool {
    var (low, top) = (0, count)
    while low < top {
      let middle = (low + top) / 2
      if self.high(at: middle) < high { low = middle + 1 } else { top = middle }
    }
    return low < count && self.high(at: low) == high
  }

  private func high(at index: Int) -> UInt64 {
    JournalEntry(unsafe bytes.span.bytes, at: index * JournalEntry.size).high
  }
}
