/// A sample as an output tells it, whoever wrote the output: what audits compare.
///
/// Nothing is concluded here: what an output does not tell is nil.
package struct WrittenSample: Sendable, Equatable {
  /// The external id (N9); nil if the output has none, or another program's.
  package var externalID: String?
  /// What it is.
  package var type: SampleType
  /// The pump; nil if the output does not tell.
  package var device: String?
  /// When it began.
  package var start: Instant
  /// When it ended; never before `start`.
  package var end: Instant
  /// How much it is.
  package var amount: WrittenAmount
  /// The zone at its start; nil if the output does not tell.
  package var zone: String?
  /// What the output tells beside.
  package var metadata: WrittenMetadata
  /// Where it stands: a line, or the row of a database; 0 where there is no such place.
  package var place: UInt64
  /// The events that it rests on, where they are known: of samples that were made again.
  package var lineage: [EventReference] = []
  /// The id of the event that defines it (N9), where it is known.
  package var definingEvent: UInt16?

  /// Creates a sample.
  package init(
    externalID: String?, type: SampleType, device: String? = nil, start: Instant, end: Instant,
    amount: WrittenAmount, zone: String? = nil, metadata: WrittenMetadata = WrittenMetadata(),
    place: UInt64 = 0
  ) {
    self.externalID = externalID
    self.type = type
    self.device = device
    self.start = start
    self.end = end
    self.amount = amount
    self.zone = zone
    self.metadata = metadata
    self.place = place
  }

  /// Whether a text is an external id of pumpline's, and not of another program.
  package static func isExternalID(_ text: String) -> Bool {
    idPrefixes.contains { text.utf8.starts(with: $0) }
  }

  private static let idPrefixes =
    (["tandem:"] + ExportSource.allCases.filter { !$0.flag.isEmpty }.map { $0.idBase(of: "") })
    .map { Array($0.utf8) }
}

/// An amount as an output has it, in millionths of a millionth of the type's unit.
///
/// Fine enough for whatever outputs hold; digits beyond are rounded, half up.
package struct WrittenAmount: Sendable, Hashable, Comparable {
  /// How many decimals of the unit are kept.
  package static let decimals = 12

  /// The count of millionths of a millionth.
  package var parts: Int64

  /// Creates an amount from its parts.
  package init(parts: Int64) { self.parts = parts }

  /// An amount in a working unit with so many decimals (`SampleKind.decimals`); what is beyond
  /// 64 bits becomes the greatest or smallest amount.
  package init(_ amount: Int64, decimals: Int) {
    let factor = (decimals..<Self.decimals).reduce(1 as Int64) { factor, _ in factor * 10 }
    let (product, isOver) = amount.multipliedReportingOverflow(by: factor)
    parts = isOver ? (amount < 0 ? .min : .max) : product
  }

  /// Reads a decimal of the unit in a range of bytes; nil if it is negative, none, or too great.
  package init?(_ bytes: RawSpan, _ range: Range<Int>) {
    guard
      let parts = DecimalReading.amount(
        bytes, range, decimals: Self.decimals, rounding: true)
    else { return nil }
    self.parts = parts
  }

  /// The shortest decimal, with a point, whatever the locale.
  package var text: String {
    var digits = String(parts.magnitude)
    if digits.count <= Self.decimals {
      digits = String(repeating: "0", count: Self.decimals + 1 - digits.count) + digits
    }
    var fraction = digits.suffix(Self.decimals)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = (parts < 0 ? "-" : "") + digits.dropLast(Self.decimals)
    return fraction.isEmpty ? whole : whole + "." + fraction
  }

  /// Orders amounts.
  package static func < (left: WrittenAmount, right: WrittenAmount) -> Bool {
    left.parts < right.parts
  }
}

/// What an output tells beside a sample's amount: names with texts, as the formats write them.
package struct WrittenMetadata: Sendable, Equatable {
  /// The entries as lines `name=text`, in the order of their names.
  package private(set) var lines: String

  /// Creates metadata that says nothing.
  package init() { lines = "" }

  /// Takes lines that are in order already.
  package init(lines: String) { self.lines = lines }

  /// Takes entries in any order; of a name that stands twice both are kept.
  package init(_ entries: [(name: String, text: String)]) {
    var entries = entries
    let isOrdered = zip(entries, entries.dropFirst()).allSatisfy { $0.name < $1.name }
    if !isOrdered { entries.sort { ($0.name, $0.text) < ($1.name, $1.text) } }
    lines = ""
    for entry in entries { lines += entry.name + "=" + Self.onOneLine(entry.text) + "\n" }
  }

  /// A text as it stands in a line: with blanks for the ends of its own lines.
  package static func onOneLine(_ text: String) -> String {
    guard text.utf8.contains(0x0A) else { return text }
    return String(decoding: text.utf8.map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
  }

  /// The entries, in the order of their names.
  package var entries: [(name: String, text: String)] {
    lines.split(separator: "\n").map { line in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// The names whose texts differ, in order, but for some that one side cannot tell.
  package func names(differingFrom other: WrittenMetadata, except: Set<String> = []) -> [String] {
    guard lines != other.lines else { return [] }
    func grouped(_ metadata: WrittenMetadata) -> [String: [String]] {
      Dictionary(grouping: metadata.entries, by: \.name).mapValues { $0.map(\.text) }
    }
    let (own, others) = (grouped(self), grouped(other))
    return Set(own.keys).union(others.keys).subtracting(except)
      .filter { own[$0] != others[$0] }.sorted()
  }
}

/// Something in an output that cannot be read as a sample.
package struct WrittenFault: Error, Sendable, Equatable {
  /// The line or row; nil: the output as a whole.
  package var place: UInt64?
  /// A clause that follows the place; it shows nothing of what stands there.
  package var reason: String

  /// Creates a fault.
  package init(at place: UInt64? = nil, _ reason: String) {
    self.place = place
    self.reason = reason
  }
}

/// One thing in an output: a sample, or what should be one.
package enum WrittenEntry: Sendable, Equatable {
  /// A sample.
  case sample(WrittenSample)
  /// What should be one.
  case fault(WrittenFault)
}

/// The forms of outputs that samples can be read back from; raw values are words for people.
package enum OutputForm: String, Sendable, CaseIterable {
  /// `export.xml` of Apple Health, alone or in an archive.
  case appleHealth = "Apple Health"
  /// A table of pumpline's.
  case csv = "CSV"
  /// A database of pumpline's.
  case sqlite = "SQLite"
  /// Samples as lines of JSON.
  case samples = "NDJSON"
  /// Treatments of Nightscout, of whatever program.
  case nightscout = "Nightscout"
  /// A ledger.
  case ledger = "ledger"

  /// Whether the zone of a sample can be told.
  package var tellsZone: Bool { self != .samples && self != .nightscout }
  /// Whether of a bolus only the end is told, and of a meal the end of the bolus that it came with.
  package var tellsEndsOnly: Bool { self == .nightscout }
}
