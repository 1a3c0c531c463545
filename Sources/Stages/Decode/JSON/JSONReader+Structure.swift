import PumpModel

/// Lists, objects, and what is made of them.
extension JSONReader {
  /// Takes one byte that is no white space and stands between tokens.
  mutating func walkStructure(
    _ byte: UInt8, _ bytes: RawSpan, _ position: Int, into intake: inout RecordIntake
  ) -> Int {
    let here = offset &+ UInt64(position)
    switch state {
    case .value: return startValue(byte, bytes, position, into: &intake)
    case .valueOrEnd:
      guard byte == 0x5D else {
        return startValue(byte, bytes, position, into: &intake)
      }
      close(isList: true, here, into: &intake)
    case .nameOrEnd where byte == 0x7D: close(isList: false, here, into: &intake)
    case .name where byte == 0x22, .nameOrEnd where byte == 0x22: startName()
    case .colon where byte == 0x3A: state = .value
    case .afterValue where byte == 0x2C:
      state = places.last?.isList == true ? .value : .name
    case .afterValue where byte == 0x5D || byte == 0x7D:
      close(isList: byte == 0x5D, here, into: &intake)
    case .trailing where takePadding(byte): break
    case .trailing:
      intake.consumer.reject(Reject(.offset(here), "bytes after the end of the document"))
      state = .afterTrailing
    default: fail(at: here, Self.malformed, into: &intake)
    }
    return position + 1
  }

  private mutating func startName() {
    (state, isName) = (.string, true)
    role = (places.last ?? .object) == .object ? .skip : .name
    name.removeAll(keepingCapacity: true)
    pending = .other
  }

  /// Begins a value of whatever kind.
  private mutating func startValue(
    _ byte: UInt8, _ bytes: RawSpan, _ position: Int, into intake: inout RecordIntake
  ) -> Int {
    let here = offset &+ UInt64(position)
    if let place = places.last, place.holdsElements, skippedElement == nil {
      if byte == 0x7B { return startElement(bytes, position, into: &intake) }
      noteForeignElement(in: place, here, into: &intake)
      guard verdict == nil else { return position }
    }
    if places.last == .entries { responseIndex += 1 }
    if places.last == .top, byte != 0x5B { noteStrayValue(here) }
    switch byte {
    case 0x7B: open(isList: false, here, into: &intake)
    case 0x5B: open(isList: true, here, into: &intake)
    case 0x22: startString(here)
    case 0x2D: (state, number) = (.number, .minus)
    case 0x30: (state, number) = (.number, .zero)
    case 0x31...0x39: (state, number) = (.number, .whole)
    case 0x74: (state, word, wordIndex) = (.word, "true", 1)
    case 0x66: (state, word, wordIndex) = (.word, "false", 1)
    case 0x6E: (state, word, wordIndex) = (.word, "null", 1)
    default: fail(at: here, Self.malformed, into: &intake)
    }
    return position + 1
  }

  /// Notes a value that should be a list of ours; the same name may come again, once is enough.
  private mutating func noteStrayValue(_ here: UInt64) {
    let format: DocumentFormat
    switch pending {
    case .events, .clockChanges: format = .pumpLogs
    case .pumps: format = .pumper
    case .pumplineFetched: format = .fetched
    default: return
    }
    guard strayValues.count < 4 else { return }
    strayValues.append((format, Reject(.offset(here), "not a list of \(pending)")))
  }

  private mutating func startString(_ here: UInt64) {
    (state, isName, role) = (.string, false, .skip)
    if places.isEmpty {
      role = .base64
      base64 = Base64Text()
    } else if places.last == .content, pending == .text {
      // Each of several is a document: which of them the service sent, nobody knows.
      role = .body
      hasBody = true
      bodyStart = here
    } else if places.last == .content, pending == .encoding {
      role = .encoding
      name.removeAll(keepingCapacity: true)
    } else if places.last == .top, pending == .dataSource {
      role = .dataSource
      name.removeAll(keepingCapacity: true)
    }
  }

  private mutating func open(
    isList: Bool, _ here: UInt64, into intake: inout RecordIntake
  ) {
    guard places.count < Self.maximalDepth else {
      return fail(at: here, "lists and objects too deep in each other", into: &intake)
    }
    let place = place(isList: isList)
    if place == .content { (hasBody, lostBody, isBase64Body) = (false, nil, false) }
    if place.holdsElements {
      isFirstElement = true
      isClockChanges = pending == .clockChanges
    }
    places.append(place)
    state = isList ? .valueOrEnd : .nameOrEnd
  }

  /// Which place a list or object is that stands under the last name.
  private mutating func place(isList: Bool) -> Place {
    let other: Place = isList ? .list : .object
    guard let parent = places.last else { return isList ? .bareList : .top }
    if let place = exportPlace(isList: isList) { return place }
    switch (parent, pending, isList) {
    case (.top, .events, true), (.top, .clockChanges, true):
      return kind == nil || kind == .pumpLogs ? .events : other
    case (.top, .pumps, true): return kind == nil || kind == .pumper ? .pumps : other
    case (.top, .pumplineFetched, true): return kind == nil || kind == .fetched ? .fetched : other
    case (.top, .log, false): return (kind ?? .har) == .har && !isResponse ? .log : other
    case (.log, .entries, true):
      guard (kind ?? .har) == .har else { return other }
      kind = .har
      return .entries
    case (.entries, _, false): return .entry
    case (.entry, .response, false): return .response
    case (.response, .content, false): return .content
    default: return other
    }
  }

  private mutating func close(
    isList: Bool, _ here: UInt64, into intake: inout RecordIntake
  ) {
    guard let place = places.last, place.isList == isList else {
      return fail(at: here, Self.malformed, into: &intake)
    }
    places.removeLast()
    state = .afterValue
    switch place {
    case .events where isFirstElement: weak = weak ?? .pumpLogs
    case .pumps where isFirstElement: weak = weak ?? .pumper
    case .fetched where isFirstElement: weak = weak ?? .fetched
    case let place where place.isOfExport && isFirstElement: endEmptyExport(place)
    case .content where !hasBody: intake.consumer.missingBody()
    case .content where isBase64Body:
      if let lostBody {
        intake.consumer.reject(Reject(.offset(lostBody), "damaged base64 of a response"))
      }
    default: break
    }
    if let skipped = skippedElement, skipped.depth == places.count {
      endSkipped(skipped, into: &intake)
    }
    endValue()
  }

  /// After a value: between elements, or after the document's end.
  mutating func endValue() { state = places.isEmpty ? .trailing : .afterValue }

  /// Looks up the name that was read.
  mutating func endName() {
    state = .colon
    guard role == .name else { return }
    let name = name
    let place = Key.texts.firstIndex { $0.elementsEqual(name.lazy.map(ASCII.lowercased)) }
    pending = place.map { Key.allCases[$0] } ?? .other
    guard places.last == .top else { return }
    switch pending {
    case .basal, .suspensionDeliveryEvents: isForeign = true
    default: break
    }
  }
}
