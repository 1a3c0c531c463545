internal import CLibArchive
import PumpModel

/// A zip archive of entries whose sizes are not known before their ends.
///
/// The same bytes in give the same bytes out, on every host: all entries carry one time, no
/// owner, no access or change time. Bytes are deflated as they come and go on to the file below.
@safe package final class ZipWriter: OutputFile {
  private let file: any OutputFile
  private let name: String
  private let date: ZipDate
  private let archive: OpaquePointer
  private var isClosed = false
  /// What libarchive writes next.
  private var piece = Piece.header
  private var failure: OutputError?

  /// A piece of an archive, as far as dates stand in it.
  private enum Piece { case header, content, directory }

  /// Begins an archive with its first entry.
  ///
  /// - Parameters:
  ///   - file: Where the archive goes.
  ///   - name: The archive's name in errors.
  ///   - entry: The entry's path inside the archive, ASCII.
  ///   - date: The entry's time.
  ///   - level: How hard deflate tries, 1 to 9.
  /// - Throws: `OutputError.failed` if libarchive cannot begin, and the file's own errors.
  package init(
    to file: any OutputFile, name: String, entry: String, date: ZipDate, level: Int = 3
  ) throws(OutputError) {
    guard let archive = unsafe archive_write_new() else {
      throw .failed(path: name, reason: "out of memory")
    }
    unsafe self.archive = archive
    (self.file, self.name, self.date) = (file, name, date)
    try start(level: level)
    try startEntry(entry)
  }

  /// The path under which the archive waits to be published.
  package var stagedPath: String? { file.stagedPath }

  deinit {
    // A live archive would write its directory while it is freed.
    if !isClosed { unsafe _ = archive_write_fail(archive) }
    unsafe _ = archive_write_free(archive)
  }

  /// Deflates bytes of the entry.
  package func write(_ bytes: RawSpan) throws(OutputError) {
    var done = 0
    while done < bytes.byteCount {
      let rest = bytes.extracting(done..<bytes.byteCount)
      let written = unsafe rest.withUnsafeBytes { buffer in
        unsafe archive_write_data(archive, buffer.baseAddress, buffer.count)
      }
      guard written > 0 else { throw trouble() }
      done += written
    }
  }

  /// Ends the entry and begins another.
  package func beginEntry(_ entry: String) throws(OutputError) {
    try check(unsafe archive_write_finish_entry(archive))
    try startEntry(entry)
  }

  /// Ends the entry and the archive, and seals the file.
  package func seal() throws(OutputError) {
    try check(unsafe archive_write_finish_entry(archive))
    piece = .directory
    try check(unsafe archive_write_close(archive))
    isClosed = true
    try file.seal()
  }

  /// Publishes the file.
  package func publish() throws(OutputError) { try file.publish() }

  /// Leaves the file to be published later.
  package func leave() { file.leave() }

  /// Discards the file.
  package func discard() { file.discard() }

  private func start(level: Int) throws(OutputError) {
    try check(unsafe archive_write_set_format_zip(archive))
    try check(unsafe archive_write_zip_set_compression_deflate(archive))
    // Zip64 sizes behind the data make readers that do not look at the directory, Java's among them,
    // refuse archives that need none; the directory still has them for more than 4 GiB.
    let option = "zip:compression-level=\(min(max(level, 1), 9)),zip:!zip64"
    try check(unsafe archive_write_set_options(archive, option))
    // Unbuffered, so that the archive's directory begins with a call of its own.
    try check(unsafe archive_write_set_bytes_per_block(archive, 0))
    let client = unsafe Unmanaged.passUnretained(self).toOpaque()
    let code = unsafe archive_write_open(
      archive, client, nil,
      { _, client, bytes, count in
        guard let client = unsafe client else { return -1 }
        let writer = unsafe Unmanaged<ZipWriter>.fromOpaque(client).takeUnretainedValue()
        return writer.receive(unsafe UnsafeRawBufferPointer(start: bytes, count: count).bytes)
      }, nil)
    try check(code)
  }

  private func startEntry(_ path: String) throws(OutputError) {
    guard let entry = unsafe archive_entry_new() else {
      throw .failed(path: name, reason: "out of memory")
    }
    defer { unsafe archive_entry_free(entry) }
    unsafe archive_entry_set_pathname(entry, path)
    unsafe archive_entry_set_filetype(entry, UInt32(S_IFREG))
    unsafe archive_entry_set_perm(entry, 0o600)
    unsafe archive_entry_set_mtime(entry, time_t(date.unixSeconds), 0)
    piece = .header
    try check(unsafe archive_write_header(archive, entry))
  }

  /// Takes bytes of the archive; -1 tells libarchive that it failed.
  private func receive(_ bytes: RawSpan) -> Int {
    do throws(OutputError) {
      let offsets = dateOffsets(in: bytes)
      if offsets.isEmpty { try file.write(bytes) } else { try write(bytes, datedAt: offsets) }
      return bytes.byteCount
    } catch {
      failure = error
      return -1
    }
  }

  /// Where dates stand in a piece: one in the header of an entry, one for each entry in the
  /// archive's directory, which comes as a whole.
  private func dateOffsets(in bytes: RawSpan) -> [Int] {
    func number<Value: FixedWidthInteger & BitwiseCopyable>(_ at: Int, _ type: Value.Type) -> Int {
      Int(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: at, as: type).littleEndian)
    }
    switch piece {
    case .content: return []
    case .header:
      guard bytes.byteCount >= 30, number(0, UInt32.self) == 0x0403_4B50 else { return [] }
      piece = .content
      return [10]
    case .directory:
      var offsets: [Int] = []
      var entry = 0
      while entry + 46 <= bytes.byteCount, number(entry, UInt32.self) == 0x0201_4B50 {
        offsets.append(entry + 12)
        let lengths = [28, 30, 32].map { number(entry + $0, UInt16.self) }
        entry += 46 + lengths.reduce(0, +)
      }
      return offsets
    }
  }

  /// Writes bytes with the date in place of those that libarchive put there, which depend on the
  /// host's zone.
  private func write(_ bytes: RawSpan, datedAt offsets: [Int]) throws(OutputError) {
    var patched = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    for offset in offsets {
      for index in 0..<4 {
        patched[offset + index] = UInt8(truncatingIfNeeded: date.dosFields >> UInt32(8 * index))
      }
    }
    try file.write(unsafe patched.span.bytes)
  }

  private func check(_ code: Int32) throws(OutputError) {
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw trouble() }
  }

  private func trouble() -> OutputError {
    if let failure { return failure }
    let words = unsafe archive_error_string(archive).map { unsafe String(cString: $0) }
    return .failed(path: name, reason: words ?? "the archive cannot be written")
  }
}

/// The time of an entry: the instant, and the wall clock that zip's own field shows.
package struct ZipDate: Sendable, Equatable {
  /// Seconds since the Unix epoch.
  package var unixSeconds: Int64
  /// Seconds east of UTC of the wall clock.
  package var offset: Int64

  /// Creates a time.
  package init(unixSeconds: Int64, offset: Int64) {
    self.unixSeconds = unixSeconds
    self.offset = offset
  }

  /// The wall clock as zip writes it, time in the low and date in the high half, in steps of two
  /// seconds and from 1980 to 2107.
  var dosFields: UInt32 {
    let earliest: Int64 = 315_532_800
    let latest: Int64 = 4_354_819_199
    let time = CivilTime(secondsSince1970: min(max(unixSeconds + offset, earliest), latest))
    let date = (time.year - 1980) << 9 | time.month << 5 | time.day
    return UInt32(date << 16 | time.hour << 11 | time.minute << 5 | time.second / 2)
  }
}
