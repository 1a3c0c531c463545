import Normalize
import PumpModel
import TestSupport
import Testing

/// N4: nothing is closed across time that a live source was not asked for.
@Suite("Basal across time that was not fetched")
struct FetchedTimeTests {
  /// What came of two pieces of evidence at 20:00 and 06:00, and an end, with ranges of fetched time.
  private func text(_ ranges: [(String, String)], first: What = .change(1000)) -> String {
    History {
      at("05-04 20:00", first)
      at("05-05 06:00", .change(500))
      at("05-05 08:00", .change(0))
    }.with(
      \.fetched,
      WallRanges(ranges.map { WallText.wall($0)..<WallText.wall($1) })
    ).text
  }

  private static let closed = """
    #1 basal 20:00–05-05 06:00 10 rate 1 profile
    #2 basal 05-05 06:00–05-05 08:00 1 rate 0.5 profile
    """
  private static let open = """
    #2 basal 05-05 06:00–05-05 08:00 1 rate 0.5 profile
    pending basal #1 20:00
    """

  @Test("Where both sides were fetched and time between was not, the opening stays pending")
  func broken() {
    #expect(text([("05-04 00:00", "05-05 00:00"), ("05-05 05:00", "05-06 00:00")]) == Self.open)
    #expect(
      text([("05-04 20:00", "05-05 05:59:59"), ("05-05 06:00", "05-05 06:00:01")]) == Self.open)
  }

  @Test("Elsewhere what was fetched plays no part")
  func elsewhere() {
    #expect(text([]) == Self.closed)
    // In one piece, also of pieces that touch.
    #expect(text([("05-04 00:00", "05-05 00:00"), ("05-05 00:00", "05-06 00:00")]) == Self.closed)
    // One side was not fetched; the end of a range is not in it.
    #expect(text([("05-04 00:00", "05-04 20:00"), ("05-05 05:00", "05-06 00:00")]) == Self.closed)
    #expect(text([("05-04 00:00", "05-05 00:00"), ("05-05 07:00", "05-06 00:00")]) == Self.closed)
    #expect(text([("05-03 00:00", "05-04 00:00"), ("05-06 00:00", "05-07 00:00")]) == Self.closed)
  }

  @Test("It is no hole either, and a rate of zero leaves nothing")
  func noHole() {
    let ranges = [("05-04 00:00", "05-05 00:00"), ("05-05 05:00", "05-06 00:00")]
    #expect(text(ranges, first: .heartbeat(1000)) == Self.open)
    #expect(
      text(ranges, first: .change(0)) == "#2 basal 05-05 06:00–05-05 08:00 1 rate 0.5 profile")
  }
}
