import Testing

@testable import Extract

/// How long is waited, and when it is enough.
@Suite struct RetryPolicyTests {
  @Test func waitsGrowWithinBounds() {
    var policy = RetryPolicy()
    policy.attempts = 12
    #expect(
      (1...11).map { policy.wait(after: $0, chance: 0) } == [
        1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000,
      ])
    #expect(policy.wait(after: 1, chance: 0.5) == 1500)
    #expect(policy.wait(after: 12, chance: 0) == nil)
    for chance in [-1, 0.0, 0.999, 7] {
      #expect((1000...2000).contains(policy.wait(after: 1, chance: chance) ?? 0))
    }
  }

  @Test func aServerMayAskForMoreButNotForHours() {
    let policy = RetryPolicy()
    #expect(policy.wait(after: 1, asked: 20, chance: 0) == 20_000)
    #expect(policy.wait(after: 1, asked: 0, chance: 0) == 1000)
    #expect(policy.wait(after: 1, asked: 300, chance: 0) == 300_000)
    #expect(policy.wait(after: 1, asked: 301, chance: 0) == nil)
    #expect(policy.wait(after: 1, asked: .max, chance: 0) == nil)
  }

  @Test func retryAfterIsANumberOfSeconds() {
    #expect(RetryPolicy.seconds(ofRetryAfter: "120") == 120)
    for text in ["", "-1", "1.5", "Wed, 21 Oct 2026 07:28:00 GMT"] {
      #expect(RetryPolicy.seconds(ofRetryAfter: text) == nil)
    }
    #expect(RetryPolicy.seconds(ofRetryAfter: nil) == nil)
  }
}
