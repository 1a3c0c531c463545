import Platform
import PumpModel

/// The entries of metadata that pumpline writes once with each record of Health, as one record has them.
///
/// Numbers and no texts, since records are many.
struct WriterEntries {
  /// Such an entry; raw values are bits.
  enum Entry: UInt8, CaseIterable {
    case externalUUID = 1
    case syncIdentifier = 2
    case syncVersion = 4
    case wasUserEntered = 8

    /// Its key.
    var key: StaticString {
      switch self {
      case .externalUUID: "HKExternalUUID"
      case .syncIdentifier: "HKMetadataKeySyncIdentifier"
      case .syncVersion: "HKMetadataKeySyncVersion"
      case .wasUserEntered: "HKWasUserEntered"
      }
    }
  }

  private static let all: UInt8 = 15
  private var met: UInt8 = 0
  private var odd: UInt8 = 0

  /// Takes an entry; false if its value is another than pumpline writes, or it stands there already.
  mutating func take(_ entry: Entry, isRight: Bool) -> Bool {
    let isRight = isRight && met & entry.rawValue == 0
    met |= entry.rawValue
    if !isRight { odd |= entry.rawValue }
    return isRight
  }

  /// Notes that the value of an entry that is there does not go with the record.
  mutating func note(contradicting entry: Entry) { odd |= entry.rawValue }

  /// Whether each stands there once, as pumpline writes it.
  var areRight: Bool { met == Self.all && odd == 0 }

  /// Whether an entry is not there.
  func lacks(_ entry: Entry) -> Bool { met & entry.rawValue == 0 }

  /// Whether an entry is not there, or not as pumpline writes it.
  func isOdd(_ entry: Entry) -> Bool { (odd | ~met) & entry.rawValue != 0 }

  /// Whether a record with this source has its metadata of pumpline itself, not of an importer.
  static func isWriter(_ source: XMLValue) -> Bool {
    source.isText("pumpline") || source.isText("pumpline Demo")
  }

  /// Whether a value is a revision: a whole number from 1 on.
  static func isRevision(_ value: XMLValue) -> Bool {
    // Most samples have one form only.
    if value.isText("1") { return true }
    guard (1...10).contains(value.count) else { return false }
    return value.withBytes { bytes in
      let number = (0..<bytes.byteCount).reduce(0 as UInt64?) { number, index in
        let digit = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) &- 0x30
        return digit < 10 ? number.map { $0 * 10 + UInt64(digit) } : nil
      }
      let hasNoZeroBefore = unsafe bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self) != 0x30
      return hasNoZeroBefore && number.map { $0 <= UInt64(UInt32.max) } ?? false
    }
  }
}

/// The records of pumpline in a document whose entries are not as it writes them, counted.
struct OddRecords {
  private struct Tally {
    var count = 0
    /// The line of the first, and when its sample begins.
    var first: (line: UInt64, start: Instant)?

    mutating func add(_ sample: WrittenSample) {
      count += 1
      first = first ?? (sample.place, sample.start)
    }

    func finding(_ code: FindingCode, _ text: String) -> Finding? {
      first.map { first in
        Finding(
          code, start: first.start, text: "\(text): \(count), the first in line \(first.line)")
      }
    }
  }

  private var withoutIDs = Tally()
  private var withoutVersion = Tally()
  private var withoutUser = Tally()

  /// Takes the entries of a sample, some of which are not as pumpline writes them.
  mutating func add(_ sample: WrittenSample, _ entries: WriterEntries) {
    if entries.isOdd(.externalUUID) || entries.isOdd(.syncIdentifier) { withoutIDs.add(sample) }
    if entries.isOdd(.syncVersion) { withoutVersion.add(sample) }
    if entries.isOdd(.wasUserEntered) { withoutUser.add(sample) }
  }

  /// What was found, each kind once.
  var findings: [Finding] {
    [
      withoutIDs.finding(
        .idContradicts,
        "records of pumpline that do not have one id of its own as both HKExternalUUID and "
          + "HKMetadataKeySyncIdentifier"),
      withoutVersion.finding(
        .metadataMalformed,
        "records of pumpline that do not have a revision as HKMetadataKeySyncVersion"),
      withoutUser.finding(
        .metadataMalformed,
        "records of pumpline that do not have the HKWasUserEntered of their type"),
    ].compactMap(\.self)
  }
}
