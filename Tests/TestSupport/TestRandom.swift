// The simulated pump and the encoders of its history are a module of the product, for its demo; tests
// find them here as well, without a second import in each of them.
@_exported public import Demo

/// The source of chance of tests.
package typealias TestRandom = SeededRandom
/// The zones of tests.
package typealias TestZones = LawfulZones
