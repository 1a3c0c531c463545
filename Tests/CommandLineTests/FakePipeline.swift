import Pipeline
import Platform
import PumpModel
import Synchronization

@testable import pumpline

/// A pipeline that answers what a test wants and remembers what it was asked.
final class FakePipeline: PipelineCommands {
  private let answer: Result<ConvertSummary, RunFailure>
  private let inspection: InspectSummary
  private let definition: PipelineDefinition
  private let validation: ValidateSummary
  private let progress: [RunProgress]
  private let filtering: FilterSummary
  private let filtered = Mutex<FilterRequests>(FilterRequests())
  private let status: LedgerStatus
  private let totals: LedgerTotals
  private let verification: LedgerVerification
  private let forgotten: ForgetSummary
  private let asked = Mutex(Asked())
  private let account: LoginSummary
  private let pulling: PullSummary
  private let explanation: Explanation
  let comparison: (differences: [ExplainedDifference], summary: ComparisonSummary)
  private let pulled = Mutex(Pulled())

  private struct Pulled {
    var login: LoginRequest?
    var pull: PullRequest?
  }

  private struct Asked {
    var convert: ConvertRequest?
    var inspect: InspectRequest?
    var definition: String?
    var validate: ValidateRequest?
    var ledger: LedgerRequest?
    var totals: LedgerTotalsRequest?
    var forget: ForgetRequest?
    var demo: DemoRequest?
    var diff: DiffRequest?
    var audit: AuditRequest?
    var explain: ExplainRequest?
  }

  init(
    _ answer: Result<ConvertSummary, RunFailure> = .success(ConvertSummary()),
    inspection: InspectSummary = InspectSummary(),
    definition: PipelineDefinition = FakePipeline.definition,
    validation: ValidateSummary = ValidateSummary(), progress: [RunProgress] = [],
    filtering: FilterSummary = FilterSummary(),
    status: LedgerStatus = LedgerStatus(kind: nil, schema: 1, bytes: 0),
    totals: LedgerTotals = LedgerTotals(isByWeek: false),
    verification: LedgerVerification = LedgerVerification(),
    forgotten: ForgetSummary = ForgetSummary(), account: LoginSummary = LoginSummary(pumps: []),
    pulling: PullSummary = PullSummary(),
    comparison: (differences: [ExplainedDifference], summary: ComparisonSummary) = (
      [], FakePipeline.nothingDiffers
    ), explanation: Explanation = Explanation()
  ) {
    self.explanation = explanation
    self.comparison = comparison
    self.account = account
    self.pulling = pulling
    self.filtering = filtering
    self.answer = answer
    self.inspection = inspection
    self.definition = definition
    self.validation = validation
    self.progress = progress
    self.status = status
    self.totals = totals
    self.verification = verification
    self.forgotten = forgotten
  }

  /// A pipeline file that says what is read and where it goes.
  static let definition: PipelineDefinition = {
    var request = ConvertRequest(inputs: ["a.json"])
    request.outputs = [OutputRequest(format: "csv", target: "x.csv")]
    return PipelineDefinition(request: request)
  }()

  /// Two outputs of one sample that is the same.
  static let nothingDiffers: ComparisonSummary = {
    var summary = ComparisonSummary()
    summary.sets = [
      ComparedSet(name: "a.csv", form: .csv), ComparedSet(name: "export.zip", form: .appleHealth),
    ]
    for index in summary.sets.indices { summary.sets[index].samples = 1 }
    summary.matchedByID = 1
    return summary
  }()

  /// What filters were asked.
  struct FilterRequests {
    var decode: DecodeRequest?
    var deduplicate: DeduplicateRequest?
    var emit: EmitRequest?
  }

  var filterRequests: FilterRequests { filtered.withLock { $0 } }
  var ledgerRequest: LedgerRequest? { asked.withLock { $0.ledger } }
  var totalsRequest: LedgerTotalsRequest? { asked.withLock { $0.totals } }
  var diffRequest: DiffRequest? { asked.withLock { $0.diff } }
  var explainRequest: ExplainRequest? { asked.withLock { $0.explain } }
  var auditRequest: AuditRequest? { asked.withLock { $0.audit } }
  var demoRequest: DemoRequest? { asked.withLock { $0.demo } }
  var forgetRequest: ForgetRequest? { asked.withLock { $0.forget } }

  var loginRequest: LoginRequest? { pulled.withLock { $0.login } }
  var pullRequest: PullRequest? { pulled.withLock { $0.pull } }

  var convertRequest: ConvertRequest? { asked.withLock { $0.convert } }
  var inspectRequest: InspectRequest? { asked.withLock { $0.inspect } }
  var definitionPath: String? { asked.withLock { $0.definition } }
  var validateRequest: ValidateRequest? { asked.withLock { $0.validate } }

