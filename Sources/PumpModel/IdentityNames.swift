/// What the ids of samples of named records begin with (N9), `tidepool:<id>`, by the digests that
/// stand for them.
package protocol IdentityNames: AnyObject {
  /// The beginning that a digest stands for; nil if there is none.
  func name(of digest: UInt64) -> String?
}

extension ExportSource {
  /// What the ids of samples of a record begin with, that has an id of its own.
  package func idBase(of name: String) -> String { "\(word):\(name)" }

  /// The most bytes of a record's own id.
  package static let longestName = 128

  /// Whether a text may be a record's own id: letters, digits and `-._`, so that ids can be taken
  /// apart and need no escapes in any output.
  package static func isName(_ text: some Collection<UInt8>) -> Bool {
    !text.isEmpty && text.count <= longestName
      && text.allSatisfy { byte in
        switch byte {
        case 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
      }
  }
}
