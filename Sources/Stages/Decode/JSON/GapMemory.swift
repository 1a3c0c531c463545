/// What stood between the values of the last event of each kind: comma, name, colon, white space.
///
/// A service writes all events of one code with the same names in the same order, so one
/// comparison of some words replaces reading and looking up a name. A wrong guess costs only time.
///
/// Each kind has `positions` slots of eight words: seven of text, and one with the length and
/// what follows.
struct GapMemory {
  static let positions = 24
  private static let wordsPerSlot = 8
  private static let longest = 56
  private var words: [UInt64] = []
  /// For each kind the place of its first slot, -1 before its first event.
  private var slots: [Int]

  init(kinds: Int) { slots = Array(repeating: -1, count: kinds) }

  /// A gap that was recognised: how long it is, 0 if it was not, and what follows it.
  struct Match {
    let length: Int
    let target: Int
  }

  /// The place of a kind's first slot; room is made for it when it is first asked for.
  @inline(__always)
  mutating func first(of kind: Int) -> Int {
    let slot = slots[kind]
    return slot >= 0 ? slot : makeRoom(for: kind)
  }

  @inline(never)
  private mutating func makeRoom(for kind: Int) -> Int {
    slots[kind] = words.count
    words.append(contentsOf: repeatElement(0, count: Self.positions * Self.wordsPerSlot))
    return slots[kind]
  }

  /// The place of the slot after another one.
  @inline(__always)
  static func after(_ slot: Int) -> Int { slot + wordsPerSlot }

  /// Compares the bytes at a position with what a slot remembers.
  @inline(__always)
  func match(_ bytes: RawSpan, at position: Int, slot: Int) -> Match {
    let last = words[slot + 7]
    let length = Int(last & 0xFF)
    guard length > 0, bytes.byteCount - position >= 64 else { return Match(length: 0, target: 0) }
    var (index, at) = (slot, position)
    let whole = slot + length >> 3
    while index < whole {
      guard words[index] == bytes.word(at: at) else { return Match(length: 0, target: 0) }
      index += 1
      at += 8
    }
    let mask = (1 << UInt64((length & 7) << 3)) &- 1 as UInt64
    guard (words[index] ^ bytes.word(at: at)) & mask == 0 else {
      return Match(length: 0, target: 0)
    }
    return Match(length: length, target: Int(last >> 8))
  }

  /// Remembers a gap; one that is too long is forgotten.
  @inline(never)
  mutating func learn(_ bytes: RawSpan, _ range: Range<Int>, slot: Int, target: Int) {
    words[slot + 7] = 0
    guard range.count <= Self.longest else { return }
    for index in 0..<7 { words[slot + index] = 0 }
    for (index, position) in range.enumerated() {
      words[slot + index >> 3] |= UInt64(bytes.byte(at: position)) << UInt64((index & 7) << 3)
    }
    words[slot + 7] = UInt64(range.count) | UInt64(target) << 8
  }
}
