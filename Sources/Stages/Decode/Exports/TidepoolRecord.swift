import PumpModel

/// Reads one record of a Tidepool export (FORMATS G).
///
/// Records of a Tandem pump have a device id of `tandem`, letters, a model of seven digits, and a serial
/// number. Others are left alone: pens, other pumps, and sensors that stand for themselves. Times of
/// boluses are those of the first record that the pump wrote of them, mostly the request.
struct TidepoolRecord {
  /// What it says; its pump is to be filled in.
  let outcome: RowOutcome
  /// The serial number of its pump; nil if it is of none.
  let serial: String?

  /// What is read of a record.
  static let members = ExportMembers(
    .type, .id, .time, .deviceId, .deviceSerialNumber, .uploadId, .subType, .deliveryType, .units,
    .normal, .extended, .duration, .bolus, .carbInput, .carbUnits, .rate, .value)

  /// The types of records that are read.
  enum Kind: String, CaseIterable {
    case bolus, wizard, basal
    case sensor = "cbg"
    case meter = "smbg"
  }

  /// Whether an object is such a record at all.
  static func looksLike(_ object: ExportObject) -> Bool {
    object.has(.type) && object.has(.id) && object.has(.time)
      && (object.has(.deviceId) || object.has(.uploadId))
  }

  /// Reads an object that stands at a place of the document.
  init(_ object: ExportObject, place: UInt64) {
    guard let device = object.text(.deviceId), device.hasPrefix("tandem") else {
      (outcome, serial) = (.ignored(.otherOrigin), nil)
      return
    }
    do throws(ExportFault) {
      try object.checkNames()
      let outcome = try Self.outcome(of: object, place)
      serial = try Self.serial(device, object)
      self.outcome = outcome
    } catch {
      (outcome, serial) = (.rejected(error.reason), nil)
    }
  }

  /// The serial number in a device id, which ends in it.
  private static func serial(
    _ device: String, _ object: ExportObject
  ) throws(ExportFault) -> String {
    if let serial = object.text(.deviceSerialNumber), device.hasSuffix(serial),
      isSerial(serial.utf8)
    {
      return serial
    }
    let number = device.utf8.dropFirst("tandem".utf8.count)
      .drop { 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
    let (model, serial) = (number.prefix(7), number.dropFirst(7))
    guard isSerial(serial), model.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw ExportFault(.deviceId, "does not tell where a pump's model ends and its number begins")
    }
    return String(decoding: serial, as: UTF8.self)
  }

  /// Whether a text is a serial number: digits, behind the letters that made-up pumps have.
  private static func isSerial(_ text: some Collection<UInt8>) -> Bool {
    let prefix = DemoData.serialPrefix.utf8
    let digits = text.dropFirst(text.starts(with: prefix) ? prefix.count : 0)
    return 5...10 ~= digits.count && digits.allSatisfy { 0x30...0x39 ~= $0 }
  }
}

extension TidepoolRecord {
  private static func outcome(
    of object: ExportObject, _ place: UInt64
  ) throws(ExportFault) -> RowOutcome {
    switch object.word(.type) as Kind? {
    case .bolus: return .row(try row(object, place, .bolus(try bolus(object))))
    case .wizard: return try meal(object, place)
    case .sensor: return .row(try row(object, place, try reading(object, isManual: false)))
    case .meter: return .row(try row(object, place, try reading(object, isManual: true)))
    case .basal:
      guard let rate = try rate(object) else { return .ignored(.basalRow) }
      return .row(try row(object, place, rate))
    case nil: return .ignored(.otherRow)
    }
  }

  private static func row(
    _ object: ExportObject, _ place: UInt64, _ content: ExportRow.Content
  ) throws(ExportFault) -> ExportRow {
    guard let name = object.text(.id), ExportSource.isName(name.utf8) else {
      throw ExportFault(.id, "is no id of a record")
    }
    return ExportRow(
      source: .tidepool, pump: 0, time: try time(of: object), place: place, name: name,
      content: content)
  }

  private static func time(of object: ExportObject) throws(ExportFault) -> Int64 {
    guard let time = try object.instant(.time) else { throw ExportFault(.time, "is missing") }
    return time
  }

