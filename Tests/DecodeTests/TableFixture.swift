import PumpModel
import TestSupport

/// Rows and tables for tests.
enum TableFixture {
  /// 2026-05-04T12:00:00 of the pump's clock.
  static let noon: Int64 = 1_777_896_000

  /// A few rows of each kind, of two pumps.
  static let rows: [TableEncoder.Row] = [
    ("90000001", reading(at: noon - 9000, 142)), ("90000001", reading(at: noon - 8700, 187)),
    ("90000002", reading(at: noon - 600, 101, isManual: true)),
    ("90000001", bolus(at: noon, 2350, carbohydrate: 48_000)),
    ("90000002", bolus(at: noon, 500, decimals: 1)),
    ("90000001", extended(at: noon + 3600, 2000, 3000, hours: 2)),
  ]

  static func reading(at time: Int64, _ glucose: UInt16, isManual: Bool = false) -> ExportRow {
    ExportRow(
      source: .csv, pump: 0, time: time, place: 0,
      content: .reading(glucose: glucose, isManual: isManual))
  }

  static func bolus(
    at time: Int64, _ amount: UInt32, decimals: UInt8 = 2, carbohydrate: UInt32? = nil
  ) -> ExportRow {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: decimals, status: "completed")
    bolus.carbohydrate = carbohydrate
    return ExportRow(source: .csv, pump: 0, time: time, place: 0, content: .bolus(bolus))
  }

  static func extended(
    at time: Int64, _ amount: UInt32, _ later: UInt32, hours: Int64
  ) -> ExportRow {
    var bolus = RowBolus()
    bolus.normal = RowDose(amount: amount, decimals: 2, status: "completed")
    bolus.extended = RowDose(amount: later, decimals: 2, status: "User Aborted")
    bolus.span = time...time + hours * 3600
    return ExportRow(source: .csv, pump: 0, time: time, place: 0, content: .bolus(bolus))
  }

  /// The rows as they must come out of a table of the encoder: the older site's boluses name no
  /// pump, Tandem Source's tell no request.
  static func expected(
    _ rows: [TableEncoder.Row], from encoder: TableEncoder
  ) -> [ExportRow] {
    let sorted =
      encoder.site == .source
      ? rows.filter { !isBolus($0.row) && !isManual($0.row) }
        + rows.filter { !isBolus($0.row) && isManual($0.row) } + rows.filter { isBolus($0.row) }
      : rows.filter { !isBolus($0.row) } + rows.filter { isBolus($0.row) }
    return sorted.map { serial, row in
      var row = row
      let hasPump = encoder.site == .source || !isBolus(row)
      row.pump = hasPump ? serial.map(Recording.reference) ?? 0 : 0
      if case .bolus(var bolus) = row.content, encoder.site == .source {
        bolus.requestTime = nil
        row.content = .bolus(bolus)
      }
      if case .reading(let glucose, let isManual) = row.content, encoder.isMillimoles {
        let tenths = TableEncoder.tenths(ofMillimoles: glucose)
        row.content = .reading(
          glucose: UInt16((tenths * 180_156 + 50_000) / 100_000), isManual: isManual)
      }
      return row
    }
  }

  /// The rows that were read, their lines left out.
  static func read(_ recording: Recording) -> [ExportRow] {
    recording.rows.map {
      var row = $0
      row.place = 0
      return row
    }
  }

  /// Invented rows.
  static func random(_ count: Int, _ random: inout TestRandom) -> [TableEncoder.Row] {
    (0..<count).map { _ in
      let serial = ["90000001", "90000002", nil][random.integer(0...2)]
      let time = noon + Int64(random.integer(0...2_500_000))
      guard random.integer(0...2) > 0 else {
        let glucose = UInt16(random.integer(40...400))
        return (serial, reading(at: time, glucose, isManual: random.integer(0...3) == 0))
      }
      var bolus = RowBolus()
      if random.integer(0...5) > 0 { bolus.normal = dose(&random) }
      if bolus.normal == nil || random.integer(0...3) == 0 {
        bolus.extended = dose(&random)
        bolus.span = time - Int64(random.integer(0...7200))...time
      }
      if random.integer(0...1) == 0 {
        bolus.carbohydrate = UInt32(random.integer(1...2000) * 100)
      }
      if random.integer(0...1) == 0 { bolus.requestTime = time - 60 }
      bolus.isAutomatic = random.integer(0...3) == 0
      bolus.isOverride = random.integer(0...3) == 0
      return (
        serial, ExportRow(source: .csv, pump: 0, time: time, place: 0, content: .bolus(bolus))
      )
    }
  }

  private static func dose(_ random: inout TestRandom) -> RowDose {
    let decimals = UInt8(random.integer(0...3))
    let unit = [1000, 100, 10, 1][Int(decimals)]
    let word = ["completed", "Aborted, by \"hand\"", "Abbruch é", nil][random.integer(0...3)]
    return RowDose(
      amount: UInt32(random.integer(0...80_000 / unit) * unit), decimals: decimals, status: word)
  }

  private static func isBolus(_ row: ExportRow) -> Bool {
    if case .bolus = row.content { true } else { false }
  }

  private static func isManual(_ row: ExportRow) -> Bool {
    if case .reading(_, true) = row.content { true } else { false }
  }

  // MARK: Tables by hand

  static let sourceHead = """
    Tandem Diabetes Care Inc.,,,,,,,,,,,,,,,,,,,
    Tandem Source Daily Timeline Data Export,,,,,,,,,,,,,,,,,,,
    ,,,,,,,,,,,,,,,,,,,

    """
  static let sourceBolusHeader = """
    Type,BolusType,BolusDeliveryMethod,BG (mg/dL),SerialNumber,CompletionDateTime,\
    InsulinDelivered,FoodDelivered,CorrectionDelivered,CompletionStatusDesc,BolexStartDateTime,\
    BolexCompletionDateTime,BolexInsulinDelivered,BolexCompletionStatusDesc,StandardPercent,\
    Duration (mins),CarbSize,TargetBG (mg/dL),CorrectionFactor,CarbRatio

    """

  /// The cells of a bolus of Tandem Source.
  static let sourceBolus = [
    "Bolus", "Food", "Standard", "", "90000001", "2026-05-04T12:31:00", "2.35", "2.35", "0",
    "Completed", "", "", "", "", "100", "0", "48", "110", "30", "10",
  ]

  /// A table of Tandem Source with one section of boluses, each the cells above with some of them
  /// replaced.
  static func source(
    _ changes: [[Int: String]], separator: String = ",", lineEnd: String = "\n"
  ) -> String {
    let rows = changes.map { changes in
      sourceBolus.enumerated().map { changes[$0] ?? $1 }.joined(separator: separator)
    }
    return (sourceHead + sourceBolusHeader).replacing(",", with: separator)
      + rows.joined(separator: lineEnd) + lineEnd
  }
}
