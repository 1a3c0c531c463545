import PumpModel

/// Which of a ledger's samples a sink shows, in a form that the ledger can keep and read again.
package struct SinkSelection: Sendable, Equatable {
  /// The pumps' numbers in the ledger; nil: all.
  package var pumps: Set<Int64>?
  /// The kinds and the time.
  package var samples: SampleSelection

  /// Creates a selection.
  package init(pumps: Set<Int64>?, samples: SampleSelection) {
    self.pumps = pumps
    self.samples = samples
  }

  /// Whether a sample of a pump is shown.
  func shows(_ sample: Sample, of pump: Int64) -> Bool {
    covers(sample, of: pump) && samples.contains(start: sample.start.unixSeconds)
  }

  /// Whether a sample of a pump is shown at some time.
  func covers(_ sample: Sample, of pump: Int64) -> Bool {
    if let pumps, !pumps.contains(pump) { return false }
    guard samples.kinds.contains(sample.identity.kind) else { return false }
    guard sample.identity.kind == .basal else { return true }
    if sample.amount == 0 { return samples.keepsZeroBasal }
    return samples.showsDerivedBasal || !sample.identity.isDerivedBasal
  }

  /// The selection as ledgers keep it: one text for all ways to ask for it.
  package var text: String {
    let pumps = pumps.map { $0.sorted().map { String($0) }.joined(separator: ",") } ?? "*"
    let kinds = samples.kinds.map(\.rawValue).sorted().map { String($0) }.joined(separator: ",")
    func bound(_ instant: Instant?) -> String { instant.map { String($0.unixSeconds) } ?? "*" }
    let extras = (samples.keepsZeroBasal ? 1 : 0) + (samples.showsDerivedBasal ? 2 : 0)
    return [
      pumps, kinds, String(extras), bound(samples.from), bound(samples.until),
    ].joined(separator: ";")
  }

  /// Reads a text that a ledger kept; nil if it is none.
  package init?(text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 5 else { return nil }
    func bound(_ text: Substring) -> Instant? { Int64(text).map(Instant.init(unixSeconds:)) }
    let kinds = parts[1].split(separator: ",").compactMap { UInt8($0) }
      .compactMap(SampleKind.init(rawValue:))
    guard let extras = UInt8(parts[2]) else { return nil }
    self.init(
      pumps: parts[0] == "*" ? nil : Set(parts[0].split(separator: ",").compactMap { Int64($0) }),
      samples: SampleSelection(
        kinds: Set(kinds), keepsZeroBasal: extras & 1 != 0, showsDerivedBasal: extras & 2 != 0,
        from: bound(parts[3]), until: bound(parts[4])))
  }
}
