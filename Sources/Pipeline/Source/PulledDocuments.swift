import Deduplicate
import Emit
import PumpModel

/// What the windows of a pull read and changed, for the report at its end.
///
/// It holds a line a document, and rejects in a private database, so that it stays small whatever the
/// pull reads. The account's answer, which every window reads again, is left to the last run.
final class PulledDocuments {
  /// The documents, in the order in which they were read.
  private(set) var inputs: [ReportInput] = []
  /// What of them is not used, by reason.
  private(set) var ignored: [IgnoredReason: UInt64] = [:]
  /// Their records of unknown ids, by id.
  private(set) var unknownIDs: [UInt16: UInt64] = [:]
  /// The samples that windows moved, window by window.
  private(set) var moves: [PumpMoves] = []
  private var changes = SampleChanges()
  private let rejects = RejectList()
  /// The names of documents with rejects.
  private var rejected: [String] = []

  /// Takes in what a window read.
  func add(_ window: RunReport) throws {
    for document in window.listed where document.format != .pumper {
      inputs.append(try window.input(document))
      ignored.merge(document.isWhole ? document.content.ignored : [:], uniquingKeysWith: +)
      unknownIDs.merge(document.isWhole ? document.content.unknownIDs : [:], uniquingKeysWith: +)
      guard document.rejected > 0 else { continue }
      try window.reader.rejects.forEach(of: document.index) {
        try rejects.add($0, of: UInt32(rejected.count))
      }
      rejected.append(try window.reader.name(of: document.index))
    }
    moves += window.moves
    changes += window.changes
  }

  /// Gives every reject with the name of its document.
  func forEachReject(_ body: (ReportReject) throws -> Void) throws {
    try rejects.forEach { document, reject in
      try body(ReportReject(document: rejected[Int(document)], reject: reject))
    }
  }

  /// What windows and the run behind them changed; that run saw all samples.
  func changes(followedBy last: SampleChanges) -> SampleChanges {
    var sum = last
    sum.unchanged -= min(sum.unchanged, changes.fresh + changes.revised)
    sum.fresh += changes.fresh
    sum.revised += changes.revised
    sum.withdrawn += changes.withdrawn
    return sum
  }
}
