/// Why something could not be read.
///
/// Holds no path and no content: the caller knows the place and says it.
package struct InputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of thing went wrong.
  package let kind: Kind
  /// The words of the system or of the library, for a person; may be empty.
  package let detail: String

  /// Creates an error.
  package init(_ kind: Kind, _ detail: String = "") {
    self.kind = kind
    self.detail = detail
  }

  /// What kind of thing went wrong.
  package enum Kind: Sendable, Equatable, CaseIterable {
    /// There is nothing of that name.
    case missing
    /// The system does not let this process read it.
    case denied
    /// A device, a socket or the like, where a file was expected.
    case notAFile
    /// The system failed to read.
    case failed
    /// The bytes are not what their format says they must be.
    case damaged
    /// The bytes end too early.
    case cut
    /// A password is needed.
    case encrypted
    /// A member grows beyond what members may (N2).
    case oversized
    /// Unpacking would need more than 128 MiB of dictionary.
    case dictionaryTooLarge
    /// A format, or a form of one, that cannot be read here.
    case unsupported
    /// The whole input grows beyond 64 GiB.
    case inputTooLarge
    /// The whole input has more than 100 000 entries.
    case tooManyEntries
  }

  /// What went wrong in a few words that follow the name of a thing.
  package var description: String {
    detail.isEmpty ? kind.words : "\(kind.words) (\(detail))"
  }
}

extension InputError.Kind {
  /// A few words that follow the name of a thing.
  package var words: String {
    switch self {
    case .missing: "does not exist"
    case .denied: "may not be read"
    case .notAFile: "is not a file"
    case .failed: "could not be read"
    case .damaged: "is damaged"
    case .cut: "is cut off"
    case .encrypted: "needs a password"
    case .oversized: "expands beyond 200 times its size or 16 GiB"
    case .dictionaryTooLarge: "needs more than 128 MiB of memory to unpack"
    case .unsupported: "is in a form that cannot be read"
    case .inputTooLarge: "expands beyond 64 GiB"
    case .tooManyEntries: "has more than 100000 entries"
    }
  }
}
