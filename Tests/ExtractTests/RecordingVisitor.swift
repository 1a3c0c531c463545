import Extract
import Platform
import PumpModel

/// A visitor that recognises whatever begins with `{` and writes down what it is told.
final class RecordingVisitor: DocumentVisitor {
  /// A document or problem in one line.
  private(set) var lines: [String] = []
  /// The content of recognised documents by the last part of their names.
  private(set) var contents: [[UInt8]] = []
  var refusesArchives = false
  private var bytes: [UInt8] = []
  private var isRecognised: Bool?
  private var name = ""

  func opens(_ archive: DocumentPlace, at path: FilePath) -> Bool { !refusesArchives }

  func begin(_ place: DocumentPlace) {
    bytes = []
    isRecognised = nil
    name = Self.short(place)
  }

  func bytes(_ chunk: RawSpan) -> Bool {
    unsafe chunk.withUnsafeBytes { unsafe bytes += $0 }
    isRecognised = isRecognised ?? (bytes.first == UInt8(ascii: "{"))
    return isRecognised ?? true
  }

  func end(_ ending: DocumentEnding) {
    let isOurs = isRecognised ?? false
    switch ending {
    case .whole:
      lines.append("\(isOurs ? "took" : "ignored") \(name)")
      if isOurs { contents.append(bytes) }
    case .refused(let reject):
      lines.append(isOurs ? "refused \(name): \(reject.reason)" : "ignored \(name)")
    case .lost: lines.append("lost \(name)")
    }
  }

  func problem(_ problem: InputProblem) {
    lines.append("\(problem.kind) \(Self.short(problem.place)): \(problem.reject.reason)")
  }

  /// The place without the folder of the test, with a star where it is direct.
  private static func short(_ place: DocumentPlace) -> String {
    let parts = place.name.split(separator: " › ").map(String.init)
    let first = parts[0].split(separator: "/").last.map(String.init) ?? parts[0]
    return (place.isDirect ? "*" : "") + ([first] + parts.dropFirst()).joined(separator: " › ")
  }
}

/// Walks inputs and gives what a visitor was told.
func walk(
  _ inputs: [String], limits: InputWalker.Limits = InputWalker.Limits()
) throws -> RecordingVisitor {
  let visitor = RecordingVisitor()
  let walker = InputWalker(visitor: visitor, limits: limits)
  for input in inputs { try walker.walk(input) }
  return visitor
}
