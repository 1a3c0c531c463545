import PumpModel
import Testing

/// By what made-up data is known.
@Suite("Made-up data")
struct DemoDataTests {
  @Test("Serial numbers and assignment ids of made-up pumps are known by how they begin")
  func names() {
    for name in ["DEMO", "DEMO0000001", "demo1", "de300000-0000-4000-8000-1", "DE300000-A"] {
      #expect(DemoData.isName(name), "\(name)")
    }
    for name in ["", "DEM", "90000001", "1DEMO", "de300000", "de30000-1", "D\u{45}\u{301}MO"] {
      #expect(!DemoData.isName(name), "\(name)")
    }
  }
}
