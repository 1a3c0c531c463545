package import PumpModel

/// Treatments of Nightscout as tconnectsync writes them (FORMATS G), from rows.
package enum NightscoutExport {
  /// What tconnectsync signs its treatments with.
  package static let signature = "Pump (tconnectsync)"

  /// A list of treatments, as the service answers.
  package static func document(_ rows: [ExportRow]) -> String {
    list(rows.compactMap { treatment($0) })
  }

  /// A list of treatments as they are written.
  package static func list(_ treatments: [String]) -> String {
    "[\(treatments.joined(separator: ",\n"))]"
  }

  /// The answer of the service's newer interface.
  package static func answer(_ treatments: [String]) -> String {
    "{\"status\":200,\"result\":\(list(treatments))}"
  }

  /// The treatments of a row: both parts of an extended bolus have one of their own.
  ///
  /// `numbers` are the pump's numbers of the records that end the parts; the bolus's own number stands
  /// in the place of those that are not given.
  package static func treatments(
    _ row: ExportRow, numbers: (normal: UInt32?, extended: UInt32?) = (nil, nil)
  ) -> [String] {
    guard case .bolus(var first) = row.content else { return [treatment(row)].compactMap(\.self) }
    let (extended, span) = (first.extended, first.span)
    var treatments: [String] = []
    var row = row
    if first.normal != nil || extended == nil {
      (first.extended, first.span) = (nil, nil)
      first.number = numbers.normal ?? first.number
      row.content = .bolus(first)
      treatments += [treatment(row, isFirstOfTwo: extended != nil)].compactMap(\.self)
    }
    guard let extended, let span else { return treatments }
    var second = RowBolus()
    (second.extended, second.span) = (extended, span)
    second.number = numbers.extended ?? first.number
    (second.isAutomatic, second.isOverride) = (first.isAutomatic, first.isOverride)
    if treatments.isEmpty { second.carbohydrate = first.carbohydrate }
    row.content = .bolus(second)
    row.time = span.upperBound
    row.name = row.name.map { $0 + "-2" }
    return treatments + [treatment(row)].compactMap(\.self)
  }

  /// One treatment; nil for what the program does not write.
  ///
  /// `isFirstOfTwo` says that another part of the bolus is given over time.
  package static func treatment(
    _ row: ExportRow, by author: String = signature, isFirstOfTwo: Bool = false
  ) -> String? {
    let common = """
      "_id": "\(row.name ?? "")", "created_at": \(time(row.time)), "enteredBy": "\(author)"
      """
    switch row.content {
    case .rate(let rate, let seconds):
      return """
        {\(common), "eventType": "Temp Basal", "duration": \(Double(seconds) / 60), "carbs": null, \
        "absolute": \(LegacyExport.decimal(rate)), "rate": \(LegacyExport.decimal(rate)), \
        "pump_event_id": "17", "utcOffset": 0}
        """
    case .bolus(let bolus): return treatment(bolus, common, isFirstOfTwo)
    case .reading, .meal: return nil
    }
  }

  private static func treatment(
    _ bolus: RowBolus, _ common: String, _ isFirstOfTwo: Bool
  ) -> String {
    var notes = bolus.isAutomatic ? "Automatic Bolus" : "Standard Bolus"
    if bolus.extended != nil || isFirstOfTwo { notes = "Extended Bolus" }
    if bolus.isOverride { notes += " (Override)" }
    let dose = bolus.extended ?? bolus.normal
    let number = bolus.number ?? 104
    return """
      {\(common), "eventType": "Combo Bolus", "notes": "\(notes)", \
      "carbs": \(LegacyExport.decimal(bolus.carbohydrate ?? 0)), \
      "insulin": \(LegacyExport.decimal(dose?.amount ?? 0)), "glucose": "174", \
      "pump_event_id": "\(bolus.extended == nil ? "\(number),98,99,100" : "\(number)")"}
      """
  }

  /// An instant as the service writes it.
  private static func time(_ instant: Int64) -> String {
    LegacyExport.time(instant).dropLast() + ".000Z\""
  }
}
