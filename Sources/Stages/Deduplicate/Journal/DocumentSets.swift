import Platform

/// The sets of documents that hold a record, kept as chains: a set is another set and a document.
///
/// Most records share few sets, so a record keeps the number of its set only.
final class DocumentSets {
  private let insert: SQLiteStatement
  private let select: SQLiteStatement
  private let parent: SQLiteStatement
  private var known: [UInt64: UInt32] = [:]
  private var next: UInt32
  private var last: (from: UInt64, to: UInt32) = (.max, 0)

  /// The set of no documents.
  static let none: UInt32 = 0

  init(_ database: SQLiteConnection) throws(SQLiteError) {
    insert = try database.prepare(
      "INSERT INTO holders (holder, parent, document) VALUES (?, ?, ?)")
    select = try database.prepare(
      "SELECT holder FROM holders WHERE parent = ? AND document = ?")
    parent = try database.prepare("SELECT parent, document FROM holders WHERE holder = ?")
    next = UInt32(try database.integer("SELECT max(holder) FROM holders") ?? 0) + 1
  }

  /// The set that holds a document beside those of another set.
  func adding(_ document: UInt32, to set: UInt32) throws(SQLiteError) -> UInt32 {
    let from = UInt64(set) << 32 | UInt64(document)
    if last.from == from { return last.to }
    let found: UInt32
    if let set = known[from] { found = set } else { found = try find(document, set) }
    if known.count > 65_536 { known.removeAll(keepingCapacity: true) }
    known[from] = found
    last = (from, found)
    return found
  }

  /// The set that holds the documents of two sets.
  func union(_ left: UInt32, _ right: UInt32) throws(SQLiteError) -> UInt32 {
    guard left != right, left != Self.none else { return right }
    guard right != Self.none else { return left }
    let held = Set(try documents(of: right))
    var set = right
    for document in try documents(of: left) where !held.contains(document) {
      set = try adding(document, to: set)
    }
    return set
  }

  /// The documents of a set, ascending.
  func documents(of set: UInt32) throws(SQLiteError) -> [UInt32] {
    var found: [UInt32] = []
    var set = set
    while set != Self.none {
      parent.bind(1, Int64(set))
      defer { parent.reset() }
      guard try parent.step() else { break }
      found.append(UInt32(truncatingIfNeeded: parent.int64(1)))
      set = UInt32(truncatingIfNeeded: parent.int64(0))
    }
    return found.sorted()
  }

  private func find(_ document: UInt32, _ set: UInt32) throws(SQLiteError) -> UInt32 {
    select.bind(1, Int64(set))
    select.bind(2, Int64(document))
    defer { select.reset() }
    if try select.step() { return UInt32(truncatingIfNeeded: select.int64(0)) }
    // A document may bring a record many times.
    if try documents(of: set).contains(document) { return set }
    insert.bind(1, Int64(next))
    insert.bind(2, Int64(set))
    insert.bind(3, Int64(document))
    try insert.run()
    next += 1
    return next - 1
  }
}
