import Platform
import PumpModel

@testable import Emit

/// An output that is kept in memory.
final class CollectedOutput: OutputFile {
  private(set) var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func write(_ bytes: RawSpan) {
    for offset in 0..<bytes.byteCount {
      self.bytes.append(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    }
  }

  func seal() {}
  func publish() {}
  func discard() {}
}

/// What a format makes of batches.
func text<Form: TextForm>(_ form: Form, _ batches: [OutputBatch]) throws -> String {
  let output = CollectedOutput()
  let sink = TextSink(form, into: output)
  for batch in batches { try sink.write(batch) }
  try sink.seal()
  return output.text
}

/// What a closure appends.
func appended(_ append: (inout ByteBuffer) -> Void) -> String {
  var buffer = ByteBuffer()
  append(&buffer)
  return buffer.withText(0..<buffer.count) { span in
    String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
  }
}
