import Platform
import PumpModel

extension InputWalker {
  /// Opens a container and visits what is in it.
  func open(_ kind: ArchiveKind, _ content: Content) throws {
    if let path = content.path, try !visitor.opens(content.place, at: path) { return }
    let reader: ArchiveReader
    do throws(InputError) {
      reader = try ArchiveReader(
        kind, reading: content.stream, limits: limits.member, budget: budget)
    } catch {
      return try reportBroken(content, by: error)
    }
    var inside = content
    inside.path = nil
    inside.depth += 1
    if kind.isCompressedStream {
      try visitStream(reader, inside)
    } else {
      try visitMembers(reader, inside)
    }
  }

  /// Visits the one stream that was compressed: a document, a tape archive, or another archive.
  private func visitStream(_ reader: ArchiveReader, _ content: Content) throws {
    var inside = content
    let isTar: Bool
    do throws(InputError) {
      let isEmpty = try reader.nextEntry() == nil
      if isEmpty, !reader.isWhollyEmpty { throw InputError(.cut) }
      inside.stream = isEmpty ? ByteStream(memory: []) : reader.entryStream()
      isTar = try inside.stream.peek { ArchiveKind(firstBytes: $0) } == .tar
    } catch {
      return try reportBroken(content, by: error)
    }
    guard isTar else { return try visit(inside) }
    // A tape archive counts with its compression as one; its members are limited one by one.
    reader.limits = nil
    try visitTar(inside)
  }

  private func visitTar(_ content: Content) throws {
    let tar: ArchiveReader
    do throws(InputError) {
      tar = try ArchiveReader(
        .tar, reading: content.stream, limits: limits.member, budget: budget)
    } catch {
      return try reportBroken(content, by: error)
    }
    try visitMembers(tar, content)
    guard tar.failure == nil else { return }
    do throws(InputError) {
      // What follows the last member, so that the checksums around it are checked.
      while try content.stream.advance() {}
    } catch {
      try reportBroken(content, by: error)
    }
  }

  private func visitMembers(_ reader: ArchiveReader, _ content: Content) throws {
    while true {
      let entry: ArchiveEntry?
      do throws(InputError) {
        entry = try reader.nextEntry()
      } catch {
        return try reportBroken(content, by: error)
      }
      guard let entry else { return }
      try visit(entry, of: reader, content)
    }
  }

  private func visit(
    _ entry: ArchiveEntry, of reader: ArchiveReader, _ content: Content
  ) throws {
    var member = Content(reader.entryStream(), content.place.member(entry.name))
    member.depth = content.depth
    member.readers = content.readers + [reader]
    switch entry.kind {
    case .folder: return
    case .link: return try refuse(member, "is a link; links are not followed")
    case .special: return try refuse(member, "is a device or pipe")
    case .file: break
    }
    if entry.isEncrypted { return try refuse(member, InputError.Kind.encrypted.words) }
    if entry.hasUnsafeName { member.refusal = "has a name that leads out of its archive" }
    try visit(member)
  }

  private func refuse(_ member: Content, _ reason: String) throws {
    try visitor.problem(InputProblem(.member, member.place, reason))
  }

  /// Tells of a broken container, unless it broke because one around it did.
  private func reportBroken(_ content: Content, by error: InputError) throws {
    if content.isLost, ExtractError(stopping: error, at: content.place) == nil { return }
    try report(error, of: .container, at: content.place)
  }
}
