import Pipeline
import TestSupport
import Testing

/// Glucose samples are made from the first run on that asks for them, and stay.
@Suite("Glucose in a ledger")
struct GlucoseTests {
  private let work: Workspace

  init() throws {
    work = try Workspace()
    let records = SyntheticPump(SyntheticPump.Options(days: 1)).prefix(600)
    try work.write("a.bin", RecordEncoder.document(records))
  }

  private func request(glucose: Bool) -> ConvertRequest {
    var request = work.request(["a.bin"])
    request.serial = "90000001"
    request.ledger = work.path("ledger")
    request.selection.includesGlucose = glucose
    return request
  }

  private var glucose: [String] { work.samples.filter { $0.contains("\"glucose.") } }

  @Test("is there when it is asked for, whatever was asked before")
  func later() throws {
    try work.convert(request(glucose: false))
    let insulin = work.samples
    #expect(glucose.isEmpty)
    let asked = try work.report(request(glucose: true))
    #expect(!glucose.isEmpty)
    #expect(asked.changes.fresh == glucose.count)
    #expect(asked.changes.unchanged == insulin.count)
    let readings = glucose
    try work.convert(request(glucose: false))
    #expect(work.samples == insulin)
    let again = try work.report(request(glucose: true))
    #expect(glucose == readings)
    #expect(again.changes.withdrawn == 0)
    #expect(again.changes.fresh == 0)
  }

  @Test("is the same as in a ledger that was asked from the beginning")
  func fromTheBeginning() throws {
    try work.convert(request(glucose: false))
    try work.convert(request(glucose: true))
    let later = work.samples
    var fresh = request(glucose: true)
    fresh.ledger = nil
    try work.convert(fresh)
    #expect(work.samples == later)
  }
}
