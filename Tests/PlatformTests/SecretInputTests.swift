import Foundation
import Platform
import TestSupport
import Testing

/// Where secrets may come from.
@Suite struct SecretInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ bytes: [UInt8], mode: Int) throws -> String {
    let path = try folder.write("secret", bytes)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  @Test(arguments: [0o600, 0o400, 0o700])
  func aFileOfOnesOwnIsRead(mode: Int) throws {
    let path = try file([1, 2, 3], mode: mode)
    #expect(try SecretInput.bytes(ofFile: path) == [1, 2, 3])
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o620, 0o601])
  func aFileThatOthersCanTouchIsRefused(mode: Int) throws {
    let path = try file([1], mode: mode)
    #expect(throws: SecretInput.Failure.readableByOthers) { try SecretInput.bytes(ofFile: path) }
  }

  @Test func aPipeIsReadToItsEnd() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data([4, 5]))
    try pipe.fileHandleForWriting.close()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(try SecretInput.bytes(ofDescriptor: descriptor) == [4, 5])
  }

  @Test func whatIsNoFileIsSaid() throws {
    let missing = folder.path + "/none"
    #expect(throws: SecretInput.Failure.unreadable(InputError(.missing))) {
      try SecretInput.bytes(ofFile: missing)
    }
    #expect(throws: SecretInput.Failure.unreadable(InputError(.notAFile))) {
      try SecretInput.bytes(ofFile: folder.path)
    }
    #expect(throws: SecretInput.Failure.self) { try SecretInput.bytes(ofDescriptor: 987) }
  }

  @Test func aSecretHasABound() throws {
    let bound = SecretInput.maximalBytes
    let fits = try file([UInt8](repeating: 7, count: bound), mode: 0o600)
    #expect(try SecretInput.bytes(ofFile: fits).count == bound)
    let large = try file([UInt8](repeating: 7, count: bound + 1), mode: 0o600)
    #expect(throws: SecretInput.Failure.tooLarge) { try SecretInput.bytes(ofFile: large) }
  }
}
