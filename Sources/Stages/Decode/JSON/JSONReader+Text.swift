import PumpModel

/// What strings hold: base64 of records, or the body of a response.
extension JSONReader {
  mutating func startResponse(into intake: inout RecordIntake) {
    response = ResponseBody(consumer: intake.consumer, index: responseIndex, forms: forms)
  }

  mutating func takeBase64(
    _ bytes: RawSpan, _ range: Range<Int>, into intake: inout RecordIntake
  ) {
    if base64?.feed(bytes, range, into: &intake) == false { endDamagedBase64(into: &intake) }
    checkBase64()
  }

  /// Takes digits, as many as stand in a row, which need not be looked through for the string's end
  /// first; gives the position after them.
  mutating func takeBase64Digits(
    _ bytes: RawSpan, _ range: Range<Int>, into intake: inout RecordIntake
  ) -> Int {
    guard let end = base64?.feedDigits(bytes, range, into: &intake) else {
      return range.lowerBound
    }
    checkBase64()
    return end
  }

  mutating func takeBase64(_ byte: UInt8, into intake: inout RecordIntake) {
    if base64?.feed(byte) == false { endDamagedBase64(into: &intake) }
  }

  /// Ends early what turned out not to be for us.
  private mutating func checkBase64() {
    switch base64?.judgement {
    case .foreign: verdict = verdict ?? .unrecognised
    case .ambiguous: verdict = verdict ?? RecordFlow.ambiguousVerdict(.pumpEvents)
    default: break
    }
  }

  mutating func endBase64(into intake: inout RecordIntake) {
    guard base64?.finish(into: &intake) == true else { return endDamagedBase64(into: &intake) }
    checkBase64()
    base64 = nil
    if verdict == nil { kind = .pumpEvents }
  }

  private mutating func endDamagedBase64(into intake: inout RecordIntake) {
    let position = base64?.decodedCount ?? 0
    end(Reject(.offset(position), "damaged base64"), into: &intake)
  }
}
