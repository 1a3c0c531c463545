package import PumpModel

/// Answers of the closed t:connect service as JSON (FORMATS F), written from rows.
package enum LegacyExport {
  /// `TherapyEvents`: boluses and readings.
  package static func therapyEvents(_ rows: [ExportRow], serial: String? = nil) -> String {
    events(
      rows.enumerated().compactMap { event($0.element, number: $0.offset + 1, serial: serial) })
  }

  /// `TherapyEvents` of events as they are written.
  package static func events(_ events: [String]) -> String {
    "{\"event\": [\(events.joined(separator: ", "))]}"
  }

  /// `therapytimeline`: rates, in turn as deliveries of the profile, a temp rate and the algorithm.
  package static func timeline(_ rows: [ExportRow], suspensions: Int = 0) -> String {
    var lists: [[String]] = [[], [], []]
    for (index, row) in rows.enumerated() {
      guard case .rate(let rate, let seconds) = row.content else { continue }
      lists[index % 3].append(
        "{\"y\": \(decimal(rate)), \"duration\": \(seconds), \"x\": \(instant(ofWall: row.time))}")
    }
    let suspended = (0..<suspensions).map {
      "{\"suspendReason\": \"manual\", \"continuation\": null, \"x\": \(1_615_879_821 + $0)}"
    }
    return """
      {"basal": {"profileRates": [{"x": 1615878000, "y": 0.5}],
        "tempDeliveryEvents": [\(lists[0].joined(separator: ", "))],
        "algorithmDeliveryEvents": [\(lists[1].joined(separator: ", "))],
        "profileDeliveryEvents": [\(lists[2].joined(separator: ", "))]},
       "events": [], "suspensionDeliveryEvents": [\(suspended.joined(separator: ", "))],
       "softwareUpdates": [], "pumpFeatures": []}
      """
  }

  /// The list of suspensions, as the argument of a call.
  package static func suspensions(count: Int) -> String {
    suspensions(at: (0..<count).map { 1_615_879_821_000 + Int64($0) }, reason: "site-cart")
  }

  /// The same with the instants, in milliseconds, at which a clock in Los Angeles shows the times.
  package static func suspensions(at milliseconds: [Int64], reason: String) -> String {
    let entries = milliseconds.map {
      "{\"EventDateTime\":\"/Date(\($0)-0000)/\",\"SuspendReason\":\"\(reason)\"}"
    }
    return "cb({\"BasalSuspension\":[\(entries.joined(separator: ","))]});"
  }

  /// The instant at which a clock in Los Angeles shows a time.
  package static func instant(ofWall wall: Int64) -> Int64 {
    LawfulZones.losAngeles.readings(ofWall: wall).earlier(wall: wall).unixSeconds
  }

  /// A number of thousandths.
  package static func decimal(_ thousandths: UInt32) -> String {
    var digits = String(thousandths % 1000)
    digits = String(repeating: "0", count: 3 - digits.count) + digits
    return "\(thousandths / 1000).\(digits)"
  }

  /// A time as the service writes it.
  package static func time(_ wall: Int64?) -> String {
    guard let wall else { return "\"0001-01-01T00:00:00\"" }
    var bytes: [UInt8] = []
    JSONText.append(time: UInt32(wall - PumpTime.epochInUnixSeconds), to: &bytes)
    return "\"\(String(decoding: bytes, as: UTF8.self))\""
  }

  private static func event(_ row: ExportRow, number: Int, serial: String?) -> String? {
    let names = serial.map { ", \"serialNumber\": \"\($0)\", \"deviceType\": \"t:slim X2\"" } ?? ""
    switch row.content {
    case .reading(let glucose, false):
      return """
        {"eventDateTime": \(time(row.time)), "requestDateTime": \(time(nil)), "type": "CGM",\
         "description": "EGV", "egv": {"estimatedGlucoseValue": \(glucose), "hypo": 0}\(names)}
        """
    case .reading(let glucose, true):
      return """
        {"bg": \(glucose), "cgmCalibration": 1, "eventDateTime": \(time(row.time)),\
         "eventTypeId": 16, "type": "BG"\(names)}
        """
    case .bolus(let bolus): return event(bolus, at: row.time, number: number, names: names)
    case .rate, .meal: return nil
    }
  }

  private static func event(_ bolus: RowBolus, at time: Int64, number: Int, names: String) -> String
  {
    var members = [
      "\"type\": \"Bolus\"", "\"eventDateTime\": \(self.time(bolus.requestTime ?? time))",
      "\"requestDateTime\": \(self.time(bolus.requestTime))",
      "\"carbSize\": \(decimal(bolus.carbohydrate ?? 0))",
      "\"userOverride\": \(bolus.isOverride ? 1 : 0)",
      "\"bolusType\": \"\(bolus.isAutomatic ? "Automatic Correction" : "Carb")\"",
    ]
    if let normal = bolus.normal {
      members.append(
        "\"standard\": {\(part(normal, end: time)), \"bolusIsComplete\": 1, "
          + "\"bolusRequestId\": \(number).0}")
    }
    if let extended = bolus.extended, let span = bolus.span {
      members.append(
        "\"bolex\": {\(part(extended, end: span.upperBound)), \"extendedBolusIsComplete\": 1, "
          + "\"bolexStartDateTime\": \(self.time(span.lowerBound))}")
    }
    return "{\(members.joined(separator: ", "))\(names)}"
  }

  private static func part(_ dose: RowDose, end: Int64) -> String {
    """
    "insulinDelivered": {"completionDateTime": \(time(end)), "value": \(decimal(dose.amount))}, \
    "completionStatusDesc": "\(dose.status == "completed" ? "Completed" : dose.status ?? "")"
    """
  }
}
