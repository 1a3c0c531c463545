import Platform

/// How large inputs are, before they are read.
package enum InputSize {
  /// The bytes of all files that inputs name or that lie in their folders; nil if that cannot be
  /// told: of standard input, of pipes, and of what cannot be looked at.
  package static func bytes(of inputs: [String]) -> UInt64? {
    var counter = Counter()
    do {
      for input in inputs {
        guard input != "-", let path = FilePath(input) else { return nil }
        try counter.add(path, followingLinks: true)
      }
    } catch {
      return nil
    }
    return counter.bytes
  }

  private struct Counter {
    var bytes: UInt64 = 0
    /// As many as an input may have; whatever has more ends the run in another place.
    private var entries = 0

    mutating func add(_ path: FilePath, followingLinks: Bool) throws(InputError) {
      entries += 1
      guard entries <= InputWalker.Limits().inputEntries else {
        throw InputError(.tooManyEntries)
      }
      switch try InputFile.kind(of: path, followingLinks: followingLinks) {
      case .file: bytes += try InputFile.size(of: path)
      case .folder:
        for member in try FolderListing.members(of: path) {
          try add(path.appending(member.name), followingLinks: false)
        }
      case .pipe where followingLinks, .special where followingLinks: throw InputError(.notAFile)
      case .link, .pipe, .special: return
      }
    }
  }
}
