package import PumpModel

/// A place in a document of the sources.
package struct SourcePlace: Sendable, Equatable {
  /// The document's name for people.
  package var document: String
  /// Where in it.
  package var at: At

  /// Creates a place.
  package init(document: String, _ at: At) {
    self.document = document
    self.at = at
  }

  /// Where in a document something stands.
  package enum At: Sendable, Equatable {
    /// In bytes from its beginning.
    case offset(UInt64)
    /// In a line, counted from 1.
    case line(UInt64)
  }

  /// The offset or the line.
  package var number: UInt64 {
    switch at {
    case .offset(let number), .line(let number): number
    }
  }

  /// The place in words.
  package var words: String {
    switch at {
    case .offset(let offset): "offset \(offset)"
    case .line(let line): "line \(line)"
    }
  }
}

/// An event with the documents that hold it.
package struct LocatedEvent: Sendable, Equatable {
  /// Its number and its time on the pump's clock.
  package var reference: EventReference
  /// Its id; nil if it was not found.
  package var id: UInt16?
  /// Its name; nil if there is none.
  package var name: String?
  /// Where it stands; nil if it was not looked for.
  package var places: [SourcePlace]?

  /// Creates an event that was not looked for.
  package init(_ reference: EventReference) { self.reference = reference }
}

/// A row of an export with the documents that hold it.
package struct LocatedRow: Sendable, Equatable {
  /// Which row it is.
  package var reference: RowReference
  /// Where it stands; nil if it was not looked for.
  package var places: [SourcePlace]?

  /// Creates a row that was not looked for.
  package init(_ reference: RowReference) { self.reference = reference }
}
