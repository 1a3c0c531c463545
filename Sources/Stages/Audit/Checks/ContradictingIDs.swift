import PumpModel

/// Finds samples whose external id (N9) names another pump, or another kind of sample.
final class ContradictingIDs: OutputCheck {
  private let content: SampleContent
  /// What the last id named and its sample told that were one pump: most samples are of one.
  private var named: [UInt8] = []
  private var told = ""

  private static let prefix = Array("tandem:".utf8)
  private static let kinds = SampleKind.allCases.map { (Array($0.idSuffix.utf8), $0.type) }

  init(_ content: SampleContent) { self.content = content }

  func look(at sample: WrittenSample, _ tell: (Finding) -> Void) {
    guard var id = sample.externalID else { return }
    let contradicts = id.withUTF8 { bytes in
      unsafe (
        Self.namesOtherKind(bytes, than: sample.type), namesOtherPump(bytes, than: sample.device)
      )
    }
    if contradicts.0 {
      tell(
        Finding(
          .idContradicts, start: sample.start, text: "\(id) is told to be \(sample.type.rawValue)"))
    }
    if contradicts.1 {
      tell(Finding(.idContradicts, start: sample.start, text: "\(id) is told of another pump"))
    }
  }

  /// Whether the last word of an id, without the number of one of several, is a kind of another type.
  private static func namesOtherKind(
    _ id: UnsafeBufferPointer<UInt8>, than type: SampleType
  ) -> Bool {
    guard let last = unsafe id.lastIndex(of: 0x3A) else { return false }
    let word = unsafe id[(last + 1)...].prefix { $0 != 0x7E }
    let kind = kinds.first { unsafe $0.0.count == word.count && word.elementsEqual($0.0) }
    return kind.map { $0.1 != type } ?? false
  }

  private func namesOtherPump(
    _ id: UnsafeBufferPointer<UInt8>, than device: String?
  ) -> Bool {
    // A pump's name may hold colons itself.
    guard let device, unsafe id.starts(with: Self.prefix),
      let last = unsafe id.lastIndex(of: 0x3A),
      let before = unsafe id[..<last].lastIndex(of: 0x3A), before >= Self.prefix.count
    else { return false }
    let pump = unsafe id[Self.prefix.count..<before]
    if told == device, unsafe pump.elementsEqual(named) { return false }
    guard content.isOneDevice(unsafe String(decoding: pump, as: UTF8.self), device) else {
      return true
    }
    named = unsafe Array(pump)
    told = device
    return false
  }
}
