import PumpModel

/// Events and pumps: objects that are read as a whole.
extension JSONReader {
  /// Reads the object that begins at a position, or gathers it if it does not end in the chunk.
  mutating func startElement(
    _ bytes: RawSpan, _ position: Int, into intake: inout RecordIntake
  ) -> Int {
    if kind == nil {
      switch places.last {
      case .events: presumed = isForeign ? nil : .pumpLogs
      case .pumps: presumed = .pumper
      case .fetched: presumed = .fetched
      default: break
      }
    }
    let end = readElement(bytes, position, into: &intake)
    if end >= 0, end - position <= Self.longestElement {
      if state == .value || state == .valueOrEnd { endValue() }
      return end
    }
    let here = offset &+ UInt64(position)
    elements.begin(at: here)
    if end < 0, elements.scan(bytes, position) == nil,
      bytes.byteCount - position <= Self.longestElement
    {
      elements.keep(bytes, position..<bytes.byteCount)
      return bytes.byteCount
    }
    elements.clear()
    skip(from: here)
    return position
  }

  /// Reads on in an object that an earlier chunk cut; gives where the walk goes on.
  mutating func continueElement(_ bytes: RawSpan, into intake: inout RecordIntake) -> Int {
    let end = elements.scan(bytes, 0)
    let count = elements.bytes.count + (end ?? bytes.byteCount)
    if count <= Self.longestElement {
      guard let end else {
        elements.keep(bytes, 0..<bytes.byteCount)
        return bytes.byteCount
      }
      if readGathered(bytes, end, into: &intake) { return end }
    }
    walkGathered(into: &intake)
    return 0
  }

  private mutating func readGathered(
    _ bytes: RawSpan, _ end: Int, into intake: inout RecordIntake
  ) -> Bool {
    var whole = elements.bytes
    let gathered = whole.count
    whole.append(bytes, 0..<end)
    whole.append(contentsOf: repeatElement(0x20, count: ElementBuffer.padding))
    let chunkOffset = offset
    offset = elements.start
    let read = unsafe readElement(whole.span.bytes, 0, into: &intake)
    offset = chunkOffset
    guard read == gathered + end else { return false }
    elements.clear()
    endValue()
    return true
  }

  /// Walks what was gathered of an object that is cut, malformed or too long.
  private mutating func walkGathered(into intake: inout RecordIntake) {
    let (gathered, chunkOffset) = (elements.bytes, offset)
    offset = elements.start
    elements.clear()
    skip(from: offset)
    _ = unsafe walk(gathered.span.bytes, 0, into: &intake)
    offset = chunkOffset
  }

  /// At the document's end: finds out whether the object that is not whole is malformed or cut.
  mutating func walkCutElement(into intake: inout RecordIntake) { walkGathered(into: &intake) }

  private mutating func skip(from start: UInt64) {
    skippedElement = SkippedElement(start: start, depth: places.count)
  }

  /// After an object that was walked to its end: it was well formed, so it was too long.
  mutating func endSkipped(_ skipped: SkippedElement, into intake: inout RecordIntake) {
    skippedElement = nil
    if kind == nil, isFirstElement, places.last?.isOfExport != true {
      // A bad element at the head of `events` must not hide the good ones behind it.
      guard places.last == .events else { return leaveForeignList(at: skipped.start) }
    } else {
      isFirstElement = false
    }
    intake.reject(.tooLong, at: skipped.start)
  }

  /// A value among the events that is no object.
  mutating func noteForeignElement(
    in place: Place, _ here: UInt64, into intake: inout RecordIntake
  ) {
    if place == .others { return intake.consumer.ignore(.otherRow, eventID: nil) }
    if kind == nil, isFirstElement, !place.isOfExport {
      guard place == .events else { return leaveForeignList(at: here) }
    } else {
      isFirstElement = false
    }
    if place != .pumps { intake.reject(.notAnObject, at: here) }
  }

  /// The list is not ours: its first element is something else.
  ///
  /// Of one that stands by itself nothing else tells what it is, so that others may follow at `here`.
  private mutating func leaveForeignList(at here: UInt64) {
    presumed = nil
    if places.last == .bareList, leading.count < Self.mostLeading {
      leading.append(here)
      return
    }
    if places.last == .bareList { verdict = .unrecognised }
    if !places.isEmpty { places[places.count - 1] = .list }
  }

