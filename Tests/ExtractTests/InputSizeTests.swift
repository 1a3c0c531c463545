import Extract
import Foundation
import TestSupport
import Testing

@Suite("The size of inputs before they are read")
struct InputSizeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("is that of all files that a walk would open")
  func files() throws {
    let one = try folder.write("one", [1, 2, 3])
    try folder.write("in/two", [4, 5])
    try folder.write("in/deep/three", [6])
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: one)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/in/link", withDestinationPath: one)
    #expect(InputSize.bytes(of: [one]) == 3)
    #expect(InputSize.bytes(of: [one, folder.path + "/in"]) == 6)
    // A link that is named is followed; one in a folder is not.
    #expect(InputSize.bytes(of: [link]) == 3)
    #expect(InputSize.bytes(of: []) == 0)
  }

  @Test("is not known of streams and of what is not there")
  func unknown() throws {
    let one = try folder.write("one", [1, 2, 3])
    #expect(InputSize.bytes(of: [one, "-"]) == nil)
    #expect(InputSize.bytes(of: [one, folder.path + "/nowhere"]) == nil)
    #expect(InputSize.bytes(of: ["/dev/null"]) == nil)
    let pipe = folder.path + "/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(InputSize.bytes(of: [pipe]) == nil)
  }
}