  private static func bolus(_ object: ExportObject) throws(ExportFault) -> RowBolus {
    var bolus = RowBolus()
    bolus.normal = try dose(.normal, of: object)
    bolus.extended = try dose(.extended, of: object)
    guard bolus.normal != nil || bolus.extended != nil else {
      throw ExportFault(.normal, "is missing")
    }
    if bolus.extended != nil {
      let start = try time(of: object)
      bolus.span = start...start + (try seconds(.duration, of: object, upTo: DoseLength.extended))
    }
    bolus.isAutomatic = object.isWord("automated", in: .subType)
    return bolus
  }

  private static func dose(
    _ name: ExportName, of object: ExportObject
  ) throws(ExportFault) -> RowDose? {
    guard let number = try object.amount(name) else { return nil }
    guard let amount = number.thousandths(upTo: 80) else {
      throw ExportFault(name, "is above 80 U")
    }
    return RowDose(amount: amount, decimals: number.decimals)
  }

  /// A length that is told in milliseconds, in whole seconds.
  private static func seconds(
    _ name: ExportName, of object: ExportObject, upTo longest: Int64
  ) throws(ExportFault) -> Int64 {
    guard let milliseconds = try object.amount(name) else { throw ExportFault(name, "is missing") }
    guard milliseconds.value <= Double(longest * 1000) else {
      throw ExportFault(name, "is longer than it can be")
    }
    return Int64((milliseconds.value / 1000).rounded())
  }

  /// The meal of a calculator's record: a row under the name of the bolus's record, wherever that
  /// stands (Decisions 64).
  private static func meal(
    _ object: ExportObject, _ place: UInt64
  ) throws(ExportFault) -> RowOutcome {
    guard let number = try object.amount(.carbInput), number.value > 0 else {
      return .ignored(.otherRow)
    }
    guard !object.has(.carbUnits) || object.isWord("grams", in: .carbUnits) else {
      throw ExportFault(.carbUnits, "are no grams")
    }
    guard let milligrams = number.thousandths(upTo: 65_535),
      milligrams < RowBolus.tooMuchCarbohydrate
    else {
      throw ExportFault(.carbInput, "is above any meal")
    }
    let id = (try? object.object(.bolus)?.text(.id)) ?? object.text(.bolus)
    guard let id, ExportSource.isName(id.utf8), milligrams > 0 else {
      return .ignored(.incompleteRow)
    }
    return .row(
      ExportRow(
        source: .tidepool, pump: 0, time: try time(of: object), place: place, name: id,
        content: .meal(carbohydrate: milligrams)))
  }

  private static func reading(
    _ object: ExportObject, isManual: Bool
  ) throws(ExportFault) -> ExportRow.Content {
    guard let number = try object.amount(.value), number.value > 0 else {
      throw ExportFault(.value, "is missing")
    }
    let (factor, bounds): (Double, ClosedRange<UInt16>)
    if object.isWord("mmol/L", in: .units) {
      (factor, bounds) = (18.0156, 1...ExportRow.highestMillimoles)
    } else if object.isWord("mg/dL", in: .units) {
      (factor, bounds) = (1, ExportRow.lowestGlucose...ExportRow.highestGlucose)
    } else {
      throw ExportFault(.units, "are neither mmol/L nor mg/dL")
    }
    let glucose = (number.value * factor).rounded(.toNearestOrEven)
    guard let whole = UInt16(exactly: glucose), bounds.contains(whole) else {
      throw ExportFault(.value, "is no reading in its unit")
    }
    return .reading(glucose: whole, isManual: isManual)
  }

  /// A rate, of zero for a suspension; nil if it holds for no time.
  private static func rate(_ object: ExportObject) throws(ExportFault) -> ExportRow.Content? {
    var milliunits: UInt32 = 0
    if !object.isWord("suspend", in: .deliveryType) {
      guard let rate = try object.amount(.rate) else { throw ExportFault(.rate, "is missing") }
      guard let thousandths = rate.thousandths(upTo: 15) else {
        throw ExportFault(.rate, "is above 15 U/h")
      }
      milliunits = thousandths
    }
    let seconds = try seconds(.duration, of: object, upTo: Int64(ExportRow.longestRate))
    return seconds == 0
      ? nil : .rate(milliunitsPerHour: milliunits, seconds: UInt32(clamping: seconds))
  }
}
