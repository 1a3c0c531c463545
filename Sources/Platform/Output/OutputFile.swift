/// A stream of bytes that becomes an output as a whole, or not at all.
///
/// Calls come in this order: any number of `write`, `seal`, `publish`; `discard` instead of any
/// of them. After an error only `discard` is left. Writers hand over large pieces, a full
/// `ByteBuffer` at a time.
package protocol OutputFile: AnyObject {
  /// Takes bytes; they are valid during the call.
  func write(_ bytes: RawSpan) throws(OutputError)

  /// Brings everything to the device, still under a temporary name.
  func seal() throws(OutputError)

  /// Makes the output visible under its own name.
  func publish() throws(OutputError)

  /// Takes everything back; does nothing once published.
  func discard()
}
