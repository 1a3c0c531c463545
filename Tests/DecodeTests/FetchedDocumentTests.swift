import Decode
import PumpModel
import TestSupport
import Testing

/// What a pull writes of fetched time beside the answers that it keeps.
@Suite("Documents of fetched time")
struct FetchedDocumentTests {
  static let document = """
    {"pumplineFetched":[
     {"assignmentId":"a\\u0031","from":"2026-05-04T00:00:00","until":"2026-05-06T12:00:01",\
    "state":"held"},
     {"state":"emptyTwice","until":"2026-06-01T00:00:00","from":"2026-05-08T00:00:00",\
    "assignmentId":"b","later":[1,{"x":2}]}]}
    """

  @Test("A piece has a pump, a time of its clock and what is proven of it")
  func pieces() {
    let recording = Recording.of(Self.document)
    let may = CivilTime.days(year: 2026, month: 5, day: 4) * 86_400
    #expect(
      recording.fetched == [
        FetchedStatement(
          assignment: "a1", range: FetchedRange(may..<may + 2 * 86_400 + 43_201, .held)),
        FetchedStatement(
          assignment: "b",
          range: FetchedRange(may + 4 * 86_400..<may + 28 * 86_400, .emptyTwice)),
      ])
    #expect(recording.verdict == .whole(.fetched))
    #expect(recording.rejects == [])
  }

  @Test(
    "A piece that does not say all of it, or says it wrongly, is one reject",
    arguments: [
      "{}", "7", #"{"assignmentId":"a","from":"2026-05-04T00:00:00","state":"held"}"#,
      #"{"assignmentId":"","from":"2026-05-04T00:00:00","until":"2026-05-05T00:00:00","state":"held"}"#,
      #"{"assignmentId":"a","from":"2026-05-04T00:00:00","until":"2026-05-04T00:00:00","state":"held"}"#,
      #"{"assignmentId":"a","from":"2026-05-05T00:00:00","until":"2026-05-04T00:00:00","state":"held"}"#,
      #"{"assignmentId":"a","from":"2026-02-30T00:00:00","until":"2026-05-04T00:00:00","state":"held"}"#,
      #"{"assignmentId":"a","from":"2007-12-31T23:59:59","until":"2026-05-04T00:00:00","state":"held"}"#,
      #"{"assignmentId":"a","from":"2026-05-04T00:00:00","until":"2200-05-04T00:00:00","state":"held"}"#,
      #"{"assignmentId":"a","from":"2026-05-04","until":"2026-05-05T00:00:00","state":"held"}"#,
      #"{"assignmentId":"a","from":"2026-05-04T00:00:00","until":"2026-05-05T00:00:00","state":"all"}"#,
      #"{"assignmentId":1,"from":"2026-05-04T00:00:00","until":"2026-05-05T00:00:00","state":"held"}"#,
    ])
  func rejects(piece: String) {
    let good =
      #"{"assignmentId":"a","from":"2026-05-04T00:00:00","until":"2026-05-05T00:00:00","state":"held"}"#
    let recording = Recording.of(#"{"pumplineFetched":[\#(good),\#(piece)]}"#)
    #expect(recording.fetched.count == 1)
    #expect(recording.rejects.count == 1)
    #expect(recording.verdict == .whole(.fetched))
  }

  @Test("An empty list is one, and a value in its place is none")
  func shapes() {
    #expect(Recording.of(#"{"pumplineFetched":[]}"#).verdict == .whole(.fetched))
    #expect(Recording.of(#"{"x":{"pumplineFetched":[]}}"#).verdict == .unrecognised)
  }
}
