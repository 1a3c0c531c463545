import Platform

/// A growing piece of memory that is written from front to back and emptied without being freed.
///
/// The first touch of memory costs more than the work on it, so arenas are kept and used again.
struct ByteArena {
  /// The memory; only the first `count` bytes are written.
  private(set) var storage: [UInt8]
  private(set) var count = 0

  init(capacity: Int) {
    storage = [UInt8](repeating: 0, count: max(capacity, 64))
  }

  /// Gives the bytes written so far.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let all = unsafe storage.span.bytes
    return try body(all.extracting(first: count))
  }

  /// Empties the arena and keeps its memory.
  mutating func removeAll() { count = 0 }

  /// Appends an integer in host order.
  @inline(__always)
  mutating func append<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
    unsafe append(count: MemoryLayout<Value>.size) { bytes in
      unsafe bytes.storeBytes(of: value, as: Value.self)
    }
  }

  /// Appends so many bytes, all of which `body` must write; one check for all of them.
  @inline(__always)
  mutating func append(count added: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
    if count + added > storage.count { grow(to: count + added) }
    let offset = count
    unsafe storage.withUnsafeMutableBytes { bytes in
      unsafe body(UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + added]))
    }
    count += added
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: RawSpan) {
    let added = bytes.byteCount
    guard added > 0 else { return }
    unsafe append(count: added) { target in
      unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
  }

  /// Whether these are the bytes.
  func holds(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == count else { return false }
    return unsafe bytes.withUnsafeBytes { other in
      unsafe storage.withUnsafeBytes { own in
        unsafe own[..<count].elementsEqual(other)
      }
    }
  }

  /// Writes an integer in host order over bytes that were written before.
  @inline(__always)
  mutating func replace<Value: FixedWidthInteger & BitwiseCopyable>(
    at offset: Int, with value: Value
  ) {
    precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
    unsafe storage.withUnsafeMutableBytes { bytes in
      unsafe bytes.storeBytes(of: value, toByteOffset: offset, as: Value.self)
    }
  }

  /// An arena that outgrows the first takes the second at once.
  ///
  /// Memory that is never written costs nothing, while moving what was written costs as much as
  /// writing it did.
  private static let (small, large) = (256 << 10, 16 << 20)

  private mutating func grow(to needed: Int) {
    let wanted = needed > Self.small ? Self.large : storage.count * 2
    let (old, written) = (storage, count)
    // The bytes behind `count` are read by nobody before they are written.
    storage = unsafe [UInt8](unsafeUninitializedCapacity: max(needed, wanted)) { bytes, filled in
      if wanted == Self.large { unsafe LargePages.ask(for: UnsafeMutableRawBufferPointer(bytes)) }
      unsafe UnsafeMutableRawBufferPointer(bytes).copyBytes(from: old[..<written])
      filled = bytes.count
    }
  }
}

extension RawSpan {
  /// The integer in host order at an offset; the caller has checked that it is there.
  @inline(__always)
  func load<Value: FixedWidthInteger & BitwiseCopyable>(
    _ offset: Int, as type: Value.Type
  ) -> Value {
    unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
  }
}
