package import Platform
package import PumpModel

/// Reads the samples that a ledger holds of one pump, in its own order: by kind, then number.
package final class SampleReader {
  private let statement: SQLiteStatement
  private var bytes: [UInt8] = []
  private var offset = 0

  init(_ database: SQLiteConnection, pump: Int64, kinds: ClosedRange<UInt64>) throws(SQLiteError) {
    statement = try database.prepare(
      """
      SELECT entries FROM samples WHERE pump = ?1 AND high < ?3
      AND high >= coalesce(
        (SELECT max(high) FROM samples WHERE pump = ?1 AND high <= ?2), ?2)
      ORDER BY high, low
      """)
    statement.bind(1, pump)
    statement.bind(2, ordered(kinds.lowerBound << 58))
    statement.bind(3, ordered((kinds.upperBound + 1) << 58))
  }

  /// Gives the next samples that are not withdrawn to `body`; false at the end.
  ///
  /// `body` gets a sample, its revision and change, and where its lineage lies in `lineage`.
  package func next(
    _ body: (_ sample: Sample, _ revision: UInt32, _ change: UInt64, _ entry: SampleEntry)
      throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Bool {
    guard try statement.step() else { return false }
    bytes = statement.withBlob(0) { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
    let bytes = self.bytes
    let span = unsafe bytes.span.bytes
    var offset = 0
    while offset < span.byteCount {
      if !SampleCoding.isWithdrawn(span, at: offset) {
        try body(
          SampleCoding.sample(span, at: offset), SampleCoding.revision(span, at: offset),
          SampleCoding.change(span, at: offset), SampleEntry(bytes: bytes, offset: offset))
      }
      offset += SampleCoding.size(span, at: offset)
    }
    return true
  }
}

/// A sample's bytes in a ledger, for what is seldom asked.
package struct SampleEntry {
  fileprivate let bytes: [UInt8]
  fileprivate let offset: Int

  /// Appends the events that the sample rests on to a list.
  package func appendLineage(to list: inout [EventReference]) {
    SampleCoding.appendLineage(unsafe bytes.span.bytes, at: offset, to: &list)
  }

  /// Copies the sample's bytes.
  func append(to arena: inout ByteArena) {
    let span = unsafe bytes.span.bytes
    arena.append(span.extracting(offset..<offset + SampleCoding.size(span, at: offset)))
  }
}
