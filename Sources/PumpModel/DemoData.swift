/// How made-up data is told from a pump's, wherever it comes from.
///
/// Made-up pumps have serial numbers and assignment ids that begin in their own way, and made-up
/// JSON says of itself what it is. One of these is enough.
package enum DemoData {
  /// The word that outputs and documents label it with, under `dataSource`.
  package static let label = "syntheticDemo"
  /// How serial numbers of made-up pumps begin.
  package static let serialPrefix = "DEMO"
  /// How assignment ids of made-up pumps begin.
  package static let assignmentPrefix = "de300000-"

  /// Whether a serial number or an assignment id is that of a made-up pump, in capitals or not.
  package static func isName(_ name: some Sequence<UInt8>) -> Bool {
    [serialPrefix, assignmentPrefix].contains { prefix in
      name.starts(with: prefix.utf8) { lowercased($0) == lowercased($1) }
    }
  }

  /// The same of a text.
  package static func isName(_ name: String) -> Bool { isName(name.utf8) }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
