/// Bytes on their way to an output, appended by hand and handed over in large pieces.
///
/// Appending never fails: the buffer grows past its size if one row is longer than what is left,
/// so writers need not count. They call `drain` between rows, which hands the bytes over once the
/// buffer is nearly full. The methods are inlined into the loops of the writers: a row must cost
/// copies and digits, no calls.
@safe package struct ByteBuffer: ~Copyable {
  @usableFromInline
  var base: UnsafeMutablePointer<UInt8>
  @usableFromInline
  var capacity: Int
  @usableFromInline
  var used = 0

  /// The size that outputs use: small enough for the processor's cache, large for the system.
  package static let size = 256 * 1024

  /// Room that `drain` leaves free, so that rows rarely make the buffer grow.
  @usableFromInline static let slack = 8 * 1024

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

  /// Hands the bytes over if the buffer is nearly full; called between rows.
  @inlinable
  package mutating func drain(to file: any OutputFile) throws(OutputError) {
    if used > Self.size - Self.slack { try flush(to: file) }
  }

  /// Hands all bytes over.
  package mutating func flush(to file: any OutputFile) throws(OutputError) {
    guard used > 0 else { return }
    try withBytes { bytes throws(OutputError) in try file.write(bytes) }
    used = 0
  }

  /// Makes room for so many more bytes.
  @inlinable
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
  @inlinable
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base[used] = byte
    used &+= 1
  }

  /// Appends a literal as UTF-8.
  @inlinable
  package mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    unsafe (base + used).update(from: text.utf8Start, count: length)
    used &+= length
  }

  /// Appends bytes.
  @inlinable
  package mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      reserve(source.count)
      unsafe (base + used).update(from: start, count: source.count)
      used &+= source.count
    }
  }

  /// Appends bytes.
  @inlinable
  package mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      reserve(source.count)
      unsafe (base + used).update(from: start, count: source.count)
      used &+= source.count
    }
  }

  /// Appends a text as UTF-8; one of up to 15 bytes costs no memory.
  package mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { source in
      guard let start = source.baseAddress else { return }
      reserve(source.count)
      unsafe (base + used).update(from: start, count: source.count)
      used &+= source.count
    }
  }

  /// Appends again what was appended between two counts, both at most `count`.
  @inlinable
  package mutating func appendAgain(_ range: Range<Int>) {
    precondition(range.upperBound <= used)
    reserve(range.count)
    unsafe (base + used).update(from: base + range.lowerBound, count: range.count)
    used &+= range.count
  }
}

extension ByteBuffer {
  /// Appends a number in decimal digits.
  @inlinable
  package mutating func append(decimal value: UInt64) {
    let width = Self.digits(of: value)
    reserve(width)
    fill(value, width: width)
  }

  /// Appends a number in decimal digits, with leading zeros up to a width of at most 20; a larger
  /// number loses its leading digits.
  @inlinable
  package mutating func append(decimal value: UInt64, width: Int) {
    reserve(width)
    fill(value, width: width)
  }

  /// Appends a number from 0 to 99 as two digits; of others, the last two.
  @inlinable
  package mutating func append(twoDigits value: Int) {
    reserve(2)
    let pair = Int(value.magnitude % 100)
    unsafe (base + used).update(from: Self.pairs.utf8Start + 2 * pair, count: 2)
    used &+= 2
  }

  @inlinable
  mutating func fill(_ value: UInt64, width: Int) {
    var rest = value
    var place = used &+ width
    while place &- 2 >= used {
      let pair = Int(truncatingIfNeeded: rest % 100)
      rest /= 100
      place &-= 2
      unsafe (base + place).update(from: Self.pairs.utf8Start + 2 * pair, count: 2)
    }
    if place > used {
      unsafe base[used] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
    }
    used &+= width
  }

  @inlinable
  static func digits(of value: UInt64) -> Int {
    var width = 1
    var bound: UInt64 = 10
    while value >= bound, width < 20 {
      width &+= 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      bound = overflow ? .max : next
    }
    return width
  }

  /// The numbers from 00 to 99, two digits each.
  @usableFromInline static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """
}
