import Platform

/// A pipeline file on disk.
struct PipelineFile {
  /// Its path.
  let path: String

  /// Reads it and says what is wrong in it.
  ///
  /// - Throws: `RunFailure`: 66 if there is none, 74 if it cannot be read.
  func read() throws(RunFailure) -> (definition: PipelineDefinition, problems: [PipelineProblem]) {
    PipelineReader.read(try bytes(), folder: folder, own: path)
  }

  /// Reads it for a run.
  ///
  /// - Throws: `RunFailure`: as `read`, and 78 with the first thing that is wrong.
  func definition() throws(RunFailure) -> PipelineDefinition {
    let (definition, problems) = try read()
    guard let first = problems.first else { return definition }
    let others = problems.count - 1
    let more = others == 0 ? nil : "All \(problems.count) problems: pumpline validate \(path)"
    throw RunFailure(
      .refused, what: first.what, where: "\(path):\(first.mark.line):\(first.mark.column)",
      next: [first.next, more].compactMap(\.self).joined(separator: " ").nonEmpty)
  }

  /// The pipeline files that a path names: itself, or those in a folder, in the order of their
  /// names.
  ///
  /// - Throws: `RunFailure`: 66 if there is none.
  static func files(at path: String) throws(RunFailure) -> [PipelineFile] {
    do throws(InputError) {
      guard let place = FilePath(path) else { throw InputError(.missing) }
      guard try InputFile.kind(of: place, followingLinks: true) == .folder else {
        return [PipelineFile(path: path)]
      }
      let names = try FolderListing.members(of: place).map(\.name)
        .filter { $0.text.hasSuffix(".yaml") || $0.text.hasSuffix(".yml") }
      guard !names.isEmpty else { throw InputError(.missing, "no file in it ends in .yaml") }
      return names.map { PipelineFile(path: place.appending($0).text) }
    } catch {
      throw failure(error, path)
    }
  }

  /// The folder that its relative paths count from, with a slash at its end; empty for the working
  /// directory.
  private var folder: String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }

  private func bytes() throws(RunFailure) -> [UInt8] {
    do throws(InputError) {
      guard let place = FilePath(path) else { throw InputError(.missing) }
      // One byte more than is read tells the reader that the file is too large.
      return try InputFile.bytes(of: place, atMost: YAMLReader.maximalBytes + 1)
    } catch {
      throw Self.failure(error, path)
    }
  }

  private static func failure(_ error: InputError, _ path: String) -> RunFailure {
    let what =
      error.kind == .notAFile && !error.detail.isEmpty
      ? "\(error.detail) is no pipeline file" : "the pipeline file \(error.description)"
    return RunFailure(
      error.kind == .failed ? .io : .inputMissing, what: what,
      where: path, next: "Name a file that ends in .yaml, or a folder of such files to validate.")
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
