import PumpModel

/// How an output's order is made of groups, of which a lower one comes before a higher one, and of
/// what orders samples of equal start within a group before their ids do.
struct SampleOrdering {
  let order: OutputOrder

  /// The kinds as ledgers order by them.
  static let storageKinds: [(storage: UInt64, kind: SampleKind)] = [
    (0, .basal), (StoredSample.derivedBasal, .basal), (StoredSample.zeroBasal, .basal), (1, .bolus),
    (2, .extended), (3, .carbs), (4, .cgm), (5, .meter),
  ]

  /// The rank of HealthKit's type, by kinds as ledgers count them.
  private static let healthRank: [UInt32] = [2, 2, 2, 1, 0, 0, 2, 2]

  /// The group of a kind of a pump, which outputs name by its place in a list.
  func group(_ pump: Int, _ kind: SampleKind) -> UInt32 {
    switch order {
    case .device: UInt32(pump)
    case .healthType: UInt32(rank(kind))
    }
  }

  /// The group of a partition.
  @inline(__always)
  func group(of partition: UInt32) -> UInt32 {
    switch order {
    case .device: partition >> 3
    case .healthType: Self.healthRank[Int(partition & 7)]
    }
  }

  /// The partition of a kind, as ledgers count kinds, of a pump.
  static func partition(_ pump: Int, storage: UInt64) -> UInt32 {
    UInt32(pump) << 3 | UInt32(storage)
  }

  /// What orders samples of equal start; by device the type's name, by HealthKit's type nothing.
  func rank(_ kind: SampleKind) -> Int {
    switch (order, kind) {
    case (.device, .cgm): 0
    case (.device, .meter): 1
    case (.device, .basal): 2
    case (.device, .bolus), (.device, .extended): 3
    case (.device, .carbs): 4
    case (.healthType, .cgm), (.healthType, .meter): 0
    case (.healthType, .carbs): 1
    case (.healthType, .basal), (.healthType, .bolus), (.healthType, .extended): 2
    }
  }
}
