import Normalize
import PumpModel
import TestSupport
import Testing

/// For every finding that normalizing a history gives: a history that has it, and one that just has
/// not.
///
/// What else can be found, tests of imports and of audits show.
@Suite("Both sides of each finding of a history")
struct FindingSidesTests {
  @Test("One history has it, and another just has not", arguments: FindingCode.allCases)
  func sides(of code: FindingCode) {
    guard let (has, hasNot) = Self.histories(code) else { return }
    #expect(has.outcome().findings.contains(code))
    #expect(!hasNot.outcome().findings.contains(code))
  }

  private static func histories(_ code: FindingCode) -> (has: History, hasNot: History)? {
    switch code {
    case .clockByZone:
      (
        History { at("12:00", .other) },
        History {
          at("12:00", .other)
          at("13:00", .clock(by: 0))
        }
      )
    case .clockNotChangedForDaylightSaving: (overAutumn(to: "11-02"), overAutumn(to: "10-31"))
    case .clockDrift: (setBack(by: 61), setBack(by: 60))
    case .clockUnknown: (reset(isSetAgain: false), reset(isSetAgain: true))
    case .eventInFuture: (seen(at: "12:59:59"), seen(at: "13:00"))
    case .evidenceStepsBack: (meeting(at: "12:10"), meeting(at: "12:10:01"))
    case .tempRateAbsurd: (temp(250, of: 6001), temp(250, of: 6000))
    case .tempRateWithoutBase: (temp(50, of: nil), temp(50, of: 800))
    case .continuityUnknown: (skipping(1), skipping(0))
    case .logDamaged:
      (History { at("12:00", .damage) }, History { at("12:00", .other) })
    case .basalTotalDiffers: (total(24_034), total(24_033))
    case .madeUp, .pumpWithoutSerial, .pumpRenamed, .pumpsOverlap, .estimatedTimeOdd,
      .sequenceConflict, .copiesDiffer, .identityTaken, .basalLeftOut, .bodyMissing,
      .exportWithoutBasal, .mealWithoutBolus, .historyMoved, .basalOverlaps, .rateImpossible,
      .amountImpossible,
      .sampleInFuture, .idDoubled, .idContradicts, .sampleDoubled, .sampleOnTwoPumps,
      .tableMalformed, .metadataMalformed, .documentInvalid, .databaseDamaged:
      nil
    }
  }

  private static func overAutumn(to day: String) -> History {
    History(zone: TestZones.newYork) {
      at("10-25 12:00", .clock(by: 30))
      at("\(day) 12:00", .other)
    }
  }

  private static func setBack(by seconds: Double) -> History {
    History(zone: TestZones.newYork) {
      at("12-01 12:00", .other)
      at("12-01 13:00", .clock(by: seconds))
    }
  }

  private static func reset(isSetAgain: Bool) -> History {
    History(zone: TestZones.newYork) {
      at("12:00", .heartbeat(1000))
      at("12:01", .clock(by: 5))
      at("2008-01-01 00:00", .heartbeat(1000))
      if isSetAgain {
        at("2026-05-04 00:10", .date(by: 6698))
        at("14:00", .clock(by: 13 * 3600))
        at("14:10", .other)
      } else {
        at("00:05", .heartbeat(1000))
      }
    }
  }

  private static func seen(at time: String) -> History {
    History { at("13:00", .other) }
      .with(\.now, Instant(unixSeconds: WallText.wall("2026-05-04 \(time)")))
  }

  private static func meeting(at time: String) -> History {
    History(zone: TestZones.utc) {
      at("12:00", .change(1000))
      at("12:10", .change(2000))
      at("12:06", .clock(by: -300))
      at(time, .change(3000))
      at("12:20", .suspend)
    }
  }

  private static func temp(_ percent: Double, of rate: UInt16?) -> History {
    History {
      if let rate { at("10:00", .change(rate)) }
      at("12:00", .temp(percent))
      at("12:30", .suspend)
    }
  }

  private static func skipping(_ numbers: UInt32) -> History {
    History {
      at("12:00", .change(1000))
      HistoryStep.skip(numbers)
      at("13:00", .change(0))
    }
  }

  /// A day at 1 U/h up to a minute before midnight, and the pump's own total of it in mIU.
  private static func total(_ total: UInt32) -> History {
    History {
      at("05-03 23:00", .change(1000))
      at("05-04 00:00", .newDay(1000))
      at("12:00", .change(1000))
      at("23:00", .change(1000))
      at("23:59", .dayTotal(total))
      at("05-05 01:00", .suspend)
    }
  }
}
