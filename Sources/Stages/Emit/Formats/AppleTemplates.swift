import Platform
import PumpModel

/// The parts of Health records that do not change from row to row, escaped and ready to copy.
struct AppleTemplates {
  /// Records up to the value of `creationDate`, by pump, type and whether made up.
  let openings: TextTable
  /// From the value's closing quote to the pump's name in the external id, by pump.
  let externalIDs: TextTable
  /// From the external id's closing quote to the pump's name in the sync identifier, by pump.
  let syncIdentifiers: TextTable
  /// The entries from the zone to the reason, by zone and kind.
  let constants: TextTable
  /// From a value's closing quote to the external id.
  static let toExternalID = Array("\">\n  <MetadataEntry key=\"HKExternalUUID\" value=\"".utf8)
  /// From the external id's closing quote to the sync identifier.
  static let toSyncIdentifier = Array(
    "\"/>\n  <MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"".utf8)
  private let typeCount = HealthType.allCases.count
  private let kindCount = SampleKind.allCases.count

  /// Builds the parts for all pumps and zones.
  init(_ context: OutputContext, version: String) {
    let openings = context.pumps.flatMap { pump in
      HealthType.allCases.flatMap { type in
        [false, true].map { Self.opening(type, pump, version: version, isDemo: $0) }
      }
    }
    self.openings = TextTable(openings)
    let prefixes = context.pumps.map {
      XMLText.attribute(IdentityText.prefix(pump: $0.name))
    }
    externalIDs = TextTable(prefixes.map { Self.toExternalID + $0 })
    syncIdentifiers = TextTable(prefixes.map { Self.toSyncIdentifier + $0 })
    constants = TextTable(
      context.schedule.entries.flatMap { entry in
        SampleKind.allCases.map { Self.constants($0, zone: entry.rules.name) }
      })
  }

  /// The place of a record's beginning in `openings`.
  @inline(__always)
  func opening(of kind: SampleKind, pump: Int, isDemo: Bool) -> Int {
    (pump * typeCount + HealthType(kind).rawValue) * 2 + (isDemo ? 1 : 0)
  }

  /// The place of a record's fixed entries in `constants`.
  @inline(__always)
  func constants(of kind: SampleKind, zone: Int) -> Int {
    zone * kindCount + Int(kind.rawValue)
  }

  /// Attributes come in the order in which Health writes them (APPLE_HEALTH 3).
  private static func opening(
    _ type: HealthType, _ pump: PumpLabel, version: String, isDemo: Bool
  ) -> [UInt8] {
    var text = Array(" <Record type=\"\(type.identifier)\" sourceName=\"".utf8)
    text += (isDemo ? "pumpline Demo" : "pumpline").utf8
    text += "\" sourceVersion=\"".utf8
    text += XMLText.attribute(version)
    text += "\" device=\"".utf8
    text += XMLText.attribute(AppleDevice.text(pump))
    text += "\" unit=\"\(type.unit)\" creationDate=\"".utf8
    return text
  }

  private static func constants(_ kind: SampleKind, zone: String) -> [UInt8] {
    var text = Array("\"/>\n".utf8)
    text += entry("HKTimeZone", XMLText.attribute(zone))
    text += entry("HKWasUserEntered", Array((isUserEntered(kind) ? "1" : "0").utf8))
    if let reason = deliveryReason(kind) {
      text += entry("HKInsulinDeliveryReason", Array(reason.utf8))
    }
    return text
  }

  private static func entry(_ key: String, _ value: [UInt8]) -> [UInt8] {
    Array("  <MetadataEntry key=\"\(key)\" value=\"".utf8) + value + Array("\"/>\n".utf8)
  }

  private static func isUserEntered(_ kind: SampleKind) -> Bool {
    switch kind {
    case .carbs, .meter: true
    case .basal, .bolus, .extended, .cgm: false
    }
  }

  private static func deliveryReason(_ kind: SampleKind) -> String? {
    switch kind {
    case .basal: "1"
    case .bolus, .extended: "2"
    case .carbs, .cgm, .meter: nil
    }
  }
}

/// The quantity types of Health that samples become, in the order of the file.
enum HealthType: Int, CaseIterable {
  case glucose, carbohydrates, insulin

  /// The type of a kind of sample.
  init(_ kind: SampleKind) {
    switch kind {
    case .cgm, .meter: self = .glucose
    case .carbs: self = .carbohydrates
    case .basal, .bolus, .extended: self = .insulin
    }
  }

  /// HealthKit's name.
  var identifier: String {
    switch self {
    case .glucose: "HKQuantityTypeIdentifierBloodGlucose"
    case .carbohydrates: "HKQuantityTypeIdentifierDietaryCarbohydrates"
    case .insulin: "HKQuantityTypeIdentifierInsulinDelivery"
    }
  }

  /// The unit of values, as HealthKit writes it.
  var unit: String {
    switch self {
    case .glucose: "mg/dL"
    case .carbohydrates: "g"
    case .insulin: "IU"
    }
  }
}
