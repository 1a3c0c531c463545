import Foundation
import Pipeline
import PumpModel
import TestSupport
import Testing

@Suite("The page that an audit writes")
struct AuditPageTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    try work.writeOutputs()
  }

  private func request(_ output: String, sources: Bool = true) -> AuditRequest {
    var inputs = work.sources
    if !sources { inputs.inputs = [] }
    var request = AuditRequest(output: work.path(output), sources: inputs)
    request.page = work.path("page.html")
    return request
  }

  private func page(_ request: AuditRequest) throws -> String {
    _ = try PumplinePipeline().audit(request) { _ in
    } report: { _ in
    }
    return try #require(work.text("page.html"))
  }

  @Test("Only its owner can read it")
  func mode() throws {
    _ = try page(request("out.csv"))
    let attributes = try FileManager.default.attributesOfItem(atPath: work.path("page.html"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("It is the same of every form of an output, by itself", arguments: Workspace.outputNames)
  func forms(name: String) throws {
    func days(_ page: String) -> Substring {
      page[(page.range(of: "id=\"months\"")?.lowerBound ?? page.startIndex)...]
    }
    var csv = request("out.csv", sources: false)
    var other = request(name, sources: false)
    // NDJSON tells no zone, so it is named.
    (csv.sources.zones, other.sources.zones) = (work.sources.zones, work.sources.zones)
    let table = try page(csv)
    #expect(try days(page(other)) == days(table))
    csv.sources.zones = []
    #expect(try days(page(csv)) == days(table))
  }

  @Test("It has every bolus of the output, and the clock and holes of the sources")
  func content() throws {
    let page = try page(request("out.csv"))
    let boluses = (work.text("out.csv") ?? "").split(separator: "\r\n").count {
      $0.contains(",bolus,") || $0.contains("insulin.bolus")
    }
    let data = try #require(page.range(of: "id=\"days\">")).upperBound
    let told = page[data...].prefix(while: { $0 != "<" }).split(separator: "\n").reduce(0) {
      let fields = $1.split(separator: "|", omittingEmptySubsequences: false)
      return $0 + (fields[3].isEmpty ? 0 : fields[3].split(separator: ",").count)
    }
    #expect(boluses > 0)
    #expect(told == boluses)
    #expect(page.contains("<h3>Pump <bdi>90000001</bdi></h3>"))
    #expect(page.contains("The output is what its sources give"))
  }

  @Test("Each finding and difference links to a day that the page has")
  func links() throws {
    try work.tamper("out.csv", to: "bad.csv") { lines in
      let bolus = lines.firstIndex { $0.contains(":bolus,") } ?? 0
      lines.insert(lines[bolus].replacing(":bolus,", with: ":bolus~2,"), at: bolus)
    }
    try work.write(
      "accepted.yaml", Array("accept:\n  - {code: sample-doubled, reason: a <b> test}\n".utf8))
    var request = request("bad.csv")
    request.accepted = work.path("accepted.yaml")
    let page = try page(request)
    #expect(page.contains("<q>a &lt;b&gt; test</q>"))
    #expect(page.contains("<h3>Differences (1)</h3>"))
    let links = page.matches(of: /<li><strong>[^<]*<\/strong> <a href="#(d[0-9-]+)">/)
    #expect(links.count >= 2)
    for link in links { #expect(page.contains("<tr id=\"\(link.1)\">")) }
  }

  @Test("It is not written over what the audit reads, nor to standard output")
  func place() throws {
    for path in [work.path("out.csv"), work.path("logs-1.json"), "-"] {
      var request = request("out.csv")
      request.page = path
      let failure = #expect(throws: RunFailure.self) { try page(request) }
      #expect(failure?.exitStatus == .usage)
    }
    var request = request("out.csv")
    request.page = work.path("nowhere/page.html")
    #expect(throws: RunFailure.self) { try page(request) }
    #expect(work.text("out.csv")?.hasPrefix("<") == false)
  }

  @Test("A run that fails leaves none")
  func failing() throws {
    var request = request("out.csv")
    request.sources.inputs = [work.path("nothing.zip")]
    #expect(throws: RunFailure.self) { try page(request) }
    #expect(work.text("page.html") == nil)
  }
}
