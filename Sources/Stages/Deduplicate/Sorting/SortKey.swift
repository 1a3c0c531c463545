/// What a `SortSpool` orders by: a partition, then 128 bits.
struct SortKey: Comparable, Hashable, Sendable {
  var partition: UInt32
  var high: UInt64
  var low: UInt64

  /// No key comes before it.
  static let least = SortKey(partition: 0, high: 0, low: 0)

  @inline(__always)
  static func < (left: SortKey, right: SortKey) -> Bool {
    if left.partition != right.partition { return left.partition < right.partition }
    return left.precedes(right)
  }

  /// Whether this key comes first, whatever the partitions.
  @inline(__always)
  func precedes(_ other: SortKey) -> Bool {
    high != other.high ? high < other.high : low < other.low
  }
}

/// Keys are kept in SQLite as signed integers; flipping the top bit keeps their order.
@inline(__always)
func ordered(_ value: UInt64) -> Int64 { Int64(bitPattern: value ^ 1 << 63) }

/// The inverse of `ordered`.
@inline(__always)
func unordered(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }
