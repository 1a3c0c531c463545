/// The first few of something that may be long, and how many there were in all.
package struct Shortlist<Element: Sendable>: Sendable {
  /// The first ones, at most `limit`.
  package private(set) var first: [Element] = []
  /// How many were added in all.
  package private(set) var count = 0

  /// How many are kept.
  package static var limit: Int { 5 }

  /// Creates an empty list.
  package init() {}

  /// Counts an element and keeps it if it is among the first.
  package mutating func add(_ element: Element) {
    count += 1
    if first.count < Self.limit { first.append(element) }
  }

  /// Counts all elements of another list and keeps those that are among the first.
  package mutating func add(_ other: Shortlist) {
    first += other.first.prefix(max(0, Self.limit - first.count))
    count += other.count
  }

  /// How many were not kept.
  package var hidden: Int { count - first.count }
}

extension Shortlist: Equatable where Element: Equatable {}
