internal import CXML

/// Whether a document is valid against its own document type, read as a stream.
///
/// Only a document type that says everything itself counts: one that names something to load is not
/// looked at, and nothing is ever loaded. Memory does not grow with the document.
package enum XMLValidity: Sendable, Equatable {
  /// It keeps to its document type.
  case valid
  /// It has no document type, or one that names something to load.
  case unknown
  /// It breaks its document type; the line is that of the first thing that does.
  case invalid(line: Int)
  /// The document type, or what follows, is not well formed.
  case malformed(line: Int)

  /// Looks at a document from its beginning.
  ///
  /// - Throws: `XMLError` if it declares entities or has no end to what precedes its first element;
  ///   `InputError` if its bytes cannot be read.
  package static func of(_ stream: ByteStream) throws -> XMLValidity {
    var prolog = XMLProlog()
    var isReady = false
    while !isReady, try stream.advance() {
      let progress = try stream.withChunk { chunk throws(XMLError) in try prolog.feed(chunk) }
      if case .ready = progress { isReady = true }
    }
    guard isReady, prolog.hasOwnType else { return .unknown }
    let reader = try ValidatingReader(prolog.bytes, then: stream)
    return try TypeErrors().during { () throws(InputError) in try reader.run() }
  }
}

/// libxml2's reader, which asks for bytes and forgets what it has read.
@safe private final class ValidatingReader {
  private let source: Source
  private let reader: xmlTextReaderPtr

  init(_ start: [UInt8], then stream: ByteStream) throws(XMLError) {
    source = Source(start, stream)
    let options = [
      XML_PARSE_DTDVALID, XML_PARSE_NOENT, XML_PARSE_NONET, XML_PARSE_NOERROR, XML_PARSE_NOWARNING,
    ]
    let reader = unsafe xmlReaderForIO(
      { context, buffer, count in
        guard let context = unsafe context, let buffer = unsafe buffer else { return -1 }
        return unsafe Unmanaged<Source>.fromOpaque(context).takeUnretainedValue().read(
          into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
      }, { _ in 0 }, Unmanaged.passUnretained(source).toOpaque(), nil, nil,
      Int32(options.reduce(0) { $0 | $1.rawValue }))
    guard let reader = unsafe reader else { throw XMLError(.outOfMemory, line: 1) }
    unsafe self.reader = reader
    // Only the first line is kept of what it says, since the rest would show what stands there.
    unsafe xmlTextReaderSetStructuredErrorHandler(
      reader,
      { context, error in
        guard let context = unsafe context, let error = unsafe error else { return }
        unsafe Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
          .note(line: Int(error.pointee.line))
      }, Unmanaged.passUnretained(source).toOpaque())
  }

  deinit { unsafe xmlFreeTextReader(reader) }

  func run() throws(InputError) -> XMLValidity {
    var code = unsafe xmlTextReaderRead(reader)
    while code == 1 {
      if unsafe xmlTextReaderIsValid(reader) != 1 { break }
      code = unsafe xmlTextReaderRead(reader)
    }
    if let failure = source.failure { throw failure }
    // Lines of elements are counted in 16 bits; behind them the reader's own must do, which may be
    // some ahead.
    let line =
      source.firstLine.flatMap { $0 < 65_535 ? $0 : nil }
      ?? Int(unsafe xmlTextReaderGetParserLineNumber(reader))
    if code < 0 { return .malformed(line: line) }
    return unsafe xmlTextReaderIsValid(reader) == 1 ? .valid : .invalid(line: line)
  }
}

/// The bytes of a document: those that were looked at first, then the rest of their stream.
@safe private final class Source {
  private var start: ArraySlice<UInt8>
  private let stream: ByteStream
  private var offset = 0
  private var hasChunk = false
  private(set) var failure: InputError?
  /// The line of the first thing that is wrong.
  private(set) var firstLine: Int?

  init(_ start: [UInt8], _ stream: ByteStream) {
    self.start = start[...]
    self.stream = stream
  }

  /// Keeps the first line.
  func note(line: Int) { if firstLine == nil, line > 0 { firstLine = line } }

  /// Fills a buffer; gives how many bytes were put into it, 0 at the end, -1 after a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    if !start.isEmpty {
      let piece = start.prefix(buffer.count)
      unsafe buffer.copyBytes(from: piece)
      start.removeFirst(piece.count)
      return Int32(clamping: piece.count)
    }
    do throws(InputError) {
      while !hasChunk || stream.withChunk({ $0.byteCount }) <= offset {
        guard try stream.advance() else { return 0 }
        (hasChunk, offset) = (true, 0)
      }
    } catch {
      failure = error
      return -1
    }
    let chunk = unsafe UnsafeRawBufferPointer(rebasing: stream.currentChunk[offset...])
    let count = min(chunk.count, buffer.count)
    unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    offset += count
    return Int32(clamping: count)
  }
}
