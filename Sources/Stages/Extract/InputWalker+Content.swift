import Platform
import PumpModel

/// Bytes that are a document or a container, as their beginning will tell.
struct Content {
  var stream: ByteStream
  var place: DocumentPlace
  /// Where they lie on disk, if they are a file.
  var path: FilePath?
  /// How many archives they lie in.
  var depth = 0
  /// Why they are not to be trusted, whatever they are.
  var refusal: String?
  /// The readers that the bytes come through; when one breaks, they are lost with it.
  var readers: [ArchiveReader] = []

  init(_ stream: ByteStream, _ place: DocumentPlace, path: FilePath? = nil) {
    self.stream = stream
    self.place = place
    self.path = path
  }

  /// Whether something that these bytes lie in broke.
  var isLost: Bool { readers.contains { $0.failure != nil } }
}

/// How many archives may lie around a document.
private let maximalDepth = 2

extension InputWalker {
  /// Looks at the first bytes, then hands a document on or opens a container.
  func visit(_ content: Content) throws {
    let kind: ArchiveKind?
    do throws(InputError) {
      kind = try content.stream.peek { ArchiveKind(firstBytes: $0) }
    } catch {
      // Not one byte could be had. If a container broke, that is told when it is left.
      if content.isLost { return }
      return try report(error, of: .member, at: content.place)
    }
    guard let kind else { return try deliver(content) }
    if let refusal = content.refusal {
      return try visitor.problem(InputProblem(.member, content.place, refusal))
    }
    guard content.depth < maximalDepth else {
      let reason = "lies in an archive in an archive, which is too deep; unpack the outer one"
      return try visitor.problem(InputProblem(.member, content.place, reason))
    }
    try open(kind, content)
  }

  /// Hands one document to the visitor.
  private func deliver(_ content: Content) throws {
    let isPlain = content.depth == 0
    var offset: UInt64 = 0
    try visitor.begin(content.place)
    do {
      while try advance(content.stream) {
        let count = content.stream.withChunk { $0.byteCount }
        if isPlain { try spend(bytes: count, at: content.place) }
        guard try content.stream.withChunk({ try visitor.bytes($0) }) else {
          return try visitor.end(.whole)
        }
        offset += UInt64(count)
      }
    } catch let error as Interruption {
      return try interrupt(content, at: offset, error.cause)
    }
    if let refusal = content.refusal {
      return try visitor.end(.refused(Reject(.whole, refusal)))
    }
    try visitor.end(.whole)
  }

  private func interrupt(_ content: Content, at offset: UInt64, _ cause: InputError) throws {
    if let error = ExtractError(stopping: cause, at: content.place) { throw error }
    if content.isLost { return try visitor.end(.lost) }
    try visitor.end(.refused(Reject(.offset(offset), cause.description)))
  }

  /// Keeps errors of reading apart from those of the visitor.
  private struct Interruption: Error { var cause: InputError }

  private func advance(_ stream: ByteStream) throws(Interruption) -> Bool {
    do throws(InputError) { return try stream.advance() } catch { throw Interruption(cause: error) }
  }
}
