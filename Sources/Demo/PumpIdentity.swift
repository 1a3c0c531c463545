import PumpModel

/// Who a synthetic pump is; everything about it is invented.
package struct PumpIdentity: Sendable, Equatable {
  /// The id that the web service's events carry.
  package var assignment: String
  /// The serial number; those of tests begin with 9, those of demos as `DemoData` says.
  package var serial: String
  /// The name of the model.
  package var modelName: String
  /// The number of the model.
  package var modelNumber: String
  /// The version of the pump's software.
  package var softwareVersion: String
  /// The pump time at which its data begins, as the account answer writes it.
  package var firstTime = "2026-01-01T00:00:00"
  /// The pump time at which its data ends.
  package var lastTime = "2026-12-31T23:59:59"
  /// When it was uploaded last, in UTC.
  package var lastUpload = "2026-12-31T05:50:12Z"

  /// The identity of the n-th invented pump, from 1: serial 90000001 and so on.
  package init(_ ordinal: Int) {
    let digits = String(ordinal)
    let padding = String(repeating: "0", count: max(0, 7 - digits.utf8.count))
    serial = "9" + padding + digits
    assignment = "0ddba115-0000-4000-8000-00009" + padding + digits
    modelName = "t:slim X2™ Insulin Pump"
    modelNumber = "1000354"
    softwareVersion = "7.8.0.0"
  }

  /// The n-th pump of a demo, from 1: DEMO0000001 and so on; every second one is another model.
  package static func demo(_ ordinal: Int) -> PumpIdentity {
    var pump = PumpIdentity(ordinal)
    let digits = pump.serial.dropFirst()
    pump.serial = DemoData.serialPrefix + digits
    pump.assignment = DemoData.assignmentPrefix + "0000-4000-8000-00000\(digits)"
    if ordinal.isMultiple(of: 2) {
      pump.modelName = "Tandem Mobi™ System"
      pump.modelNumber = "1004000"
    }
    return pump
  }
}
