package import PumpModel

/// Tables of a Glooko export (FORMATS G), written from rows.
package struct GlookoExport {
  /// Whether words are Spanish.
  package var isTranslated = false
  /// Whether the line with the person's name is there.
  package var hasTitle = true
  /// Whether times have seconds.
  package var hasSeconds = true
  /// Whether glucose is told in mmol/L, in tenths of it.
  package var isMillimoles = false
  /// The days that the line with the person's name tells, but for those of a translated one.
  package var days = "2026-05-01 - 2026-05-31"

  /// Creates an encoder that writes in English.
  package init() {}

  /// A row, and the serial number of its pump.
  package typealias Row = (serial: String, row: ExportRow)

  /// The table of boluses.
  package func boluses(_ rows: [Row]) -> String {
    table(
      isTranslated
        ? """
        Marca de tiempo,Tipo de insulina,Entrada valor de glucemia \(unit),\
        Ingesta de carbohidratos (g),Índice de carbohidratos,Insulina administrada (U),\
        Administración inicial (U),Administración extendida (U),Número de serie
        """
        : """
        Timestamp,Insulin Type,Blood Glucose Input \(unit),Carbs Input (g),Carbs Ratio,\
        Insulin Delivered (U),Initial Delivery (U),Extended Delivery (U),Serial Number
        """,
      rows.compactMap { serial, row in
        guard case .bolus(let bolus) = row.content else { return nil }
        let (initial, later) = (bolus.normal?.amount ?? 0, bolus.extended?.amount)
        return [
          time(row.time), later == nil ? "Normal" : "Combination", "120.0",
          number(bolus.carbohydrate ?? 0), "10.0", number(initial + (later ?? 0)),
          later.map { _ in number(initial) } ?? "", later.map(number) ?? "", serial,
        ]
      })
  }

  /// The table of rates.
  package func rates(_ rows: [Row]) -> String {
    table(
      isTranslated
        ? """
        Marca de tiempo,Tipo de insulina,Duración (minutos),Porcentaje (%),Tasa,\
        Insulina administrada (U),Número de serie
        """
        : """
        Timestamp,Insulin Type,Duration (minutes),Percentage (%),Rate,Insulin Delivered (U),\
        Serial Number
        """,
      rows.compactMap { serial, row in
        guard case .rate(let rate, let seconds) = row.content else { return nil }
        return [
          time(row.time), "Scheduled", number(seconds * 1000 / 60), "", number(rate), "", serial,
        ]
      })
  }

  /// The table of a sensor's readings, or of a meter's.
  package func readings(_ rows: [Row], isManual: Bool = false) -> String {
    let header =
      switch (isManual, isTranslated) {
      case (false, false): "Timestamp,CGM Glucose Value \(unit),Serial Number"
      case (false, true): "Marca de tiempo,Valor de glucosa MCG \(unit),Número de serie"
      case (true, false): "Timestamp,Glucose Value \(unit),Manual Reading,Serial Number"
      case (true, true): "Marca de tiempo,Valor de glucosa \(unit),Lectura manual,Número de serie"
      }
    return table(
      header,
      rows.compactMap { serial, row in
        guard case .reading(let glucose, isManual) = row.content else { return nil }
        let value =
          isMillimoles
          ? number(UInt32(TableEncoder.tenths(ofMillimoles: glucose)) * 100)
          : number(UInt32(glucose) * 1000)
        return [time(row.time), value] + (isManual ? ["M"] : []) + [serial]
      })
  }

  /// The tables of an export that something is made of, each with the name of its file.
  package func tables(_ rows: [Row]) -> [(name: String, text: String)] {
    [
      ("bolus_data_1.csv", boluses(rows)), ("basal_data_1.csv", rates(rows)),
      ("cgm_data_1.csv", readings(rows)), ("bg_data_1.csv", readings(rows, isManual: true)),
    ]
  }

  /// A table as it is written.
  package func table(_ header: String, _ rows: [[String]]) -> String {
    let title =
      isTranslated
      ? "Nombre:Persona Inventada,Intervalo de fechas:01/05/2026 - 31/05/2026"
      : "Name:Invented Person,Date Range:\(days)"
    let lines = (hasTitle ? [title] : []) + [header] + rows.map { $0.joined(separator: ",") }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  private var unit: String { isMillimoles ? "(mmol/L)" : "(mg/dl)" }

  /// A time of the pump's clock.
  private func time(_ wall: Int64) -> String {
    let civil = CivilTime(secondsSince1970: wall)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day =
      isTranslated
      ? "\(two(civil.day))/\(two(civil.month))/\(civil.year)"
      : "\(civil.year)-\(two(civil.month))-\(two(civil.day))"
    let seconds = hasSeconds ? ":\(two(civil.second))" : ""
    return "\(day) \(two(civil.hour)):\(two(civil.minute))\(seconds)"
  }

  /// A number of thousandths; with a comma it is in quotes.
  private func number(_ thousandths: UInt32) -> String {
    var text = LegacyExport.decimal(thousandths)
    while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
    return isTranslated ? "\"\(text.replacing(".", with: ","))\"" : text
  }
}
