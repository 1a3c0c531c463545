/// A cluster of Tandem Source; raw values are the words of `--region`.
public enum SourceRegion: String, Sendable, CaseIterable {
  /// The United States, Canada and Mexico.
  case us
  /// Europe, Australia, New Zealand, Israel, South Africa and others.
  case eu
}
