import Testing

@testable import Extract

/// What stands in a file of credentials, and what is no such file.
@Suite struct CredentialsTests {
  private func read(_ text: String) throws -> Credentials {
    try Credentials(lines: Array(text.utf8))
  }

  @Test(arguments: [
    #"p#a$s"w"#, " spaces around ", "a=b==", "'quoted'", #"back\slash"#, "ünïcode🙂", "$HOME", "#",
  ])
  func allBehindTheFirstEqualSignCounts(password: String) throws {
    for ending in ["\n", "\r\n", ""] {
      let text = "# a comment\n\nTANDEM_EMAIL=a@b.c\(ending == "" ? "\n" : ending)TANDEM_PASSWORD="
      let credentials = try read(text + password + ending)
      #expect(credentials.email == "a@b.c")
      #expect(credentials.password == password)
    }
  }

  @Test(arguments: [
    ("TANDEM_EMAIL=a\nPASSWORD=b", Credentials.Fault.line(2)), ("hello", .line(1)),
    ("TANDEM_EMAIL=a\nTANDEM_EMAIL=b", .twice("TANDEM_EMAIL")),
    ("TANDEM_EMAIL=a\n", .missing("TANDEM_PASSWORD")),
    ("TANDEM_EMAIL=\nTANDEM_PASSWORD=b", .missing("TANDEM_EMAIL")),
    (" TANDEM_EMAIL=a\nTANDEM_PASSWORD=b", .line(1)),
  ])
  func whatIsWrongIsNamedWithoutAWordOfIt(text: String, fault: Credentials.Fault) {
    #expect(throws: fault) { try read(text) }
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: Credentials.Fault.notText) { try Credentials(lines: [0xFF, 0x3D]) }
  }

  @Test func nothingShowsThem() throws {
    let credentials = try read("TANDEM_EMAIL=a@b.c\nTANDEM_PASSWORD=sesame")
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped] {
      #expect(!text.contains("sesame"))
      #expect(!text.contains("a@b.c"))
    }
  }
}
