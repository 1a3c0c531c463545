import Platform
package import PumpModel

/// What a pull proved of a pump's logs, as a document beside the answers that it keeps: with it the
/// folder gives the samples that the ledger gave (N4).
///
/// `{"pumplineFetched":[{"assignmentId","from","until","state"}]}`; times are the pump's clock's.
package enum FetchedDocument {
  /// The document of some ranges; that of a made-up pump says so.
  package static func bytes(_ ranges: [FetchedRange], of assignment: String) -> [UInt8] {
    var json = JSONWriter()
    var time = TimeText()
    json.beginObject()
    if DemoData.isName(assignment) {
      json.key("dataSource")
      json.text(DemoData.label)
    }
    json.key("pumplineFetched")
    json.beginArray()
    for range in ranges {
      json.beginObject()
      json.key("assignmentId")
      json.text(assignment)
      json.key("from")
      json.quoted { time.appendWallTime(wallSeconds: range.seconds.lowerBound, to: &$0) }
      json.key("until")
      json.quoted { time.appendWallTime(wallSeconds: range.seconds.upperBound, to: &$0) }
      json.key("state")
      json.text(range.state.text)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endText()
    return json.buffer.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
  }
}
