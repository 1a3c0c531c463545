/// The account answer of the Tandem Source web service (FORMATS A2) for invented pumps.
package enum PumperDocument {
  /// Writes the answer; all names in it are invented too.
  package static func bytes(_ pumps: [PumpIdentity]) -> [UInt8] {
    let entries = pumps.map { pump in
      #"{"algorithm":"Control-IQ","availableDataRange":{"start":"\#(pump.firstTime)","#
        + #""end":"\#(pump.lastTime)"},"assignmentId":"\#(pump.assignment)","#
        + #""glucoseUnit":null,"lastUploadDate":"\#(pump.lastUpload)","#
        + #""maxDateOfEvents":"\#(pump.lastTime)","modelNumber":"\#(pump.modelNumber)","#
        + #""modelName":"\#(pump.modelName)","partNumber":"1011979","#
        + #""serialNumber":"\#(pump.serial)","softwareVersion":"\#(pump.softwareVersion)","#
        + #""lastUploadClientType":"mobile_tconnect","settings":null}"#
    }
    let person =
      #"{"firstName":"Invented","lastName":"Person","name":"Invented Person","#
      + #""dateOfBirth":"1990-01-01","lowGlucoseThreshold":70,"highGlucoseThreshold":180,"#
      + #""country":"US","pumps":["#
    return Array((person + entries.joined(separator: ",") + "]}").utf8)
  }
}
