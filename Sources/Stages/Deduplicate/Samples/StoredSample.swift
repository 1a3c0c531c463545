package import PumpModel

/// A sample as a ledger keeps it: what it says, and what was said of it before.
package struct StoredSample: Sendable {
  /// The sample.
  package var sample: Sample
  /// 1 when it was given first, one more each time its content changed or it came back.
  package var revision: UInt32
  /// The ledger's count of changes when it changed last.
  package var change: UInt64
  /// Whether it is no longer produced.
  package var isWithdrawn: Bool
  /// The events that it rests on.
  package var lineage: [EventReference]

  /// The kind by which derived basal is kept: apart from the pump's own, since outputs show it only
  /// if they are asked to.
  static let derivedBasal: UInt64 = 6
  /// The kind by which a rate of zero is kept: apart from real ones, so that it counts its own
  /// revisions.
  static let zeroBasal: UInt64 = 7

  /// The kind by which a sample is kept.
  static func storageKind(_ sample: Sample) -> UInt64 {
    guard sample.identity.kind == .basal else { return UInt64(sample.identity.kind.rawValue) }
    if sample.amount == 0 { return zeroBasal }
    return sample.identity.isDerivedBasal ? derivedBasal : UInt64(SampleKind.basal.rawValue)
  }

  /// The kind of samples that are kept by a kind; nil for rates of zero, which do not count.
  static func kind(ofStorage storage: UInt64) -> SampleKind? {
    storage == derivedBasal ? .basal : UInt8(exactly: storage).flatMap(SampleKind.init(rawValue:))
  }

  /// The place in a ledger's order: kind, then the id's numbers, then group and event id.
  static func key(of sample: Sample) -> SortKey {
    let identity = sample.identity
    let high =
      storageKind(sample) << 58 | UInt64(identity.scheme.rawValue & 3) << 56
      | UInt64(identity.first) << 24 | UInt64(identity.second) >> 8
    let low =
      UInt64(identity.second) << 56 | UInt64(identity.group) << 24
      | UInt64(identity.eventID & 0xFFF) << 12
    return SortKey(partition: 0, high: high, low: low)
  }

  /// Whether two keys are of samples with one external id, ordinals aside.
  static func haveOneID(_ left: SortKey, _ right: SortKey) -> Bool {
    left.high == right.high && left.low >> 56 == right.low >> 56
  }

  /// Whether two samples say the same (N10): type, value, unit, start, end, metadata.
  func hasSameContent(as other: Sample) -> Bool {
    sample.start == other.start && sample.end == other.end && sample.amount == other.amount
      && sample.metadata == other.metadata
  }
}

/// The bytes of a stored sample.
enum SampleCoding {
  /// The bytes before the lineage.
  static let header = 72

  private struct Presence: OptionSet {
    let rawValue: UInt8
    static let rate = Presence(rawValue: 1 << 0)
    static let requested = Presence(rawValue: 1 << 1)
    static let status = Presence(rawValue: 1 << 2)
    static let rateSource = Presence(rawValue: 1 << 3)
    static let deliveredBy = Presence(rawValue: 1 << 4)
    static let withdrawn = Presence(rawValue: 1 << 5)
  }

  /// Appends a sample with its lineage.
  @inline(__always)
  static func append(
    _ sample: Sample, revision: UInt32, change: UInt64, isWithdrawn: Bool,
    lineage: ArraySlice<EventReference>, to arena: inout ByteArena
  ) {
    let identity = sample.identity
    let metadata = sample.metadata
    var presence: Presence = isWithdrawn ? .withdrawn : []
    if metadata.rate != nil { presence.insert(.rate) }
    if metadata.requested != nil { presence.insert(.requested) }
    if metadata.status != nil { presence.insert(.status) }
    if metadata.rateSource != nil { presence.insert(.rateSource) }
    if metadata.deliveredBy != nil { presence.insert(.deliveredBy) }
    unsafe arena.append(count: header + 8 * lineage.count) { bytes in
      unsafe bytes.storeBytes(of: UInt32(lineage.count), toByteOffset: 0, as: UInt32.self)
      unsafe bytes.storeBytes(of: identity.first, toByteOffset: 4, as: UInt32.self)
      unsafe bytes.storeBytes(of: identity.second, toByteOffset: 8, as: UInt32.self)
      unsafe bytes.storeBytes(of: identity.group, toByteOffset: 12, as: UInt32.self)
      unsafe bytes.storeBytes(of: sample.start.unixSeconds, toByteOffset: 16, as: Int64.self)
      unsafe bytes.storeBytes(of: sample.end.unixSeconds, toByteOffset: 24, as: Int64.self)
      unsafe bytes.storeBytes(of: sample.amount, toByteOffset: 32, as: Int64.self)
      unsafe bytes.storeBytes(of: change, toByteOffset: 40, as: UInt64.self)
      unsafe bytes.storeBytes(of: revision, toByteOffset: 48, as: UInt32.self)
      unsafe bytes.storeBytes(of: metadata.rate ?? 0, toByteOffset: 52, as: UInt32.self)
      unsafe bytes.storeBytes(of: metadata.requested ?? 0, toByteOffset: 56, as: UInt32.self)
      unsafe bytes.storeBytes(of: identity.eventID, toByteOffset: 60, as: UInt16.self)
      unsafe bytes.storeBytes(of: identity.ordinal, toByteOffset: 62, as: UInt16.self)
      unsafe bytes.storeBytes(of: metadata.status ?? 0, toByteOffset: 64, as: UInt16.self)
      unsafe bytes[66] = identity.kind.rawValue
      unsafe bytes[67] = identity.scheme.rawValue
      unsafe bytes[68] = metadata.rateSource?.rawValue ?? 0
      unsafe bytes[69] = metadata.deliveredBy?.rawValue ?? 0
      unsafe bytes[70] = metadata.flags.rawValue
      unsafe bytes[71] = presence.rawValue
      var offset = header
      for event in lineage {
        unsafe bytes.storeBytes(of: event.number, toByteOffset: offset, as: UInt32.self)
        unsafe bytes.storeBytes(of: event.seconds, toByteOffset: offset + 4, as: UInt32.self)
        offset += 8
      }
    }
  }

