internal import CXML

/// Takes what libxml2 says while it reads a document type, and says nothing of it.
///
/// Much of it comes without the parser's own handlers, such as that a notation is declared twice, and would
/// be shown on standard error with what stands there.
@safe final class TypeErrors {
  private let parser: xmlParserCtxtPtr?
  /// The line of the first declaration that is not valid.
  private(set) var firstLine: Int?

  /// Listens to nobody.
  init() { unsafe parser = nil }

  /// Listens to a parser.
  init(of parser: xmlParserCtxtPtr) { unsafe self.parser = parser }

  /// Runs a closure, and takes what libxml2 says meanwhile in this thread.
  func during<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe xmlSetStructuredErrorFunc(Unmanaged.passUnretained(self).toOpaque()) { context, error in
      guard let context = unsafe context, let error = unsafe error else { return }
      let isWarning = unsafe error.pointee.level.rawValue < XML_ERR_ERROR.rawValue
      guard !isWarning else { return }
      let line = Int(unsafe error.pointee.line)
      unsafe Unmanaged<TypeErrors>.fromOpaque(context).takeUnretainedValue().note(line: line)
    }
    defer { xmlSetStructuredErrorFunc(nil, nil) }
    return try body()
  }

  private func note(line: Int) {
    // Of what follows the type, those who read it say what is wrong.
    guard firstLine == nil, let parser = unsafe parser, unsafe parser.pointee.inSubset != 0 else {
      return
    }
    firstLine = line > 0 ? line : Int(unsafe parser.pointee.input?.pointee.line ?? 1)
  }
}
