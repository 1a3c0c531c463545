import PumpModel

/// Reads a line of `pumpline decode` that is a row of an export.
///
/// Rows have no raw form that could be read again without their table, so the line holds what was
/// read, and all that `ExportRow` promises is checked here.
enum RowLineParser {
  private enum Key: UInt64, LineKey {
    case document, line, offset, source, recordId, serial, seconds, kind
    case glucose, milliunitsPerHour, duration
    case normal, extended, carbMilligrams, requested, number, automatic, override

    static let names = LineNames<Key>()
  }

  private enum DoseKey: UInt64, LineKey {
    case milliunits, decimals, status, from, until

    static let names = LineNames<DoseKey>()
  }

  /// Later than any time that a pump shows, by as much as a part of a bolus may go on.
  private static let latest = UInt64(UInt32.max) + UInt64(DoseLength.extended)

  /// Reads a line whose `record` is `row`.
  static func parse(_ bytes: RawSpan) throws(LineFault) -> RowLine {
    let values = try LineValues<Key>(line: bytes)
    let document = try values.required(.document) { LineJSON.words(bytes, $0, count: 8) }
    let source = try values.required(.source) { text(bytes, $0).flatMap(ExportSource.init(word:)) }
    return RowLine(
      document: LineDigest(words: document),
      serial: try values.optional(.serial) { serial(bytes, $0) },
      row: ExportRow(
        source: source, pump: 0,
        time: try values.required(.seconds) { time(bytes, $0, upTo: UInt64(UInt32.max)) },
        place: try values.required(source.countsLines ? .line : .offset) {
          LineJSON.whole(bytes, $0, upTo: UInt64(Int64.max))
        },
        name: try name(bytes, values, source), content: try content(bytes, values, source)))
  }

  private static func name(
    _ bytes: RawSpan, _ values: LineValues<Key>, _ source: ExportSource
  ) throws(LineFault) -> String? {
    let name = try values.optional(.recordId) { range -> String? in
      text(bytes, range).flatMap { ExportSource.isName($0.utf8) ? $0 : nil }
    }
    guard (name != nil) == source.namesRecords else {
      throw name == nil ? .missing("recordId") : .contradiction("source", "recordId")
    }
    return name
  }

  private static func content(
    _ bytes: RawSpan, _ values: LineValues<Key>, _ source: ExportSource
  ) throws(LineFault) -> ExportRow.Content {
    func number(
      _ key: Key, _ range: ClosedRange<UInt32>
    ) throws(LineFault) -> UInt32 {
      try values.required(key) { LineJSON.number(bytes, $0, in: range) }
    }
    switch try values.required(.kind, { text(bytes, $0).flatMap(RowKind.init) }) {
    case .bolus: return .bolus(try bolus(bytes, values))
    case .sensor, .meter:
      let isManual = try values.required(.kind) { text(bytes, $0) } == RowKind.meter.rawValue
      let glucose = try number(.glucose, 1...UInt32(ExportRow.highestGlucose))
      return .reading(glucose: UInt16(glucose), isManual: isManual)
    case .rate:
      return .rate(
        milliunitsPerHour: try number(.milliunitsPerHour, 0...ExportRow.highestRate),
        seconds: try number(.duration, 1...ExportRow.longestRate))
    case .meal:
      guard source.tellsMealsApart else { throw .contradiction("source", "kind") }
      return .meal(
        carbohydrate: try number(.carbMilligrams, 1...RowBolus.tooMuchCarbohydrate - 1))
    }
  }

  private static func bolus(
    _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> RowBolus {
    func flag(_ key: Key) throws(LineFault) -> Bool {
      try values.optional(key) { LineJSON.bool(bytes, $0) } ?? false
    }
    var bolus = RowBolus()
    if let part = try part(.normal, bytes, values) { bolus.normal = try dose(bytes, part) }
    if let part = try part(.extended, bytes, values) {
      bolus.extended = try dose(bytes, part)
      let from = try part.required(.from) { time(bytes, $0, upTo: latest) }
      let until = try part.required(.until) { time(bytes, $0, upTo: latest) }
      guard from <= until else { throw .contradiction("from", "until") }
      bolus.span = from...until
    }
    bolus.carbohydrate = try values.optional(.carbMilligrams) {
      LineJSON.number(bytes, $0, in: 1...RowBolus.tooMuchCarbohydrate - 1)
    }
    guard bolus.normal != nil || bolus.extended != nil || bolus.carbohydrate != nil else {
      throw .missing("normal")
    }
    bolus.requestTime = try values.optional(.requested) { time(bytes, $0, upTo: latest) }
    bolus.number = try values.optional(.number) { LineJSON.number(bytes, $0, in: 0...UInt32.max) }
    bolus.isAutomatic = try flag(.automatic)
    bolus.isOverride = try flag(.override)
    return bolus
  }

  private static func part(
    _ key: Key, _ bytes: RawSpan, _ values: LineValues<Key>
  ) throws(LineFault) -> LineValues<DoseKey>? {
    guard let range = values[key] else { return nil }
    guard let part = try LineValues<DoseKey>(object: range, of: bytes) else {
      throw .unusable("\(key)")
    }
    return part
  }

  private static func dose(
    _ bytes: RawSpan, _ part: LineValues<DoseKey>
  ) throws(LineFault) -> RowDose {
    RowDose(
      amount: try part.required(.milliunits) {
        LineJSON.number(bytes, $0, in: 0...RowDose.greatest)
      },
      decimals: UInt8(
        try part.required(.decimals) {
          LineJSON.number(bytes, $0, in: 0...UInt32(RowDose.mostDecimals))
        }),
      status: try part.optional(.status) { range -> String? in
        text(bytes, range).flatMap { RowDose.isStatus($0) ? $0 : nil }
      })
  }

  /// Seconds since 1970 from those since 2008.
  private static func time(_ bytes: RawSpan, _ range: Range<Int>, upTo limit: UInt64) -> Int64? {
    LineJSON.whole(bytes, range, upTo: limit)
      .map { Int64($0) + PumpTime.epochInUnixSeconds }
  }

  private static func serial(_ bytes: RawSpan, _ range: Range<Int>) -> String? {
    text(bytes, range).flatMap { ExportSerial.isSerial($0.utf8) ? $0 : nil }
  }

  private static func text(_ bytes: RawSpan, _ range: Range<Int>) -> String? {
    LineJSON.text(bytes, range, limit: longestText).flatMap {
      String(validating: $0, as: UTF8.self)
    }
  }

  private static let longestText = 256
}

extension LineJSON {
  /// A whole number within bounds, written plainly; nil for any other value.
  static func number(
    _ bytes: RawSpan, _ value: Range<Int>, in bounds: ClosedRange<UInt32>
  ) -> UInt32? {
    whole(bytes, value, upTo: UInt64(bounds.upperBound))
      .flatMap { bounds.lowerBound <= $0 ? UInt32($0) : nil }
  }
}
