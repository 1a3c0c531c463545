package import Platform
package import PumpModel

/// Reads the samples of an Apple Health `export.xml`, whoever wrote it, as its bytes come.
///
/// Only what stands right below the root counts: records inside a correlation stand there again.
/// Records of types that pumpline does not write are passed over.
package final class HealthExportReader {
  private let records: Records
  private let stream: XMLStream

  /// Creates a reader that hands on what it finds; `body` may throw, which ends the reading.
  ///
  /// - Parameters:
  ///   - checksType: whether the document is checked against its own type.
  ///   - isBrief: whether zones and our own metadata are passed over, which takes less time.
  ///   - body: takes what is found.
  /// - Throws: `XMLError` if there is no memory.
  package init(
    checksType: Bool = false, isBrief: Bool = false,
    _ body: @escaping (WrittenEntry) throws -> Void
  ) throws(XMLError) {
    records = Records(body, isBrief: isBrief)
    stream = try XMLStream(records, checksType: checksType)
  }

  /// Whether the document keeps to its own type, once it has ended, if that was to be checked; nil if
  /// it must be read again to tell.
  package var validity: XMLValidity? { stream.validity }

  /// What is wrong with the metadata of records that pumpline wrote, as far as the document was read.
  package var findings: [Finding] { records.odd.findings }

  /// Takes the next bytes.
  ///
  /// - Throws: `XMLError`, `WrittenFault` if it is no Health export, and whatever `body` throws.
  package func feed(_ bytes: RawSpan) throws {
    try stream.feed(bytes)
    if let failure = records.failure { throw failure }
  }

  /// Ends the document.
  ///
  /// - Throws: as `feed`.
  package func finish() throws {
    try stream.finish()
    if let failure = records.failure { throw failure }
  }
}

/// The records of a document on their way.
private final class Records: XMLElementHandler {
  private let body: (WrittenEntry) throws -> Void
  private let isBrief: Bool
  private var open: HealthRecord?
  private var devices = DeviceMemory()
  private(set) var failure: (any Error)?
  /// The records of pumpline that do not have what it writes with each.
  private(set) var odd = OddRecords()

  init(_ body: @escaping (WrittenEntry) throws -> Void, isBrief: Bool) {
    self.body = body
    self.isBrief = isBrief
  }

  func begin(_ element: XMLElement) -> Bool {
    switch element.depth {
    case 0:
      guard element.isNamed("HealthData") else {
        failure = WrittenFault("it is no export of Apple Health")
        return false
      }
    case 1: open = element.isNamed("Record") ? HealthRecord(element, &devices) : nil
    case 2 where element.isNamed("MetadataEntry"): open?.add(element, isBrief: isBrief)
    default: break
    }
    return true
  }

  func end(depth: Int) -> Bool {
    guard depth == 1, var record = open.take() else { return true }
    do {
      let entry = record.end(isBrief: isBrief)
      if !record.isAsWritten, case .sample(let sample) = entry { odd.add(sample, record.written) }
      try body(entry)
    } catch {
      failure = error
      return false
    }
    return true
  }
}

/// A record of a type that pumpline writes.
private struct HealthRecord {
  private enum Kind {
    case insulin, carbohydrates, glucose

    init?(_ type: XMLValue) {
      if type.isText("HKQuantityTypeIdentifierInsulinDelivery") {
        self = .insulin
      } else if type.isText("HKQuantityTypeIdentifierDietaryCarbohydrates") {
        self = .carbohydrates
      } else if type.isText("HKQuantityTypeIdentifierBloodGlucose") {
        self = .glucose
      } else {
        return nil
      }
    }
  }

  private let kind: Kind
  private let place: UInt64
  private let unit: String
  private let start: Instant?
  private let end: Instant?
  private let amount: WrittenAmount?
  private let device: String?
  private var zone: String?
  private var reason: String?
  private var wasUserEntered = false
  private var id: String?
  private var contradictsItself = false
  private var metadata: [(name: String, text: String)] = []
  private var entries = 0
  private var isOverlong = false
  /// Whether pumpline wrote it: what an importer keeps of its metadata is another matter.
  private let isByWriter: Bool
  /// What pumpline writes with each record, if it wrote this one.
  private(set) var written = WriterEntries()
  /// Whether it has what pumpline writes with each, if it wrote this one.
  var isAsWritten: Bool { !isByWriter || written.areRight }

