#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a program may ask the terminal and the process around it.
package enum Terminal {
  /// The two streams that a program writes to.
  package enum Stream: Int32, Sendable {
    /// Data.
    case output = 1
    /// Everything else.
    case error = 2
  }

  /// How a write ended.
  package enum WriteResult: Sendable, Equatable {
    /// All bytes were taken.
    case written
    /// The reader has gone away, as `head` does when it has seen enough.
    case closed
    /// The system refused, with its own words for why.
    case failed(String)
  }

  /// Whether a person may be looking at the stream.
  package static func isInteractive(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Whether a person may be typing at standard input.
  package static var isInputInteractive: Bool { isatty(0) == 1 }

  /// The columns of the terminal behind a stream; nil if there is none.
  package static func width(of stream: Stream) -> Int? {
    var size = winsize()
    let answer = unsafe ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size)
    return answer == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// A variable of the environment; nil if it is not set.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Lets writes to a closed pipe fail with `WriteResult.closed`, and those that make a file larger
  /// than this process may with an error, instead of ending the process.
  package static func letWritesFail() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Writes a text, all of it or until the stream refuses.
  package static func write(_ text: String, to stream: Stream) -> WriteResult {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while unsafe !rest.isEmpty {
        let count = unsafe systemWrite(stream.rawValue, rest)
        if count >= 0 {
          unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        } else if errno == EPIPE {
          return .closed
        } else if errno != EINTR {
          return unsafe .failed(String(cString: strerror(errno)))
        }
      }
      return .written
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
