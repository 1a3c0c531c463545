package import PumpModel

/// Reads the samples of a CSV output back, from chunks cut anywhere.
///
/// Columns are found by their names and may stand in any order; others are passed over. Pure; memory
/// is bounded by one row.
package struct SampleTableReader {
  /// The columns that a sample is made of.
  private enum Column: String, CaseIterable {
    case externalID = "external_id"
    case device, type, value, unit
    case start = "start_utc"
    case end = "end_utc"
    case localStart = "start_local"
    case localEnd = "end_local"
    case revision, zone, automatic, dataSource, deliveredBy, inferred, override, part, rate,
      rateSource
    case requested, status

    /// Those without which nothing is a sample.
    static let needed: [Column] = [.type, .value, .unit, .start, .end]
    /// Those that are metadata, in the order of their names.
    static let metadata: [Column] = [
      .automatic, .dataSource, .deliveredBy, .inferred, .override, .part, .rate, .rateSource,
      .requested, .status,
    ]
  }

  /// What is said of an output that holds changes.
  package static let changesOnly = "it holds changes, not all samples"

  private var splitter = RowSplitter(separator: UInt8(ascii: ","))
  private var places: [Column: Int]?
  private var width = 0
  private var oddRows: (count: UInt64, first: UInt64) = (0, 0)
  private var foreignColumns = 0
  private let offset: (String, Instant) -> Int64?

  /// Creates a reader that stands at the beginning; `offset` gives the offset of a zone at an instant, in
  /// seconds, and nil where the zone is not known.
  package init(offset: @escaping (String, Instant) -> Int64? = { _, _ in nil }) {
    self.offset = offset
  }

  /// Takes the next bytes, and hands on what the rows that end in them are.
  ///
  /// - Throws: `WrittenFault` if it is no table of samples; whatever `body` throws.
  package mutating func feed(_ bytes: RawSpan, _ body: (WrittenEntry) throws -> Void) throws {
    var position = 0
    while true {
      switch splitter.next(bytes, &position) {
      case .nothing: return
      case .row: try take(splitter.row, body)
      case .damage: throw Self.endlessCell(splitter)
      }
    }
  }

  /// Ends the table.
  ///
  /// - Throws: as `feed`; also if there was not even a first row.
  package mutating func finish(_ body: (WrittenEntry) throws -> Void) throws {
    switch splitter.finish() {
    case .nothing: break
    case .row: try take(splitter.row, body)
    case .damage: throw Self.endlessCell(splitter)
    }
    guard places != nil else { throw WrittenFault("the table is empty") }
  }

  private static func endlessCell(_ splitter: RowSplitter) -> WrittenFault {
    WrittenFault(at: splitter.row.line, "a cell in quotes does not end")
  }

  private mutating func take(_ row: TableRow, _ body: (WrittenEntry) throws -> Void) throws {
    guard let places else { return try takeHeader(row) }
    guard row.filled > 0 else { return }
    if row.count != width {
      if oddRows.count == 0 { oddRows.first = row.line }
      oddRows.count += 1
    }
    let entry: WrittenEntry
    do throws(WrittenFault) {
      guard row.fault == nil else { throw WrittenFault("the row cannot be taken apart") }
      entry = .sample(try sample(row, places))
    } catch {
      entry = .fault(WrittenFault(at: row.line, error.reason))
    }
    try body(entry)
  }

  private mutating func takeHeader(_ row: TableRow) throws(WrittenFault) {
    var places: [Column: Int] = [:]
    for index in 0..<row.count {
      let name = row.text(of: index).replacing("\u{FEFF}", with: "")
      if name == "change" {
        throw WrittenFault(at: row.line, Self.changesOnly)
      }
      guard let column = Column(rawValue: name) else {
        foreignColumns += 1
        continue
      }
      guard places[column] == nil else {
        throw WrittenFault(at: row.line, "the column \(column.rawValue) stands twice")
      }
      places[column] = index
    }
    for column in Column.needed where places[column] == nil {
      throw WrittenFault(at: row.line, "there is no column \(column.rawValue)")
    }
    self.places = places
    width = row.count
  }

  /// What in the form of the table is not that of an output, though samples could be read.
  package var findings: [Finding] {
    var findings: [Finding] = []
    let missing = Column.allCases.filter { places?[$0] == nil }.map(\.rawValue)
    if !missing.isEmpty {
      findings.append(
        Finding(.tableMalformed, text: "columns are missing: \(missing.joined(separator: ", "))"))
    }
    if foreignColumns > 0 {
      findings.append(
        Finding(
          .tableMalformed, text: "columns that pumpline does not write: \(foreignColumns)"))
    }
    if oddRows.count > 0 {
      findings.append(
        Finding(
          .tableMalformed,
          text: "\(oddRows.count) rows have more or fewer cells than the first line, the first of "
            + "them line \(oddRows.first)"))
    }
    return findings
  }

  private func sample(
    _ row: TableRow, _ places: [Column: Int]
  ) throws(WrittenFault) -> WrittenSample {
    func text(_ column: Column) -> String? {
      guard let place = places[column] else { return nil }
      let text = row.text(of: place)
      return text.isEmpty ? nil : Self.unquoted(text)
    }
    func instant(_ column: Column) -> Instant? {
      guard let place = places[column] else { return nil }
      let bytes = Array(row.cell(place))
      return unsafe InstantReading.instant(bytes.span.bytes, 0..<bytes.count, as: .internet)
    }
    guard let type = text(.type).flatMap(SampleType.init(rawValue:)) else {
      throw WrittenFault("its type is none of a sample")
    }
    guard text(.unit) == type.unit else { throw WrittenFault("its unit is not that of its type") }
    let value = places[.value].map { Array(row.cell($0)) } ?? []
    guard let amount = unsafe WrittenAmount(value.span.bytes, 0..<value.count) else {
      throw WrittenFault("its value is none that a sample may have")
    }
    guard let start = instant(.start), let end = instant(.end), start <= end else {
      throw WrittenFault("its times are none of a sample")
    }
    try checkLocalTimes(row, places, start, end, zone: text(.zone))
    if places[.revision] != nil, text(.revision).flatMap(Self.revision) == nil {
      throw WrittenFault("its revision is none")
    }
    let id = text(.externalID)
    guard id.map(WrittenSample.isExternalID) ?? true else {
      throw WrittenFault("its external id is none of pumpline's")
    }
    return WrittenSample(
      externalID: id,
      type: type, device: text(.device), start: start, end: end, amount: amount,
      zone: text(.zone), metadata: metadata(text), place: row.line)
  }

  /// A whole number from 1 on; nil for anything else.
  private static func revision(_ text: String) -> UInt64? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt64(text).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Makes sure that local times are those in UTC, and have the offset of the zone that the row names.
  ///
  /// Of the end the zone may be another one.
  private func checkLocalTimes(
    _ row: TableRow, _ places: [Column: Int], _ start: Instant, _ end: Instant, zone: String?
  ) throws(WrittenFault) {
    for (local, utc) in [(Column.localStart, start), (.localEnd, end)] {
      guard let place = places[local] else { continue }
      let bytes = Array(row.cell(place))
      guard unsafe InstantReading.instant(bytes.span.bytes, 0..<bytes.count, as: .internet) == utc
      else {
        throw WrittenFault("\(local.rawValue) and the time in UTC contradict each other")
      }
      guard local == .localStart, let zone, let offset = offset(zone, utc) else { continue }
      // What is shown less the offset is the instant: the clock that is shown tells the offset.
      var shown = Array(bytes.prefix(19))
      shown.append(0x5A)
      let wall = unsafe InstantReading.instant(shown.span.bytes, 0..<shown.count, as: .internet)
      guard wall.map({ abs($0 - utc - offset) < 60 }) ?? false else {
        throw WrittenFault("start_local and zone contradict each other")
      }
    }
  }

  private func metadata(_ text: (Column) -> String?) -> WrittenMetadata {
    var lines = ""
    for column in Column.metadata {
      guard let value = text(column) else { continue }
      // The columns of a table are fixed: that basal is derived stands where it comes from.
      if column == .dataSource, value == "derived" {
        lines += "derived=true\n"
      } else {
        lines += column.rawValue + "=" + WrittenMetadata.onOneLine(value) + "\n"
      }
    }
    return WrittenMetadata(lines: lines)
  }

  /// A text without the apostrophe that keeps spreadsheets from taking it for a formula.
  private static func unquoted(_ text: String) -> String {
    let bytes = text.utf8
    guard bytes.first == 0x27, let next = bytes.dropFirst().first,
      "=+-@\t\r".utf8.contains(next)
    else { return text }
    return String(decoding: bytes.dropFirst(), as: UTF8.self)
  }
}
