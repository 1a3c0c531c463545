#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The names of files that wait to be published, and what is left of them by runs that died.
package enum StagedName {
  private static let start = ".pumpline-"
  private static let end = ".partial"

  /// A new name; the owner's id stands in it, so that the files of others are left alone.
  static func random(owner: String?) -> String {
    let owner = owner.map { $0 + "-" } ?? ""
    return "\(start)\(owner)\(UInt64.random(in: 0 ... .max))\(end)"
  }

  /// Who owns the files of runs without a ledger: whichever process holds their locks.
  static let lockOwner = "run"

  /// Removes the files of runs without a ledger that died from a folder: nobody holds their locks
  /// any more.
  ///
  /// The lock of a file is taken before anything is written and kept until it has another name, so
  /// that the file of a living run is never taken for one.
  static func removeAbandoned(in folder: String) {
    guard let place = FilePath(folder), let names = try? FolderListing.names(in: place) else {
      return
    }
    for name in names where isStaged(name.text, owner: lockOwner) {
      let path = folder + "/" + name.text
      let descriptor = unsafe open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == geteuid(), lock(descriptor), isNamed(path, descriptor)
      else { continue }
      remove(path)
    }
  }

  /// Takes the lock of a file that nobody holds.
  static func lock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Whether a path still leads to an open file.
  static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return unsafe lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
  }

  /// Whether a path ends in such a name of an owner.
  package static func isStaged(_ path: String, owner: String) -> Bool {
    let name =
      path.utf8.lastIndex(of: UInt8(ascii: "/"))
      .map { path[path.utf8.index(after: $0)...] } ?? path[...]
    return name.hasPrefix("\(start)\(owner)-") && name.hasSuffix(end)
  }

  /// Whether a path ends in the name of a file that a run without a ledger left, or writes now.
  package static func isStaged(_ path: String) -> Bool { isStaged(path, owner: lockOwner) }

  /// Removes the files of an owner from a folder, but for some.
  ///
  /// - Returns: whether the folder could be looked at.
  package static func removeLeftovers(
    of owner: String, in folder: String, except kept: Set<String>
  ) -> Bool {
    guard let place = FilePath(folder), let members = try? FolderListing.members(of: place) else {
      return false
    }
    for member in members where member.kind == .file {
      let path = (folder == "/" ? "" : folder) + "/" + member.name.text
      guard isStaged(path, owner: owner), !kept.contains(path) else { continue }
      remove(path)
    }
    return true
  }

  /// Removes a file, if it is there.
  package static func remove(_ path: String) { unsafe _ = unlink(path) }

  /// The folder of an output, in one spelling.
  package static func folder(of path: String) -> String {
    let place = SameFile.place(of: path)
    guard let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == place.startIndex ? "/" : String(place[..<slash])
  }
}
