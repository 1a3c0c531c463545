/// What a container is, told by its first bytes and never by its name.
package enum ArchiveKind: Sendable, Equatable, CaseIterable {
  /// A zip archive.
  case zip
  /// A 7-Zip archive.
  case sevenZip
  /// A tape archive.
  case tar
  /// One stream compressed with gzip.
  case gzip
  /// One stream compressed with Zstandard.
  case zstd
  /// One stream compressed with xz.
  case xz

  /// Whether it holds one nameless stream, which may be a tape archive, and not members.
  package var isCompressedStream: Bool {
    switch self {
    case .gzip, .zstd, .xz: true
    case .zip, .sevenZip, .tar: false
    }
  }

  /// Tells a container by its first bytes, of which up to 512 are looked at; nil for a document.
  package init?(firstBytes: RawSpan) {
    if firstBytes.starts(with: [0x50, 0x4B, 3, 4]) || firstBytes.starts(with: [0x50, 0x4B, 5, 6]) {
      self = .zip
    } else if firstBytes.starts(with: [0x1F, 0x8B, 8]) {
      self = .gzip
    } else if firstBytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      self = .zstd
    } else if firstBytes.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) {
      self = .xz
    } else if firstBytes.starts(with: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) {
      self = .sevenZip
    } else if firstBytes.starts(with: Array("ustar".utf8), at: 257)
      || firstBytes.hasSumOfTarHeader
    {
      self = .tar
    } else {
      return nil
    }
  }
}

extension RawSpan {
  func starts(with bytes: [UInt8], at offset: Int = 0) -> Bool {
    guard byteCount >= offset + bytes.count else { return false }
    for index in bytes.indices where self.byte(at: offset + index) != bytes[index] {
      return false
    }
    return true
  }

  /// Whether the sum in the header of the oldest tape archives, which have no mark, is right.
  fileprivate var hasSumOfTarHeader: Bool {
    let (field, header) = (148..<156, 512)
    guard byteCount >= header, byte(at: 0) != 0 else { return false }
    var (told, digits, sum) = (0, 0, 0)
    for index in 0..<header {
      let byte = byte(at: index)
      guard field.contains(index) else {
        sum += Int(byte)
        continue
      }
      sum += 0x20
      switch byte {
      case 0x30...0x37: (told, digits) = (told << 3 | Int(byte & 7), digits + 1)
      case 0, 0x20: break
      default: return false
      }
    }
    return digits > 0 && told == sum
  }

  /// The byte at an offset; 0 beyond the end.
  func byte(at offset: Int) -> UInt8 {
    guard offset >= 0, offset < byteCount else { return 0 }
    return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
