#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The members of a folder, in an order that does not depend on the file system.
package enum FolderListing {
  /// A member of a folder.
  package struct Member: Sendable, Equatable {
    /// Its name within the folder.
    package let name: FilePath
    /// What it is; links are not followed.
    package let kind: FileKind
  }

  /// All members but `.` and `..`, sorted by the bytes of their names.
  ///
  /// A member that vanishes meanwhile is left out.
  package static func members(of folder: FilePath) throws(InputError) -> [Member] {
    var members: [Member] = []
    for name in try names(in: folder) {
      do throws(InputError) {
        let kind = try InputFile.kind(of: folder.appending(name), followingLinks: false)
        members.append(Member(name: name, kind: kind))
      } catch {
        guard error.kind == .missing else { throw error }
      }
    }
    return members
  }

  /// The names in a folder but `.` and `..`, sorted by their bytes.
  static func names(in folder: FilePath) throws(InputError) -> [FilePath] {
    guard let handle = unsafe folder.withCString({ unsafe opendir($0) }) else {
      throw InputError(systemError: errno)
    }
    defer { unsafe _ = closedir(handle) }
    var names: [FilePath] = []
    errno = 0
    while let entry = unsafe readdir(handle) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
        unsafe [UInt8](field.prefix { $0 != 0 })
      }
      if name != [UInt8(ascii: ".")], name != Array("..".utf8), let path = FilePath(bytes: name) {
        names.append(path)
      }
      errno = 0
    }
    guard errno == 0 else { throw InputError(systemError: errno) }
    return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}
