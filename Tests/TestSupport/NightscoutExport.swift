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

  /// One treatment; nil for what the program does not write.
  package static func treatment(_ row: ExportRow, by author: String = signature) -> String? {
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
    case .bolus(let bolus): return treatment(bolus, common)
    case .reading: return nil
    }
  }

  private static func treatment(_ bolus: RowBolus, _ common: String) -> String {
    var notes = bolus.isAutomatic ? "Automatic Bolus" : "Standard Bolus"
    if bolus.extended != nil { notes = "Extended Bolus" }
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
