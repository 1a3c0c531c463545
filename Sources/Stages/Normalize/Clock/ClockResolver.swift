import PumpModel

/// A stretch with the UTC offset that its pump's clock had.
package struct PlacedStretch: Sendable, Equatable {
  /// The stretch.
  package var stretch: Stretch
  /// Seconds east of UTC; nil if its time is not known.
  package var offset: Int64?
  /// How far the clock was off beside that offset, in milliseconds; reported, never applied.
  package var driftMilliseconds: Int64
}

/// Gives each stretch its UTC offset (N3): the newest one the zone's, every older one that of the
/// stretch after it, less the shift of the change between them.
struct ClockResolver {
  let schedule: ZoneSchedule

  /// Places the stretches of a scan by clock-change records.
  func place(_ scan: ClockScan) -> [PlacedStretch] {
    place(scan.stretches) { index in
      scan.stretches[index].reset.map { scan.resets[$0].isEnded } ?? true
    }
  }

  /// Places those of a list of stretches whose time is known.
  func place(_ stretches: [Stretch], isKnown: (_ index: Int) -> Bool) -> [PlacedStretch] {
    var placed = stretches.map { PlacedStretch(stretch: $0, offset: nil, driftMilliseconds: 0) }
    for index in placed.indices.reversed() where isKnown(index) {
      let stretch = placed[index].stretch
      if let next = stretch.next {
        guard let after = placed[next.stretch].offset else { continue }
        let exact = after * 1000 - next.shiftMilliseconds
        let offset = Self.rounded(exact)
        placed[index].offset = offset
        placed[index].driftMilliseconds = exact - offset * 1000
      } else {
        placed[index].offset = anchor(of: stretch)
      }
    }
    return placed
  }

  /// The zone's offset a day after the change that opened a stretch, or at its newest event.
  private func anchor(of stretch: Stretch) -> Int64? {
    guard let newest = stretch.newest else { return nil }
    var wall = newest.wallSeconds
    var movedBack = false
    if case .change(let opened, let shift) = stretch.opening {
      wall = min(wall, opened.wallSeconds + ClockScanner.day)
      movedBack = shift < 0
    }
    let rules = schedule.rules(atWall: wall)
    let readings = rules.readings(ofWall: wall)
    let instant = movedBack ? readings.later(wall: wall) : readings.earlier(wall: wall)
    return wall - instant.unixSeconds
  }

  /// An exact offset in milliseconds, rounded to 15 minutes where a zone could have it, else to
  /// the second; ties go to the even one.
  static func rounded(_ milliseconds: Int64) -> Int64 {
    let usual = -12 * 3_600_000...14 * 3_600_000 as ClosedRange<Int64>
    return usual.contains(milliseconds)
      ? roundedHalfEven(milliseconds, over: 900_000) * 900
      : roundedHalfEven(milliseconds, over: 1000)
  }
}

/// A quotient rounded to the nearest whole number, ties to the even one; the divisor is positive.
func roundedHalfEven(_ value: Int64, over divisor: Int64) -> Int64 {
  let floor = value.flooredDivision(by: divisor)
  let twice = (value - floor * divisor) * 2
  if twice == divisor { return floor + (floor & 1) }
  return twice > divisor ? floor + 1 : floor
}
