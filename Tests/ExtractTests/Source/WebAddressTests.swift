import PumpModel
import TestSupport
import Testing

@testable import Extract

/// Where credentials may go, and where not.
@Suite struct WebAddressTests {
  @Test func anAddressIsTakenApart() throws {
    let address = try #require(
      WebAddress("https://TDCservices.tandemdiabetes.com:8443/a/b?x=1&y=%20z#f"))
    #expect(address.host == "tdcservices.tandemdiabetes.com")
    #expect(address.port == 8443)
    #expect(address.path == "/a/b")
    #expect(address.value(of: "y") == " z")
    #expect(address.value(of: "z") == nil)
    #expect(address.origin == "https://tdcservices.tandemdiabetes.com:8443")
    #expect(WebAddress("https://a.b:443/")?.origin == "https://a.b")
  }

  @Test(arguments: [
    "ftp://a.b", "https://", "https://user@a.b/", "https://a.b:0", "https://a.b:x", "https://a b",
    "https://a.b\\@c.d", "javascript:x", "", "https://a.b:70000", "https://ä.b", "https://[::1",
  ])
  func whatIsOddIsNoAddress(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test(arguments: [
    ("https://sso.tandemdiabetes.com", true), ("https://source.eu.tandemdiabetes.com/x", true),
    ("http://sso.tandemdiabetes.com", false), ("https://tandemdiabetes.com.evil.example", false),
    ("https://eviltandemdiabetes.com", false), ("http://127.0.0.1:8080", true),
    ("http://localhost:1", true), ("http://[::1]:1", true),
    ("http://127.0.0.1.evil.example", false),
    ("http://128.0.0.1", false), ("http://127.0.0.1x", false), ("https://127.1", false),
  ])
  func credentialsGoToTandemAndThisComputerOnly(text: String, isAllowed: Bool) {
    #expect(WebAddress(text)?.isAllowed ?? false == isAllowed)
  }

  @Test func redirectsAreResolved() throws {
    let address = try #require(WebAddress("https://a.b/c/d?x=1"))
    #expect(address.resolving("/e?y=2")?.text == "https://a.b/e?y=2")
    #expect(address.resolving("//c.d/e")?.text == "https://c.d/e")
    #expect(address.resolving("https://c.d")?.text == "https://c.d")
    #expect(address.resolving("d") == nil)
  }

  @Test func regionsHaveTheirHosts() {
    #expect(SourceEndpoints(.us).redirect.text == "https://sso.tandemdiabetes.com/auth/callback")
    #expect(
      SourceEndpoints(.eu).redirect.text
        == "https://source.eu.tandemdiabetes.com/authorize/callback")
    #expect(SourceEndpoints(.us).clientID != SourceEndpoints(.eu).clientID)
  }

  @Test func aFileOfEndpointsLeadsToThisComputer() throws {
    let base = "http://127.0.0.1:9999"
    let file =
      #"{"sso":"\#(base)","services":"\#(base)/","source":"https://source.tandemdiabetes.com"}"#
    let endpoints = try SourceEndpoints(json: Array(file.utf8), region: .us)
    #expect(endpoints.redirect.text == base + "/auth/callback")
    #expect(endpoints.services.appending("/x").text == base + "/x")
  }

  @Test(arguments: [
    (#"[]"#, SourceEndpoints.FileFault.form), (#"{"sso":"http://127.0.0.1"}"#, .form),
    (#"{"sso":1,"services":"http://127.0.0.1","source":"http://127.0.0.1"}"#, .form),
    (
      #"{"sso":"http://127.0.0.1","services":"https://evil.example","source":"http://127.0.0.1"}"#,
      .host(key: "services")
    ),
    (
      #"{"sso":"http://127.0.0.1/x","services":"http://127.0.0.1","source":"http://127.0.0.1"}"#,
      .host(key: "sso")
    ),
  ])
  func otherHostsAreRefused(file: String, fault: SourceEndpoints.FileFault) {
    #expect(throws: fault) { try SourceEndpoints(json: Array(file.utf8), region: .us) }
  }

  @Test func formsEscapeAllButPlainCharacters() {
    #expect(FormText.encoded("a+b c&d=é~") == "a%2Bb%20c%26d%3D%C3%A9~")
    #expect(FormText.decoded("a%2Bb+c%zz%") == "a+b c%zz%")
  }
}
