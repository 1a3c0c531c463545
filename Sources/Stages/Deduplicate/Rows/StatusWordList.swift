import Platform
import PumpModel

/// The words for how boluses ended that a ledger has codes for; a code is never given twice.
struct StatusWordList {
  private let select: SQLiteStatement
  private let insert: SQLiteStatement

  init(_ database: SQLiteConnection) throws(SQLiteError) {
    select = try database.prepare("SELECT code, word FROM status_words")
    insert = try database.prepare(
      """
      INSERT OR IGNORE INTO status_words (code, word) SELECT max(
        \(StatusWords.firstCode),
        coalesce((SELECT seq + 1 FROM sqlite_sequence WHERE name = 'status_words'), 0)), ?
      """)
  }

  /// Gives a word a code, if it has none and there is one left: samples have sixteen bits for it.
  func keep(_ word: String) throws(SQLiteError) {
    insert.bind(1, word)
    try insert.run()
  }

  /// The words with their codes.
  func read() throws(SQLiteError) -> StatusWords {
    defer { select.reset() }
    var words = StatusWords()
    while try select.step() {
      if let code = UInt16(exactly: select.int64(0)) { words.add(select.text(1), code: code) }
    }
    return words
  }
}
