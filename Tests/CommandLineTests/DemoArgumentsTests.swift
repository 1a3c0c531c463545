import Pipeline
import PumpModel
import Testing

@testable import pumpline

/// What `demo` makes of its options, and what it says.
@Suite struct DemoArgumentsTests {
  private func request(_ line: String) -> DemoRequest? {
    let pipeline = FakePipeline()
    let result = run(line, pipeline: pipeline)
    #expect(result.status == .ok, "\(result.error)")
    return pipeline.demoRequest
  }

  @Test func theDefaultIsAFortnightOfOnePump() {
    #expect(request("pumpline demo -o made-up") == DemoRequest(folder: "made-up"))
  }

  @Test func optionsBecomeTheRequest() {
    var expected = DemoRequest(folder: "d")
    expected.plan.seed = 18_446_744_073_709_551_615
    expected.plan.days = 366
    expected.plan.pumps = 9
    expected.formats = [.records, .sourceCSV]
    #expect(
      request(
        "pumpline demo --seed 18446744073709551615 --days 366 --pumps 9 "
          + "--formats source-csv,records --output d") == expected)
    #expect(request("pumpline demo -o d --formats all")?.formats == DemoRequest.formats)
    #expect(
      request("pumpline demo -o d --formats har --formats btsnoop")?.formats == [.har, .btsnoop])
  }

  @Test(arguments: [
    "demo", "demo -o -", "demo -o d --days 0", "demo -o d --days 367", "demo -o d --pumps 10",
    "demo -o d --seed -1", "demo -o d --seed 1.5", "demo -o d --formats pumper", "demo d -o d",
  ])
  func whatCannotBeIsUsage(line: String) {
    let pipeline = FakePipeline()
    let result = run("pumpline " + line, pipeline: pipeline)
    #expect(result.status == .usage, "\(result.error)")
    #expect(pipeline.demoRequest == nil)
  }

  @Test func theSummarySaysWhatToDoNext() {
    let plain = run("pumpline demo -o d").error
    #expect(plain.contains("d/pump-logs.zip (pump-logs, 3 documents)"))
    #expect(plain.contains("pumpline convert d/pump-logs.zip --zone America/New_York -o demo.csv"))
    #expect(plain.contains("nobody got this insulin"))
    let records = run("pumpline demo -o d --formats records").error
    #expect(records.contains("--zone America/New_York --serial DEMO0000001 -o demo.csv"))
    #expect(run("pumpline demo -o d --quiet").error.isEmpty)
  }

  @Test func aPipelineMayMakeUpWhatItReads() throws {
    var definition = FakePipeline.definition
    definition.request.inputs = []
    definition.request.demo = DemoPlan()
    var pipeline = FakePipeline(definition: definition)
    #expect(run("pumpline run a.yaml", pipeline: pipeline).status == .ok)
    #expect(pipeline.convertRequest?.demo == DemoPlan())
    pipeline = FakePipeline(definition: definition)
    #expect(run("pumpline run a.yaml --input b.json", pipeline: pipeline).status == .ok)
    #expect(pipeline.convertRequest?.demo == nil)
    #expect(pipeline.convertRequest?.inputs == ["b.json"])
  }
}
