import PumpModel

/// Finds samples of equal type, times and amount under different ids: one dose that stands twice.
final class RepeatedSamples: OutputCheck {
  private let content: SampleContent
  /// Samples of equal type, times and amount: the first of them, and the others.
  private var first: WrittenSample?
  private var others: [WrittenSample] = []

  /// So many equal samples are compared with each other.
  private static let mostEqual = 64

  init(_ content: SampleContent) { self.content = content }

  func look(at sample: WrittenSample, _ tell: (Finding) -> Void) {
    guard let first, first.start == sample.start, first.end == sample.end,
      first.type == sample.type, first.amount == sample.amount
    else {
      first = sample
      if !others.isEmpty { others.removeAll() }
      return
    }
    let group = [first] + others
    // Rates of zero are the same on every pump, and one id that stands twice is another finding.
    guard sample.amount.parts > 0,
      !group.contains(where: { $0.externalID != nil && $0.externalID == sample.externalID }),
      !group.contains(where: { Self.arePartsOfOne($0, sample) })
    else { return }
    let isSamePump = group.contains { content.isOneDevice($0.device, sample.device) }
    if group.count < Self.mostEqual { others.append(sample) }
    tell(
      Finding(
        isSamePump ? .sampleDoubled : .sampleOnTwoPumps, start: sample.start, end: sample.end,
        text: "\(sample.title) says the same as \(first.title)"))
  }

  /// Whether two samples are the parts of one bolus by their ids (N9): where an export does not tell when
  /// the extended part was given, halves are alike.
  private static func arePartsOfOne(_ first: WrittenSample, _ second: WrittenSample) -> Bool {
    guard let one = first.externalID, let other = second.externalID,
      let (name, kind) = parts(of: one), let (otherName, otherKind) = parts(of: other)
    else { return false }
    return name == otherName && Set([kind, otherKind]) == ["bolus", "extended"]
  }

  private static func parts(of id: String) -> (name: Substring, kind: Substring)? {
    id.lastIndex(of: ":").map { (id[..<$0], id[id.index(after: $0)...]) }
  }
}
