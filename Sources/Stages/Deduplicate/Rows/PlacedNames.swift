import Platform
import PumpModel

/// Names rows of sources whose ids hold the pump, the time and the count, but begin with another word than
/// those of the pump's maker (N9): `glooko:<pump>:<seconds>-<n>`.
struct PlacedNames {
  private let database: SQLiteConnection
  private let sha256 = Digest256()

  init(_ database: SQLiteConnection) { self.database = database }

  /// Names the rows of a document.
  func give(document: Int64) throws(SQLiteError) { try give("document = ?1", document) }

  /// Names the rows of a pump anew.
  func give(pump: Int64) throws(SQLiteError) { try give("pump = ?1", pump) }

  private func give(_ condition: String, _ number: Int64) throws(SQLiteError) {
    let source = ExportSource.glooko
    let select = try database.prepare(
      """
      SELECT pump, section, time, ordinal, document, p.name
      FROM export_rows JOIN pumps p USING (pump) WHERE \(condition) AND source = \(source.rawValue)
      """)
    select.bind(1, number)
    var places: [(place: [Int64], base: String)] = []
    let keeper = try NameKeeper(database)
    let update = try database.prepare(
      """
      UPDATE export_rows SET name = ?6
      WHERE pump = ?1 AND section = ?2 AND time = ?3 AND ordinal = ?4 AND document = ?5
        AND source = \(source.rawValue)
      """)
    var isAtEnd = false
    while !isAtEnd {
      // In portions, so that memory is bounded.
      places.removeAll(keepingCapacity: true)
      while places.count < 4096, !isAtEnd {
        guard try select.step() else {
          isAtEnd = true
          break
        }
        let seconds = select.int64(2) - PumpTime.epochInUnixSeconds
        places.append(
          (
            (0..<5).map { select.int64($0) },
            source.idBase(of: "\(select.text(5)):\(seconds)-\(select.int64(3))")
          ))
      }
      for (place, base) in places {
        let digest = NameKeeper.digest(of: base, by: sha256)
        try keeper.keep(base, under: digest)
        for (index, value) in place.enumerated() { update.bind(Int32(index + 1), value) }
        update.bind(6, Int64(bitPattern: digest))
        try update.run()
      }
    }
  }
}
