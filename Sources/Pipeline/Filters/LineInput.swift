import Decode
import Extract
import Platform
import PumpModel

/// Hands on the lines of inputs; what cannot be read to its end ends the run, since lines that are
/// missing would be missing doses.
final class LineInput: DocumentVisitor {
  private var reader = LineReader()
  private var name = ""
  private let events: (RunEvent) -> Void
  private let onLine: (_ input: String, UInt64, RawSpan, LineFault?) throws -> Void

  /// Creates an input that hands every line, with its number and the name of what it stands in, to
  /// a closure, or a fault and no bytes.
  init(
    events: @escaping (RunEvent) -> Void,
    onLine: @escaping (_ input: String, UInt64, RawSpan, LineFault?) throws -> Void
  ) {
    self.events = events
    self.onLine = onLine
  }

  /// Reads inputs, in order: files, folders and archives of lines, or `-` for standard input.
  func read(_ inputs: [String]) throws {
    let walker = InputWalker(visitor: self)
    for input in inputs { try walker.walk(input) }
  }

  func begin(_ place: DocumentPlace) {
    events(.reading(document: place.name))
    name = place.name
    reader = LineReader()
  }

  func bytes(_ chunk: RawSpan) throws -> Bool {
    try reader.feed(chunk, hand)
    return true
  }

  func end(_ ending: DocumentEnding) throws {
    switch ending {
    case .whole: try reader.finish(hand)
    case .refused(let reject): throw Self.failure(reject.reason, name)
    case .lost: break
    }
  }

  func problem(_ problem: InputProblem) throws {
    if problem.kind != .skipped { throw Self.failure(problem.reject.reason, problem.place.name) }
  }

  private func hand(_ number: UInt64, _ bytes: RawSpan, _ fault: LineFault?) throws {
    try onLine(name, number, bytes, fault)
  }

  private static func failure(_ reason: String, _ name: String) -> RunFailure {
    RunFailure(
      .unreadable, what: "the lines cannot be read to their end: \(reason)", where: name,
      next: "Get the file again, and run it again.")
  }
}
