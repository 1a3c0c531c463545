import Testing

@testable import Extract

/// The JSON of small answers.
@Suite struct ReplyJSONTests {
  private func value(_ text: String) -> ReplyValue? { ReplyJSON.value(of: Array(text.utf8)) }

  @Test func valuesAreRead() {
    let value = value(#" {"a":[1,-2.5e+3,true,false,null],"b":"x\"\u00e9\ud83d\ude42\n","d":{}} "#)
    #expect(value?["b"]?.text == "x\"é🙂\n")
    #expect(value?["d"] == .object([]))
    #expect(value?["c"] == nil)
    #expect(self.value("[12, 3.9, \"4\"]")?.elements?.map(\.integer) == [12, 3, nil])
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "{'a':1}", "01", "1.", "-", "tru", "[1] x", "\"a", "\"\\x\"",
    "\"\\ud83d\"", "\"a\nb\"", "{\"a\" 1}", "nul", "+1", "[1 2]", "<html>",
  ])
  func whatIsNoJSONIsRefused(text: String) {
    #expect(value(text) == nil)
    #expect(ReplyJSON.lists(of: Array("{\"a\":[\(text)]}".utf8))?.isEmpty ?? true || text.isEmpty)
  }

  @Test(arguments: [#"{"a":1,"a":1}"#, #"[{"x":{"aud":"me","\u0061ud":"you"}}]"#])
  func noKeyStandsTwice(text: String) {
    #expect(value(text) == nil)
  }

  @Test func numbersTooLargeAreNone() {
    let numbers = value("[1e400, 99999999999999999999, -1e19]")?.elements
    #expect(numbers?.count == 3 && numbers?.allSatisfy { $0.integer == nil } == true)
  }

  @Test func depthHasAnEnd() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(value(deep) == nil)
    #expect(value(String(repeating: "[", count: 63) + String(repeating: "]", count: 63)) != nil)
  }

  @Test func listsOfAnObjectAreNamedWithoutBeingKept() {
    let text = #"{"events":[{"x":[1]}],"n":1,"clockChanges":[]}"#
    #expect(ReplyJSON.lists(of: Array(text.utf8)) == ["events", "clockChanges"])
    for end in 1..<text.utf8.count {
      #expect(ReplyJSON.lists(of: Array(text.utf8.prefix(end))) == nil)
    }
    #expect(ReplyJSON.lists(of: Array("[]".utf8)) == nil)
  }
}
