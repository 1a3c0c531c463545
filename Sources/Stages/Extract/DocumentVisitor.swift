package import Platform
package import PumpModel

/// What takes in the documents that an `InputWalker` finds.
///
/// For each document: `begin`, `bytes` any number of times, `end`. Calls about other things come
/// between documents, never within one. An error that is thrown stops the walk and reaches the
/// caller of the walker; nothing more is called then, not even `end`.
package protocol DocumentVisitor: AnyObject {
  /// Says whether an archive on disk is to be opened at all; it is not if it is known already.
  ///
  /// `Digest256.ofFile` recognises it; it needs a buffer of its own here.
  func opens(_ archive: DocumentPlace, at path: FilePath) throws -> Bool

  /// A document begins.
  func begin(_ place: DocumentPlace) throws

  /// The next bytes of the document, valid during the call.
  ///
  /// - Returns: false if no more are wanted since the document is not recognised; `end` follows.
  func bytes(_ chunk: RawSpan) throws -> Bool

  /// The document ends.
  func end(_ ending: DocumentEnding) throws

  /// Something that holds no document that could be read.
  func problem(_ problem: InputProblem) throws
}

extension DocumentVisitor {
  /// Opens every archive.
  package func opens(_ archive: DocumentPlace, at path: FilePath) throws -> Bool { true }
}

/// How the reading of a document's bytes ended.
package enum DocumentEnding: Sendable, Equatable {
  /// All bytes were given, or no more were wanted.
  case whole
  /// The bytes are not to be trusted: damaged, oversized, or under an unsafe name.
  ///
  /// If the document was recognised, this is its one reject; if not, it is ignored like any other.
  case refused(Reject)
  /// What the document lies in broke: nothing of it may be used, and a `problem` that names the
  /// broken container follows and is the one reject.
  case lost
}

/// Something that holds no document that could be read.
package struct InputProblem: Sendable, Equatable {
  /// What kind of thing it is.
  package let kind: Kind
  /// Where it was found.
  package let place: DocumentPlace
  /// What is wrong with it.
  package let reject: Reject

  /// What kind of thing it is.
  package enum Kind: Sendable, Equatable {
    /// An archive or folder that cannot be opened or that broke; what it has not given is lost.
    ///
    /// One reject; if its place is direct, the run fails unless told to go on (N2).
    case container
    /// A member that cannot even be looked at: encrypted, a link, an archive too deep. One reject.
    case member
    /// A link, pipe, device or socket in a folder, passed over. A note and no reject.
    case skipped
  }

  init(_ kind: Kind, _ place: DocumentPlace, _ reason: String) {
    self.kind = kind
    self.place = place
    reject = Reject(.whole, reason)
  }
}
