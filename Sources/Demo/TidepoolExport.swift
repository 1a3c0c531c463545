package import PumpModel

/// Records of a Tidepool export (FORMATS G), written from rows.
package enum TidepoolExport {
  /// A list of records, those of boluses with the meals that were told with them.
  package static func document(_ rows: [ExportRow], serial: String = "900001") -> String {
    list(rows.flatMap { records($0, serial: serial) })
  }

  /// A list of records as they are written.
  package static func list(_ records: [String]) -> String {
    "[\(records.joined(separator: ",\n"))]"
  }

  /// The records of a row: itself, and the meal of a bolus.
  ///
  /// `offset` is how many seconds the pump's clock was ahead of UTC.
  package static func records(
    _ row: ExportRow, serial: String = "900001", offset: Int64 = -4 * 3600
  ) -> [String] {
    let common = """
      "id": "\(row.name ?? "")", "time": \(time(row.time)), "deviceId": "tandemCIQ1002717\(serial)", \
      "deviceTime": \(LegacyExport.time(row.time + offset)), "timezoneOffset": \(offset / 60), \
      "uploadId": "upid_1"
      """
    switch row.content {
    case .rate(let rate, let seconds):
      return [
        """
        {"type": "basal", "deliveryType": "automated", "duration": \(seconds)000, \
        "rate": \(LegacyExport.decimal(rate)), \(common)}
        """
      ]
    case .reading(let glucose, let isManual):
      return [
        """
        {"type": "\(isManual ? "smbg" : "cbg")", "units": "mmol/L", \
        "value": \(Double(glucose) / 18.01559), \(common)}
        """
      ]
    case .meal(let carbohydrate):
      let own = common.replacing("\"id\": \"", with: "\"id\": \"w")
      return [meal(carbohydrate, of: row.name ?? "", own)]
    case .bolus(let bolus): return records(bolus, row, common)
    }
  }

  private static func records(_ bolus: RowBolus, _ row: ExportRow, _ common: String) -> [String] {
    var members = ["\"type\": \"bolus\"", "\"subType\": \"\(subType(bolus))\"", common]
    if let normal = bolus.normal {
      members.append("\"normal\": \(LegacyExport.decimal(normal.amount))")
    }
    if let extended = bolus.extended, let span = bolus.span {
      members.append("\"extended\": \(LegacyExport.decimal(extended.amount))")
      members.append("\"duration\": \((span.upperBound - span.lowerBound) * 1000)")
    }
    var records = ["{\(members.joined(separator: ", "))}"]
    if let carbohydrate = bolus.carbohydrate {
      let own =
        common.replacing(time(row.time), with: time(bolus.requestTime ?? row.time))
        .replacing("\"id\": \"", with: "\"id\": \"w")
      records.append(meal(carbohydrate, of: row.name ?? "", own))
    }
    return records
  }

  /// The calculator's record of a bolus.
  private static func meal(_ carbohydrate: UInt32, of bolus: String, _ own: String) -> String {
    """
    {"type": "wizard", "carbInput": \(LegacyExport.decimal(carbohydrate)), "units": "mmol/L", \
    "bolus": "\(bolus)", \(own), "bgInput": 9.5}
    """
  }

  private static func subType(_ bolus: RowBolus) -> String {
    if bolus.isAutomatic { return "automated" }
    if bolus.extended == nil { return "normal" }
    return bolus.normal == nil ? "square" : "dual/square"
  }

  /// An instant as the service writes it.
  private static func time(_ instant: Int64) -> String {
    LegacyExport.time(instant).dropLast() + ".000Z\""
  }
}
