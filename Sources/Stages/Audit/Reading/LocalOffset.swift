import PumpModel

/// The offset from UTC of a local time of an output.
enum LocalOffset {
  /// Whether a local time, such as `2026-05-04T08:00:00-04:00`, shows what a clock shows at an offset.
  static func agrees(_ text: String, with offset: Int64, at instant: Instant) -> Bool {
    var shown = Array(text.utf8.prefix(19))
    shown.append(0x5A)
    let wall = unsafe InstantReading.instant(shown.span.bytes, 0..<shown.count, as: .internet)
    // Offsets of long ago have seconds, which outputs do not show.
    return wall.map { abs($0 - instant - offset) < 60 } ?? false
  }
}
