import Foundation
import PumpModel
import Testing

@testable import Emit

@Suite struct SamplesSinkTests {
  @Test func `samples look as the golden shows`() throws {
    try expectGolden("samples.ndjson", text(SamplesForm(try Fixture.context), [Fixture.batch]))
  }

  @Test func `every line is JSON with the same keys`() throws {
    let lines = try text(SamplesForm(try Fixture.context), [Fixture.batch]).split(separator: "\n")
    #expect(lines.count == Fixture.rows.count - 1)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?.count == 9)
      #expect(object?["value"] is String)
      let metadata = try #require(object?["metadata"] as? [String: Any])
      #expect(metadata.values.allSatisfy { $0 is String })
    }
  }

  @Test func `nothing comes of nothing`() throws {
    #expect(try text(SamplesForm(try Fixture.emptyContext), []) == "")
  }

  @Test func `the cut into batches does not show`() throws {
    let single = Fixture.samples.map { Fixture.batch(of: [$0]) }
    let form = SamplesForm(try Fixture.context)
    #expect(try text(form, single) == text(form, [Fixture.batch]))
  }
}
