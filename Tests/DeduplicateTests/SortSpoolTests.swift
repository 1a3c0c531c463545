@testable import Deduplicate
import Platform
import TestSupport
import Testing

/// Sorting in bounded memory.
@Suite("A sorting spool")
struct SortSpoolTests {
  private func spool(memory: Int) throws -> SortSpool {
    SortSpool(memory: memory)
  }

  /// Appends a body that tells the key and a count.
  private func append(_ key: SortKey, _ count: UInt32, to spool: SortSpool) throws {
    try spool.append(key) { arena in
      arena.append(key.high)
      arena.append(count)
    }
  }

  private func all(
    _ source: any ChunkSource
  ) throws -> [(key: SortKey, high: UInt64, count: UInt32)] {
    var found: [(key: SortKey, high: UInt64, count: UInt32)] = []
    var entries = try EntryStream(source)
    while !entries.isAtEnd {
      entries.withBody { body in
        found.append((entries.key, body.load(0, as: UInt64.self), body.load(8, as: UInt32.self)))
      }
      try entries.advance()
    }
    return found
  }

  @Test("An empty spool has no partitions, and its streams stand at their end")
  func empty() throws {
    let spool = try spool(memory: 1000)
    try spool.finish()
    #expect(spool.partitions == [])
    #expect(try EntryStream(spool.entries(0)).isAtEnd)
    spool.drop()
  }

  @Test("Entries come out by key, each partition by itself", arguments: [1 << 20, 3000, 200])
  func sorts(memory: Int) throws {
    let spool = try spool(memory: memory)
    var random = TestRandom(seed: UInt64(memory))
    var expected: [UInt32: [SortKey]] = [:]
    for count in 0..<2000 as Range<UInt32> {
      let key = SortKey(
        partition: UInt32([3, 3, 3, 7, 9][random.integer(0...4)]),
        high: UInt64(random.integer(0...300)), low: random.next() >> 60)
      expected[key.partition, default: []].append(key)
      try append(key, count, to: spool)
    }
    try spool.finish()
    #expect(spool.partitions == [3, 7, 9])
    for (partition, keys) in expected {
      let found = try all(spool.entries(partition))
      #expect(found.map(\.key) == keys.sorted(), "\(random.describe)")
      #expect(found.allSatisfy { $0.key.high == $0.high }, "bodies stay with their keys")
    }
    #expect(try EntryStream(spool.entries(4)).isAtEnd)
    spool.drop()
  }

  @Test("Entries that come late take their places among those in order", arguments: [1 << 20, 700])
  func late(memory: Int) throws {
    let spool = try spool(memory: memory)
    var expected: [SortKey] = []
    for count in 0..<1000 as Range<UInt32> {
      // Every tenth comes ninety places too late.
      let place = count % 10 == 9 ? UInt64(max(count, 90)) - 90 : UInt64(count)
      let key = SortKey(partition: 2, high: place / 2, low: place % 2)
      expected.append(key)
      try append(key, count, to: spool)
    }
    try spool.finish()
    let found = try all(spool.entries(2))
    #expect(found.map(\.key) == expected.sorted())
    #expect(
      zip(found, found.dropFirst()).allSatisfy { $0.key != $1.key || $0.count < $1.count },
      "equal ones come as they were appended")
    spool.drop()
  }

  @Test("A stream that was begun goes on when its spool was dropped")
  func drop() throws {
    let spool = try spool(memory: 100)
    for count in 0..<50 as Range<UInt32> {
      try append(SortKey(partition: 0, high: 50 - UInt64(count), low: 0), count, to: spool)
    }
    try spool.finish()
    let source = try spool.entries(0)
    spool.drop()
    #expect(try all(source).count == 50)
  }

  @Test("Entries larger than a chunk, and of no bytes, come back whole")
  func sizes() throws {
    let spool = try spool(memory: 500)
    let sizes = [0, 1, 70_000, 0, 33_000, 12]
    for (index, size) in sizes.enumerated() {
      try spool.append(SortKey(partition: 1, high: UInt64(sizes.count - index), low: 0)) { arena in
        for _ in 0..<size { arena.append(UInt8(index)) }
      }
    }
    try spool.finish()
    var found: [Int] = []
    var entries = try EntryStream(spool.entries(1))
    while !entries.isAtEnd {
      found.append(entries.withBody { $0.byteCount })
      try entries.advance()
    }
    #expect(found == sizes.reversed())
  }

  @Test("Merged sources give equal keys in the order of the sources")
  func merge() throws {
    var sources: [any ChunkSource] = []
    for source in 0..<3 as Range<UInt32> {
      let spool = try spool(memory: 1 << 20)
      for high in [1, 5, 5, 9] as [UInt64] {
        try append(SortKey(partition: source, high: high, low: 0), source, to: spool)
      }
      try spool.finish()
      sources.append(try spool.entries(source))
    }
    let found = try all(MergeSource(sources))
    #expect(found.map(\.key.high) == [1, 1, 1, 5, 5, 5, 5, 5, 5, 9, 9, 9])
    #expect(found.map(\.count) == [0, 1, 2, 0, 0, 1, 1, 2, 2, 0, 1, 2])
    #expect(try all(MergeSource([])).isEmpty)
  }

  @Test("Keys keep their order as SQLite's signed integers")
  func orderedIntegers() {
    let values: [UInt64] = [0, 1, 1 << 63 - 1, 1 << 63, .max]
    #expect(values.map(ordered) == values.map(ordered).sorted())
    #expect(values.map { unordered(ordered($0)) } == values)
  }
}
