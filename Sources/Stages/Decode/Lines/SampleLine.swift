package import PumpModel

/// A line of sample NDJSON: a sample, or word that one was withdrawn.
package struct SampleLine: Sendable, Equatable {
  /// The pump's name as UTF-8, as outputs have it.
  package var pump: [UInt8]
  /// Which sample it is; group and event id are not known, and 0.
  package var identity: SampleIdentity
  /// What its id begins with, of a named record; its identity's numbers then say nothing.
  package var name: String?
  /// How often the sample had been given, this time included.
  package var revision: UInt32
  /// The sample; nil if it was withdrawn.
  package var sample: Sample?
  /// How its bolus ended, in a word for which there is no code of the pump.
  package var statusWord: String?
  /// The events that it rests on, in the order of the line.
  package var lineage: [EventReference]
}
