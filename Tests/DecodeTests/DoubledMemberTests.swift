import Decode
import PumpModel
import Testing

/// JSON lets a name stand twice in an object, and readers differ in which value they take.
@Suite("Members that stand twice")
struct DoubledMemberTests {
  private static let amounts = "\"bolusId\":5,\"completionStatus\":3,\"insulinDelivered\":1"
  private static let good = EventText.event(20, number: 2, properties: amounts)

  /// The event with a member more, at its end, of its own or of its properties.
  private static func event(_ member: String, inside: Bool = false) -> String {
    guard !inside else { return EventText.event(20, properties: "\(amounts),\(member)") }
    return "\(EventText.event(20, properties: amounts).dropLast()),\(member)}"
  }

  @Test(
    "An event with a member twice is one reject, whether the values differ or not",
    arguments: [
      #""eventCode":20"#, #""eventCode":21"#, #""SequenceNumber":1"#, #""sequenceGroup":1"#,
      #""pumpDateTime":"2026-05-04T13:00:00""#, #""deviceAssignmentId":"another""#,
      #""eventProperties":{"bolusId":5,"completionStatus":3,"insulinDelivered":2}"#,
      #""eventProperties":null"#, #""eventCode":null"#, #""sequence\u004eumber":7"#,
    ])
  func members(_ member: String) {
    // Before and behind another, so that names are predicted and not.
    for events in [
      [Self.event(member), Self.good], [Self.good, Self.event(member)],
      [Self.event(member), Self.event(member), Self.good],
    ] {
      let recording = Recording.of(EventText.document(events))
      #expect(recording.records.map(\.number) == [2])
      #expect(recording.rejects.count == events.count - 1)
      #expect(recording.verdict == .whole(.pumpLogs))
    }
  }

  @Test(
    "Properties that rules need stand once, and others are of no account",
    arguments: [
      (#""insulinDelivered":2"#, 1), (#""insulinDelivered":1"#, 1), (#""bolusId":null"#, 1),
      (#""InsulinDelivered":2"#, 1), (#""unheardOf":1,"unheardOf":2"#, 0), (#""iob":1,"iob":2"#, 0),
    ])
  func properties(_ member: String, rejects: Int) {
    let recording = Recording.of(
      EventText.document([Self.event(member, inside: true), Self.good]))
    #expect(recording.rejects.count == rejects)
    #expect(recording.records.count == 2 - rejects)
  }

  @Test("Properties that come before the code that tells their kind are looked at too")
  func lateCode() {
    let event = """
      {"eventProperties":{\(Self.amounts),"insulinDelivered":2},"sequenceNumber":1,
      "pumpDateTime":"2026-05-04T12:00:00","eventCode":20}
      """
    let recording = Recording.of(EventText.document([event, Self.good]))
    #expect(recording.records.map(\.number) == [2])
    #expect(recording.rejects.count == 1)
  }

  @Test("Lists of events that stand twice are both read")
  func lists() {
    let lists = [Self.good, Self.event("\"x\":1")].map { "\"events\":[\($0)]" }
    let recording = Recording.of("{\(lists.joined(separator: ","))}")
    #expect(recording.records.map(\.number) == [2, 1])
  }

  @Test(
    "A pump of an account that has a serial number or an assignment twice is none",
    arguments: [#""serialNumber":"902""#, #""assignmentId":"a2""#])
  func pumps(_ member: String) {
    let recording = Recording.of(
      """
      {"pumps":[{"assignmentId":"a1","serialNumber":"901",\(member)},
      {"assignmentId":"a3","serialNumber":"903"}]}
      """)
    #expect(recording.facts.map(\.serial) == ["903"])
    #expect(recording.rejects.count == 1)
  }

  @Test("A piece of fetched time that says something twice is one reject")
  func fetchedTime() {
    let piece = #""from":"2026-05-04T00:00:00","until":"2026-05-05T00:00:00","state":"held""#
    let recording = Recording.of(
      #"{"pumplineFetched":[{"assignmentId":"a",\#(piece),"until":"2026-05-06T00:00:00"}]}"#)
    #expect(recording.fetched == [])
    #expect(recording.rejects.count == 1)
  }

  @Test("Each text of a response is a document, and so are those of lists that stand twice")
  func captures() {
    func quoted(_ text: String) -> String {
      "\"\(text.replacing("\"", with: "\\\"").replacing("\n", with: ""))\""
    }
    func document(_ number: Int) -> String {
      quoted(EventText.document([EventText.event(20, number: number, properties: Self.amounts)]))
    }
    let entries =
      "\"entries\":[{\"response\":{\"content\":{\"text\":\(document(1)),"
      + "\"text\":\"\",\"text\":\(document(2))}}}]"
    let second = "\"entries\":[{\"response\":{\"content\":{\"text\":\(document(3))}}}]"
    for capture in [
      "{\"log\":{\(entries),\(second)}}", "{\"log\":{\(entries)},\"log\":{\(second)}}",
    ] {
      let recording = Recording.of(capture)
      #expect(recording.records.map(\.number) == [1, 2, 3])
      #expect(recording.verdicts.last == .whole(.har))
    }
  }
}
