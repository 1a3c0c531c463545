import Platform

/// Why an input could not be walked to its end, which stops the run.
package struct ExtractError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of thing went wrong.
  package let kind: Kind
  /// The name of the input or of what lies in it; safe to print.
  package let place: String
  /// What is wrong, in words that follow the name.
  package let reason: String
  /// What to do next, a sentence.
  package let advice: String

  /// What kind of thing went wrong.
  package enum Kind: Sendable, Equatable {
    /// The input does not exist, or may not be read.
    case missing
    /// The input is a device, a socket or the like.
    case notAFile
    /// The system failed to read.
    case unreadable
    /// The input expands beyond 64 GiB or has more than 100 000 entries.
    case tooLarge
  }

  /// What is wrong, where, and what to do next.
  package var description: String { "\(place) \(reason). \(advice)" }

  /// An error that stops the run; nil if what it says concerns one document only.
  init?(stopping error: InputError, at place: DocumentPlace) {
    guard [.failed, .inputTooLarge, .tooManyEntries].contains(error.kind) else { return nil }
    self.init(error, at: place)
  }

  /// An error that stops the run, such as an input that was named and cannot even be opened.
  init(_ error: InputError, at place: DocumentPlace) {
    self.place = place.name
    reason = error.description
    switch error.kind {
    case .missing:
      kind = .missing
      advice = "Check the spelling of the path."
    case .denied:
      kind = .missing
      advice = "Change its permissions, or copy it to a place that you can read."
    case .notAFile:
      kind = .notAFile
      advice = "Name a file, a folder, or - for standard input."
    case .inputTooLarge, .tooManyEntries:
      kind = .tooLarge
      advice = "Unpack it, and give the parts one by one."
    default:
      kind = .unreadable
      advice = "Check the disk, or copy the file elsewhere, and try again."
    }
  }
}
