import Platform
import PumpModel

/// What became of one document of a run.
struct RunDocument {
  /// The run's count of documents, from 0.
  let index: UInt32
  /// The name for people: a path, with the member's or response's name after it.
  var name: String
  /// The document that it lies in, if it is a response of a browser's capture.
  let parent: UInt32?
  /// Its format; nil until it is recognised.
  var format: DocumentFormat?
  /// The SHA-256 of its bytes.
  var digest: [UInt8] = []
  /// How many bytes it has.
  var bytes: UInt64 = 0
  /// How many records passed every check.
  var accepted: UInt64 = 0
  /// How many records and other pieces were rejected.
  var rejected: UInt64 = 0
  /// Records that are not used, by reason.
  var ignored: [IgnoredReason: UInt64] = [:]
  /// Records of unknown ids, by id.
  var unknownIDs: [UInt16: UInt64] = [:]
  /// How many columns are kept by name.
  static let mostColumns = 20
  /// Columns that nobody knows, the first of them.
  var unknownColumns: [String] = []
  /// The run's references of the pumps that it speaks of; 0 is a pump without any name.
  var references: Set<UInt32> = []
  /// What it says of pumps, if it is an account answer.
  var facts: [PumpFacts] = []
  /// How many pieces of fetched time are kept; a lifetime of pulls has some thousand.
  static let mostFetched = 65_536
  /// What it says was fetched.
  var fetched: [FetchedStatement] = []
  /// Whether it says of itself that its data is made up.
  var isMadeUp = false
  /// Responses without a body.
  var missingBodies: UInt64 = 0
  /// Whether it was said to be complete where it was read, apart from what the run says of all.
  var isComplete = false
  /// Whether what it gave may be used.
  var isWhole = false
}

extension RunDocument {
  /// The SHA-256 of its bytes in hexadecimal digits; nil unless all of it was read and counts.
  var sha256: String? { !isWhole || digest.isEmpty ? nil : Digest256.Value(bytes: digest).hex }
}
