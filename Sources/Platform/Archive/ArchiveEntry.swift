/// One member of an archive, as its header says.
package struct ArchiveEntry: Sendable, Equatable {
  /// The name as it stands in the archive, for checking; bytes that are no UTF-8 are replaced.
  package let name: String
  /// What it is.
  package let kind: Kind
  /// Whether a password is needed to read it.
  package let isEncrypted: Bool
  /// Its length, if the header says.
  package let size: UInt64?

  /// What a member is.
  package enum Kind: Sendable, Equatable {
    /// A file with content.
    case file
    /// A folder.
    case folder
    /// A symbolic or hard link.
    case link
    /// A device, pipe or socket.
    case special
  }

  /// Whether the name would lead out of the folder that the archive is unpacked to, on any
  /// system: `..`, a leading separator, a drive letter.
  package var hasUnsafeName: Bool {
    let bytes = Array(name.utf8)
    let separators = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
    guard let first = bytes.first else { return false }
    if separators.contains(first) { return true }
    if bytes.count > 1, bytes[1] == UInt8(ascii: ":"), isLetter(first) { return true }
    return bytes.split(whereSeparator: separators.contains).contains { $0.elementsEqual("..".utf8) }
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }
}
