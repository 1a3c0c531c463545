import PumpModel

/// Finds samples whose external id (N9) names another pump, or another kind of sample.
final class ContradictingIDs: OutputCheck {
  private let content: SampleContent

  init(_ content: SampleContent) { self.content = content }

  func look(at sample: WrittenSample, _ tell: (Finding) -> Void) {
    guard let id = sample.externalID else { return }
    let bytes = id.utf8
    guard let last = bytes.lastIndex(of: 0x3A) else { return }
    let word = bytes[bytes.index(after: last)...].prefix { $0 != 0x7E }
    let kind = SampleKind.allCases.first { $0.idSuffix.utf8.elementsEqual(word) }
    if let kind, kind.type != sample.type {
      tell(
        Finding(
          .idContradicts, start: sample.start, text: "\(id) is told to be \(sample.type.rawValue)"))
    }
    // A pump's name may hold colons itself.
    guard let device = sample.device, bytes.starts(with: "tandem:".utf8),
      let before = bytes[..<last].lastIndex(of: 0x3A),
      let start = bytes.firstIndex(of: 0x3A), start < before
    else { return }
    let pump = String(id[bytes.index(after: start)..<before])
    if !content.isOneDevice(pump, device) {
      tell(Finding(.idContradicts, start: sample.start, text: "\(id) is told of another pump"))
    }
  }
}
