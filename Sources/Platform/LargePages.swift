#if canImport(Glibc)
internal import CMalloc
import Glibc
#endif

/// Memory in large pages: the kernel maps and clears it in some big steps instead of thousands of
/// small ones, which cost more than what is done with it.
package enum LargePages {
  private static let size: UInt = 2 << 20

  /// Asks for large pages under memory that was not written yet: a wish, which nobody has to grant.
  package static func ask(for memory: UnsafeMutableRawBufferPointer) {
    #if canImport(Glibc)
    guard let base = memory.baseAddress else { return }
    let start = (UInt(bitPattern: base) + size - 1) & ~(size - 1)
    let end = (UInt(bitPattern: base) + UInt(memory.count)) & ~(size - 1)
    guard start < end else { return }
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
    #endif
  }

  /// Asks for large pages under so much of the heap that was not used yet; for a process that is
  /// about to fill it.
  package static func askForHeap(bytes: Int) {
    #if canImport(Glibc)
    // Taken from the heap itself and given back to it: it grows by a piece that is advised before
    // anything is written to it, and keeps it.
    mallopt(M_TRIM_THRESHOLD, CInt(clamping: 4 * bytes))
    mallopt(M_MMAP_THRESHOLD, CInt(clamping: 2 * bytes))
    if let piece = unsafe malloc(bytes) {
      unsafe ask(for: UnsafeMutableRawBufferPointer(start: piece, count: bytes))
      unsafe free(piece)
    }
    mallopt(M_MMAP_THRESHOLD, 128 << 10)
    #endif
  }
}
