package import Platform
package import PumpModel

/// How one format writes its beginning, its rows and its end.
package protocol TextForm {
  /// The order in which rows must come.
  var order: OutputOrder { get }

  /// Appends what stands before the rows.
  func appendHead(to buffer: inout ByteBuffer)

  /// Appends a row; its lineage is a range of `lineage`.
  mutating func append(
    _ row: OutputRow, lineage: [EventReference], to buffer: inout ByteBuffer)

  /// Appends what stands after the rows.
  func appendTail(to buffer: inout ByteBuffer)
}

/// A sink whose format is text, written by hand into one buffer.
package final class TextSink<Form: TextForm>: SampleSink {
  /// The format, with what it has counted so far.
  package private(set) var form: Form

  let file: any OutputFile
  private var buffer = ByteBuffer()

  /// Begins an output of a format in a file.
  package init(_ form: Form, into file: any OutputFile) {
    self.form = form
    self.file = file
    form.appendHead(to: &buffer)
  }

  /// The order in which rows must come.
  package var order: OutputOrder { form.order }

  /// Writes rows.
  package func write(_ batch: OutputBatch) throws(OutputError) {
    try Self.write(batch, as: &form, through: &buffer, to: file)
  }

  /// Ends the text and seals the file.
  package func seal() throws(OutputError) {
    try endText()
    try file.seal()
  }

  /// Ends the text; the file may go on with another one.
  func endText() throws(OutputError) {
    form.appendTail(to: &buffer)
    try buffer.flush(to: file)
  }

  /// The path under which the file waits to be published.
  package var stagedPath: String? { file.stagedPath }

  /// Publishes the file.
  package func publish() throws(OutputError) { try file.publish() }

  /// Leaves the file to be published later.
  package func leave() { file.leave() }

  /// Discards the file.
  package func discard() { file.discard() }

  /// The loop over rows, outside of the object so that its fields are reached once a batch.
  private static func write(
    _ batch: OutputBatch, as form: inout Form, through buffer: inout ByteBuffer,
    to file: any OutputFile
  ) throws(OutputError) {
    for row in batch.rows {
      form.append(row, lineage: batch.lineage, to: &buffer)
      if buffer.isNearlyFull { try buffer.flush(to: file) }
    }
  }
}
