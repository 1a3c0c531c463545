import PumpModel

/// The body of a response in a browser's capture: a document of its own.
///
/// The capture may say only afterwards that a body is base64, so its first character decides: pump
/// data in plain text begins with a brace, a bracket or a quote, none of which is base64.
final class ResponseBody {
  private enum Coding { case unknown, plain, base64 }

  private static let blockSize = 1 << 16

  private let reader: DocumentReader
  private var coding = Coding.unknown
  private var plain: [UInt8] = []
  private var stream = Base64Stream()
  private var isOver = false

  init(consumer: any DocumentConsumer, index: Int) {
    reader = DocumentReader(consumer: consumer, response: index)
  }

  /// Takes characters of the body.
  func feed(_ bytes: RawSpan, _ range: Range<Int>) {
    guard !isOver, reader.wantsMore else { return }
    var position = range.lowerBound
    while coding == .unknown, position < range.upperBound {
      decide(by: bytes.byte(at: position))
      guard coding == .unknown else { break }
      plain.append(bytes.byte(at: position))
      position += 1
    }
    if coding == .base64 {
      if !stream.feed(bytes, position..<range.upperBound) { endDamaged() }
      if stream.output.count >= Self.blockSize / 2 { passOn() }
    } else {
      plain.append(bytes, position..<range.upperBound)
      if plain.count >= Self.blockSize { passOn() }
    }
  }

  /// Takes one character that was escaped.
  func feed(_ byte: UInt8) {
    guard !isOver, reader.wantsMore else { return }
    if coding == .unknown { decide(by: byte) }
    if coding == .base64 {
      if !stream.feed(byte) { endDamaged() }
    } else {
      plain.append(byte)
      if plain.count >= Self.blockSize { passOn() }
    }
  }

  /// Ends the body.
  func finish() {
    guard !isOver else { return }
    if coding == .base64, !stream.finish() { return endDamaged() }
    passOn()
    isOver = true
    reader.finish()
  }

  /// Ends the body because the capture around it broke off.
  func cut(_ reject: Reject) {
    guard !isOver else { return }
    passOn()
    isOver = true
    reader.finish(wasCut: reject)
  }

  private func decide(by byte: UInt8) {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: break
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: coding = .base64
    default: coding = .plain
    }
  }

  private func endDamaged() { cut(Reject(.offset(stream.decodedCount), "damaged base64")) }

  private func passOn() {
    if coding == .base64 {
      let decoded = stream.output
      unsafe reader.feed(decoded.span.bytes)
      stream.clearOutput()
    } else {
      unsafe reader.feed(plain.span.bytes)
      plain.removeAll(keepingCapacity: true)
    }
  }
}
