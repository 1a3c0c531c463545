internal import CLibArchive

/// One libarchive reader and what it says, in Swift's words.
@safe final class ArchiveHandle {
  private let archive: OpaquePointer
  private let input: ArchiveInput
  private let locale = UTF8Locale()
  /// An error that came with the last block of an entry, kept until that was taken.
  private var pending: ArchiveFailure?

  /// Opens an archive of a kind that is known, so that nothing is guessed.
  init(_ kind: ArchiveKind, _ input: ArchiveInput) throws(InputError) {
    guard let archive = unsafe archive_read_new() else {
      throw InputError(.failed, "out of memory")
    }
    unsafe self.archive = archive
    self.input = input
    unsafe _ = archive_read_set_options(archive, "hdrcharset=UTF-8")
    support(kind)
    unsafe input.attach(to: archive)
    let code = unsafe archive_read_open1(archive)
    // A filter that fails at once looks like an empty stream to libarchive, but for its words.
    let hasFailed = unsafe kind.isCompressedStream && archive_error_string(archive) != nil
    guard code >= ARCHIVE_WARN, !hasFailed else { throw openingFailure(kind, code) }
  }

  private func openingFailure(_ kind: ArchiveKind, _ code: Int32) -> InputError {
    let error = failure(code).error
    // The first bytes were right, so it is the end that libarchive does not recognise.
    guard error.detail == "Unrecognized archive format" else { return error }
    return kind == .zip ? InputError(.cut, "its directory is missing") : InputError(.damaged)
  }

  deinit { unsafe _ = archive_read_free(archive) }

  private func support(_ kind: ArchiveKind) {
    switch kind {
    case .zip:
      // In passing only where it must: the directory is what counts, and shows a zip cut off. But
      // libarchive does not find a directory that is all there is.
      if input.canSeek, !input.isEmptyZip {
        unsafe _ = archive_read_support_format_zip_seekable(archive)
      } else {
        unsafe _ = archive_read_support_format_zip_streamable(archive)
      }
    case .sevenZip: unsafe _ = archive_read_support_format_7zip(archive)
    case .tar:
      unsafe _ = archive_read_support_format_tar(archive)
      // Behind its end another one may lie, joined by `cat`; without this it would be lost unheard.
      unsafe _ = archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1")
    case .gzip: supportStream(ARCHIVE_FILTER_GZIP)
    case .zstd: supportStream(ARCHIVE_FILTER_ZSTD)
    case .xz: supportStream(ARCHIVE_FILTER_XZ)
    }
  }

  private func supportStream(_ filter: Int32) {
    // Appended, not supported: libarchive would go on to unpack a stream inside the stream.
    unsafe _ = archive_read_append_filter(archive, filter)
    unsafe _ = archive_read_support_format_raw(archive)
    unsafe _ = archive_read_support_format_empty(archive)
  }

  /// How many bytes of the archive were used up so far.
  var position: UInt64 { UInt64(max(unsafe archive_filter_bytes(archive, -1), 0)) }

  /// The next entry's header; nil at the end.
  func nextEntry() throws(InputError) -> ArchiveEntry? {
    pending = nil
    var header: OpaquePointer?
    let code = locale.use { unsafe archive_read_next_header(archive, &header) }
    if code == ARCHIVE_EOF { return nil }
    // Not a header that could be tried again: what libarchive finds by trying is a guess.
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let header = unsafe header else {
      throw failure(code).error
    }
    return locale.use { unsafe ArchiveEntry(header) }
  }

  /// Goes to the end of the current entry, what fills its last block included.
  func skipEntry() throws(InputError) {
    let code = unsafe archive_read_data_skip(archive)
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN || code == ARCHIVE_EOF else {
      throw failure(code).error
    }
  }

  /// The next block of the entry with its offset in it; nil at the entry's end.
  func nextBlock() throws(ArchiveFailure) -> (bytes: UnsafeRawBufferPointer, offset: UInt64)? {
    if let pending {
      self.pending = nil
      throw pending
    }
    while true {
      var base: UnsafeRawPointer?
      var count = 0
      var offset: la_int64_t = 0
      let code = unsafe archive_read_data_block(archive, &base, &count, &offset)
      if code == ARCHIVE_EOF { return nil }
      if code != ARCHIVE_OK {
        let failure = failure(code)
        // A wrong checksum or length is found with the last block, which is needed to tell whether
        // the document is one of ours.
        guard !failure.isFatal, count > 0 else { throw failure }
        pending = failure
      }
      if count > 0 {
        return unsafe (UnsafeRawBufferPointer(start: base, count: count), UInt64(max(offset, 0)))
      }
    }
  }

  private func failure(_ code: Int32) -> ArchiveFailure {
    if let failure = input.failure { return ArchiveFailure(error: failure, isFatal: true) }
    let text = unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? ""
    return ArchiveFailure(error: InputError(libraryText: text), isFatal: code <= ARCHIVE_FATAL)
  }
}

/// An error with whether the archive survived it.
struct ArchiveFailure: Error {
  var error: InputError
  var isFatal: Bool
}

extension InputError {
  /// Sorts libarchive's words, which are all it tells: its numbers do not tell damage apart.
  init(libraryText text: String) {
    let words = text.lowercased()
    func has(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    let kind: Kind =
      if has("encrypt", "passphrase") {
        .encrypted
      } else if has("too much memory", "memory limit", "can't allocate", "out of memory") {
        .dictionaryTooLarge
      } else if has("truncated", "unexpected end", "premature", "no progress") {
        .cut
      } else if has("unsupported", "not supported") {
        .unsupported
      } else {
        .damaged
      }
    self.init(kind, text)
  }
}

extension ArchiveEntry {
  init(_ header: OpaquePointer) {
    name = unsafe Self.name(header)
    isEncrypted = unsafe archive_entry_is_encrypted(header) != 0
    let hasSize = unsafe archive_entry_size_is_set(header) != 0
    size = hasSize ? UInt64(max(unsafe archive_entry_size(header), 0)) : nil
    let type = unsafe UInt32(archive_entry_filetype(header))
    let isHardLink = unsafe archive_entry_hardlink(header) != nil
    kind =
      switch type {
      case 0o120000: .link
      case 0o040000: .folder
      case 0, 0o100000: isHardLink ? .link : .file
      default: isHardLink ? .link : .special
      }
  }

  private static func name(_ header: OpaquePointer) -> String {
    let text = unsafe archive_entry_pathname_utf8(header) ?? archive_entry_pathname(header)
    return unsafe text.map { unsafe String(cString: $0) } ?? ""
  }
}
