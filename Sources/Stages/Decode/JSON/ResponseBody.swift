import PumpModel

/// The body of a response in a browser's capture: a document of its own.
///
/// The capture may say only afterwards that a body is base64, so its first characters decide: pump
/// data in plain text begins with a brace, a bracket or a quote, none of which is base64, or with the
/// words of a table or the name of a call, which a character that is no base64 follows soon.
final class ResponseBody {
  private enum Coding { case unknown, opening, plain, base64 }

  private static let blockSize = 1 << 16
  /// Room beyond a block, so that whole words can be written.
  private static let margin = 16

  /// So many characters of base64 are no words any more.
  private static let longestOpening = 64

  private let reader: DocumentReader
  private var coding = Coding.unknown
  /// What may be base64 or the first words of a text.
  private var opening: [UInt8] = []
  /// Plain text not yet passed on: the first `filled` bytes.
  private var block: [UInt8] = []
  private var filled = 0
  private var stream = Base64Stream()
  private var isOver = false
  private var isDamagedEarly = false

  init(consumer: any DocumentConsumer, index: Int, forms: CellForms) {
    reader = DocumentReader(consumer: consumer, response: index, forms: forms)
  }

  /// Whether nothing of the body was recognised and it is no whole base64, so that, if the capture
  /// says that it is base64, it was damaged before anybody could tell what it held.
  var isLostBase64: Bool {
    guard isOver, reader.wasUnrecognised else { return false }
    return coding == .plain || isDamagedEarly
  }

  /// Takes characters of the body.
  func feed(_ bytes: RawSpan, _ range: Range<Int>) {
    guard !isOver, reader.wantsMore else { return }
    var position = range.lowerBound
    while isUndecided, position < range.upperBound {
      let byte = bytes.byte(at: position)
      if coding == .unknown { decide(by: byte) }
      guard isUndecided else { break }
      if coding == .opening { open(with: byte) } else { keep(byte) }
      position += 1
    }
    if coding == .base64 {
      if !stream.feed(bytes, position..<range.upperBound) { endDamaged() }
      if stream.output.count >= Self.blockSize / 2 { passOn() }
    } else {
      for index in position..<range.upperBound { keep(bytes.byte(at: index)) }
    }
  }

  /// Takes plain text up to its closing quote, an escape of four digits, or near the range's end,
  /// simple escapes resolved; gives where it stopped, which may be where it began.
  func feedText(_ bytes: RawSpan, _ start: Int) -> Int {
    guard coding == .plain, !isOver, reader.wantsMore else { return start }
    makeRoom()
    var (position, filled) = (start, filled)
    // Taken out while it is written: a span of it may not live beside other uses of this object.
    var block = block
    self.block = []
    var target = block.mutableSpan
    while bytes.byteCount - position >= 8, filled < Self.blockSize {
      let word = bytes.word(at: position)
      unsafe target.withUnsafeMutableBytes {
        unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: filled, as: UInt64.self)
      }
      let special = JSONBytes.specials(word)
      guard special != 0 else {
        position += 8
        filled += 8
        continue
      }
      let run = special.trailingZeroBitCount >> 3
      position += run
      filled += run
      guard bytes.byte(at: position) == 0x5C, bytes.byteCount - position >= 2,
        let character = JSONEscape.simple(bytes.byte(at: position + 1))
      else { break }
      target[filled] = character
      filled += 1
      position += 2
    }
    (self.block, self.filled) = (block, filled)
    if filled >= Self.blockSize { passOn() }
    return position
  }

  /// Takes one character that was escaped.
  func feed(_ byte: UInt8) {
    guard !isOver, reader.wantsMore else { return }
    if coding == .unknown { decide(by: byte) }
    if coding == .opening {
      open(with: byte)
    } else if coding == .base64 {
      if !stream.feed(byte) { endDamaged() }
    } else {
      keep(byte)
    }
  }

  /// Ends the body.
  func finish() {
    guard !isOver else { return }
    if coding == .opening { takeOpening(as: .base64) }
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
    case _ where Self.isBase64(byte): coding = .opening
    default: coding = .plain
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
    default: false
    }
  }

  private var isUndecided: Bool { coding == .unknown || coding == .opening }

  /// Takes a character while all before it may be base64.
  private func open(with byte: UInt8) {
    opening.append(byte)
    if !Self.isBase64(byte), byte != 0x3D, !JSONBytes.isSpace(byte) {
      takeOpening(as: .plain)
    } else if opening.count == Self.longestOpening {
      takeOpening(as: .base64)
    }
  }

  private func takeOpening(as coding: Coding) {
    self.coding = coding
    for byte in opening { feed(byte) }
    opening = []
  }

  private func endDamaged() {
    // Before so much nothing was passed on, however the capture is cut.
    isDamagedEarly = stream.decodedCount < Self.blockSize / 2
    cut(Reject(.offset(stream.decodedCount), "damaged base64"))
  }

  private func makeRoom() {
    guard block.isEmpty else { return }
    block = Array(repeating: 0, count: Self.blockSize + Self.margin)
  }

  private func keep(_ byte: UInt8) {
    makeRoom()
    block[filled] = byte
    filled += 1
    if filled >= Self.blockSize { passOn() }
  }

  private func passOn() {
    if coding == .base64 {
      let decoded = stream.output
      unsafe reader.feed(decoded.span.bytes)
      stream.clearOutput()
    } else {
      let text = block
      unsafe reader.feed(text.span.bytes.extracting(0..<filled))
      filled = 0
    }
  }
}
