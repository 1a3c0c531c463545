import PumpModel

/// The layouts made ready for reading properties from JSON.
///
/// A layout with fields has a kind, counted from 0; its fields stand at `kind * 16` in `codes`,
/// in layout order.
struct CompiledLayouts {
  /// How one field is written into a payload; no references, so that copying it is free.
  struct Code {
    let kind: EventLayout.Kind
    let isMask: Bool
    /// Carbohydrate of a bolus request: out of range is not the record's fault but the field's.
    let isCarbAmount: Bool
    /// The word of the payload, and how far the field stands above its lowest bit.
    let word: UInt8
    let shift: UInt8
    /// The bits of the field, before they are shifted.
    let mask: UInt32
    /// The field's range; for floats not used.
    let lowest: Int64
    let highest: Int64
  }

  /// Room for the fields of one kind.
  static let fieldsPerKind = 16

  /// The fields of all kinds.
  let codes: [Code]
  /// Their names in small letters.
  let names: [[[UInt8]]]
  /// For each kind the fields, as bits, whose values reject the record if they are unusable.
  let ruleFields: [UInt16]
  /// For each id below 512 its kind, or `.max`.
  private let kinds: [UInt8]

  /// Made once: they are some ten kilobytes.
  static let shared = CompiledLayouts()

  private init() {
    let layouts = EventCatalogue.layouts.filter { !$0.fields.isEmpty }
    var kinds = [UInt8](repeating: .max, count: 512)
    for (kind, layout) in layouts.enumerated() { kinds[Int(layout.id)] = UInt8(kind) }
    self.kinds = kinds
    names = layouts.map { $0.fields.map { $0.name.utf8.map(ASCII.lowercased) } }
    ruleFields = layouts.map { Self.ruleFields(of: $0.id) }
    codes = layouts.flatMap { layout in
      (0..<Self.fieldsPerKind).map { index in
        let field = layout.fields[min(index, layout.fields.count - 1)]
        return Code(field, isCarbAmount: layout.id == 64 && field.name == "carbAmount")
      }
    }
  }

  /// The kind of an id; nil if it has no layout with fields.
  @inline(__always)
  func kind(of id: UInt16) -> Int? {
    guard id < 512, kinds[Int(id)] != .max else { return nil }
    return Int(kinds[Int(id)])
  }

  /// The fields that the rules use (N2), by their places in the layout.
  static func ruleFields(of id: UInt16) -> UInt16 {
    switch id {
    case 2, 5, 48, 66, 90: 0b1
    case 3: 0b1011
    case 13, 14: 0b11
    case 16: 0b101
    case 20, 21: 0b11011
    case 55, 59: 0b10
    case 64: 0b10110
    case 65: 0b1_0000_0110
    case 81: 0b100001
    case 256, 372, 399, 480: 0b1001100
    case 279: 0b101
    case 280: 0b100110
    default: 0
    }
  }
}

extension CompiledLayouts.Code {
  init(_ field: EventLayout.Field, isCarbAmount: Bool) {
    kind = field.kind
    isMask = field.isMask
    self.isCarbAmount = isCarbAmount
    word = UInt8(field.offset >> 2)
    shift = UInt8((4 - field.kind.size - (field.offset & 3)) * 8)
    mask = .max >> UInt32(32 - field.kind.size * 8)
    (lowest, highest) =
      switch field.kind {
      case .u8: (0, 0xFF)
      case .i8: (-0x80, 0x7F)
      case .u16: (0, 0xFFFF)
      case .i16: (-0x8000, 0x7FFF)
      case .u32: (0, 0xFFFF_FFFF)
      case .i32: (-0x8000_0000, 0x7FFF_FFFF)
      case .f32: (0, 0)
      }
  }
}

/// Letters of names, of which only ASCII is compared without case.
enum ASCII {
  /// The small letter of a capital; anything else as it is.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  /// Whether two letters are the same, whatever their case.
  static func areAlike(_ left: UInt8, _ right: UInt8) -> Bool {
    lowercased(left) == lowercased(right)
  }

  /// Whether characters of a span are a name, whatever the case of their letters.
  static func matches(_ bytes: RawSpan, _ range: Range<Int>, _ name: [UInt8]) -> Bool {
    guard range.count == name.count else { return false }
    return name.indices.allSatisfy {
      lowercased(bytes.byte(at: range.lowerBound + $0)) == name[$0]
    }
  }
}