  /// The longest value of metadata, in bytes; those of outputs have some hundred at most.
  private static let longestValue = 4096
  /// More entries of our own than any output has.
  private static let mostEntries = 64

  /// Takes the attributes of a record; nil if it is of another type.
  init?(_ element: XMLElement, _ devices: inout DeviceMemory) {
    guard let kind = element.value(of: "type").flatMap(Kind.init) else { return nil }
    self.kind = kind
    place = UInt64(element.line)
    unit = element.text(of: "unit") ?? ""
    func instant(_ attribute: StaticString) -> Instant? {
      element.value(of: attribute)?.withBytes {
        InstantReading.instant($0, 0..<$0.byteCount, as: .health)
      }
    }
    start = instant("startDate")
    end = instant("endDate")
    amount = element.value(of: "value")?.withBytes { WrittenAmount($0, 0..<$0.byteCount) }
    device = devices.pump(of: element)
    isByWriter = element.value(of: "sourceName").map(WriterEntries.isWriter) ?? false
  }

  /// Takes an entry of metadata.
  mutating func add(_ entry: XMLElement, isBrief: Bool) {
    guard let name = entry.value(of: "key") else { return }
    let key = Key(name)
    // What another app tells there may be of any length, and is not needed.
    if key == .other || key == .syncVersion && !isByWriter { return }
    if key == .own { entries += 1 }
    guard let value = entry.value(of: "value"), value.count <= Self.longestValue,
      entries <= Self.mostEntries
    else {
      isOverlong = true
      return
    }
    if isBrief, key == .own || key == .zone { return }
    switch key {
    case .externalUUID: note(.externalUUID, value, isRight: add(id: value), isBrief)
    case .syncIdentifier: note(.syncIdentifier, value, isRight: add(id: value), isBrief)
    case .syncVersion:
      note(.syncVersion, value, isRight: WriterEntries.isRevision(value), isBrief)
    case .zone: zone = once(zone, value)
    case .reason: reason = once(reason, value)
    case .wasUserEntered:
      wasUserEntered = value.isText("1")
      note(.wasUserEntered, value, isRight: wasUserEntered || value.isText("0"), isBrief)
    case .own: metadata.append((Self.ownName(name.text), value.text))
    case .other: break
    }
  }

  /// The value of an entry, which must be the same wherever it stands.
  private mutating func once(_ held: String?, _ value: XMLValue) -> String {
    guard let held else { return value.text }
    if !value.isText(held) { contradictsItself = true }
    return held
  }

  /// Takes an id, of pumpline's or of another program; true if it is the one that the sample has.
  private mutating func add(id value: XMLValue) -> Bool {
    // Both of its ids are one id, as a rule.
    if let id, value.isText(id) { return true }
    let text = value.text
    guard WrittenSample.isExternalID(text) else { return false }
    if id == nil { id = text } else { contradictsItself = true }
    return !contradictsItself
  }

  /// Notes an entry that pumpline writes; one that is not as it writes it is told beside the sample, so
  /// that comparisons show it.
  private mutating func note(
    _ entry: WriterEntries.Entry, _ value: XMLValue, isRight: Bool, _ isBrief: Bool
  ) {
    guard isByWriter, !written.take(entry, isRight: isRight) else { return }
    entries += 1
    if !isBrief { metadata.append(("\(entry.key)", value.text)) }
  }

  /// Notes what the record lacks, and what does not go with its type.
  private mutating func noteOddEntries(isBrief: Bool) {
    guard isByWriter else { return }
    let isContradicting =
      kind == .carbohydrates && !wasUserEntered || kind == .insulin && wasUserEntered
    if isContradicting, !written.isOdd(.wasUserEntered) {
      written.note(contradicting: .wasUserEntered)
      let key = WriterEntries.Entry.wasUserEntered.key
      if !isBrief { metadata.append(("\(key)", wasUserEntered ? "1" : "0")) }
    }
    guard !isBrief, !written.areRight else { return }
    for entry in WriterEntries.Entry.allCases where written.lacks(entry) {
      metadata.append(("\(entry.key)", "missing"))
    }
  }

  /// The name that other outputs have for a key of our own: there it begins with a small letter.
  private static func ownName(_ key: String) -> String {
    var name = Array(key.utf8.dropFirst(Key.prefix.utf8CodeUnitCount))
    if let first = name.first, (0x41...0x5A).contains(first) { name[0] += 0x20 }
    return String(decoding: name, as: UTF8.self)
  }

