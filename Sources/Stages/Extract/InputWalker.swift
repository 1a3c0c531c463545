package import Platform

/// Finds the documents in files, folders, archives and standard input, and hands their bytes to a
/// visitor, one document after the other, in an order that depends on nothing but the input.
///
/// An archive may lie in an archive, once (N2). Nothing is unpacked to disk, and memory does not
/// grow with the input.
package final class InputWalker {
  /// How far an input may expand (N2); other values are for tests.
  package struct Limits: Sendable {
    /// Those of one member.
    package var member = ExpansionLimits()
    /// Bytes of one input, expanded.
    package var inputBytes: UInt64 = 64 << 30
    /// Entries of one input.
    package var inputEntries = 100_000

    /// Creates the limits of N2.
    package init() {}
  }

  let visitor: any DocumentVisitor
  let limits: Limits
  var budget = ExpansionBudget()
  private let buffer = ReadBuffer()
  private var inputs = 0
  /// Files in folders that are not opened at all: closing one would take the locks off a database
  /// that this process has open.
  package var passesOver: (FilePath) -> Bool = { _ in false }

  /// Creates a walker that hands everything to one visitor.
  package init(visitor: any DocumentVisitor, limits: Limits = Limits()) {
    self.visitor = visitor
    self.limits = limits
  }

  /// How many bytes of files and standard input lie behind it, for showing progress; a file that
  /// was left early, or not read since it is known, counts whole.
  package var bytesPassed: UInt64 {
    passed + min(buffer.bytesRead - current.start, current.size)
  }

  private var passed: UInt64 = 0
  private var current: (start: UInt64, size: UInt64) = (0, 0)

  /// Walks one input: the path of a file or folder, or `-` for standard input.
  ///
  /// - Throws: `ExtractError` if the input is missing, unreadable or too large, and whatever the
  ///   visitor throws.
  package func walk(_ input: String) throws {
    budget = ExpansionBudget(bytes: limits.inputBytes, entries: limits.inputEntries)
    defer { inputs += 1 }
    if input == "-" {
      let place = DocumentPlace(input: inputs, name: "standard input", isDirect: true)
      return try pass(Content(InputFile.standardInput(into: buffer), place))
    }
    let place = DocumentPlace(input: inputs, name: input, isDirect: true)
    switch try open(input, at: place) {
    case .file(let stream, let path): try pass(Content(stream, place, path: path))
    case .folder(let members, let path): try walk(members, of: path, at: place)
    }
  }

  /// Walks an input that is in memory: an answer of a service.
  ///
  /// It counts as something that lies in a container: whoever has it judges what is wrong with it.
  ///
  /// - Throws: as `walk(_:)`.
  package func walk(memory bytes: [UInt8], named name: String) throws {
    budget = ExpansionBudget(bytes: limits.inputBytes, entries: limits.inputEntries)
    defer { inputs += 1 }
    let place = DocumentPlace(input: inputs, name: name, isDirect: false)
    try pass(Content(ByteStream(memory: bytes), place))
  }

  private enum Opened {
    case file(ByteStream, FilePath)
    case folder([FolderListing.Member], FilePath)
  }

  private func open(_ input: String, at place: DocumentPlace) throws(ExtractError) -> Opened {
    do throws(InputError) {
      guard let path = FilePath(input) else { throw InputError(.missing) }
      if try InputFile.kind(of: path, followingLinks: true) == .folder {
        return .folder(try FolderListing.members(of: path), path)
      }
      return .file(try InputFile.open(path, followingLinks: true, into: buffer), path)
    } catch {
      throw ExtractError(error, at: place)
    }
  }

  private func walk(
    _ members: [FolderListing.Member], of folder: FilePath, at place: DocumentPlace
  ) throws {
    for member in members {
      let path = folder.appending(member.name)
      let memberPlace = place.file(at: path)
      try spendEntry(at: place)
      switch member.kind {
      case .file where passesOver(path):
        try skip(memberPlace, "the run's own ledger is not read")
      case .file: try visitFile(at: path, memberPlace)
      case .folder: try walkFolder(at: path, memberPlace)
      case .link: try skip(memberPlace, "a symbolic link in a folder is not followed")
      case .pipe: try skip(memberPlace, "a pipe in a folder is not read")
      case .special: try skip(memberPlace, "a device or socket is not read")
      }
    }
  }

  private func walkFolder(at path: FilePath, _ place: DocumentPlace) throws {
    let members: [FolderListing.Member]
    do throws(InputError) {
      members = try FolderListing.members(of: path)
    } catch {
      return try report(error, of: .container, at: place)
    }
    try walk(members, of: path, at: place)
  }

  private func visitFile(at path: FilePath, _ place: DocumentPlace) throws {
    let stream: ByteStream
    do throws(InputError) {
      stream = try InputFile.open(path, followingLinks: false, into: buffer)
    } catch {
      return try report(error, of: .member, at: place)
    }
    try pass(Content(stream, place, path: path))
  }

  /// Visits a file, and counts it as passed.
  private func pass(_ content: Content) throws {
    let size = content.stream.length
    current = (buffer.bytesRead, size ?? .max)
    try visit(content)
    passed += size ?? buffer.bytesRead - current.start
    current = (buffer.bytesRead, 0)
  }

  private func skip(_ place: DocumentPlace, _ reason: String) throws {
    try visitor.problem(InputProblem(.skipped, place, reason))
  }
}

extension InputWalker {
  /// Tells the visitor of an error that concerns one thing, or stops the walk for any other.
  func report(
    _ error: InputError, of kind: InputProblem.Kind, at place: DocumentPlace
  ) throws {
    if let error = ExtractError(stopping: error, at: place) { throw error }
    try visitor.problem(InputProblem(kind, place, error.description))
  }

  /// Takes bytes of a plain document off the input's budget.
  func spend(bytes: Int, at place: DocumentPlace) throws(ExtractError) {
    do throws(InputError) {
      try budget.spend(bytes: bytes)
    } catch {
      throw ExtractError(error, at: place)
    }
  }

  private func spendEntry(at place: DocumentPlace) throws(ExtractError) {
    do throws(InputError) {
      try budget.spendEntry()
    } catch {
      throw ExtractError(error, at: place)
    }
  }
}
