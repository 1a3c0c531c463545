/// One history-log record as it was read: header fields and sixteen payload bytes, not yet
/// interpreted, with where it came from.
///
/// This is what the journal keeps. All forms of a record are brought to one layout, the
/// big-endian payload of the cloud feed (EVENTS); `Decode` turns it into a `PumpEvent`.
public struct PumpRecord: Sendable, Equatable {
  /// The sequence number; orders records within a group.
  public var number: UInt32
  /// The pump's clock, in seconds since 2008 (see `PumpTime`).
  public var seconds: UInt32
  /// The sequence group, meaningful only if `hasGroup`.
  public var group: UInt32
  /// The run's reference for the pump, from `DocumentConsumer.pump(assignment:)`; 0: unnamed.
  public var pump: UInt32
  /// The payload, four big-endian words in host order.
  ///
  /// For JSON of an id without a layout: the digest of its properties' text, which is kept apart.
  public var payload: Payload
  /// Which fields of the id's layout are present, bit by bit in layout order.
  ///
  /// All ones in binary records, whose fields are always there.
  public var present: UInt16
  /// The event id, 12 bits.
  public var eventID: UInt16
  /// How the record was written down.
  public var form: Form
  /// Whether the record itself names its sequence group.
  public var hasGroup: Bool
  /// Whether the record came in a list of clock changes, which does not widen a claim of
  /// completeness (N4).
  public var isFromClockChanges: Bool
  /// Whether `payload` is the digest of properties whose text is kept apart.
  public var hasText: Bool

  /// Creates a record; flags are off and no group is named unless said.
  @inlinable
  public init(
    number: UInt32, seconds: UInt32, eventID: UInt16, payload: Payload, form: Form,
    present: UInt16 = .max, pump: UInt32 = 0
  ) {
    self.number = number
    self.seconds = seconds
    self.eventID = eventID
    self.payload = payload
    self.form = form
    self.present = present
    self.pump = pump
    group = 0
    hasGroup = false
    isFromClockChanges = false
    hasText = false
  }

  /// How a record was written down.
  ///
  /// A binary copy stands before a JSON one (N2).
  public enum Form: UInt8, Sendable {
    /// 26 bytes, as the pump keeps them.
    case binary = 0
    /// An object of the Tandem Source web service.
    case json = 1
  }

  /// Sixteen payload bytes as four big-endian words in host order.
  public struct Payload: Sendable, Hashable {
    /// Bytes 0 to 3.
    public var word0: UInt32
    /// Bytes 4 to 7.
    public var word1: UInt32
    /// Bytes 8 to 11.
    public var word2: UInt32
    /// Bytes 12 to 15.
    public var word3: UInt32

    /// Creates a payload from its words, all zero unless said.
    @inlinable
    public init(_ w0: UInt32 = 0, _ w1: UInt32 = 0, _ w2: UInt32 = 0, _ w3: UInt32 = 0) {
      (word0, word1, word2, word3) = (w0, w1, w2, w3)
    }

    /// The word with an index from 0 to 3; others count as 3.
    @inlinable
    public subscript(word index: Int) -> UInt32 {
      get {
        switch index {
        case 0: word0
        case 1: word1
        case 2: word2
        default: word3
        }
      }
      set {
        switch index {
        case 0: word0 = newValue
        case 1: word1 = newValue
        case 2: word2 = newValue
        default: word3 = newValue
        }
      }
    }

    /// The byte at a big-endian payload offset from 0 to 15.
    @inlinable
    public func u8(at offset: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: self[word: offset >> 2] >> UInt32((3 - (offset & 3)) * 8))
    }

    /// The 16-bit field at an even big-endian payload offset from 0 to 14.
    @inlinable
    public func u16(at offset: Int) -> UInt16 {
      UInt16(truncatingIfNeeded: self[word: offset >> 2] >> UInt32((2 - (offset & 3)) * 8))
    }

    /// The 32-bit field at a big-endian payload offset of 0, 4, 8 or 12.
    @inlinable
    public func u32(at offset: Int) -> UInt32 { self[word: offset >> 2] }

    /// The 32-bit float at a big-endian payload offset of 0, 4, 8 or 12.
    @inlinable
    public func f32(at offset: Int) -> Float { Float(bitPattern: self[word: offset >> 2]) }
  }
}