  func convert(
    _ request: ConvertRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> ConvertSummary {
    asked.withLock { $0.convert = request }
    events(.reading(document: "a.json"))
    if request.tellsProgress { for step in progress { events(.progress(step)) } }
    events(.waiting(ledger: "pump.ledger"))
    return try answer.get()
  }

  func inspect(
    _ request: InspectRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> InspectSummary {
    asked.withLock { $0.inspect = request }
    return inspection
  }

  func definition(at path: String) throws(RunFailure) -> PipelineDefinition {
    asked.withLock { $0.definition = path }
    return definition
  }

  func demo(
    _ request: DemoRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> DemoSummary {
    asked.withLock { $0.demo = request }
    var summary = DemoSummary()
    summary.archives = request.formats.map { format in
      DemoSummary.Archive(
        path: "\(request.folder)/\(format.rawValue).zip", format: format, documents: 3,
        serial: format == .records ? "DEMO0000001" : nil)
    }
    return summary
  }

  func validate(_ request: ValidateRequest) throws(RunFailure) -> ValidateSummary {
    asked.withLock { $0.validate = request }
    return validation
  }

  func decode(
    _ request: DecodeRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary {
    filtered.withLock { $0.decode = request }
    return filtering
  }

  func deduplicate(
    _ request: DeduplicateRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary {
    filtered.withLock { $0.deduplicate = request }
    return filtering
  }

  func emit(
    _ request: EmitRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> FilterSummary {
    filtered.withLock { $0.emit = request }
    return filtering
  }

  func diff(
    _ request: DiffRequest, events: (RunEvent) -> Void,
    report: (ExplainedDifference) throws(RunFailure) -> Void
  ) throws(RunFailure) -> ComparisonSummary {
    asked.withLock { $0.diff = request }
    for difference in comparison.differences { try report(difference) }
    return comparison.summary
  }

  func audit(
    _ request: AuditRequest, events: (RunEvent) -> Void,
    report: (ExplainedDifference) throws(RunFailure) -> Void
  ) throws(RunFailure) -> ComparisonSummary {
    asked.withLock { $0.audit = request }
    for difference in comparison.differences { try report(difference) }
    return comparison.summary
  }

  func explain(
    _ request: ExplainRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> Explanation {
    asked.withLock { $0.explain = request }
    return explanation
  }

  func ledgerStatus(_ request: LedgerRequest) throws(RunFailure) -> LedgerStatus {
    asked.withLock { $0.ledger = request }
    return status
  }

  func ledgerTotals(_ request: LedgerTotalsRequest) throws(RunFailure) -> LedgerTotals {
    asked.withLock { $0.totals = request }
    return totals
  }

  func verifyLedger(_ request: LedgerRequest) throws(RunFailure) -> LedgerVerification {
    asked.withLock { $0.ledger = request }
    return verification
  }

  func logIn(_ request: LoginRequest) throws(RunFailure) -> LoginSummary {
    pulled.withLock { $0.login = request }
    return account
  }

  func pull(
    _ request: PullRequest, events: (RunEvent) -> Void
  ) throws(RunFailure) -> PullSummary {
    pulled.withLock { $0.pull = request }
    let day = LocalDay(daysSince1970: 20_577)
    events(.fetched(pump: "90000001", days: day...day, records: 12))
    return pulling
  }

  func forget(
    _ request: ForgetRequest, confirm: (ForgetSummary) throws(RunFailure) -> Bool
  ) throws(RunFailure) -> ForgetSummary {
    asked.withLock { $0.forget = request }
    var summary = forgotten
    summary.isDone = try confirm(summary)
    return summary
  }
}

/// Runs a command line and gives back all that came out.
func run(
  _ line: String, pipeline: FakePipeline = FakePipeline(),
  surroundings: Surroundings = Surroundings(locale: "C.UTF-8"),
  outputResult: Terminal.WriteResult = .written, typing answer: String? = nil,
  secretly secret: String? = nil
) -> (status: ExitStatus, output: String, error: String) {
  let texts = Texts()
  var invocation = Invocation(
    pipeline: pipeline, surroundings: surroundings,
    write: { text, stream in
      texts.add(text, stream)
      return stream == .output ? outputResult : .written
    }, readLine: { answer }, readSecret: { secret })
  let status = invocation.run(arguments(line))
  return (status, texts.output, texts.error)
}

/// The words of a line, without a leading `pumpline`.
func arguments(_ line: String) -> [String] {
  let words = line.split(separator: " ").map(String.init)
  return words.first == "pumpline" ? Array(words.dropFirst()) : words
}

private final class Texts {
  private(set) var output = ""
  private(set) var error = ""

  func add(_ text: String, _ stream: Terminal.Stream) {
    if stream == .output { output += text } else { error += text }
  }
}
