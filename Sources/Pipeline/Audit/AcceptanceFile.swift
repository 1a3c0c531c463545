import Platform
import PumpModel

/// A file of accepted findings: a list under `accept`, each with `code`, `reason`, and `pump` and
/// `day` where it is not meant for all.
struct AcceptanceFile {
  /// Its path.
  let path: String

  /// Reads it.
  ///
  /// - Throws: `RunFailure`: 66 if there is none, 74 if it cannot be read, and 78 with the first thing
  ///   that is wrong in it and its place.
  func read() throws(RunFailure) -> [Acceptance] {
    let bytes = try bytes()
    do {
      return try Self.acceptances(of: YAMLReader.read(bytes))
    } catch let error as YAMLError {
      throw failure(
        PipelineProblem(
          error.reason, at: error.mark, next: "Docs/Audit.md tells how such a file is written."))
    } catch let error as Refusal {
      throw failure(error.problem)
    } catch {
      throw RunFailure(sorting: error, ledger: nil)
    }
  }

  private func bytes() throws(RunFailure) -> [UInt8] {
    do throws(InputError) {
      guard let place = FilePath(path) else { throw InputError(.missing) }
      // One byte more than is read tells the reader that the file is too large.
      return try InputFile.bytes(of: place, atMost: YAMLReader.maximalBytes + 1)
    } catch {
      throw RunFailure(
        error.kind == .failed ? .io : .inputMissing,
        what: "the file of accepted findings \(error.description)", where: path,
        next: "Check the path and the file.")
    }
  }

  private func failure(_ problem: PipelineProblem) -> RunFailure {
    RunFailure(
      .refused, what: problem.what,
      where: "\(path):\(problem.mark.line):\(problem.mark.column)", next: problem.next)
  }

  /// The first thing that is wrong.
  private struct Refusal: Error {
    let problem: PipelineProblem

    init(_ what: String, at mark: YAMLMark, next: String? = nil) {
      problem = PipelineProblem(what, at: mark, next: next)
    }
  }

  private static let keys = ["code", "pump", "day", "reason"]

  private static func acceptances(of node: YAMLNode) throws(Refusal) -> [Acceptance] {
    guard case .mapping(let entries) = node.content else {
      throw Refusal("the file has no key accept", at: node.mark, next: "Begin it with accept:")
    }
    if let other = entries.first(where: { $0.key != "accept" }) {
      throw Refusal(
        "there is no key \(other.key.prefix(60))", at: other.mark,
        next: "The file has one key, accept, with a list under it.")
    }
    guard let list = entries.first?.value, case .sequence(let nodes) = list.content else {
      throw Refusal(
        "accept takes a list", at: entries.first?.value.mark ?? node.mark,
        next: "Begin each with a dash: - code: …")
    }
    var acceptances: [Acceptance] = []
    for node in nodes {
      let acceptance = try acceptance(of: node)
      if let first = acceptances.first(where: { $0.isOfSame(as: acceptance) }) {
        throw Refusal(
          "the same findings are accepted twice, first in line \(first.line)", at: node.mark)
      }
      acceptances.append(acceptance)
    }
    return acceptances
  }

  private static func acceptance(of node: YAMLNode) throws(Refusal) -> Acceptance {
    guard case .mapping(let entries) = node.content else {
      throw Refusal(
        "an entry of accept takes keys, not a value", at: node.mark,
        next: "They are \(keys.joined(separator: ", ")).")
    }
    var values: [String: (text: String, mark: YAMLMark)] = [:]
    for entry in entries {
      guard keys.contains(entry.key) else {
        let near = NearestName.of(entry.key, in: keys)
        throw Refusal(
          "there is no key \(entry.key.prefix(60)) in accept", at: entry.mark,
          next: near.map { "Did you mean \($0)?" }
            ?? "The keys are \(keys.joined(separator: ", ")).")
      }
      guard case .scalar(let text) = entry.value.content else {
        throw Refusal("\(entry.key) takes one value", at: entry.value.mark)
      }
      guard text.contains(where: { !$0.isWhitespace }) else {
        throw Refusal("\(entry.key) has no value", at: entry.value.mark)
      }
      values[entry.key] = (text, entry.value.mark)
    }
    guard let code = values["code"] else {
      throw Refusal(
        "an entry of accept has no code", at: node.mark,
        next: "Add code: with one of Docs/Findings.md.")
    }
    guard let reason = values["reason"] else {
      throw Refusal(
        "an entry of accept has no reason", at: node.mark,
        next: "Add reason: with why the finding is accepted.")
    }
    var acceptance = Acceptance(
      try known(code.text, at: code.mark), reason: reason.text, line: node.mark.line)
    acceptance.pump = values["pump"]?.text
    if let day = values["day"] {
      acceptance.day = LocalDay(text: day.text)
      if acceptance.day == nil {
        throw Refusal(
          "day cannot be \"\(day.text.prefix(60))\"", at: day.mark,
          next: "It takes a day such as 2026-05-04.")
      }
    }
    return acceptance
  }

  private static func known(_ word: String, at mark: YAMLMark) throws(Refusal) -> FindingCode {
    if let code = FindingCode(rawValue: word) { return code }
    let near = NearestName.of(word, in: FindingCode.allCases.map(\.rawValue))
    throw Refusal(
      "no finding has the code \"\(word.prefix(60))\"", at: mark,
      next: near.map { "Did you mean \($0)?" } ?? "Docs/Findings.md lists the codes.")
  }
}

extension Acceptance {
  fileprivate func isOfSame(as other: Acceptance) -> Bool {
    code == other.code && pump == other.pump && day == other.day
  }
}
