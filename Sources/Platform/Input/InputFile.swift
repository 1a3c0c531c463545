#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a path leads to.
package enum FileKind: Sendable, Equatable {
  /// A regular file.
  case file
  /// A folder.
  case folder
  /// A symbolic link.
  case link
  /// A pipe with a name, or an open pipe of the shell's (`/dev/fd/63`).
  case pipe
  /// A device, a socket, or something else that is not opened.
  case special
}

/// A file that can be read.
package enum InputFile {
  /// What a path leads to.
  ///
  /// - Throws: `InputError`, `.missing` if there is nothing.
  package static func kind(
    of path: FilePath, followingLinks: Bool
  ) throws(InputError) -> FileKind {
    var status = stat()
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    let result = unsafe path.withCString { unsafe fstatat(AT_FDCWD, $0, &status, flags) }
    guard result == 0 else { throw InputError(systemError: errno) }
    return FileKind(mode: status.st_mode)
  }

  /// The bytes of a file.
  package static func size(of path: FilePath) throws(InputError) -> UInt64 {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else {
      throw InputError(systemError: errno)
    }
    return UInt64(max(status.st_size, 0))
  }

  /// Opens a regular file or a pipe; nothing else is opened, and opening never waits.
  ///
  /// A pipe without a writer reads as empty. The stream reads into `buffer`, which no other open
  /// stream may use.
  package static func open(
    _ path: FilePath, followingLinks: Bool, into buffer: ReadBuffer
  ) throws(InputError) -> ByteStream {
    let kind = try self.kind(of: path, followingLinks: followingLinks)
    guard kind == .file || kind == .pipe else {
      throw InputError(.notAFile, kind == .folder ? "a folder" : "")
    }
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    let descriptor = unsafe path.withCString { unsafe openReadOnly($0, flags) }
    guard descriptor >= 0 else { throw InputError(systemError: errno) }
    var status = stat()
    // Asked again of what was opened: the name may have come to mean something else.
    guard unsafe fstat(descriptor, &status) == 0, FileKind(mode: status.st_mode) == kind else {
      close(descriptor)
      throw InputError(.notAFile)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return ByteStream(DescriptorSource(descriptor, closes: true, into: buffer))
  }

  /// The first bytes of a small file, or all of them if there are not more.
  package static func bytes(of path: FilePath, atMost count: Int) throws(InputError) -> [UInt8] {
    let stream = try open(path, followingLinks: true, into: ReadBuffer())
    var bytes: [UInt8] = []
    while bytes.count < count, try stream.advance() {
      unsafe bytes.append(contentsOf: stream.currentChunk.prefix(count - bytes.count))
    }
    return bytes
  }

  /// Standard input, read into `buffer`, which no other open stream may use.
  package static func standardInput(into buffer: ReadBuffer) -> ByteStream {
    ByteStream(DescriptorSource(STDIN_FILENO, closes: false, into: buffer))
  }
}

extension FileKind {
  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    case S_IFIFO: self = .pipe
    default: self = .special
    }
  }
}

private func openReadOnly(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
  unsafe open(path, flags)
}
