/// Bytes on their way to an output, appended by hand and handed over in large pieces.
///
/// Appending never fails: the buffer grows past its size if one row is longer than what is left,
/// so writers need not count. They call `drain` between rows, which hands the bytes over once the
/// buffer is nearly full. The methods are inlined into the loops of the writers: a row must cost
/// copies and digits, no calls. The compiler does that across modules only if the type itself is
/// `@usableFromInline`.
@safe @usableFromInline package struct ByteBuffer: ~Copyable {
  @usableFromInline
  var base: UnsafeMutablePointer<UInt8>
  @usableFromInline
  var capacity: Int
  @usableFromInline
  var used = 0

  /// The size that outputs use: small enough for the processor's cache, large for the system.
  package static var size: Int { 256 * 1024 }

  /// How full the buffer may be before a row: the rest is room for rows of any sane length.
  @usableFromInline static var limit: Int { 248 * 1024 }

  /// Creates an empty buffer of `size` bytes.
  package init() {
    capacity = Self.size
    unsafe base = .allocate(capacity: capacity)
  }

  deinit { unsafe base.deallocate() }

  /// How many bytes are waiting.
  @inlinable package var count: Int { used }

  /// Lets a closure read the waiting bytes.
  package func withBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe RawSpan(_unsafeStart: base, byteCount: used))
  }

  /// Lets a closure read a part of the waiting bytes, which must lie within `count`.
  package func withText<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= used)
    return try body(unsafe Span(_unsafeStart: base + range.lowerBound, count: range.count))
  }

  /// The last byte; nil of an empty buffer.
  @inlinable package var last: UInt8? { used > 0 ? unsafe base[used &- 1] : nil }

  /// Forgets the waiting bytes.
  @inlinable
  package mutating func removeAll() { used = 0 }

  /// Whether the bytes should be handed over before another row is appended.
  @inlinable package var isNearlyFull: Bool { used > Self.limit }

  /// Hands the bytes over if the buffer is nearly full; called between rows.
  package mutating func drain(to file: any OutputFile) throws(OutputError) {
    if isNearlyFull { try flush(to: file) }
  }

  /// Hands all bytes over.
  package mutating func flush(to file: any OutputFile) throws(OutputError) {
    guard used > 0 else { return }
    try withBytes { bytes throws(OutputError) in try file.write(bytes) }
    used = 0
  }

  /// Makes room for so many more bytes.
  @inlinable @inline(__always)
  mutating func reserve(_ additional: Int) {
    if used &+ additional > capacity { grow(by: additional) }
  }

  @usableFromInline
  mutating func grow(by additional: Int) {
    let larger = max(capacity * 2, used + additional)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe moved.update(from: base, count: used)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
  }
}

extension ByteBuffer {
  /// Appends one byte.
  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base[used] = byte
    used &+= 1
  }

  /// Appends a literal as UTF-8.
  @inlinable @inline(__always)
  package mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    unsafe (base + used).update(from: text.utf8Start, count: length)
    used &+= length
  }

  /// Appends bytes.
  @inlinable @inline(__always)
  package mutating func append(_ bytes: [UInt8]) { append(bytes.span) }

  /// Appends bytes.
  @inlinable @inline(__always)
  package mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      reserve(source.count)
      unsafe (base + used).update(from: start, count: source.count)
      used &+= source.count
    }
  }

  /// Appends a text as UTF-8; one of up to 15 bytes costs no memory.
  @inlinable @inline(__always)
  package mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { source in
      guard let start = source.baseAddress else { return }
      reserve(source.count)
      unsafe (base + used).update(from: start, count: source.count)
      used &+= source.count
    }
  }

  /// Appends the low bytes of a word, lowest first; `count` is 0 to 8.
  @inlinable @inline(__always)
  package mutating func append(word: UInt64, count: Int) {
    reserve(8)
    unsafe UnsafeMutableRawPointer(base + used).storeBytes(of: word.littleEndian, as: UInt64.self)
    used &+= count
  }

  /// Appends again what was appended between two counts, both at most `count`.
  @inlinable @inline(__always)
  package mutating func appendAgain(_ range: Range<Int>) {
    precondition(range.upperBound <= used)
    reserve(range.count)
    unsafe (base + used).update(from: base + range.lowerBound, count: range.count)
    used &+= range.count
  }
}
