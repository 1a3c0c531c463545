/// A zone as it was typed: `Z`, or `Z@T` for a pump that travelled (N3).
///
/// The name is not checked yet: only the pipeline has the zone data.
package struct ZoneArgument: Sendable, Equatable {
  /// The tzdata name.
  package var name: String
  /// From when it holds, in seconds since 1970-01-01T00:00:00 of the pump's wall clock; nil: from
  /// the beginning.
  package var from: Int64?

  /// Creates an argument.
  package init(name: String, from: Int64? = nil) {
    self.name = name
    self.from = from
  }

  /// Reads `Z` or `Z@T`; nil if the name is empty or T is no wall time.
  package init?(text: String) {
    guard let at = text.firstIndex(of: "@") else {
      self.init(name: text)
      if text.isEmpty { return nil }
      return
    }
    let name = String(text[..<at])
    guard !name.isEmpty, let wall = WallTime(text: text[text.index(after: at)...]) else {
      return nil
    }
    self.init(name: name, from: wall.secondsSince1970)
  }
}
