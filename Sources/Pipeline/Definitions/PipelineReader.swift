import Emit
import Platform
import PumpModel

/// Makes a definition of a pipeline file's text, and collects everything that is wrong in it.
struct PipelineReader {
  private(set) var draft: PipelineDraft
  private var problems: [PipelineProblem] = []
  /// The outputs as they stand in the file.
  private var elements: [Element] = []

  private struct Element {
    let mark: YAMLMark
    let keys: Set<String>
  }

  private init(folder: String) { draft = PipelineDraft(folder: folder) }

  /// Reads a text; `folder` is that of its file, with a slash at its end, or empty, and `own` the
  /// file, which no run may write over.
  ///
  /// The definition is worth something only without problems.
  static func read(
    _ bytes: [UInt8], folder: String, own: String
  ) -> (definition: PipelineDefinition, problems: [PipelineProblem]) {
    var reader = PipelineReader(folder: folder)
    do throws(YAMLError) {
      reader.take(try YAMLReader.read(bytes), keys: PipelineSchema.sections, in: nil)
      reader.check()
      reader.checkOwn(own)
    } catch {
      reader.problems = [
        PipelineProblem(
          error.reason, at: error.mark, next: "Docs/Pipelines.md tells how such a file is written.")
      ]
    }
    reader.draft.request.zones.sort { ($0.from ?? .min) < ($1.from ?? .min) }
    return (
      PipelineDefinition(
        request: reader.draft.request, pull: reader.draft.account.pull(reader.draft.request),
        tests: reader.draft.tests),
      reader.problems.sorted { $0.mark < $1.mark }
    )
  }

  mutating func add(_ what: String, at mark: YAMLMark, next: String? = nil) {
    problems.append(PipelineProblem(what, at: mark, next: next))
  }

  /// Takes the keys of a mapping; `parent` is the key that it stands under.
  private mutating func take(_ node: YAMLNode, keys: [PipelineKey], in parent: String?) {
    guard case .mapping(let entries) = node.content else {
      let names = keys.map(\.name).joined(separator: ", ")
      add(
        parent.map { "\($0) takes keys, not a value" } ?? "the file has no sections", at: node.mark,
        next: "They are \(names); each begins a line of its own.")
      return
    }
    for entry in entries {
      if let key = keys.first(where: { $0.name == entry.key }) {
        take(entry.value, of: key)
      } else {
        problems.append(Self.unknown(entry, among: keys, in: parent))
      }
    }
  }

  private mutating func take(_ node: YAMLNode, of key: PipelineKey) {
    key.begin?(&draft, node.mark)
    switch key.kind {
    case .keys(let keys):
      guard case .scalar(let word) = node.content else {
        return take(node, keys: keys, in: key.name)
      }
      if let alone = keys.first(where: { $0.name == word })?.begin {
        alone(&draft, node.mark)
      } else if !word.isEmpty || key.begin == nil {
        take(node, keys: keys, in: key.name)
      }
    case .elements(let keys, let begin):
      guard case .sequence(let nodes) = node.content else {
        let first = keys.first?.name ?? ""
        add(
          "\(key.name) takes a list", at: node.mark, next: "Begin each with a dash: - \(first): …")
        return
      }
      for element in nodes {
        begin(&draft)
        elements.append(Element(mark: element.mark, keys: element.keys))
        take(element, keys: keys, in: key.name)
      }
    case .value(let value): take(node, value, of: key.name)
    }
  }

  private mutating func take(_ node: YAMLNode, _ value: PipelineValue, of name: String) {
    switch node.content {
    case .scalar(let text): take(PipelineWord(text: text, mark: node.mark), value, of: name)
    case .sequence(let nodes) where value.isList:
      for element in nodes {
        if case .scalar(let text) = element.content {
          take(PipelineWord(text: text, mark: element.mark), value, of: name)
        } else {
          add(
            "\(name) takes no lists or keys in its list", at: element.mark,
            next: "It takes \(value.form).")
        }
      }
    case .sequence:
      add("\(name) takes one value, not a list", at: node.mark, next: "It takes \(value.form).")
    case .mapping:
      add("\(name) takes no keys", at: node.mark, next: "It takes \(value.form).")
    }
  }

  private mutating func take(_ word: PipelineWord, _ value: PipelineValue, of name: String) {
    let form = "It takes \(value.form)."
    guard !word.text.isEmpty else {
      add("\(name) has no value", at: word.mark, next: form)
      return
    }
    let isChoice = value.choices.isEmpty || value.choices.contains(word.text)
    guard isChoice, value.take(&draft, word) else {
      let near = NearestName.of(word.text, in: value.choices).map { "Did you mean \($0)? " } ?? ""
      add("\(name) cannot be \"\(word.text.prefix(60))\"", at: word.mark, next: near + form)
      return
    }
  }

