import Platform
import PumpModel

/// What became of one document of a run, but for its name, which `DocumentNames` has.
///
/// Archives may have 100,000 members, most of them of no concern: what only pump data has is apart, so
/// that the others cost little memory.
struct RunDocument {
  /// The run's count of documents, from 0.
  let index: UInt32
  /// The document that it lies in, if it is a response of a browser's capture.
  let parent: UInt32?
  /// Its format; nil until it is recognised.
  var format: DocumentFormat?
  /// How many bytes it has.
  var bytes: UInt64 = 0
  /// How many records passed every check.
  var accepted: UInt64 = 0
  /// How many records and other pieces were rejected.
  var rejected: UInt64 = 0
  /// Whether it was said to be complete where it was read, apart from what the run says of all.
  var isComplete = false
  /// Whether what it gave may be used.
  var isWhole = false
  /// What it told, in a list of one; empty if that is nothing.
  private var told: [Told] = []

  /// How many columns are kept by name.
  static let mostColumns = 20
  /// How many pieces of fetched time are kept; a lifetime of pulls has some thousand.
  static let mostFetched = 65_536

  init(index: UInt32, parent: UInt32?) {
    (self.index, self.parent) = (index, parent)
  }

  /// What a document of pump data told, beside its records.
  struct Told {
    /// The SHA-256 of its bytes, or what stands for it in a run that nobody asks for it.
    var digest: [UInt8] = []
    /// Records that are not used, by reason.
    var ignored: [IgnoredReason: UInt64] = [:]
    /// Records of unknown ids, by id.
    var unknownIDs: [UInt16: UInt64] = [:]
    /// Columns that nobody knows, the first of them.
    var unknownColumns: [String] = []
    /// The run's references of the pumps that it speaks of; 0 is a pump without any name.
    var references: Set<UInt32> = []
    /// What it says of pumps, if it is an account answer.
    var facts: [PumpFacts] = []
    /// What it says was fetched.
    var fetched: [FetchedStatement] = []
    /// Whether it says of itself that its data is made up.
    var isMadeUp = false
    /// Responses without a body.
    var missingBodies: UInt64 = 0
  }

  private static let nothing = Told()

  /// What the document told.
  var content: Told {
    get { told.first ?? Self.nothing }
    _modify {
      if told.isEmpty { told.append(Told()) }
      yield &told[0]
    }
  }

  /// Forgets all that the document told.
  mutating func forgetContent() { told = [] }
}

extension RunDocument {
  /// The SHA-256 of its bytes in hexadecimal digits; nil unless all of it was read and counts.
  var sha256: String? {
    !isWhole || content.digest.isEmpty ? nil : Digest256.Value(bytes: content.digest).hex
  }
}
