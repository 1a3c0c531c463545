/// Writes values as a list of 64-bit words, for what a ledger keeps as a whole.
package struct WordWriter: Sendable {
  /// What was written.
  package private(set) var words: [Int64] = []

  /// Creates an empty list.
  package init() {}

  /// Writes a number.
  package mutating func put(_ number: Int64) { words.append(number) }

  /// Writes a number that may be absent.
  package mutating func put(_ number: Int64?) {
    words.append(number == nil ? 0 : 1)
    words.append(number ?? 0)
  }

  /// Writes an instant that may be absent.
  package mutating func put(_ instant: Instant?) { put(instant?.unixSeconds) }

  /// Writes a place in a pump's order.
  package mutating func put(_ position: EventPosition) {
    words.append(Int64(bitPattern: position.high))
    words.append(Int64(bitPattern: position.low))
  }
}

/// Reads what a `WordWriter` wrote, in the same order.
package struct WordReader: Sendable {
  private var words: [Int64]
  private var next = 0
  /// Whether more was read than is there.
  package private(set) var isExhausted = false

  /// Creates a reader.
  package init(_ words: [Int64]) { self.words = words }

  /// Begins with other words, which `fill` puts in place of those before.
  package mutating func restart<E: Error>(_ fill: (inout [Int64]) throws(E) -> Void) throws(E) {
    try fill(&words)
    (next, isExhausted) = (0, false)
  }

  /// Whether all was read.
  package var isAtEnd: Bool { next == words.count && !isExhausted }

  /// Reads a number; 0 when there is none.
  package mutating func number() -> Int64 {
    guard next < words.count else {
      isExhausted = true
      return 0
    }
    next += 1
    return words[next - 1]
  }

  /// Reads a count of things, of which each takes at least a word.
  package mutating func count() -> Int {
    let count = number()
    guard count >= 0, count <= Int64(words.count - next) else {
      isExhausted = true
      return 0
    }
    return Int(count)
  }

  /// Reads all that is left.
  package mutating func rest() -> [Int64] {
    defer { next = words.count }
    return Array(words[next...])
  }

  /// Reads a number that may be absent.
  package mutating func optional() -> Int64? {
    let isThere = number() != 0
    let value = number()
    return isThere ? value : nil
  }

  /// Reads an instant that may be absent.
  package mutating func instant() -> Instant? { optional().map(Instant.init(unixSeconds:)) }

  /// Reads a place in a pump's order.
  package mutating func position() -> EventPosition {
    var position = EventPosition(group: 0, number: 0, time: PumpTime(seconds: 0), id: 0)
    position.high = UInt64(bitPattern: number())
    position.low = UInt64(bitPattern: number())
    return position
  }
}
