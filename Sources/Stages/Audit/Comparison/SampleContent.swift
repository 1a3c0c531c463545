package import PumpModel

/// What of two samples with one id is compared (N10): all but the revision, which is history, and
/// what one of the two outputs cannot tell.
package struct SampleContent: Sendable {
  private let tellsZones: Bool
  private let tellsLineage: Bool
  private let foldsDevices: Bool
  private let unknownNames: Set<String>
  /// How samples without ids are brought together.
  let pairing: SamplePairing

  /// Prepares comparisons of two forms.
  package init(_ first: OutputForm, _ second: OutputForm) {
    pairing = SamplePairing(tellsEndsOnly: first.tellsEndsOnly || second.tellsEndsOnly)
    tellsZones = first.tellsZone && second.tellsZone
    let tellers: Set<OutputForm> = [.samples, .ledger]
    tellsLineage = tellers.contains(first) && tellers.contains(second)
    foldsDevices = first == .appleHealth || second == .appleHealth
    // A table says that basal is derived only where it has no other source to name.
    unknownNames = first != second && (first == .csv || second == .csv) ? ["derived"] : []
  }

  /// The names of what differs, in order.
  func fields(_ first: WrittenSample, _ second: WrittenSample) -> [String] {
    var fields: [String] = []
    if first.externalID != second.externalID { fields.append("externalId") }
    if first.type != second.type { fields.append("type") }
    if !isOneDevice(first.device, second.device) { fields.append(SampleDifference.device) }
    if first.start != second.start { fields.append("start") }
    if first.end != second.end { fields.append("end") }
    if first.amount != second.amount { fields.append("value") }
    if tellsZones, first.zone != second.zone { fields.append("zone") }
    if tellsLineage, first.lineage != second.lineage { fields.append("eventIds") }
    return fields + first.metadata.names(differingFrom: second.metadata, except: unknownNames)
  }

  /// Whether two names are of one pump, as both forms can write them: a device of Health holds no
  /// separators.
  func isOneDevice(_ left: String?, _ right: String?) -> Bool {
    if left == right { return true }
    guard foldsDevices, let left, let right else { return false }
    return Self.folded(left) == Self.folded(right)
  }

  private static func folded(_ name: String) -> String {
    name.filter { $0.isLetter || $0.isNumber }
  }
}
