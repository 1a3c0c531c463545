package import Platform
package import PumpModel

/// What writes samples in one format to one target.
///
/// Calls come in this order: `write` for every batch, `seal`, `publish`; `discard` instead of any
/// of them, and after any error. A sink that is dropped unpublished discards itself. Confined to
/// its owner.
package protocol SampleSink: AnyObject {
  /// The order in which `write` must get its rows.
  var order: OutputOrder { get }

  /// Takes rows, in the order asked for over all batches together.
  func write(_ batch: OutputBatch) throws(OutputError)

  /// Ends the output and brings it to the device, still under a temporary name.
  func seal() throws(OutputError)

  /// The path under which the output waits to be published; nil if it is written to its place.
  var stagedPath: String? { get }

  /// Makes the output visible under its own name.
  func publish() throws(OutputError)

  /// Lets the sealed output outlive this process, so that a later run can publish it.
  func leave()

  /// Takes everything back; does nothing once published or left.
  func discard()
}