  private static func unknown(
    _ entry: YAMLNode.Entry, among keys: [PipelineKey], in parent: String?
  ) -> PipelineProblem {
    if credentials.contains(entry.key.lowercased()) {
      return PipelineProblem(
        "a pipeline holds no credentials", at: entry.mark,
        next: "Take the line out. For a pull, name the file that holds them: credentials under "
          + "tandem-source.")
    }
    let name = entry.key.prefix(60)
    let place = parent.map { " in \($0)" } ?? ""
    return PipelineProblem(
      "there is no key \(name)\(place)", at: entry.mark,
      next: advice(for: entry.key, among: keys, in: parent))
  }

  private static func advice(
    for name: String, among keys: [PipelineKey], in parent: String?
  ) -> String {
    if let near = NearestName.of(name, in: keys.map(\.name)) { return "Did you mean \(near)?" }
    for section in PipelineSchema.sections where section.name != parent {
      guard case .keys(let others) = section.kind else { continue }
      if let near = NearestName.of(name, in: others.map(\.name)) {
        return "Did you mean \(near), which stands in \(section.name)?"
      }
    }
    return "The keys are \(keys.map(\.name).joined(separator: ", "))."
  }

  private static let credentials: Set = [
    "password", "passwd", "email", "username", "user", "token", "secret", "credentials", "login",
  ]
}

extension PipelineReader {
  /// Checks what only several keys together show.
  private mutating func check() {
    checkZones()
    let selection = draft.request.selection
    if let from = selection.from, let until = selection.until, let mark = draft.untilMark,
      from.isCertainlyNotBefore(until)
    {
      add("until is not after from, so nothing would be shown", at: mark)
    }
    for (output, element) in zip(draft.request.outputs, elements) { check(output, element) }
    checkTargets()
    checkDemo()
    checkAccount()
  }

  private mutating func checkAccount() {
    guard let mark = draft.account.mark else { return }
    if draft.account.credentials == nil {
      add(
        "tandem-source has no credentials", at: mark,
        next: "Add credentials: with the path of a file that only you can read.")
    }
    if !draft.request.inputs.isEmpty {
      add(
        "a pipeline reads inputs or pulls from tandem-source, not both", at: mark,
        next: "Take one of the two out; two files may share a ledger.")
    }
    if draft.request.ledger == nil {
      add(
        "a pull needs a ledger, which remembers what was fetched", at: mark,
        next: "Add a section ledger with file: and a path.")
    }
  }

  private mutating func checkZones() {
    let database = ZoneDatabase()
    for (index, entry) in draft.zoneMarks.enumerated() {
      if draft.zoneMarks[..<index].contains(where: { $0.zone.from == entry.zone.from }) {
        add(
          "two zones hold from \(entry.zone.from == nil ? "the beginning" : "one time")",
          at: entry.mark,
          next: "For a trip, say from when: \(entry.zone.name)@2026-05-10T16:00")
      }
      do throws(ZoneError) {
        _ = try database.rules(named: entry.zone.name)
      } catch {
        let nearest = error.nearest.joined(separator: ", ")
        add(
          "\(error.name) is no time zone of the tz database", at: entry.mark,
          next: nearest.isEmpty
            ? "Give a name such as Europe/Berlin or America/New_York."
            : "Did you mean \(nearest)?")
      }
    }
  }

  private mutating func check(_ output: OutputRequest, _ element: Element) {
    if !element.keys.contains("file") {
      add(
        "an output has no file", at: element.mark,
        next: "Add file: with a path, or - for standard output.")
    } else if !element.keys.contains("format"), !output.target.isEmpty,
      SinkFormat(fileName: output.target) == nil
    {
      let formats = OutputRequest.formatNames.joined(separator: ", ")
      add(
        "the file's name does not tell the format", at: element.mark,
        next: "Add format: and one of \(formats).")
    }
  }

  private mutating func checkOwn(_ own: String) {
    for entry in draft.targetMarks where SameFile.isSame(entry.target, own) {
      add(
        "a run would write over the pipeline file itself", at: entry.mark,
        next: "Name another file.")
    }
  }

  private mutating func checkTargets() {
    for (index, entry) in draft.targetMarks.enumerated()
    where draft.targetMarks[..<index].contains(where: { $0.target == entry.target }) {
      add(
        "two things would be written to one place", at: entry.mark,
        next: "Give each output, the report and the ledger a place of its own.")
    }
  }
}

extension YAMLNode {
  /// The keys of a mapping; none of anything else.
  fileprivate var keys: Set<String> {
    guard case .mapping(let entries) = content else { return [] }
    return Set(entries.map(\.key))
  }
}
