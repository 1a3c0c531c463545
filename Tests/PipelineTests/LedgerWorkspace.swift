import Foundation
import Pipeline
import PumpModel
import Testing

extension Workspace {
  /// Imports inputs into `ledger` and gives what all of it then shows.
  @discardableResult
  func importing(
    _ inputs: [String], serial: String? = nil, isComplete: Bool = false
  ) throws -> ReportDocument {
    var request = self.request(inputs)
    request.ledger = path("ledger")
    request.serial = serial
    request.isComplete = isComplete
    return try report(request)
  }

  /// What is wrong with `ledger`.
  func problems() throws -> [LedgerVerification.Problem] {
    try PumplinePipeline().verifyLedger(LedgerRequest(ledger: path("ledger"))).problems
  }

  /// What `ledger` holds.
  func status() throws -> LedgerStatus {
    try PumplinePipeline().ledgerStatus(LedgerRequest(ledger: path("ledger")))
  }

  /// Takes something out of `ledger`.
  @discardableResult
  func forget(_ target: ForgetRequest.Target, isConfirmed: Bool = true) throws -> ForgetSummary {
    try PumplinePipeline().forget(ForgetRequest(ledger: path("ledger"), target: target)) { _ in
      isConfirmed
    }
  }

  /// Writes all samples of `ledger` to `out.ndjson`.
  func export() throws -> [String] {
    var request = self.request([], zones: [])
    request.ledger = path("ledger")
    try convert(request)
    return samples
  }

  /// The SHA-256 of the last report's input of a name, as bytes.
  func digest(of name: String, in report: ReportDocument) throws -> [UInt8] {
    let text = Array(try #require(report.input(name)?.sha256).utf8)
    try #require(text.count == 64)
    return (0..<32).map { index in
      UInt8(String(decoding: text[2 * index...2 * index + 1], as: UTF8.self), radix: 16) ?? 0
    }
  }

  /// All bytes of the ledger's file and of whatever lies beside it under its name.
  func ledgerBytes() throws -> Data {
    try names.filter { $0.hasPrefix("ledger") }.reduce(into: Data()) { bytes, name in
      bytes += FileManager.default.contents(atPath: path(name)) ?? Data()
    }
  }
}
