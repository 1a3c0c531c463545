/// A row of an export, as the external ids of its samples name it (N9).
package struct RowReference: Sendable, Hashable {
  /// Where the row comes from.
  package var source: ExportSource
  /// What it is about: rows of one time are counted within that.
  package var kind: RowKind
  /// How it is named.
  package var name: Name

  /// Creates a reference.
  package init(source: ExportSource, kind: RowKind, name: Name) {
    self.source = source
    self.kind = kind
    self.name = name
  }

  /// How a row is named.
  package enum Name: Sendable, Hashable {
    /// By the pump's clock, in seconds since 2008, and the row's count among those of the same second,
    /// from 0.
    case time(seconds: UInt32, ordinal: UInt32)
    /// By an id of its own.
    case own(String)
  }

  /// The name as ids hold it, such as `csv-578751004-0` or `nightscout:62d9f1`.
  package var text: String {
    switch name {
    case .time(let seconds, let ordinal): "\(source.word)-\(seconds)-\(ordinal)"
    case .own(let name): source.idBase(of: name)
    }
  }
}

extension RowKind {
  /// What rows are about that give samples of a kind.
  package init(of kind: SampleKind) {
    self =
      switch kind {
      case .basal: .rate
      case .bolus, .extended, .carbs: .bolus
      case .cgm: .sensor
      case .meter: .meter
      }
  }
}
