package import PumpModel

/// What `pumpline demo` wrote.
package struct DemoSummary: Sendable, Equatable {
  /// The archives, in the order they were asked for.
  package var archives: [Archive] = []

  /// Creates the summary of nothing.
  package init() {}

  /// An archive.
  package struct Archive: Sendable, Equatable {
    /// Its path.
    package var path: String
    /// Its format.
    package var format: DocumentFormat
    /// How many documents it holds, the account answer included.
    package var documents: Int
    /// The serial number that `convert` must be told; nil where the documents tell it.
    package var serial: String?

    /// Creates an archive.
    package init(path: String, format: DocumentFormat, documents: Int, serial: String?) {
      self.path = path
      self.format = format
      self.documents = documents
      self.serial = serial
    }
  }
}
