import PumpModel

/// Finds samples whose external id (N9) names another pump, or another kind of sample.
final class ContradictingIDs: OutputCheck {
  private let content: SampleContent

  init(_ content: SampleContent) { self.content = content }

  func look(at sample: WrittenSample, _ tell: (Finding) -> Void) {
    guard let id = sample.externalID else { return }
    let parts = id.split(separator: ":", omittingEmptySubsequences: false)
    let word = parts.last?.split(separator: "~").first
    if let kind = SampleKind.allCases.first(where: { $0.idSuffix[...] == word }),
      kind.type != sample.type
    {
      tell(
        Finding(
          .idContradicts, start: sample.start, text: "\(id) is told to be \(sample.type.rawValue)"))
    }
    // A pump's name may hold colons itself.
    guard parts.first == "tandem", parts.count >= 4, let device = sample.device else { return }
    let pump = parts[1..<parts.count - 2].joined(separator: ":")
    if content.device(pump) != content.device(device) {
      tell(Finding(.idContradicts, start: sample.start, text: "\(id) is told of another pump"))
    }
  }
}
