package import PumpModel

/// How copies of one event are compared (N2); given by whoever knows what records mean.
package struct CopyRules: Sendable {
  /// Whether the first copy stands for the event rather than the second.
  package var prefers: @Sendable (PumpRecord, PumpRecord) -> Bool
  /// Whether two copies differ in a field that the rules use.
  package var differ: @Sendable (PumpRecord, PumpRecord) -> Bool

  /// Creates rules.
  package init(
    prefers: @escaping @Sendable (PumpRecord, PumpRecord) -> Bool,
    differ: @escaping @Sendable (PumpRecord, PumpRecord) -> Bool
  ) {
    self.prefers = prefers
    self.differ = differ
  }
}

/// Records that stand out while a journal is read, by number: a count, and the first few.
package struct NotedNumbers: Sendable {
  /// How many there are.
  package private(set) var count: UInt64 = 0
  /// The first few of their numbers.
  package private(set) var first: [UInt32] = []

  /// Creates a note of nothing.
  package init() {}

  init(count: UInt64, first: [UInt32]) {
    self.count = count
    self.first = first
  }

  mutating func note(_ number: UInt32) {
    count += 1
    if first.count < 10 { first.append(number) }
  }

  /// Adds what was noted of later records.
  package mutating func add(_ other: NotedNumbers) {
    guard other.count > 0 else { return }
    count += other.count
    first = Array((first + other.first).prefix(10))
  }

  /// The numbers as a person reads them.
  package var text: String {
    first.map(String.init).joined(separator: ", ") + (count > UInt64(first.count) ? ", …" : "")
  }
}
