#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that is written beside its target and takes its place by one rename.
///
/// Only its owner can read it (mode 0600). A crash at any instant leaves the target as it was;
/// what may be left beside it is a file named `.pumpline-….partial`, which the next run with the
/// same ledger publishes or removes, or, without a ledger, the next one that writes into the folder
/// (`StagedName`). Nothing is buffered here: writers hand over large pieces.
///
/// Standard output has no temporary name: bytes go out as they come, so it is written after the
/// run's commit, and sealing, publishing and discarding do nothing.
package final class StagedFile: OutputFile {
  /// The path of the unpublished file; nil for standard output.
  package let stagedPath: String?

  private let name: String
  private let place: FilePlace?
  private let descriptor: Int32
  private var state = State.staged

  private enum State { case staged, published, discarded, left }

  /// Makes an empty file beside the target; its name tells whose it is, if `owner` says so.
  ///
  /// Without an owner it is locked for as long as it waits, unless something else will lock it.
  ///
  /// - Throws: `OutputError.cannotCreate` as `OutputTarget.check` does.
  package init(
    _ target: OutputTarget, owner: String? = nil, isLocked: Bool = true
  ) throws(OutputError) {
    name = target.name
    guard case .file(let path) = target else {
      // A reader that leaves must give EPIPE, not end the process before it has cleaned up.
      _ = signal(SIGPIPE, SIG_IGN)
      (stagedPath, place, descriptor) = (nil, nil, STDOUT_FILENO)
      return
    }
    let place = try FilePlace(path)
    let (staged, descriptor) = try Self.makeFile(
      in: place.folder, for: path, owner: owner, isLocked: isLocked && owner == nil)
    self.place = place
    self.descriptor = descriptor
    stagedPath = staged
  }

  /// Writes to a descriptor that the caller owns, as to standard output.
  package init(descriptor: Int32, name: String) {
    _ = signal(SIGPIPE, SIG_IGN)
    self.name = name
    self.descriptor = descriptor
    (stagedPath, place) = (nil, nil)
  }

  deinit {
    discard()
    if stagedPath != nil { close(descriptor) }
  }

  /// Writes all bytes, however often the system must be asked.
  package func write(_ bytes: RawSpan) throws(OutputError) {
    var done = 0
    while done < bytes.byteCount {
      // Whoever reads standard output may never do so again.
      if stagedPath == nil, Interruption.isRequested {
        throw .failed(path: name, reason: "it was interrupted")
      }
      let rest = bytes.extracting(done..<bytes.byteCount)
      let written = unsafe rest.withUnsafeBytes { buffer in
        unsafe systemWrite(descriptor, buffer.baseAddress, buffer.count)
      }
      if written >= 0 {
        done += written
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        waitUntilWritable()
      } else if errno != EINTR {
        throw .writing(name, code: errno)
      }
    }
  }

  /// Brings the bytes to the device.
  package func seal() throws(OutputError) {
    guard stagedPath != nil else { return }
    try Self.synchronize(descriptor, name)
  }

  /// Renames the file to its target, and brings the folder's new entry to the device.
  package func publish() throws(OutputError) {
    guard let stagedPath, let place, state == .staged || state == .left else { return }
    try Self.rename(stagedPath, to: place, name: name)
    state = .published
    RunPoint.pass()
    try Self.synchronizeFolder(of: place, name: name)
  }

  /// Publishes a file that an earlier run has sealed.
  package static func publish(_ staged: String, to path: String) throws(OutputError) {
    let place = try FilePlace(path)
    try rename(staged, to: place, name: path)
    RunPoint.pass()
    try synchronizeFolder(of: place, name: path)
  }

  private static func rename(
    _ staged: String, to place: FilePlace, name: String
  ) throws(OutputError) {
    // Something else may have come to stand there since.
    _ = try FilePlace(place.path)
    guard systemRename(staged, place.path) == 0 else { throw .creating(name, code: errno) }
  }

  private static func synchronizeFolder(
    of place: FilePlace, name: String
  ) throws(OutputError) {
    let folder = unsafe open(place.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .writing(name, code: errno) }
    defer { close(folder) }
    try synchronize(folder, name)
  }

  /// Lets the file outlive this process: a ledger promises that it will be published.
  package func leave() {
    if state == .staged { state = .left }
  }

  /// Removes the file if it is not published.
  package func discard() {
    guard let stagedPath, state == .staged else { return }
    state = .discarded
    unsafe _ = unlink(stagedPath)
  }

  private func waitUntilWritable() {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    unsafe _ = poll(&waiting, 1, -1)
  }

  private static func synchronize(_ descriptor: Int32, _ name: String) throws(OutputError) {
    #if canImport(Darwin)
    // fsync leaves the bytes in the drive's own cache there.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) != 0 else { return }
    // Some file systems cannot do it, for folders above all; nothing more can be had of them.
    guard errno != EINVAL, errno != ENOTSUP else { return }
    throw .writing(name, code: errno)
  }

  private static func makeFile(
    in folder: String, for path: String, owner: String?, isLocked: Bool
  ) throws(OutputError) -> (path: String, descriptor: Int32) {
    if isLocked { StagedName.removeAbandoned(in: folder) }
    var owner = isLocked ? StagedName.lockOwner : owner
    for _ in 0..<16 {
      let staged = "\(folder)/\(StagedName.random(owner: owner))"
      let descriptor = unsafe open(staged, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      if descriptor < 0 {
        guard errno == EEXIST else { throw .creating(path, code: errno) }
      } else if !isLocked || owner == nil {
        return (staged, descriptor)
      } else if StagedName.lock(descriptor) {
        // Another run may have taken it for abandoned before it was locked.
        if StagedName.isNamed(staged, descriptor) { return (staged, descriptor) }
        close(descriptor)
      } else {
        // Not every file system has locks; there a file bears the name that nobody removes.
        StagedName.remove(staged)
        close(descriptor)
        owner = nil
      }
    }
    throw .cannotCreate(path: path, reason: "no free temporary name was found beside it")
  }
}

/// The system's `write`, which inside the class would mean the method.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}

/// The system's `rename`, which inside the class would mean the method.
private func systemRename(_ from: String, _ to: String) -> Int32 { unsafe rename(from, to) }
