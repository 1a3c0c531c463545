import Platform
import PumpModel

/// A sample's metadata as a JSON object of texts, keys sorted.
enum JSONMetadata: MetadataForm {
  /// Appends the object.
  @inline(__always)
  static func append(_ sample: Sample, _ words: borrowing StatusWords, to buffer: inout ByteBuffer)
  {
    buffer.append(UInt8(ascii: "{"))
    MetadataText.append(sample, words, as: JSONMetadata.self, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }

  /// Appends the key, with a comma unless the object has just begun.
  @inline(__always)
  static func appendOpening(_ key: MetadataKey, to buffer: inout ByteBuffer) {
    if buffer.last != UInt8(ascii: "{") { buffer.append(UInt8(ascii: ",")) }
    switch key {
    case .automatic: buffer.append(#""automatic":""#)
    case .dataSource: buffer.append(#""dataSource":""#)
    case .deliveredBy: buffer.append(#""deliveredBy":""#)
    case .derived: buffer.append(#""derived":""#)
    case .inferred: buffer.append(#""inferred":""#)
    case .override: buffer.append(#""override":""#)
    case .part: buffer.append(#""part":""#)
    case .rate: buffer.append(#""rate":""#)
    case .rateSource: buffer.append(#""rateSource":""#)
    case .requested: buffer.append(#""requested":""#)
    case .status: buffer.append(#""status":""#)
    }
  }

  /// Appends a text between quotes.
  static func appendValue(_ text: String, to buffer: inout ByteBuffer) {
    buffer.append(JSONText.escaped(text))
  }

  /// Appends the closing quote.
  @inline(__always)
  static func appendClosing(to buffer: inout ByteBuffer) { buffer.append(UInt8(ascii: "\"")) }
}
