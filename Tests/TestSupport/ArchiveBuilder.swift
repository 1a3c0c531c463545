internal import CLibArchive

/// Builds small archives in memory, for tests of reading them.
@safe package struct ArchiveBuilder {
  /// Formats that can be built.
  package enum Format: Sendable, CaseIterable {
    /// A zip archive, compressed.
    case zip
    /// A zip archive whose members are not compressed.
    case storedZip
    /// A tape archive.
    case tar
    /// A 7-Zip archive.
    case sevenZip
    /// One nameless stream.
    case raw
  }

  /// Compressions around a format.
  package enum Compression: Sendable, CaseIterable {
    /// None.
    case none
    /// As gzip does it.
    case gzip
    /// As xz does it.
    case xz
    /// As zstd does it.
    case zstd
  }

  /// What goes into an archive.
  package enum Entry: Sendable {
    /// A file.
    case file(String, [UInt8])
    /// A folder.
    case folder(String)
    /// A symbolic link.
    case link(String, to: String)
    /// A hard link.
    case hardLink(String, to: String)
  }

  /// The bytes of an archive.
  package static func archive(
    _ format: Format, _ entries: [Entry], compression: Compression = .none,
    password: String? = nil
  ) -> [UInt8] {
    guard let archive = unsafe archive_write_new() else { return [] }
    defer { unsafe _ = archive_write_free(archive) }
    unsafe set(format, on: archive)
    unsafe set(compression, on: archive)
    unsafe _ = archive_write_set_bytes_in_last_block(archive, 1)
    if let password {
      unsafe _ = archive_write_set_options(archive, "zip:encryption=traditional")
      unsafe _ = archive_write_set_passphrase(archive, password)
    }
    let sink = Sink()
    let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
    unsafe _ = archive_write_open2(
      archive, context, nil,
      { _, context, bytes, count in
        if let context = unsafe context {
          let sink = unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
          unsafe sink.bytes += UnsafeRawBufferPointer(start: bytes, count: count)
        }
        return count
      }, nil, nil)
    for entry in entries { unsafe write(entry, to: archive) }
    unsafe _ = archive_write_close(archive)
    return sink.bytes
  }

  private final class Sink { var bytes: [UInt8] = [] }

  private static func set(_ format: Format, on archive: OpaquePointer) {
    switch format {
    case .zip: unsafe _ = archive_write_set_format_zip(archive)
    case .storedZip:
      unsafe _ = archive_write_set_format_zip(archive)
      unsafe _ = archive_write_zip_set_compression_store(archive)
    case .tar: unsafe _ = archive_write_set_format_pax_restricted(archive)
    case .sevenZip: unsafe _ = archive_write_set_format_7zip(archive)
    case .raw: unsafe _ = archive_write_set_format_raw(archive)
    }
  }

  private static func set(_ compression: Compression, on archive: OpaquePointer) {
    switch compression {
    case .none: unsafe _ = archive_write_add_filter_none(archive)
    case .gzip: unsafe _ = archive_write_add_filter_gzip(archive)
    case .xz: unsafe _ = archive_write_add_filter_xz(archive)
    case .zstd: unsafe _ = archive_write_add_filter_zstd(archive)
    }
  }

  private static func write(
    _ entry: Entry, to archive: OpaquePointer
  ) {
    let header = unsafe archive_entry_new()
    defer { unsafe archive_entry_free(header) }
    unsafe archive_entry_set_perm(header, 0o644)
    unsafe archive_entry_set_mtime(header, 1_767_225_600, 0)
    unsafe archive_entry_set_filetype(header, 0o100000)
    var content: [UInt8] = []
    switch entry {
    case .file(let name, let bytes):
      content = bytes
      unsafe archive_entry_set_pathname(header, name)
      unsafe archive_entry_set_size(header, Int64(bytes.count))
    case .folder(let name):
      unsafe archive_entry_set_pathname(header, name)
      unsafe archive_entry_set_filetype(header, 0o040000)
    case .link(let name, let target):
      unsafe archive_entry_set_pathname(header, name)
      unsafe archive_entry_set_filetype(header, 0o120000)
      unsafe archive_entry_set_symlink(header, target)
    case .hardLink(let name, let target):
      unsafe archive_entry_set_pathname(header, name)
      unsafe archive_entry_set_hardlink(header, target)
    }
    unsafe _ = archive_write_header(archive, header)
    unsafe _ = content.withUnsafeBytes {
      unsafe archive_write_data(archive, $0.baseAddress, $0.count)
    }
  }
}
