/// What stood between the values of the last event of each kind: comma, name, colon, white space.
///
/// A service writes all events of one code with the same names in the same order, so one
/// comparison of some words replaces reading and looking up a name. A wrong guess costs only time.
///
/// Each kind has `positions` slots.
struct GapMemory {
  static let positions = 24
  private static let longest = 64
  private var slots: [Slot] = []
  /// For each kind the place of its first slot, -1 before its first event.
  private var starts: [Int]

  /// A gap as it stood: its bytes with a mask of as many, and what followed it.
  private struct Slot {
    var head = SIMD4<UInt64>()
    var headMask = SIMD4<UInt64>()
    var tail = SIMD4<UInt64>()
    var tailMask = SIMD4<UInt64>()
    /// 0 if nothing is remembered.
    var length = 0
    var target = 0
  }

  init(kinds: Int) { starts = Array(repeating: -1, count: kinds) }

  /// A gap that was recognised: how long it is, 0 if it was not, and what follows it.
  struct Match {
    let length: Int
    let target: Int
  }

  /// The place of a kind's first slot; room is made for it when it is first asked for.
  @inline(__always)
  mutating func first(of kind: Int) -> Int {
    let slot = starts[kind]
    return slot >= 0 ? slot : makeRoom(for: kind)
  }

  @inline(never)
  private mutating func makeRoom(for kind: Int) -> Int {
    starts[kind] = slots.count
    slots.append(contentsOf: repeatElement(Slot(), count: Self.positions))
    return starts[kind]
  }

  /// The place of the slot after another one.
  @inline(__always)
  static func after(_ slot: Int) -> Int { slot &+ 1 }

  /// Compares the bytes at a position with what a slot remembers.
  @inline(__always)
  func match(_ bytes: RawSpan, at position: Int, slot: Int) -> Match {
    let length = slots[slot].length
    // Checked once here, so that the loads need not be.
    guard length > 0, position >= 0, bytes.byteCount &- position >= Self.longest else {
      return Match(length: 0, target: 0)
    }
    let head = unsafe bytes.uncheckedWords(at: position) ^ slots[slot].head
    guard Self.isZero(head & slots[slot].headMask) else { return Match(length: 0, target: 0) }
    if length > Self.longest / 2 {
      let tail = unsafe bytes.uncheckedWords(at: position &+ Self.longest / 2) ^ slots[slot].tail
      guard Self.isZero(tail & slots[slot].tailMask) else { return Match(length: 0, target: 0) }
    }
    return Match(length: length, target: slots[slot].target)
  }

  @inline(__always)
  private static func isZero(_ words: SIMD4<UInt64>) -> Bool {
    let folded = words.lowHalf | words.highHalf
    return folded[0] | folded[1] == 0
  }

  /// Remembers a gap; one that is too long is forgotten.
  @inline(never)
  mutating func learn(_ bytes: RawSpan, _ range: Range<Int>, slot: Int, target: Int) {
    var learnt = Slot()
    defer { slots[slot] = learnt }
    guard range.count <= Self.longest else { return }
    for (index, position) in range.enumerated() {
      let (word, shift) = (index >> 3 & 3, UInt64((index & 7) << 3))
      let byte = UInt64(bytes.byte(at: position)) << shift
      if index < 32 {
        learnt.head[word] |= byte
        learnt.headMask[word] |= 0xFF << shift
      } else {
        learnt.tail[word] |= byte
        learnt.tailMask[word] |= 0xFF << shift
      }
    }
    (learnt.length, learnt.target) = (range.count, target)
  }
}
