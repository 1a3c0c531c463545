import Platform

/// Where a packed row of the ledger stands in the order: by the key of its first entry.
struct RowPlace {
  var chunk: Int64
  var key: SortKey

  /// The rows of a statement in its order, from the last on that begins before a key.
  ///
  /// `statement` gives `chunk`, `high` and `low` from a key on, `before` the key of the last row before
  /// it. All is bound but the key, which is the second and the third parameter of both.
  static func all(
    _ statement: SQLiteStatement, from key: SortKey, before: SQLiteStatement
  ) throws(SQLiteError) -> [RowPlace] {
    defer { statement.reset() }
    before.bind(2, ordered(key.high))
    before.bind(3, ordered(key.low))
    let isBetween = try before.step()
    statement.bind(2, isBetween ? before.int64(0) : ordered(key.high))
    statement.bind(3, isBetween ? before.int64(1) : ordered(key.low))
    before.reset()
    var places: [RowPlace] = []
    while try statement.step() {
      places.append(
        RowPlace(
          chunk: statement.int64(0),
          key: SortKey(
            partition: 0, high: unordered(statement.int64(1)), low: unordered(statement.int64(2)))))
    }
    return places
  }
}
