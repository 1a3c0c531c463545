import Platform
import PumpModel

/// The part of external ids behind the pump's name, for the loops of the writers (N9).
///
/// What stands before it, `tandem:<pump>:`, is the same for every row of a pump, so writers keep
/// it ready and escaped. `SampleIdentity.text` says what the whole must be.
enum IdentityText {
  /// What every external id of a pump begins with.
  static func prefix(pump: String) -> String { "tandem:\(pump):" }

  /// Appends `<number>-<seconds>:<kind>`; none of it ever needs escaping.
  @inline(__always)
  static func appendSuffix(_ identity: SampleIdentity, to buffer: inout ByteBuffer) {
    appendPrefix(identity.scheme, to: &buffer)
    buffer.append(decimal: UInt64(identity.first))
    buffer.append(UInt8(ascii: "-"))
    buffer.append(decimal: UInt64(identity.second))
    appendKind(identity.kind, to: &buffer)
    if identity.ordinal > 1 {
      buffer.append(UInt8(ascii: "~"))
      buffer.append(decimal: UInt64(identity.ordinal))
    }
  }

  /// Appends what stands before the two numbers.
  @inline(__always)
  static func appendPrefix(_ scheme: SampleIdentity.Scheme, to buffer: inout ByteBuffer) {
    switch scheme {
    case .event, .named: break
    case .csv: buffer.append("csv-")
    case .legacy: buffer.append("legacy-")
    }
  }

  @inline(__always)
  private static func appendKind(_ kind: SampleKind, to buffer: inout ByteBuffer) {
    switch kind {
    case .basal: buffer.append(":basal")
    case .bolus: buffer.append(":bolus")
    case .extended: buffer.append(":extended")
    case .carbs: buffer.append(":carbs")
    case .cgm: buffer.append(":cgm")
    case .meter: buffer.append(":meter")
    }
  }
}
