/// How often something that failed is tried again, and how long is waited before.
package struct RetryPolicy: Sendable, Equatable {
  /// How often a question is asked at most.
  package var attempts = 4
  /// Milliseconds before the second time; doubled each time.
  package var firstWait = 2_000
  /// The longest wait of its own accord.
  package var longestWait = 60_000
  /// The longest wait that a server may ask for.
  package var longestAskedWait = 300_000

  /// Creates a policy that is easy on the servers.
  package init() {}

  /// How long to wait after so many attempts.
  ///
  /// - Parameters:
  ///   - attempt: how often it was tried.
  ///   - asked: the seconds that the server asks for, if it does.
  ///   - chance: a number from 0 up to 1, so that many who failed together do not return together.
  /// - Returns: milliseconds; nil if it was tried often enough, or would have to wait too long.
  package func wait(after attempt: Int, asked: Int? = nil, chance: Double) -> Int? {
    guard attempt < attempts else { return nil }
    let doubled = firstWait << min(attempt - 1, 16)
    let own = min(doubled, longestWait)
    let jittered = own / 2 + Int(Double(own / 2) * min(max(chance, 0), 1))
    guard let asked else { return jittered }
    let (milliseconds, overflows) = asked.multipliedReportingOverflow(by: 1000)
    guard !overflows, milliseconds <= longestAskedWait else { return nil }
    return max(milliseconds, jittered)
  }

  /// The seconds of a header `Retry-After`; dates, which no such server sends, count as no answer.
  static func seconds(ofRetryAfter text: String?) -> Int? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
