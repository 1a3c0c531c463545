import Platform
import PumpModel

/// A folder that keeps the answers of a service as they came, each under a name that its content
/// decides: the same answer is kept once, and none is ever replaced by another.
struct RawAnswers {
  private let folder: String

  /// Opens a folder, making it if it is not there.
  ///
  /// - Throws: `OutputError`.
  init(folder: String) throws(OutputError) {
    try PrivateFolder.make(folder)
    self.folder = folder
  }

  /// Keeps an answer, whole or not at all.
  func keep(_ bytes: [UInt8], as name: String) throws(OutputError) {
    let digest = Digest256()
    digest.update(unsafe bytes.span.bytes)
    let path = "\(folder)/\(name)-\(digest.finish().hex.prefix(12)).json"
    let file = try StagedFile(.file(path))
    try file.write(unsafe bytes.span.bytes)
    try file.seal()
    try file.publish()
  }
}
