import Decode
import Deduplicate
import PumpModel

/// Reads lines of samples into a ledger of samples; bad lines are rejects.
final class SampleLineImport {
  private let samples: SampleImport
  private let takesWithdrawals: Bool
  /// The rejects, by the place of their input in `inputs`.
  let rejects = RejectList()
  /// The names of the inputs that have rejects.
  private(set) var inputs: [String] = []
  /// How many lines of samples were read, rejected ones not counted.
  private(set) var read = 0

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - ledger: where the samples go.
  ///   - takesWithdrawals: whether a line may say that a sample was withdrawn.
  init(_ ledger: Ledger, takesWithdrawals: Bool) {
    samples = SampleImport(ledger)
    self.takesWithdrawals = takesWithdrawals
  }

  /// Reads lines of inputs to their end.
  func read(_ inputs: [String], events: @escaping (RunEvent) -> Void) throws {
    let input = LineInput(events: events) { [self] name, number, bytes, fault in
      if let reason = try take(bytes, fault) {
        try reject(Reject(.line(number), reason), of: name)
      } else {
        read += 1
      }
    }
    try input.read(inputs)
  }

  /// Compares the samples with the ledger's; it must be in its transaction.
  func finish() throws -> SampleImportOutcome { try samples.finish() }

  /// Takes a line; gives why it cannot be used, if so.
  private func take(_ bytes: RawSpan, _ fault: LineFault?) throws -> String? {
    if let fault { return fault.reason }
    let line: SampleLine
    do throws(LineFault) {
      line = try SampleLineParser.parse(bytes)
    } catch {
      return error.reason
    }
    guard line.sample != nil || takesWithdrawals else {
      return "a withdrawn sample; here samples are added and revised only"
    }
    let nothing = Instant(unixSeconds: 0)
    let isTaken = try samples.append(
      line.sample ?? Sample(identity: line.identity, start: nothing, end: nothing, amount: 1),
      pump: line.pump, revision: line.revision, isWithdrawn: line.sample == nil,
      lineage: line.lineage, statusWord: line.statusWord, name: line.name)
    return isTaken ? nil : "too many pumps, or words for how boluses ended"
  }

  private func reject(_ reject: Reject, of input: String) throws {
    if inputs.last != input { inputs.append(input) }
    try rejects.add(reject, of: UInt32(inputs.count - 1))
  }
}

extension SampleLineImport {
  /// What the import did, without what was written.
  func summary(_ outcome: SampleImportOutcome) throws -> FilterSummary {
    var summary = FilterSummary()
    summary.read = read
    summary.superseded = Int(clamping: outcome.superseded)
    for (kind, changes) in outcome.changes {
      summary.changes[kind.type, default: ChangeCounts()] += changes
    }
    try rejects.forEach { input, reject in
      summary.rejects.add(RejectedPart(document: inputs[Int(input)], reject: reject))
    }
    return summary
  }
}
