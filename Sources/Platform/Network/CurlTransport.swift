internal import CCurl

/// HTTP by libcurl, which is loaded when the first transport is made and not before.
///
/// Cookies are kept in memory, for the life of the transport. Certificates are checked, redirects
/// are not followed, no file of the user's (`.netrc`, `.curlrc`) is read; proxies of the environment
/// are used but for the computer itself.
@safe package final class CurlTransport: HTTPTransport {
  private let curl: pumpline_curl
  private let handle: UnsafeMutableRawPointer
  private let limits: Limits

  /// What a server may take.
  package struct Limits: Sendable {
    /// Milliseconds until a connection must stand.
    package var connect = 30_000
    /// Milliseconds until the answer must be there.
    package var answer = 300_000
    /// Seconds in which at least one byte must come.
    package var silence = 60
    /// The bytes of an answer, unpacked.
    package var bytes = 64 << 20

    /// Creates limits that suit a slow network.
    package init() {}
  }

  /// Loads the library, the first time, and makes a transport without cookies.
  ///
  /// - Throws: `HTTPFailure.noLibrary`.
  package init(limits: Limits = Limits()) throws(HTTPFailure) {
    var curl = pumpline_curl()
    let isLoaded = Self.names.contains { unsafe pumpline_curl_load(&curl, $0) == 1 }
    guard isLoaded, let handle = unsafe pumpline_curl_open(&curl) else { throw .noLibrary }
    self.curl = curl
    unsafe self.handle = unsafe handle
    self.limits = limits
    prepare()
  }

  deinit { unsafe withCurl { unsafe pumpline_curl_close($0, handle) } }

  #if canImport(Glibc)
  private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #else
  private static let names = ["/usr/lib/libcurl.4.dylib"]
  #endif

  private func prepare() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect)
    set(CURLOPT_TIMEOUT_MS, limits.answer)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    set(CURLOPT_LOW_SPEED_TIME, limits.silence)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_NOPROGRESS, 0)
    set(CURLOPT_COOKIEFILE, "")
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_NOPROXY, "localhost,127.0.0.1,::1")
    // By number: the option by name is newer than some libraries that are installed.
    set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    unsafe withCurl { curl in
      unsafe _ = pumpline_curl_set_take(curl, handle, CURLOPT_WRITEFUNCTION, takeBody)
      unsafe _ = pumpline_curl_set_take(curl, handle, CURLOPT_HEADERFUNCTION, takeHeader)
      unsafe _ = pumpline_curl_set_progress(curl, handle) { _, _, _, _, _ in
        Interruption.isRequested ? 1 : 0
      }
    }
  }

  /// Asks and waits for the whole answer.
  package func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPReply {
    if Interruption.isRequested { throw .interrupted }
    let answer = Answer(limit: limits.bytes)
    set(CURLOPT_URL, request.url)
    if let body = request.body {
      set(CURLOPT_POST, 1)
      unsafe body.withUnsafeBytes { bytes in
        unsafe withCurl { curl in
          unsafe _ = pumpline_curl_set_body(curl, handle, bytes.baseAddress, bytes.count)
        }
      }
    } else {
      set(CURLOPT_HTTPGET, 1)
    }
    set(CURLOPT_CUSTOMREQUEST, request.method)
    var list: UnsafeMutablePointer<curl_slist>?
    // A server that is asked whether it wants the body at all may answer twice.
    for line in ["Expect:"] + request.headers.map({ "\($0.name): \($0.value)" }) {
      unsafe list = unsafe withCurl { unsafe pumpline_curl_append($0, list, line) }
    }
    defer { unsafe withCurl { unsafe pumpline_curl_free($0, list) } }
    let pointer = unsafe Unmanaged.passUnretained(answer).toOpaque()
    unsafe set(CURLOPT_HTTPHEADER, pointer: UnsafeRawPointer(list))
    unsafe set(CURLOPT_WRITEDATA, pointer: UnsafeRawPointer(pointer))
    unsafe set(CURLOPT_HEADERDATA, pointer: UnsafeRawPointer(pointer))
    let code = withExtendedLifetime(answer) {
      unsafe withCurl { unsafe pumpline_curl_perform($0, handle) }
    }
    // Nothing of this exchange stays with the handle: the pointers die now, and a body may hold a
    // password.
    unsafe set(CURLOPT_HTTPHEADER, pointer: nil)
    unsafe set(CURLOPT_COPYPOSTFIELDS, pointer: nil)
    set(CURLOPT_HTTPGET, 1)
    guard code == CURLE_OK else { throw failure(code, isTooLarge: answer.isTooLarge) }
    let status = unsafe withCurl { unsafe pumpline_curl_status($0, handle) }
    return HTTPReply(status: status, headers: answer.headers, body: answer.body)
  }

  private func failure(_ code: CURLcode, isTooLarge: Bool) -> HTTPFailure {
    if isTooLarge { return .tooLarge }
    switch code {
    case CURLE_ABORTED_BY_CALLBACK: return .interrupted
    case CURLE_OPERATION_TIMEDOUT: return .timedOut
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
      CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
      return .unreachable
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      return .untrusted
    default: return .broken
    }
  }

  private func withCurl<Result>(_ body: (UnsafePointer<pumpline_curl>) -> Result) -> Result {
    unsafe withUnsafePointer(to: curl) { unsafe body($0) }
  }

  private func set(_ option: CURLoption, _ number: Int) {
    unsafe withCurl { unsafe _ = pumpline_curl_set_number($0, handle, option, number) }
  }

  private func set(_ option: CURLoption, _ text: String) {
    unsafe text.withCString { unsafe set(option, pointer: $0) }
  }

  @unsafe private func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
    unsafe withCurl { unsafe _ = pumpline_curl_set_pointer($0, handle, option, pointer) }
  }
}

/// What has come of an answer.
private final class Answer {
  private let limit: Int
  private(set) var headers: [(name: String, value: String)] = []
  private(set) var body: [UInt8] = []
  private(set) var isTooLarge = false
  private var headerBytes = 0

  init(limit: Int) { self.limit = limit }

  /// Takes a piece of the body; false if it is too much.
  func take(body bytes: UnsafeRawBufferPointer) -> Bool {
    isTooLarge = body.count + bytes.count > limit
    if !isTooLarge { unsafe body.append(contentsOf: bytes) }
    return !isTooLarge
  }

  /// Takes a line of the head; false if it is too much.
  func take(header bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    isTooLarge = headerBytes > 1 << 20
    if isTooLarge { return false }
    let line = unsafe String(decoding: bytes, as: UTF8.self)
    guard let colon = line.firstIndex(of: ":") else {
      // A new head begins: that of a proxy, or of an interim answer, lies before it.
      if line.hasPrefix("HTTP/") { headers = [] }
      return true
    }
    let value = line[line.index(after: colon)...]
      .drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    headers.append((String(line[..<colon]), String(value)))
    return true
  }
}

private func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ answer: UnsafeMutableRawPointer?
) -> Int {
  guard let answer = unsafe answer else { return 0 }
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  let isTaken = unsafe Unmanaged<Answer>.fromOpaque(answer).takeUnretainedValue().take(body: buffer)
  return isTaken ? size * count : 0
}

private func takeHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ answer: UnsafeMutableRawPointer?
) -> Int {
  guard let answer = unsafe answer else { return 0 }
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  let isTaken = unsafe Unmanaged<Answer>.fromOpaque(answer).takeUnretainedValue()
    .take(header: buffer)
  return isTaken ? size * count : 0
}
