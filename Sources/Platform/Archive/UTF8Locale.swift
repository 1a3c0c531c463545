#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A locale that knows UTF-8, for the time of a call.
///
/// libarchive converts names to the thread's locale, and the C locale has no room for them. What
/// the host's own is plays no part, nor does it change.
@safe struct UTF8Locale: ~Copyable {
  private let locale: locale_t?

  init() {
    let names = ["C.UTF-8", "UTF-8", "en_US.UTF-8"]
    unsafe locale = names.lazy.compactMap { unsafe newlocale(LC_CTYPE_MASK, $0, nil) }.first
  }

  deinit { unsafe locale.map { unsafe freelocale($0) } }

  /// Runs one call; on a host without such a locale, in the thread's own.
  func use<Result>(_ body: () -> Result) -> Result {
    guard let locale = unsafe locale else { return body() }
    let previous = unsafe uselocale(locale)
    defer { unsafe _ = uselocale(previous) }
    return body()
  }
}