  /// What an entry of metadata tells.
  private enum Key {
    case externalUUID, syncIdentifier, syncVersion, zone, reason, wasUserEntered, own, other

    /// What keys of our own begin with.
    static let prefix: StaticString = "pumpline"

    init(_ name: XMLValue) {
      // Their lengths tell them apart.
      let key: Key
      let text: StaticString
      switch name.count {
      case 10: (key, text) = (.zone, "HKTimeZone")
      case 14: (key, text) = (.externalUUID, "HKExternalUUID")
      case 16: (key, text) = (.wasUserEntered, "HKWasUserEntered")
      case 23: (key, text) = (.reason, "HKInsulinDeliveryReason")
      case 24: (key, text) = (.syncVersion, "HKMetadataKeySyncVersion")
      case 27: (key, text) = (.syncIdentifier, "HKMetadataKeySyncIdentifier")
      default: (key, text) = (.other, "")
      }
      if key != .other, name.isText(text) {
        self = key
      } else if name.count > Self.prefix.utf8CodeUnitCount, name.hasPrefix(Self.prefix) {
        self = .own
      } else {
        self = .other
      }
    }
  }

  /// Says what the record is, now that it has ended.
  mutating func end(isBrief: Bool) -> WrittenEntry {
    noteOddEntries(isBrief: isBrief)
    do throws(WrittenFault) {
      return .sample(try sample())
    } catch {
      return .fault(WrittenFault(at: place, error.reason))
    }
  }

  private func sample() throws(WrittenFault) -> WrittenSample {
    let type = try type()
    guard let start, let end, start <= end else {
      throw WrittenFault("its dates are none of a sample")
    }
    guard !isOverlong else { throw WrittenFault("its metadata is longer than that of any output") }
    guard !contradictsItself else {
      throw WrittenFault("its ids, reasons or zones contradict each other")
    }
    return WrittenSample(
      externalID: id, type: type, device: device, start: start, end: end,
      amount: try amount(of: type), zone: zone,
      metadata: metadata.isEmpty ? WrittenMetadata() : WrittenMetadata(metadata), place: place)
  }

  private func type() throws(WrittenFault) -> SampleType {
    switch (kind, reason) {
    case (.insulin, "1"): return .basal
    case (.insulin, "2"): return .bolus
    case (.insulin, _): throw WrittenFault("it does not say whether it is basal or a bolus")
    case (.carbohydrates, _): return .carbohydrates
    case (.glucose, _): return wasUserEntered ? .meterGlucose : .sensorGlucose
    }
  }

  /// The amount in the type's unit.
  private func amount(of type: SampleType) throws(WrittenFault) -> WrittenAmount {
    guard let amount else { throw WrittenFault("its value is none that a sample may have") }
    if unit == type.unit { return amount }
    guard kind == .glucose, unit.hasPrefix("mmol<180.1558"), unit.hasSuffix(">/L") else {
      throw WrittenFault("its unit is not that of its type")
    }
    // Rounded to whole mg/dL, as N7 has it.
    let whole = Int128(10_000) * Int128(WrittenAmount(1, decimals: 0).parts)
    let rounded = (Int128(amount.parts) * 180_156 + whole / 2) / whole
    guard let milligrams = Int64(exactly: rounded) else {
      throw WrittenFault("its value is none that a sample may have")
    }
    return WrittenAmount(milligrams, decimals: 0)
  }
}

/// The pump that a description of a device names, looked up once for all records that have it.
private struct DeviceMemory {
  private var description: [UInt8] = []
  private var pump: String?

  /// The pump of a record; nil if its device names none.
  mutating func pump(of element: XMLElement) -> String? {
    guard let value = element.value(of: "device") else { return nil }
    if !value.isEqual(to: description) {
      let text = value.text
      description = Array(text.utf8)
      pump = Self.localIdentifier(text)
    }
    return pump
  }

  /// The pump in a device's description, such as `<<HKDevice: 0x0>, name:..., localIdentifier:1>`.
  private static func localIdentifier(_ device: String) -> String? {
    guard let key = device.firstRange(of: "localIdentifier:") else { return nil }
    let value = device[key.upperBound...]
    let end = value.firstRange(of: ", ")?.lowerBound ?? value.lastIndex(of: ">") ?? value.endIndex
    return value[..<end].isEmpty ? nil : String(value[..<end])
  }
}
