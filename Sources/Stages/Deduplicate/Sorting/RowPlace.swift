import Platform

/// Where a packed row of the ledger stands in the order: by the key of its first entry.
struct RowPlace {
  var chunk: Int64
  var key: SortKey

  /// The rows of a bound statement that gives `chunk`, `high` and `low`, in its order.
  static func all(_ statement: SQLiteStatement) throws(SQLiteError) -> [RowPlace] {
    defer { statement.reset() }
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
