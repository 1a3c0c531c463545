import PumpModel

/// Reads one event of the older site's `TherapyEvents` (FORMATS F).
struct TherapyEvent {
  /// What it says; its pump is to be filled in.
  let outcome: RowOutcome
  /// The pump's number of the bolus, by which two states of one bolus are known; nil if it has none.
  let bolus: Int64?
  /// The serial number that it names; nil if it names none.
  let serial: String?

  /// What is read of an event.
  static let members = ExportMembers(
    .type, .eventDateTime, .serialNumber, .bolusType, .bolusRequestOptions, .userOverride,
    .carbSize, .requestDateTime, .bolusRequestId, .standard, .bolex, .insulinDelivered, .value,
    .completionDateTime, .bolexStartDateTime, .completionStatusId, .completionStatusDesc,
    .bolusIsComplete, .extendedBolusIsComplete, .egv, .estimatedGlucoseValue, .bg)

  /// The types of events that are known.
  enum Kind: String, CaseIterable {
    case bolus = "Bolus"
    case sensor = "CGM"
    case meter = "BG"
    /// It says neither what was delivered nor until when: its duration is that of a temp rate.
    case basal = "Basal"
  }

  /// Whether an object is such an event at all.
  static func looksLike(_ object: ExportObject) -> Bool {
    object.has(.type) && object.has(.eventDateTime)
  }

  /// Reads an object that stands at a place of the document.
  init(_ object: ExportObject, place: UInt64) {
    do throws(ExportFault) {
      self = try TherapyEvent(reading: object, place)
    } catch {
      self = TherapyEvent(outcome: .rejected(error.reason), bolus: nil, serial: nil)
    }
  }

  private init(outcome: RowOutcome, bolus: Int64?, serial: String?) {
    (self.outcome, self.bolus, self.serial) = (outcome, bolus, serial)
  }

  private init(reading object: ExportObject, _ place: UInt64) throws(ExportFault) {
    try object.checkNames()
    let serial = try ExportSerial.read(object)
    let number = try object.object(.standard)?.number(.bolusRequestId)?.whole
    self.init(
      outcome: try Self.outcome(of: object, place), bolus: number.flatMap { $0 > 0 ? $0 : nil },
      serial: serial)
  }

  private static func outcome(
    of object: ExportObject, _ place: UInt64
  ) throws(ExportFault) -> RowOutcome {
    switch object.word(.type) as Kind? {
    case .bolus: return try bolus(object, place)
    case .sensor:
      guard let reading = try object.object(.egv) else { throw ExportFault(.egv, "is missing") }
      return try self.reading(reading, .estimatedGlucoseValue, of: object, isManual: false, place)
    case .meter: return try reading(object, .bg, of: object, isManual: true, place)
    case .basal: return .ignored(.basalRow)
    case nil: return .ignored(.otherRow)
    }
  }

  private static func reading(
    _ holder: ExportObject, _ name: ExportName, of object: ExportObject, isManual: Bool,
    _ place: UInt64
  ) throws(ExportFault) -> RowOutcome {
    guard let time = try object.localTime(.eventDateTime) else {
      throw ExportFault(.eventDateTime, "is missing")
    }
    guard let number = try holder.amount(name), number.value > 0 else {
      return .ignored(.glucoseNotShown)
    }
    // No unit is named. It is mg/dL, but a small number may be mmol/L.
    guard let whole = number.whole, whole > 33 else {
      throw ExportFault(name, "may be in mmol/L, and no unit is named")
    }
    guard whole <= 1000 else { throw ExportFault(name, "is above any reading") }
    return .row(
      ExportRow(
        source: .legacy, pump: 0, time: time, place: place,
        content: .reading(glucose: UInt16(whole), isManual: isManual)))
  }
}

// MARK: - Boluses

