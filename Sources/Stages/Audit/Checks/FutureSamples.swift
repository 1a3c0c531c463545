import PumpModel

/// Finds samples that end after now.
final class FutureSamples: OutputCheck {
  private let now: Instant

  init(now: Instant) { self.now = now }

  func look(at sample: WrittenSample, _ tell: (Finding) -> Void) {
    guard sample.end > now else { return }
    tell(
      Finding(
        .sampleInFuture, start: sample.start, end: sample.end,
        text: "\(sample.title) ends after now"))
  }
}
