#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What stands at a path where a database is to be, told from its first bytes.
package enum SQLiteFile: Equatable, Sendable {
  /// Nothing, or a file of no bytes, which SQLite takes for an empty database.
  case empty
  /// A database with the number of the application that it belongs to (`PRAGMA application_id`).
  case database(applicationID: UInt32)
  /// Something else.
  case other
  /// Something that cannot be read.
  case unreadable

  /// Looks at a path.
  package init(at path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      self = errno == ENOENT ? .empty : .unreadable
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      self = .other
      return
    }
    var header = [UInt8](repeating: 0, count: 100)
    let count = unsafe header.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    self = count < 0 ? .unreadable : Self(header: header.prefix(count))
  }

  /// The magic string and the place of the number are those of SQLite's file format.
  private init(header: ArraySlice<UInt8>) {
    if header.isEmpty {
      self = .empty
    } else if header.count == 100, header.starts(with: "SQLite format 3\0".utf8) {
      self = .database(applicationID: header[68..<72].reduce(0) { $0 << 8 | UInt32($1) })
    } else {
      self = .other
    }
  }

  /// Whether a journal of another program lies beside a path, which SQLite would play into
  /// whatever database stands there next.
  package static func hasJournal(besides path: String) -> Bool {
    ["-journal", "-wal"].contains { suffix in
      var status = stat()
      return unsafe stat(path + suffix, &status) == 0 && status.st_size > 0
    }
  }
}
