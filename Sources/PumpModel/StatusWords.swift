/// The words for how boluses ended that rows of exports use beside the pump's own codes; each has a
/// code in its ledger.
package struct StatusWords: Sendable, Equatable {
  /// The first code that stands for a word of a row; the pump's own are below.
  package static let firstCode: UInt16 = 0x8000
  /// The word of a row whose bolus was refused by the pump: it gives nothing at all.
  package static let rejected = "rejected"

  private var words: [UInt16: String] = [:]
  private var codes: [String: UInt16] = [:]

  /// Creates an empty list.
  package init() {}

  /// Adds a word that a ledger keeps under a code.
  package mutating func add(_ word: String, code: UInt16) {
    words[code] = word
    codes[word] = code
  }

  /// The metadata value of a status code.
  package func text(_ code: UInt16) -> String { words[code] ?? BolusStatus.text(code) }

  /// The code of a row's word; nil if the list lacks it.
  package func code(of word: String) -> UInt16? {
    word == Self.rejected ? BolusStatus.rejected : BolusStatus.code(word) ?? codes[word]
  }
}