  /// How many bytes the sample at an offset takes.
  static func size(_ bytes: RawSpan, at offset: Int) -> Int {
    header + 8 * Int(bytes.load(offset, as: UInt32.self))
  }

  /// Reads a sample without its lineage.
  static func sample(_ bytes: RawSpan, at offset: Int) -> Sample {
    let presence = Presence(rawValue: bytes.load(offset + 71, as: UInt8.self))
    var identity = SampleIdentity(
      kind: SampleKind(rawValue: bytes.load(offset + 66, as: UInt8.self)) ?? .basal,
      group: bytes.load(offset + 12, as: UInt32.self),
      number: bytes.load(offset + 4, as: UInt32.self),
      time: PumpTime(seconds: bytes.load(offset + 8, as: UInt32.self)),
      eventID: bytes.load(offset + 60, as: UInt16.self))
    identity.ordinal = bytes.load(offset + 62, as: UInt16.self)
    identity.scheme =
      SampleIdentity.Scheme(rawValue: bytes.load(offset + 67, as: UInt8.self)) ?? .event
    var metadata = SampleMetadata()
    if presence.contains(.rate) { metadata.rate = bytes.load(offset + 52, as: UInt32.self) }
    if presence.contains(.requested) {
      metadata.requested = bytes.load(offset + 56, as: UInt32.self)
    }
    return sample(bytes, at: offset, identity, &metadata, presence)
  }

  private static func sample(
    _ bytes: RawSpan, at offset: Int, _ identity: SampleIdentity, _ metadata: inout SampleMetadata,
    _ presence: Presence
  ) -> Sample {
    if presence.contains(.status) { metadata.status = bytes.load(offset + 64, as: UInt16.self) }
    if presence.contains(.rateSource) {
      metadata.rateSource = RateSource(rawValue: bytes.load(offset + 68, as: UInt8.self))
    }
    if presence.contains(.deliveredBy) {
      metadata.deliveredBy = DeliverySource(rawValue: bytes.load(offset + 69, as: UInt8.self))
    }
    metadata.flags = SampleMetadata.Flags(rawValue: bytes.load(offset + 70, as: UInt8.self))
    return Sample(
      identity: identity, start: Instant(unixSeconds: bytes.load(offset + 16, as: Int64.self)),
      end: Instant(unixSeconds: bytes.load(offset + 24, as: Int64.self)),
      amount: bytes.load(offset + 32, as: Int64.self), metadata: metadata)
  }

  static func kind(_ bytes: RawSpan, at offset: Int) -> UInt8 {
    bytes.load(offset + 66, as: UInt8.self)
  }

  static func start(_ bytes: RawSpan, at offset: Int) -> Int64 {
    bytes.load(offset + 16, as: Int64.self)
  }

  static func end(_ bytes: RawSpan, at offset: Int) -> Int64 {
    bytes.load(offset + 24, as: Int64.self)
  }

  static func amount(_ bytes: RawSpan, at offset: Int) -> Int64 {
    bytes.load(offset + 32, as: Int64.self)
  }

  static func change(_ bytes: RawSpan, at offset: Int) -> UInt64 {
    bytes.load(offset + 40, as: UInt64.self)
  }

  static func revision(_ bytes: RawSpan, at offset: Int) -> UInt32 {
    bytes.load(offset + 48, as: UInt32.self)
  }

  static func isWithdrawn(_ bytes: RawSpan, at offset: Int) -> Bool {
    Presence(rawValue: bytes.load(offset + 71, as: UInt8.self)).contains(.withdrawn)
  }

  /// Appends the lineage of a sample to a list.
  static func appendLineage(_ bytes: RawSpan, at offset: Int, to list: inout [EventReference]) {
    let count = Int(bytes.load(offset, as: UInt32.self))
    for index in 0..<count {
      let at = offset + header + 8 * index
      list.append(
        EventReference(
          number: bytes.load(at, as: UInt32.self), seconds: bytes.load(at + 4, as: UInt32.self)))
    }
  }

  /// Reads all that is kept of a sample.
  static func stored(_ bytes: RawSpan, at offset: Int) -> StoredSample {
    var lineage: [EventReference] = []
    appendLineage(bytes, at: offset, to: &lineage)
    return StoredSample(
      sample: sample(bytes, at: offset), revision: revision(bytes, at: offset),
      change: change(bytes, at: offset), isWithdrawn: isWithdrawn(bytes, at: offset),
      lineage: lineage)
  }
}
