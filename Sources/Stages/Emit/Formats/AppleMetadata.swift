import Platform
import PumpModel

/// Our own metadata entries of Health records.
///
/// Keys begin with `pumpline`, so that they meet no constant of HealthKit, and no two differ in
/// case only, which one reader takes for a duplicate column (APPLE_HEALTH 4). An importer may turn
/// a value such as `0.6` into a number: HealthKit allows that for keys that are not its own.
enum AppleMetadata: MetadataForm {
  /// Appends the element up to its value.
  @inline(__always)
  static func appendOpening(_ key: MetadataKey, to buffer: inout ByteBuffer) {
    switch key {
    case .automatic: buffer.append(#"  <MetadataEntry key="pumplineAutomatic" value=""#)
    case .dataSource: buffer.append(#"  <MetadataEntry key="pumplineDataSource" value=""#)
    case .deliveredBy: buffer.append(#"  <MetadataEntry key="pumplineDeliveredBy" value=""#)
    case .derived: buffer.append(#"  <MetadataEntry key="pumplineDerived" value=""#)
    case .inferred: buffer.append(#"  <MetadataEntry key="pumplineInferred" value=""#)
    case .override: buffer.append(#"  <MetadataEntry key="pumplineOverride" value=""#)
    case .part: buffer.append(#"  <MetadataEntry key="pumplinePart" value=""#)
    case .rate: buffer.append(#"  <MetadataEntry key="pumplineRate" value=""#)
    case .rateSource: buffer.append(#"  <MetadataEntry key="pumplineRateSource" value=""#)
    case .requested: buffer.append(#"  <MetadataEntry key="pumplineRequested" value=""#)
    case .status: buffer.append(#"  <MetadataEntry key="pumplineStatus" value=""#)
    }
  }

  /// Appends the text of an attribute.
  static func appendValue(_ text: String, to buffer: inout ByteBuffer) {
    buffer.append(XMLText.attribute(text))
  }

  /// Appends the element's end.
  @inline(__always)
  static func appendClosing(to buffer: inout ByteBuffer) { buffer.append("\"/>\n") }
}
