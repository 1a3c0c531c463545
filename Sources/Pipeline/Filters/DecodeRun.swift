import Decode
import Emit
import Extract
import Platform
import PumpModel

/// One run of `decode`: every record and row of the inputs as a line, and every reject beside them.
///
/// What is wrong with one input is a line like any other, and the run goes on.
struct DecodeRun {
  let request: DecodeRequest
  let events: (RunEvent) -> Void

  /// Runs.
  func run() throws -> FilterSummary {
    var check = ConvertRequest(inputs: request.inputs)
    check.outputs = [OutputRequest(format: SinkFormat.samples.rawValue, target: request.output)]
    let target = try OutputPlan(check).outputs[0].target
    let reader = ImportReader(journal: nil, keepsGoing: true, events: events)
    reader.forms = request.forms
    reader.tellsProgress = request.tellsProgress
    let stream = DecodedStream(
      reader: reader, file: try StagedFile(target), waiting: try WaitingRecords(),
      isComplete: request.isComplete)
    reader.tap = stream
    reader.onSettled = { try stream.write() }
    defer { (reader.tap, reader.onSettled) = (nil, nil) }
    do {
      try stream.begin()
      for input in request.inputs {
        do {
          try reader.read([input])
        } catch let error as ExtractError {
          try reader.abandon(input: input, Reject(.whole, "the input \(error.reason)"))
        }
        try stream.write()
      }
      try stream.end()
    } catch OutputError.brokenPipe {
      // Whoever read standard output has seen enough.
    } catch {
      stream.discard()
      throw error
    }
    var summary = stream.summary
    summary.documents = reader.documents.count { $0.format != nil }
    summary.outputs = [
      WrittenOutput(format: "lines", target: request.output, samples: summary.written)
    ]
    return summary
  }
}

extension ImportReader {
  /// Takes back the input that is being read, which broke in a way that the reading of others can
  /// go on after.
  func abandon(input: String, _ reject: Reject) throws {
    let broken = open.first.map { Int($0.document.index) }
    open.removeAll()
    verdict = nil
    if let broken { return try takeBack(from: broken, reject: reject) }
    let index = begin(named: input == "-" ? "standard input" : input, parent: nil)
    if let failure { throw failure }
    documents[index].rejected = 1
    try rejects.add(reject, of: UInt32(index))
  }
}
