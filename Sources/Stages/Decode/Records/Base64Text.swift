import PumpModel

/// Records in base64.
struct Base64Text {
  /// So many decoded bytes are read together.
  private static let blockSize = 1 << 15

  private var stream = Base64Stream()
  private var flow = RecordFlow()

  /// How many bytes were decoded.
  var decodedCount: UInt64 { stream.decodedCount }
  /// What the decoded bytes are, as far as that is known.
  var judgement: RecordFlow.Judgement { flow.judgement }

  /// Decodes characters; false at one that may not stand there.
  mutating func feed(
    _ bytes: RawSpan, _ range: Range<Int>, into intake: inout RecordIntake
  ) -> Bool {
    guard stream.feed(bytes, range) else { return false }
    if stream.output.count >= Self.blockSize { read(into: &intake) }
    return true
  }

  /// Decodes digits, as many as stand in a row in whole groups; gives the position after them.
  mutating func feedDigits(
    _ bytes: RawSpan, _ range: Range<Int>, into intake: inout RecordIntake
  ) -> Int {
    var position = range.lowerBound
    while position < range.upperBound, stream.continuesGroup(bytes.byte(at: position)) {
      _ = stream.feed(bytes.byte(at: position))
      position += 1
    }
    let end = stream.feedGroups(bytes, position, range.upperBound)
    if stream.output.count >= Self.blockSize { read(into: &intake) }
    return end
  }

  /// Decodes one character; false if it may not stand there.
  mutating func feed(_ byte: UInt8) -> Bool { stream.feed(byte) }

  /// Ends the text; false if it is damaged.
  ///
  /// No text at all is a valid answer without records.
  mutating func finish(into intake: inout RecordIntake) -> Bool {
    guard stream.finish() else { return false }
    guard stream.decodedCount > 0 else { return true }
    read(into: &intake)
    flow.finish(into: &intake)
    return true
  }

  /// Whether what was decoded before the damage looks like records.
  mutating func isPlausible(into intake: inout RecordIntake) -> Bool {
    read(into: &intake)
    flow.finish(fromHeader: true, into: &intake)
    return flow.isReading
  }

  private mutating func read(into intake: inout RecordIntake) {
    let decoded = stream.output
    unsafe flow.feed(decoded.span.bytes, into: &intake)
    stream.clearOutput()
  }
}
