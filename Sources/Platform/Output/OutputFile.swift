/// A stream of bytes that becomes an output as a whole, or not at all.
///
/// Calls come in this order: any number of `write`, `seal`, `publish`; `discard` instead of any
/// of them. After an error only `discard` is left. Writers hand over large pieces, a full
/// `ByteBuffer` at a time.
package protocol OutputFile: AnyObject {
  /// The path under which the file waits to be published; nil if it is written to its place.
  var stagedPath: String? { get }

  /// Takes bytes; they are valid during the call.
  func write(_ bytes: RawSpan) throws(OutputError)

  /// Brings everything to the device, still under a temporary name.
  func seal() throws(OutputError)

  /// Makes the output visible under its own name.
  func publish() throws(OutputError)

  /// Lets the sealed output outlive this process, so that a later run can publish it.
  func leave()

  /// Takes everything back; does nothing once published or left.
  func discard()
}

extension OutputFile {
  /// Unless said otherwise, a file is written to its place.
  package var stagedPath: String? { nil }

  /// Unless said otherwise, there is nothing that could outlive this process.
  package func leave() {}
}
