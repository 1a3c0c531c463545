import PumpModel
import Testing

@testable import Emit

@Suite struct CSVSinkTests {
  @Test func `a table looks as the golden shows`() throws {
    try expectGolden("samples.csv", text(CSVForm(try Fixture.context), [Fixture.batch]))
  }

  @Test func `an empty table has its columns`() throws {
    let table = try text(CSVForm(try Fixture.emptyContext), [])
    #expect(
      table == """
        external_id,device,type,value,unit,start_utc,end_utc,start_local,end_local,zone,revision,\
        part,automatic,deliveredBy,requested,status,override,rate,rateSource,inferred,dataSource\
        \r\n
        """)
  }

  @Test func `made-up data says so`() throws {
    let sample = Fixture.sample(.carbs, 1, "2026-05-04T16:30:00", amount: 5000) {
      $0.flags = [.demo]
    }
    let table = try text(CSVForm(try Fixture.context), [Fixture.batch(of: [(sample, 0)])])
    #expect(table.hasSuffix(",syntheticDemo\r\n"))
    let derived = Fixture.sample(.basal, 1, "2026-05-04T16:30:00", amount: 5000) {
      $0.flags = [.derived]
    }
    #expect(
      try text(CSVForm(try Fixture.context), [Fixture.batch(of: [(derived, 0)])])
        .hasSuffix(",derived\r\n"))
  }

  @Test func `a pump that is named like a formula stays text`() throws {
    let table = try text(CSVForm(try Fixture.context), [Fixture.batch])
    #expect(table.contains("\r\n\"tandem:=cmd,\"\"A\"\":csv-"))
    #expect(table.contains(",\"'=cmd,\"\"A\"\"\",insulin.bolus,10,IU,"))
  }
}
