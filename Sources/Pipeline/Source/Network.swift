import Extract
package import Platform
import PumpModel

/// How a run reaches servers, so that a test can be the network and the time.
package struct Network: Sendable {
  /// Makes what asks servers, with cookies of its own.
  package var transport: @Sendable () throws(HTTPFailure) -> any HTTPTransport
  /// Waits so many milliseconds; false if the process is to end.
  package var wait: @Sendable (Int) -> Bool
  /// A number from 0 up to 1.
  package var chance: @Sendable () -> Double

  /// Creates a network: that of the host, unless said.
  package init(
    transport: @escaping @Sendable () throws(HTTPFailure) -> any HTTPTransport = {
      () throws(HTTPFailure) in try CurlTransport()
    },
    wait: @escaping @Sendable (Int) -> Bool = { SourceSurroundings.waitOnHost($0) },
    chance: @escaping @Sendable () -> Double = { SecureRandom.fraction() }
  ) {
    self.transport = transport
    self.wait = wait
    self.chance = chance
  }
}
