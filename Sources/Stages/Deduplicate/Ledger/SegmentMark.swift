import Platform
package import PumpModel

/// Where a piece of a pump's history begins.
package struct SegmentMark: Sendable {
  /// Its first record's number << 32 | pump seconds.
  package var start: UInt64
  /// The digest of the normalizer's state before it.
  package var digest: UInt64
}

extension Ledger {
  /// The pieces of a pump's history from one on, in order.
  package func segmentMarks(
    of pump: Int64, from start: UInt64
  ) throws(LedgerError) -> [SegmentMark] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT start, digest FROM segments WHERE pump = ? AND start >= ? AND start < ?
        ORDER BY start
        """)
      select.bind(1, pump)
      select.bind(2, ordered(start))
      select.bind(3, Int64.max)
      var marks: [SegmentMark] = []
      while try select.step() {
        marks.append(
          SegmentMark(
            start: unordered(select.int64(0)), digest: UInt64(bitPattern: select.int64(1))))
      }
      return marks
    }
  }

  /// Where the piece begins that a place of a pump's history lies in, or one so many pieces before
  /// it; 0 where there are not so many.
  package func segmentStart(
    of pump: Int64, around place: UInt64, back pieces: Int = 0
  ) throws(LedgerError) -> UInt64 {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT start FROM segments WHERE pump = ? AND start <= ? AND start < ?
        ORDER BY start DESC LIMIT 1 OFFSET ?
        """)
      select.bind(1, pump)
      select.bind(2, ordered(place))
      select.bind(3, Int64.max)
      select.bind(4, Int64(pieces))
      defer { select.reset() }
      return try select.step() ? unordered(select.int64(0)) : 0
    }
  }

  /// Where the piece begins from which on a pump's history has so many records before the piece
  /// that a place lies in; 0 where it has not so many.
  package func segmentStart(
    of pump: Int64, records: UInt64, before place: UInt64
  ) throws(LedgerError) -> UInt64 {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT start, records FROM segments WHERE pump = ? AND start <= ? AND start < ?
        ORDER BY start DESC
        """)
      select.bind(1, pump)
      select.bind(2, ordered(place))
      select.bind(3, Int64.max)
      defer { select.reset() }
      guard try select.step() else { return 0 }
      var start = unordered(select.int64(0))
      var found: UInt64 = 0
      while found < records, try select.step() {
        start = unordered(select.int64(0))
        found += UInt64(clamping: select.int64(1))
      }
      return start
    }
  }

  /// Whether the pieces of a pump's history begin where it begins.
  package func hasFirstSegment(of pump: Int64) throws(LedgerError) -> Bool {
    try run { () throws(SQLiteError) in
      let select = try database.prepare("SELECT 1 FROM segments WHERE pump = ? AND start = ?")
      select.bind(1, pump)
      select.bind(2, ordered(0))
      defer { select.reset() }
      return try select.step()
    }
  }

  /// How many records the pieces of a pump's history hold.
  package func segmentRecords(of pump: Int64) throws(LedgerError) -> UInt64 {
    try run { () throws(SQLiteError) in
      let select = try database.prepare("SELECT sum(records) FROM segments WHERE pump = ?")
      select.bind(1, pump)
      defer { select.reset() }
      return try select.step() ? UInt64(clamping: select.int64(0)) : 0
    }
  }

  /// The pieces of a pump's history, from one on, that hold records which may be dated after now, or
  /// were when they were counted, and are to be counted anew: from the first place of each to its
  /// last.
  package func segmentsDatedLate(
    of pump: Int64, now: Instant, from start: UInt64
  ) throws(LedgerError) -> [ClosedRange<UInt64>] {
    try run { () throws(SQLiteError) in
      let select = try database.prepare(
        """
        SELECT start, (
          SELECT min(start) FROM segments AS next
          WHERE next.pump = late.pump AND next.start > late.start AND next.start < ?3)
        FROM segments AS late
        WHERE pump = ?1 AND start >= ?4 AND start < ?3 AND counted_until <> ?2
          AND newest > min(counted_until, ?2)
        ORDER BY start
        """)
      select.bind(1, pump)
      select.bind(2, now.unixSeconds)
      select.bind(3, Int64.max)
      select.bind(4, ordered(start))
      var late: [ClosedRange<UInt64>] = []
      while try select.step() {
        let start = unordered(select.int64(0))
        // Behind the start of the last piece there is no mark to stop at.
        late.append(start...(select.isNull(1) ? start : unordered(select.int64(1)) - 1))
      }
      return late
    }
  }
}
