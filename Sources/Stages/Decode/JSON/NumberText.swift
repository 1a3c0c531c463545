/// Numbers of JSON, read in place.
enum NumberText {
  /// What stands where a number should be.
  enum Reading: Equatable {
    /// A whole number.
    case whole(Int64)
    /// A whole number that fits no field.
    case tooLarge
    /// A number with a fraction.
    case fraction
    /// `null`.
    case null
    /// Anything else.
    case otherKind
  }

  /// Up to eight digits at a position, with their count; the count is 8 if more may follow, 0 if
  /// there is no digit.
  ///
  /// The caller has checked that eight bytes are there.
  @unsafe
  @inline(__always)
  private static func digits(_ bytes: RawSpan, _ position: Int) -> (value: UInt64, count: Int) {
    // A byte is a digit if taking 0x30 off leaves at most 9; the sum carries only above the first
    // byte that is none, and that is the only one looked at.
    let offsets = unsafe bytes.uncheckedWord(at: position) ^ 0x3030_3030_3030_3030
    let others = (offsets | (offsets &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0
    let count = others.trailingZeroBitCount >> 3
    guard count > 0 else { return (0, 0) }
    var value = offsets << UInt64((8 - count) << 3)
    value = (value &* 10 &+ value >> 8) & 0x00FF_00FF_00FF_00FF
    value = (value &* 100 &+ value >> 16) & 0x0000_FFFF_0000_FFFF
    value = (value &* 10_000 &+ value >> 32) & 0xFFFF_FFFF
    return (value, count)
  }

  /// A plain whole number without sign; nil if it is anything else, or may be malformed.
  @inline(__always)
  static func plainWhole(_ bytes: RawSpan, _ position: inout Int) -> UInt64? {
    guard position >= 0, bytes.byteCount &- position >= 24 else { return nil }
    var (value, count) = unsafe digits(bytes, position)
    guard count > 0 else { return nil }
    if count == 8 {
      let (rest, more) = unsafe digits(bytes, position &+ 8)
      guard more < 8 else { return nil }
      value = value &* powers[more] &+ rest
      count &+= more
    }
    // At most 15 digits, so 16 bytes are looked at.
    let next = unsafe bytes.uncheckedByte(at: position &+ count)
    let first = unsafe bytes.uncheckedByte(at: position)
    guard next != 0x2E, next | 0x20 != 0x65, count == 1 || first != 0x30 else { return nil }
    position &+= count
    return value
  }

  @inline(__always)
  private static var powers: InlineArray<8, UInt64> {
    [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000]
  }

  /// A whole number written in any way: plain, in quotes, with a fraction of zeros.
  ///
  /// The position moves behind the value, or becomes `JSONBytes.none` if that is malformed.
  static func whole(_ bytes: RawSpan, _ position: inout Int, depth: Int) -> Reading {
    let range = token(bytes, &position, depth: depth)
    guard let range else { return .otherKind }
    if bytes.byte(at: range.lowerBound) == 0x6E { return .null }
    return whole(bytes, range)
  }

  /// A 32-bit float written in any way, infinite beyond its range, nil if it is `null`.
  static func float(
    _ bytes: RawSpan, _ position: inout Int, depth: Int
  ) -> Result<Float?, RecordFault> {
    let range = token(bytes, &position, depth: depth)
    guard let range else { return .failure(.wrongKind) }
    if bytes.byte(at: range.lowerBound) == 0x6E { return .success(nil) }
    return .success(float(bytes, range))
  }

  /// The characters of a number, its quotes taken off, or of `null`; nil for other values.
  private static func token(_ bytes: RawSpan, _ position: inout Int, depth: Int) -> Range<Int>? {
    let start = JSONBytes.skipSpace(bytes, position)
    position = JSONBytes.skipValue(bytes, start, depth: depth)
    guard position >= 0 else { return nil }
    switch bytes.byte(at: start) {
    case 0x2D, 0x30...0x39, 0x6E: return start..<position
    case 0x22:
      let end = position - 1
      return JSONBytes.skipNumber(bytes.extracting(first: end), start + 1) == end
        ? start + 1..<end : nil
    default: return nil
    }
  }

  private static func whole(_ bytes: RawSpan, _ range: Range<Int>) -> Reading {
    var position = range.lowerBound
    let isNegative = bytes.byte(at: position) == 0x2D
    if isNegative { position += 1 }
    var (value, isTooLarge): (Int64, Bool) = (0, false)
    while position < range.upperBound, bytes.byte(at: position) &- 0x30 < 10 {
      let (product, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, overAgain) = product.addingReportingOverflow(
        Int64(bytes.byte(at: position) &- 0x30))
      isTooLarge = isTooLarge || over || overAgain
      value = sum
      position += 1
    }
    guard position < range.upperBound else {
      return isTooLarge ? .tooLarge : .whole(isNegative ? -value : value)
    }
    // With a fraction or an exponent; a double holds every whole number that a field does.
    guard let number = Double(text(bytes, range)) else { return .otherKind }
    guard number == number.rounded(.towardZero) else { return .fraction }
    return Int64(exactly: number).map(Reading.whole) ?? .tooLarge
  }

  /// A plain decimal such as `0.8` or `3.1399999`, rounded once; nil if another way must be taken.
  @inline(__always)
  static func plainFloat(_ bytes: RawSpan, _ position: inout Int) -> Float? {
    guard position >= 0, bytes.byteCount &- position >= 24 else { return nil }
    let (whole, count) = unsafe digits(bytes, position)
    guard count > 0, count < 8, count == 1 || bytes.byte(at: position) != 0x30 else { return nil }
    let next = bytes.byte(at: position + count)
    guard next == 0x2E else {
      guard next | 0x20 != 0x65, whole < 1 << 24 else { return nil }
      position += count
      return Float(Int32(truncatingIfNeeded: whole))
    }
    let (fraction, places) = unsafe digits(bytes, position &+ count &+ 1)
    guard places > 0, places < 8 else { return nil }
    let end = position + count + 1 + places
    guard bytes.byte(at: end) | 0x20 != 0x65 else { return nil }
    // At most 14 digits: the quotient is rounded once, to a double. Rounding that to a float
    // errs only if it lies exactly between two floats.
    let power = powers[places]
    let mantissa = Int64(truncatingIfNeeded: whole &* power &+ fraction)
    let quotient = Double(mantissa) / Double(Int64(truncatingIfNeeded: power))
    guard quotient.bitPattern & 0x1FFF_FFFF != 0x1000_0000 else { return nil }
    position = end
    return Float(quotient)
  }

  private static func float(_ bytes: RawSpan, _ range: Range<Int>) -> Float {
    Float(text(bytes, range)) ?? .nan
  }

  private static func text(_ bytes: RawSpan, _ range: Range<Int>) -> String {
    var characters: [UInt8] = []
    characters.append(bytes, range)
    return String(decoding: characters, as: UTF8.self)
  }
}
