import PumpModel

/// Exports of the closed t:connect service, of Nightscout and of Tidepool: lists of objects that are
/// read one by one (FORMATS F, G).
extension JSONReader {
  /// Which place a list or object of such an export is, that stands under the last name.
  func exportPlace(isList: Bool) -> Place? {
    if places.last == .top, pending == .result, isList, kind == nil { return .treatments }
    guard kind == nil || kind?.isLegacyJSON == true else { return nil }
    if places.last == .top, pending == .basal, !isList { return .basal }
    // Before it is known whose document it is, these may be events of a pump.
    guard isList, pending != .events || kind != nil else { return nil }
    return Self.legacyLists.first { $0.parent == places.last && $0.key == pending }?.place
  }

  /// The lists of the older site's answers, and what their objects are.
  static let legacyLists: [(parent: Place, key: Key, place: Place)] = [
    (.top, .event, .therapyEvents), (.top, .basalSuspension, .suspensions),
    (.basal, .tempDeliveryEvents, .rates), (.basal, .algorithmDeliveryEvents, .rates),
    (.basal, .profileDeliveryEvents, .rates), (.basal, .profileRates, .others),
    (.top, .suspensionDeliveryEvents, .otherSuspensions), (.top, .events, .others),
    (.top, .softwareUpdates, .others), (.top, .pumpFeatures, .others),
  ]

  /// What tells a suspension of the older site.
  static let suspensionMembers = ExportMembers(.suspendReason)
  /// What tells an activity of the older site.
  private static let activityMembers = ExportMembers(.eventType, .x)

  /// Reads an object in place; `JSONBytes.none` if it is malformed or cut.
  mutating func readExport(
    _ bytes: RawSpan, _ position: Int, into intake: inout RecordIntake
  ) -> Int {
    let end = JSONBytes.skipValue(bytes, position, depth: places.count)
    guard end >= 0, end - position <= Self.longestElement else { return end }
    isFirstElement = false
    var copy: [UInt8] = []
    copy.append(bytes, position..<end)
    let here = offset &+ UInt64(position)
    switch places.last {
    case .therapyEvents:
      let object = ExportObject(copy, TherapyEvent.members)
      guard recognise(TherapyEvent.looksLike(object), .therapyEvents, here, intake.consumer) else {
        break
      }
      guard exports.take(TherapyEvent(object, place: here), at: here, intake.consumer) else {
        self.end(Reject(.whole, "it tells more boluses than a pump can give"), into: &intake)
        break
      }
    case .rates:
      let object = ExportObject(copy, TimelineRate.members)
      guard recognise(TimelineRate.looksLike(object), .timelineJSON, here, intake.consumer) else {
        break
      }
      exports.take(TimelineRate.outcome(of: object, place: here), at: here, intake.consumer)
    case .suspensions:
      let object = ExportObject(copy, Self.suspensionMembers)
      guard recognise(object.has(.suspendReason), .suspensionsJSON, here, intake.consumer) else {
        break
      }
      intake.consumer.ignore(.suspensionRow, eventID: nil)
    case .treatments:
      let object = ExportObject(copy, NightscoutTreatment.members)
      let isOne = kind != nil || NightscoutTreatment.looksLike(object)
      guard recognise(isOne, .nightscout, here, intake.consumer) else { break }
      exports.take(
        NightscoutTreatment.outcome(of: object, place: here, isOfAnybody: takesAllTreatments),
        at: here, intake.consumer)
    case .tidepool:
      let object = ExportObject(copy, TidepoolRecord.members)
      let isOne = kind != nil || TidepoolRecord.looksLike(object)
      guard recognise(isOne, .tidepool, here, intake.consumer) else { break }
      exports.take(TidepoolRecord(object, place: here), at: here, intake.consumer)
    case .otherSuspensions: intake.consumer.ignore(.suspensionRow, eventID: nil)
    default: intake.consumer.ignore(.otherRow, eventID: nil)
    }
    return end
  }

  /// Settles the format by an object that has its form, and rejects one that has not.
  private mutating func recognise(
    _ looksLike: Bool, _ format: DocumentFormat, _ here: UInt64,
    _ consumer: any DocumentConsumer
  ) -> Bool {
    if looksLike {
      kind = kind ?? format
    } else {
      consumer.reject(Reject(.offset(here), Self.otherForm))
    }
    return looksLike
  }

  /// Whether an object is an activity of the older site, whose list has the name of the pump's events.
  func isActivity(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
    var copy: [UInt8] = []
    copy.append(bytes, range)
    let object = ExportObject(copy, Self.activityMembers)
    return object.has(.eventType) && object.has(.x)
  }

  /// Reads the first object of a bare list again, if it is one of an export; nil if it is none.
  mutating func readFirstExport(
    _ bytes: RawSpan, _ range: Range<Int>, into intake: inout RecordIntake
  ) -> Int? {
    guard places.last == .bareList, kind == nil else { return nil }
    var copy: [UInt8] = []
    copy.append(bytes, range)
    if NightscoutTreatment.looksLike(ExportObject(copy, NightscoutTreatment.members)) {
      places[places.count - 1] = .treatments
    } else if TidepoolRecord.looksLike(ExportObject(copy, TidepoolRecord.members)) {
      places[places.count - 1] = .tidepool
    } else {
      return nil
    }
    rejectLeading(intake.consumer)
    return readExport(bytes, range.lowerBound, into: &intake)
  }

  /// Rejects what stands at the head of a list and is of another form, now that it is known to be ours.
  mutating func rejectLeading(_ consumer: any DocumentConsumer) {
    for here in leading { consumer.reject(Reject(.offset(here), Self.otherForm)) }
    leading = []
  }

  private static let otherForm = "an object of another form than the others"

  /// After an empty list.
  mutating func endEmptyExport(_ place: Place) {
    switch place {
    case .therapyEvents: weakExport = weakExport ?? .therapyEvents
    case .rates: weakExport = weakExport ?? .timelineJSON
    case .suspensions: weakExport = weakExport ?? .suspensionsJSON
    default: break
    }
  }

  /// What may follow a document that is the argument of a call: a bracket, then a semicolon.
  mutating func takePadding(_ byte: UInt8) -> Bool {
    switch (padding, byte) {
    case (.bracket, 0x29): padding = .semicolon
    case (.semicolon, 0x3B): padding = .none
    default: return false
    }
    return true
  }
}

extension JSONReader.Place {
  /// Whether it is a list of an export.
  var isOfExport: Bool {
    switch self {
    case .therapyEvents, .rates, .suspensions, .otherSuspensions, .others, .treatments, .tidepool:
      true
    default: false
    }
  }
}

extension DocumentFormat {
  /// Whether it is JSON of the closed t:connect service.
  var isLegacyJSON: Bool {
    self == .therapyEvents || self == .timelineJSON || self == .suspensionsJSON
  }
}
