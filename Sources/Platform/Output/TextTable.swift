/// Texts that rows share, prepared once and copied many times.
///
/// All lie in one piece of memory: a list of lists would count references for every row.
@usableFromInline package struct TextTable: Sendable {
  @usableFromInline
  let bytes: [UInt8]
  /// Where each text begins, and at last where the last one ends.
  @usableFromInline
  let bounds: [Int]

  /// Keeps texts, given as UTF-8, in their order.
  package init(_ texts: [[UInt8]]) {
    bytes = Array(texts.joined())
    bounds = texts.reduce(into: [0]) { bounds, text in
      bounds.append((bounds.last ?? 0) + text.count)
    }
  }
}

extension ByteBuffer {
  /// Appends a text of a table; its index must be one of the list that the table was made of.
  @inlinable @inline(__always)
  package mutating func append(_ table: borrowing TextTable, _ index: Int) {
    let start = table.bounds[index]
    let count = table.bounds[index + 1] - start
    unsafe table.bytes.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress else { return }
      reserve(count)
      unsafe (base + used).update(from: first + start, count: count)
    }
    used &+= count
  }
}
