package import Platform
package import PumpModel

/// Reads one pump's journal as events in order: of every event the copy that stands for it, with
/// its group settled (N2).
package final class JournalReader {
  private let rules: CopyRules
  private let source: EventSource
  /// Events whose copies differ.
  private(set) var differing = NotedNumbers()
  /// Numbers under which different records stand.
  private(set) var conflicting = NotedNumbers()
  private var last: PumpRecord?

  private static let batch = 4096

  /// Creates a reader of a pump's journal, or of what comes at or after a number << 32 | pump
  /// seconds, if the pump's log has one group of numbers.
  init(
    _ database: SQLiteConnection, pump: Int64, hasGroups: Bool, rules: CopyRules, from: UInt64 = 0
  ) throws(SQLiteError) {
    self.rules = rules
    let events = try StoredEvents(database, pump: pump, from: from)
    source = hasGroups ? try GroupedEvents(database, events: events, rules: rules) : events
  }

  /// What stood out since the last call: events whose copies differ, and numbers under which
  /// different records stand.
  package func takeNotes() -> (differing: NotedNumbers, conflicting: NotedNumbers) {
    defer { (differing, conflicting) = (NotedNumbers(), NotedNumbers()) }
    return (differing, conflicting)
  }

  /// Fills `records` with the next ones in order; false at the end, or where a number << 32 | pump
  /// seconds is reached that is not to be read yet.
  ///
  /// Each record's `group` is the event's; `hasGroup` says nothing any more.
  package func next(
    into records: inout [PumpRecord], atMost limit: Int = batch, before stop: UInt64 = .max
  ) throws(SQLiteError) -> Bool {
    records.removeAll(keepingCapacity: true)
    source.stop = stop
    try source.fill(&records, upTo: limit, rules, &differing)
    var last = self.last
    for record in records {
      if let last, last.number == record.number, last.group == record.group {
        conflicting.note(record.number)
      }
      last = record
    }
    self.last = last
    return !records.isEmpty
  }
}

/// Gives events one after the other.
private class EventSource {
  /// The number << 32 | pump seconds from which on nothing is to be read yet; the greatest: none.
  var stop = UInt64.max

  @inline(__always)
  final func mayRead(_ entry: JournalEntry) -> Bool { entry.high < stop || stop == .max }

  func next(
    _ rules: CopyRules, _ differing: inout NotedNumbers
  ) throws(SQLiteError) -> PumpRecord? { nil }

  /// Appends the next events, until there are so many.
  func fill(
    _ records: inout [PumpRecord], upTo limit: Int, _ rules: CopyRules,
    _ differing: inout NotedNumbers
  ) throws(SQLiteError) {
    while records.count < limit, let record = try next(rules, &differing) {
      records.append(record)
    }
  }
}

/// The events of a journal by number, groups aside.
private final class StoredEvents: EventSource {
  private let statement: SQLiteStatement
  private var entries = StoredEntries([])
  private var isAtEnd = false
  /// Events of one identity in several groups, of which the later ones wait here.
  private var waiting: [PumpRecord] = []
  private var copies: [PumpRecord] = []

  init(_ database: SQLiteConnection, pump: Int64, from: UInt64) throws(SQLiteError) {
    statement = try database.prepare(
      """
      SELECT entries, checksum FROM journal
      WHERE pump = ?1 AND high >= coalesce(
        (SELECT max(high) FROM journal WHERE pump = ?1 AND high < ?2), ?2)
      ORDER BY high, low
      """)
    statement.bind(1, pump)
    statement.bind(2, ordered(from))
    super.init()
    while true {
      while let next = entries.next, next.high < from { entries.advance() }
      guard entries.next == nil, try load() else { break }
    }
  }

  /// Reads rows until there is an entry; false if none had to be read or none is left.
  @discardableResult
  private func load() throws(SQLiteError) -> Bool {
    guard entries.next == nil, !isAtEnd else { return false }
    // A statement that has ended would begin anew.
    isAtEnd = try !statement.step()
    guard !isAtEnd else { return false }
    entries = StoredEntries(try JournalChunks.checkedEntries(of: statement, 0))
    return true
  }

