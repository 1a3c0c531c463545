import Demo
import Platform
import PumpModel

/// One run of `demo`: archives of pumps that never were.
///
/// All archives wait beside their places until the last one is whole.
struct DemoRun {
  let request: DemoRequest
  let events: (RunEvent) -> Void

  /// Runs.
  ///
  /// - Throws: `RunFailure`: 64 for more pumps than days, 73 if the folder holds something else.
  func run() throws -> DemoSummary {
    try request.plan.check()
    let history = request.plan.history
    let archives = request.formats.flatMap { DemoArchive.all(of: history, as: $0) }
    try prepareFolder(for: Set(archives.map(\.name)))
    var summary = DemoSummary()
    var files: [ZipWriter] = []
    do {
      for archive in archives {
        let path = path(of: archive)
        events(.writing(target: path))
        var documents = 0
        files.append(try write(archive, to: path, &documents))
        summary.archives.append(
          DemoSummary.Archive(
            path: path, format: archive.format, documents: documents, serial: archive.serial))
      }
      for file in files { try file.publish() }
    } catch {
      for file in files { file.discard() }
      throw error
    }
    return summary
  }

  private func path(of archive: DemoArchive) -> String {
    request.folder + (request.folder.hasSuffix("/") ? "" : "/") + archive.name
  }

  /// Makes the folder, or makes sure that nothing lies in it that would be read together with a demo.
  private func prepareFolder(for names: Set<String>) throws {
    guard let folder = FilePath(request.folder) else {
      throw RunFailure(
        .usage, what: "the folder's name is none", where: "--output", next: "Name a folder.")
    }
    try PrivateFolder.make(request.folder)
    let others: [FolderListing.Member]
    do {
      others = try FolderListing.members(of: folder).filter { !names.contains($0.name.text) }
    } catch {
      throw RunFailure(
        .cannotCreate, what: "the folder \(error)",
        where: request.folder, next: "Name another one.")
    }
    guard let other = others.first(where: { !StagedName.isStaged($0.name.text) }) else { return }
    throw RunFailure(
      .cannotCreate,
      what: "the folder holds something that this demo does not write: \(other.name.text)",
      where: request.folder,
      next:
        "Name a new folder: made-up data does not lie beside other data, nor beside another demo.")
  }

  /// Writes an archive beside its place and seals it.
  private func write(
    _ archive: DemoArchive, to path: String, _ documents: inout Int
  ) throws -> ZipWriter {
    let file = try StagedFile(.file(path))
    var writer: ZipWriter?
    do {
      try archive.forEachDocument { name, bytes in
        try checkInterruption()
        if let writer {
          try writer.beginEntry(name)
        } else {
          writer = try ZipWriter(to: file, name: path, entry: name, date: Self.date)
        }
        try writer?.write(unsafe bytes.span.bytes)
        documents += 1
      }
      guard let writer else { throw OutputError.failed(path: path, reason: "it would be empty") }
      try writer.seal()
      return writer
    } catch {
      file.discard()
      throw error
    }
  }

  /// The time that everything in the archives carries, so that the same demo has the same bytes.
  private static let date = ZipDate(unixSeconds: 1_767_225_600, offset: 0)
}
