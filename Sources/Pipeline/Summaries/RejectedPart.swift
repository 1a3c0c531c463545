package import PumpModel

/// A reject with the document that it stands in.
package struct RejectedPart: Sendable, Equatable {
  /// The document's name.
  package var document: String
  /// Where in it, and why.
  package var reject: Reject

  /// Creates a part.
  package init(document: String, reject: Reject) {
    self.document = document
    self.reject = reject
  }
}
