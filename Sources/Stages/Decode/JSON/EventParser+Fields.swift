import PumpModel

/// Values of properties.
extension EventParser {
  /// Reads one field into the payload.
  @inline(__always)
  static func readField(
    _ field: Int, _ code: CompiledLayouts.Code, _ bytes: RawSpan, _ position: inout Int,
    depth: Int, into event: inout EventFields
  ) {
    if code.kind != .f32, let value = NumberText.plainWhole(bytes, &position) {
      set(field, code, Int64(truncatingIfNeeded: value), into: &event)
    } else {
      readOther(field, code, bytes, &position, depth: depth, into: &event)
    }
  }

  /// Reads a field that is no plain whole number.
  @inline(never)
  private static func readOther(
    _ field: Int, _ code: CompiledLayouts.Code, _ bytes: RawSpan, _ position: inout Int,
    depth: Int, into event: inout EventFields
  ) {
    if code.kind == .f32 {
      if let value = NumberText.plainFloat(bytes, &position) {
        event.set(field, code, bits: value.bitPattern)
      } else {
        readUnusualFloat(field, code, bytes, &position, depth: depth, into: &event)
      }
    } else if position < bytes.byteCount, bytes.byte(at: position) == 0x5B, code.isMask {
      readMask(field, code, bytes, &position, depth: depth, into: &event)
    } else {
      readUnusual(field, code, bytes, &position, depth: depth, into: &event)
    }
  }

  @inline(__always)
  private static func set(
    _ field: Int, _ code: CompiledLayouts.Code, _ value: Int64, into event: inout EventFields
  ) {
    if value >= code.lowest, value <= code.highest {
      event.set(field, code, bits: UInt32(truncatingIfNeeded: value) & code.mask)
    } else if code.isCarbAmount {
      event.set(field, code, bits: 65_535)
    } else {
      event.clear(field, isBad: true)
    }
  }

  /// A number below zero, in quotes or with a fraction; a list; anything else.
  @inline(never)
  private static func readUnusual(
    _ field: Int, _ code: CompiledLayouts.Code, _ bytes: RawSpan, _ position: inout Int,
    depth: Int, into event: inout EventFields
  ) {
    if position < bytes.byteCount, bytes.byte(at: position) == 0x2D {
      var digits = position + 1
      if let value = NumberText.plainWhole(bytes, &digits) {
        position = digits
        return set(field, code, -Int64(truncatingIfNeeded: value), into: &event)
      }
    }
    let start = JSONBytes.skipSpace(bytes, position)
    if code.isMask, start < bytes.byteCount, bytes.byte(at: start) == 0x5B {
      position = start
      return readMask(field, code, bytes, &position, depth: depth, into: &event)
    }
    switch NumberText.whole(bytes, &position, depth: depth) {
    case .whole(let value): set(field, code, value, into: &event)
    case .tooLarge: set(field, code, .max, into: &event)
    case .null: event.clear(field, isBad: false)
    case .fraction, .otherKind: event.clear(field, isBad: true)
    }
  }

  @inline(never)
  private static func readUnusualFloat(
    _ field: Int, _ code: CompiledLayouts.Code, _ bytes: RawSpan, _ position: inout Int,
    depth: Int, into event: inout EventFields
  ) {
    switch NumberText.float(bytes, &position, depth: depth) {
    case .success(let value?): event.set(field, code, bits: value.bitPattern)
    case .success(nil): event.clear(field, isBad: false)
    case .failure: event.clear(field, isBad: true)
    }
  }

  /// One or two digits at a position, below a limit, with the comma or bracket right behind them;
  /// the position is that after it.
  @inline(__always)
  private static func plainBit(
    _ bytes: RawSpan, _ position: Int, of limit: Int
  ) -> (bit: UInt32, end: Int)? {
    guard bytes.byteCount - position >= 3 else { return nil }
    var end = position + 1
    var bit = UInt32(bytes.byte(at: position) &- 0x30)
    var next = bytes.byte(at: end)
    guard bit < 10 else { return nil }
    if next &- 0x30 < 10, bit > 0 {
      bit = bit * 10 + UInt32(next &- 0x30)
      end += 1
      next = bytes.byte(at: end)
    }
    guard next == 0x2C || next == 0x5D, bit < limit else { return nil }
    return (bit, end + 1)
  }

  /// A bit mask as a list of the bits that are set.
  @inline(__always)
  private static func readMask(
    _ field: Int, _ code: CompiledLayouts.Code, _ bytes: RawSpan, _ position: inout Int,
    depth: Int, into event: inout EventFields
  ) {
    let start = position
    var (mask, isBad): (UInt32, Bool) = (0, false)
    position = JSONBytes.skipSpace(bytes, position + 1)
    guard depth < JSONReader.maximalDepth, position < bytes.byteCount else {
      position = JSONBytes.none
      return
    }
    if bytes.byte(at: position) == 0x5D {
      position += 1
      return event.set(field, code, bits: 0)
    }
    let bits = code.mask.trailingOneBitCount
    while true {
      if let (bit, next) = plainBit(bytes, position, of: bits) {
        mask |= 1 << bit
        position = next
        if bytes.byte(at: next - 1) == 0x5D { break }
        continue
      }
      var reading = NumberText.Reading.otherKind
      if let value = NumberText.plainWhole(bytes, &position) {
        reading = .whole(Int64(truncatingIfNeeded: value))
      } else {
        reading = NumberText.whole(bytes, &position, depth: depth + 1)
      }
      guard position >= 0 else { return }
      if case .whole(let bit) = reading, bit >= 0, bit < Int64(bits) {
        mask |= 1 << UInt32(truncatingIfNeeded: bit)
      } else {
        isBad = true
      }
      position = JSONBytes.skipSpace(bytes, position)
      guard position < bytes.byteCount else {
        position = JSONBytes.none
        return
      }
      let next = bytes.byte(at: position)
      position += 1
      if next == 0x5D { break }
      guard next == 0x2C else {
        position = JSONBytes.none
        return
      }
      position = JSONBytes.skipSpace(bytes, position)
    }
    assert(position > start)
    if isBad { event.clear(field, isBad: true) } else { event.set(field, code, bits: mask) }
  }
}

extension UInt32 {
  /// How many of the lowest bits are set in a row.
  var trailingOneBitCount: Int { (~self).trailingZeroBitCount }
}