extension TherapyEvent {
  private static func bolus(
    _ object: ExportObject, _ place: UInt64
  ) throws(ExportFault) -> RowOutcome {
    var bolus = RowBolus()
    let normal = try Part(of: object.object(.standard), isComplete: .bolusIsComplete)
    let extended = try Part(of: object.object(.bolex), isComplete: .extendedBolusIsComplete)
    bolus.normal = normal?.dose
    if let extended {
      bolus.extended = extended.dose
      bolus.span = try span(extended)
    }
    bolus.requestTime = try object.localTime(.requestDateTime)
    bolus.carbohydrate = try carbohydrate(object)
    bolus.isAutomatic = try isAutomatic(object)
    bolus.isOverride = try object.flag(.userOverride) ?? false
    guard let time = normal?.end ?? extended?.end else { return .ignored(.incompleteRow) }
    return .row(
      ExportRow(source: .legacy, pump: 0, time: time, place: place, content: .bolus(bolus)))
  }

  private static func span(_ part: Part) throws(ExportFault) -> ClosedRange<Int64> {
    guard let start = part.start else { throw ExportFault(.bolexStartDateTime, "is missing") }
    guard let span = RowBolus.span(from: start, until: part.end) else {
      throw ExportFault(.bolexStartDateTime, "is more than a day after the end")
    }
    return span
  }

  private static func carbohydrate(_ object: ExportObject) throws(ExportFault) -> UInt32? {
    guard let grams = try object.amount(.carbSize) else { return nil }
    guard let milligrams = grams.thousandths(upTo: 65_535),
      milligrams < RowBolus.tooMuchCarbohydrate
    else {
      throw ExportFault(.carbSize, "is above any meal")
    }
    return milligrams == 0 ? nil : milligrams
  }

  /// `Automatic Correction`, `Automatic Bolus/Correction`.
  private static func isAutomatic(_ object: ExportObject) throws(ExportFault) -> Bool {
    let words = [try object.words(.bolusType), try object.words(.bolusRequestOptions)]
    return words.contains {
      $0?.utf8.map(ASCII.lowercased).starts(with: "auto".utf8) == true
    }
  }

  /// A part of a bolus that has ended.
  private struct Part {
    let dose: RowDose
    let start: Int64?
    let end: Int64

    /// Reads a part; nil if there is none or it goes on.
    init?(of object: ExportObject?, isComplete: ExportName) throws(ExportFault) {
      guard let object else { return nil }
      let delivered = try object.object(.insulinDelivered)
      let number = try delivered?.amount(.value)
      let end = try delivered?.localTime(.completionDateTime)
      let status = try Self.status(object)
      start = try object.localTime(.bolexStartDateTime)
      guard try object.flag(isComplete) ?? true, let number, let end else { return nil }
      guard let amount = number.thousandths(upTo: 80) else {
        throw ExportFault(.insulinDelivered, "is above 80 U")
      }
      dose = RowDose(amount: amount, decimals: number.decimals, status: status)
      self.end = end
    }

    /// How it ended, by its word and the pump's number for it.
    private static func status(_ object: ExportObject) throws(ExportFault) -> String? {
      let code = try object.number(.completionStatusId)?.whole
      if code == Int64(BolusStatus.rejected)
        || object.isWord("Rejected", in: .completionStatusDesc)
      {
        return StatusWords.rejected
      }
      if object.isWord("Completed", in: .completionStatusDesc) { return "completed" }
      guard let text = try object.words(.completionStatusDesc), !text.isEmpty else {
        return code.flatMap(UInt16.init(exactly:)).map(BolusStatus.text)
      }
      guard RowDose.isStatus(text) else {
        throw ExportFault(.completionStatusDesc, "is no word of a status")
      }
      return text
    }
  }
}

/// Serial numbers of pumps in exports.
enum ExportSerial {
  /// The serial number that an object names; nil if it names none.
  static func read(_ object: ExportObject) throws(ExportFault) -> String? {
    guard let text = try object.label(.serialNumber), !text.isEmpty else { return nil }
    guard isSerial(text.utf8) else {
      throw ExportFault(.serialNumber, "is no serial number")
    }
    return text
  }

  /// Whether a text may be a serial number: letters, digits and hyphens, at most 64, since points,
  /// commas and signs come from spreadsheets that took it for an amount.
  static func isSerial(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.count <= 64
      && text.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
      }
  }
}
