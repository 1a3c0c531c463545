import PumpModel

extension ClockScan {
  /// The scan as words, for a ledger to keep.
  package var words: [Int64] {
    var writer = WordWriter()
    writer.put(hasClockChanges ? 1 : 0 as Int64)
    writer.put(Int64(stretches.count))
    for stretch in stretches { stretch.write(to: &writer) }
    writer.put(Int64(odd.count))
    for entry in odd { entry.write(to: &writer) }
    writer.put(Int64(resets.count))
    for reset in resets {
      reset.records.write(to: &writer)
      writer.put(reset.isEnded ? 1 : 0 as Int64)
    }
    writer.put(Int64(spans.count))
    for span in spans {
      writer.put(span.from)
      switch span.content {
      case .stretch(let index): writer.put(Int64(index))
      case .odd(let index): writer.put(-1 - Int64(index))
      }
    }
    return writer.words
  }

  /// Reads a scan back; nil if the words are none.
  package init?(words: [Int64]) {
    var reader = WordReader(words)
    self.init(
      stretches: [], odd: [], resets: [], spans: [], hasClockChanges: reader.number() != 0)
    for _ in 0..<reader.count() { stretches.append(Stretch(&reader)) }
    for _ in 0..<reader.count() { odd.append(UnknownTime(&reader)) }
    for _ in 0..<reader.count() {
      resets.append(Reset(records: UnknownTime(&reader), isEnded: reader.number() != 0))
    }
    for _ in 0..<reader.count() {
      let from = reader.position()
      let index = reader.number()
      spans.append(
        ClockSpan(
          from: from, content: index >= 0 ? .stretch(Int(index)) : .odd(Int(-1 - index))))
    }
    guard reader.isAtEnd, isWhole else { return nil }
  }

  /// Whether all that is pointed to is there.
  private var isWhole: Bool {
    stretches.allSatisfy { stretch in
      stretch.next.map { stretches.indices.contains($0.stretch) } ?? true
        && stretch.reset.map { resets.indices.contains($0) } ?? true
    }
      && spans.allSatisfy { span in
        switch span.content {
        case .stretch(let index): stretches.indices.contains(index)
        case .odd(let index): odd.indices.contains(index)
        }
      }
  }
}

extension Stretch {
  fileprivate func write(to writer: inout WordWriter) {
    switch opening {
    case .beginning:
      for word in [0, 0, 0] as [Int64] { writer.put(word) }
    case .change(let time, let shift):
      writer.put(1 as Int64)
      writer.put(Int64(time.seconds))
      writer.put(shift)
    case .powerLoss:
      for word in [2, 0, 0] as [Int64] { writer.put(word) }
    }
    writer.put(newest.map { Int64($0.seconds) })
    writer.put(oldest.map { Int64($0.seconds) })
    writer.put(Int64(clamping: records))
    writer.put(next.map { Int64($0.stretch) })
    writer.put(next?.shiftMilliseconds)
    writer.put(reset.map(Int64.init))
  }

  fileprivate init(_ reader: inout WordReader) {
    let kind = reader.number()
    let time = PumpTime(seconds: UInt32(truncatingIfNeeded: reader.number()))
    let shift = reader.number()
    self.init(
      opening: kind == 0
        ? .beginning : kind == 1 ? .change(to: time, shiftMilliseconds: shift) : .powerLoss)
    newest = reader.optional().map { PumpTime(seconds: UInt32(truncatingIfNeeded: $0)) }
    oldest = reader.optional().map { PumpTime(seconds: UInt32(truncatingIfNeeded: $0)) }
    records = UInt64(clamping: reader.number())
    let after = reader.optional()
    let moved = reader.optional()
    if let after, let moved { next = Next(stretch: Int(after), shiftMilliseconds: moved) }
    reset = reader.optional().map { Int($0) }
  }
}

extension UnknownTime {
  fileprivate func write(to writer: inout WordWriter) {
    writer.put(reason == .powerLoss ? 0 : 1 as Int64)
    writer.put(Int64(firstNumber))
    writer.put(Int64(lastNumber))
    writer.put(Int64(clamping: records))
  }

  fileprivate init(_ reader: inout WordReader) {
    self.init(
      reason: reader.number() == 0 ? .powerLoss : .oddRecords,
      firstNumber: UInt32(truncatingIfNeeded: reader.number()),
      lastNumber: UInt32(truncatingIfNeeded: reader.number()),
      records: UInt64(clamping: reader.number()))
  }
}
