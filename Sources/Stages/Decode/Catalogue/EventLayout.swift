/// What a pump's log says under one event id: its name and where its fields stand.
///
/// From EVENTS, sections 1 and 2. Property names are those of the web service.
package struct EventLayout: Sendable {
  /// The event id, 12 bits.
  package let id: UInt16
  /// The event's name in the pump's own schema, such as `BOLUS_COMPLETED`.
  package let name: String
  /// The fields, at most sixteen, in the order of their bits in `PumpRecord.present`.
  package let fields: [Field]

  init(_ id: UInt16, _ name: String, _ fields: [Field] = []) {
    self.id = id
    self.name = name
    self.fields = fields
  }

  /// One field of a payload.
  package struct Field: Sendable {
    /// The property's name in the web service.
    package let name: String
    /// The offset of its first byte in the big-endian payload.
    package let offset: Int
    /// How its bytes are read.
    package let kind: Kind
    /// Whether it is a bit mask, which the web service may write as a list of bit indices.
    package let isMask: Bool
    /// Words for its codes, or for its bits if it is a mask.
    package let words: [UInt32: String]

    init(
      _ offset: Int, _ kind: Kind, _ name: String, isMask: Bool = false,
      _ words: [UInt32: String] = [:]
    ) {
      self.offset = offset
      self.kind = kind
      self.name = name
      self.isMask = isMask
      self.words = words
    }
  }

  /// How a field's bytes are read; all are big-endian.
  package enum Kind: UInt8, Sendable {
    /// One byte, no sign.
    case u8
    /// One byte, two's complement.
    case i8
    /// Two bytes, no sign; 65535 says that there is no value.
    case u16
    /// Two bytes, two's complement.
    case i16
    /// Four bytes, no sign.
    case u32
    /// Four bytes, two's complement.
    case i32
    /// Four bytes, IEEE 754.
    case f32

    /// How many bytes the field takes.
    package var size: Int {
      switch self {
      case .u8, .i8: 1
      case .u16, .i16: 2
      case .u32, .i32, .f32: 4
      }
    }
  }
}