  override func next(
    _ rules: CopyRules, _ differing: inout NotedNumbers
  ) throws(SQLiteError) -> PumpRecord? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    guard let first = entries.next, mayRead(first) else { return nil }
    entries.advance()
    if entries.next == nil { try load() }
    guard let second = entries.next, second.isCopy(of: first) else {
      var record = first.record
      if !record.hasGroup { record.group = 0 }
      return record
    }
    copies.removeAll(keepingCapacity: true)
    copies.append(first.record)
    while let other = entries.next, other.isCopy(of: first) {
      copies.append(other.record)
      entries.advance()
      if entries.next == nil { try load() }
    }
    waiting = events(of: copies, rules, &differing)
    return waiting.removeFirst()
  }

  override func fill(
    _ records: inout [PumpRecord], upTo limit: Int, _ rules: CopyRules,
    _ differing: inout NotedNumbers
  ) throws(SQLiteError) {
    while records.count < limit {
      if waiting.isEmpty { takeSingles(into: &records, upTo: limit) }
      guard records.count < limit, let record = try next(rules, &differing) else { return }
      records.append(record)
    }
  }

  /// Appends events of one copy each, as long as the row tells that they are.
  private func takeSingles(into records: inout [PumpRecord], upTo limit: Int) {
    // Taken out, so that it is a value that nothing else can reach meanwhile.
    var entries = StoredEntries([])
    swap(&entries, &self.entries)
    defer { swap(&entries, &self.entries) }
    entries.moveSingles(to: &records, upTo: limit, before: stop)
  }

  /// The events that copies of one identity are: one for each group that a copy names; a copy
  /// without a group joins the lowest.
  private func events(
    of copies: [PumpRecord], _ rules: CopyRules, _ differing: inout NotedNumbers
  ) -> [PumpRecord] {
    let groups = Set(copies.filter(\.hasGroup).map(\.group)).sorted()
    let lowest = groups.first ?? 0
    return (groups.isEmpty ? [0] : groups).map { group in
      let own = copies.filter { $0.hasGroup ? $0.group == group : group == lowest }
      var best = own[0]
      for copy in own.dropFirst() where rules.prefers(copy, best) { best = copy }
      if own.contains(where: { rules.differ($0, best) }) { differing.note(best.number) }
      best.group = group
      return best
    }
  }
}

/// Events of a pump whose log has several groups, sorted by group first.
private final class GroupedEvents: EventSource {
  private let spool: SortSpool
  private var entries: EntryStream
  private var noted: NotedNumbers

  private static let memory = 8 << 20

  init(
    _ database: SQLiteConnection, events: StoredEvents, rules: CopyRules
  ) throws(SQLiteError) {
    spool = SortSpool(memory: Self.memory)
    noted = NotedNumbers()
    while let record = try events.next(rules, &noted) {
      let key = SortKey(
        partition: 0, high: UInt64(record.group) << 32 | UInt64(record.number),
        low: UInt64(record.seconds) << 32 | UInt64(record.eventID))
      try spool.append(key) { arena in
        arena.append(record.group)
        arena.append(UInt32(0))
        var named = record
        named.hasGroup = true
        let entry = JournalEntry.key(of: named)
        arena.append(entry.high)
        arena.append(entry.low)
        JournalEntry.append(
          payload: record.payload, present: record.present, holder: 0, to: &arena)
      }
    }
    try spool.finish()
    entries = try EntryStream(try spool.entries(0))
  }

  override func next(
    _ rules: CopyRules, _ differing: inout NotedNumbers
  ) throws(SQLiteError) -> PumpRecord? {
    if noted.count > 0 {
      differing = noted
      noted = NotedNumbers()
    }
    guard !entries.isAtEnd else { return nil }
    let record = entries.withBody { JournalEntry($0, at: 8).record }
    try entries.advance()
    return record
  }
}