  /// Reads an object in place; `JSONBytes.none` if it is malformed or cut.
  @inline(__always)
  private mutating func readElement(
    _ bytes: RawSpan, _ position: Int, into intake: inout RecordIntake
  ) -> Int {
    if places.last == .pumps { return readPump(bytes, position, into: &intake) }
    if places.last == .fetched { return readFetched(bytes, position, into: &intake) }
    if places.last?.isOfExport == true { return readExport(bytes, position, into: &intake) }
    var event = EventFields()
    let end = events.parse(bytes, at: position, depth: places.count, into: &event)
    guard end >= 0, end - position <= Self.longestElement else { return end }
    if isFirstElement {
      guard kind != nil || event.looksLikeEvent else {
        if let read = readFirstExport(bytes, position..<end, into: &intake) { return read }
        guard places.last == .events else {
          leaveForeignList(at: offset &+ UInt64(position))
          return end
        }
        // Another service's list, unless events of ours follow; an empty object tells nothing.
        if end - position > 2 { isForeign = true }
        if isActivity(bytes, position..<end) {
          places[places.count - 1] = .others
          intake.consumer.ignore(.otherRow, eventID: nil)
          return end
        }
        intake.reject(.eventCode, at: offset &+ UInt64(position))
        return end
      }
      (isFirstElement, kind) = (false, .pumpLogs)
      rejectLeading(intake.consumer)
    }
    take(event, bytes, at: offset &+ UInt64(position), into: &intake)
    return end
  }

  private mutating func readPump(
    _ bytes: RawSpan, _ position: Int, into intake: inout RecordIntake
  ) -> Int {
    let reading = PumpFactsParser.parse(bytes, at: position, depth: places.count)
    guard reading.end >= 0, reading.end - position <= Self.longestElement else {
      return reading.end
    }
    if isFirstElement {
      guard kind != nil || reading.looksLikePump else {
        leaveForeignList(at: offset &+ UInt64(position))
        return reading.end
      }
      (isFirstElement, kind) = (false, .pumper)
    }
    if reading.tellsTwice {
      let here = offset &+ UInt64(position)
      intake.consumer.reject(Reject(.offset(here), "a pump of whom something stands twice"))
    } else if let facts = reading.facts {
      intake.consumer.pump(facts: facts)
    }
    return reading.end
  }

  private mutating func readFetched(
    _ bytes: RawSpan, _ position: Int, into intake: inout RecordIntake
  ) -> Int {
    let reading = FetchedParser.parse(bytes, at: position, depth: places.count)
    guard reading.end >= 0, reading.end - position <= Self.longestElement else {
      return reading.end
    }
    // Nobody else's documents have this name.
    (isFirstElement, kind) = (false, .fetched)
    if let statement = reading.statement {
      intake.consumer.fetched(statement)
    } else {
      let here = offset &+ UInt64(position)
      intake.consumer.reject(Reject(.offset(here), "not a piece of fetched time"))
    }
    return reading.end
  }

  /// Makes a record of an event, or rejects it.
  @inline(__always)
  private mutating func take(
    _ event: EventFields, _ bytes: RawSpan, at here: UInt64, into intake: inout RecordIntake
  ) {
    if let fault = fault(of: event) { return intake.reject(fault, at: here) }
    let words = event.words
    var record = PumpRecord(
      number: event.number, seconds: UInt32(truncatingIfNeeded: event.seconds),
      eventID: event.code, payload: .init(words[0], words[1], words[2], words[3]), form: .json,
      present: event.present, pump: events.pump(of: event, in: bytes, intake.consumer))
    record.hasGroup = event.has(.sequenceGroup)
    record.group = record.hasGroup ? event.group : 0
    record.isFromClockChanges = isClockChanges
    if event.propertiesKind < 0, !event.properties.isEmpty {
      keepText(of: event, bytes, in: &record, intake.consumer)
    }
    guard intake.take(record, at: here) else { return }
    if event.has(.estimatedDateTime), event.estimatedSeconds != event.seconds {
      intake.consumer.estimatedTime(
        differsBy: event.estimatedSeconds - event.seconds, of: record)
    }
  }

  @inline(never)
  private func keepText(
    of event: EventFields, _ bytes: RawSpan, in record: inout PumpRecord,
    _ consumer: any DocumentConsumer
  ) {
    record.hasText = true
    record.present = 0
    record.payload = unsafe bytes.extracting(event.properties).withUnsafeBytes {
      unsafe consumer.keep(properties: $0.bindMemory(to: UInt8.self).span)
    }
  }

  /// Why an event cannot be used; ranges of its fields are checked later.
  @inline(__always)
  private func fault(of event: EventFields) -> RecordFault? {
    guard event.has(.eventCode) else { return .eventCode }
    guard event.has(.sequenceNumber) else { return .sequenceNumber }
    guard event.has(.pumpDateTime), event.seconds >= 0, event.seconds <= Int64(UInt32.max) else {
      return .time
    }
    guard !event.isBad(.sequenceGroup), !event.isBad(.deviceAssignmentId),
      !event.isBad(.eventProperties),
      event.badFields == 0 || event.badFields & events.ruleFields(of: event) == 0
    else { return .wrongKind }
    return nil
  }
}
