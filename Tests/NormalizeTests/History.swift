import Normalize
import PumpModel
import TestSupport

/// A pump's history as a test states it: what was recorded, at which time of the pump's clock.
///
/// Numbers count up by one from 1 unless a test says otherwise.
struct History {
  private(set) var events: [PumpEvent] = []
  var schedule: ZoneSchedule
  var clock = ClockMode.auto
  var claims: [CompletenessClaim] = []
  /// What was fetched from a live source, in seconds since 1970 of the pump's clock.
  var fetched = WallRanges()
  var concentration = Concentration.u100
  /// Far beyond everything that tests state.
  var now = Instant(unixSeconds: 4_000_000_000)

  init(zone: ZoneRules = TestZones.utc, @HistoryBuilder _ steps: () -> [HistoryStep]) {
    self.init(schedule: ZoneSchedule([.init(rules: zone, from: nil)]), steps)
  }

  /// A history in zones that are known to make a schedule.
  init(schedule: ZoneSchedule?, @HistoryBuilder _ steps: () -> [HistoryStep]) {
    self.schedule = schedule ?? Self.utc
    var time = WallText(2026, 5, 4)
    var number: UInt32 = 1
    var group: UInt32 = 0
    for step in steps() {
      switch step {
      case .group(let new): group = new
      case .number(let new): number = new
      case .skip(let count): number += count
      case .record(let text, let what):
        time.read(text)
        events.append(
          PumpEvent(
            group: group, number: number, time: time.pumpTime, id: what.id, payload: what.payload))
        number += 1
      }
    }
  }

  private static var utc: ZoneSchedule {
    let schedule = ZoneSchedule([.init(rules: TestZones.utc, from: nil)])
    precondition(schedule != nil, "one entry from the beginning is a schedule")
    return unsafe schedule.unsafelyUnwrapped
  }

  /// Adds an event.
  mutating func append(_ event: PumpEvent) { events.append(event) }

  /// The history with one of its settings changed.
  func with<Value>(_ field: WritableKeyPath<History, Value>, _ value: Value) -> History {
    var changed = self
    changed[keyPath: field] = value
    return changed
  }
}

/// One line of a history.
enum HistoryStep {
  /// A record at a time of the pump's clock.
  case record(String, What)
  /// The next record's number.
  case number(UInt32)
  /// Numbers that nobody has.
  case skip(UInt32)
  /// The sequence group from here on.
  case group(UInt32)
}

/// A record at a time such as `12:00`, `12:00:30` or, from there on another day, `05-05 12:00`.
func at(_ time: String, _ what: What) -> HistoryStep { .record(time, what) }

/// Collects the lines of a history.
@resultBuilder
enum HistoryBuilder {
  static func buildExpression(_ step: HistoryStep) -> [HistoryStep] { [step] }
  static func buildExpression(_ steps: [HistoryStep]) -> [HistoryStep] { steps }
  static func buildBlock(_ parts: [HistoryStep]...) -> [HistoryStep] { parts.flatMap { $0 } }
  static func buildOptional(_ part: [HistoryStep]?) -> [HistoryStep] { part ?? [] }
  static func buildEither(first part: [HistoryStep]) -> [HistoryStep] { part }
  static func buildEither(second part: [HistoryStep]) -> [HistoryStep] { part }
  static func buildArray(_ parts: [[HistoryStep]]) -> [HistoryStep] { parts.flatMap { $0 } }
}

/// A wall time that is read from text; what a text leaves out stays as it was.
struct WallText {
  private var year: Int
  private var month: Int
  private var day: Int
  private var second = 0

  init(_ year: Int, _ month: Int, _ day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  mutating func read(_ text: String) {
    let parts = text.split(separator: " ")
    if parts.count == 2 {
      let date = parts[0].split(separator: "-").compactMap { Int($0) }
      if date.count == 3 { year = date[0] }
      (month, day) = (date[date.count - 2], date[date.count - 1])
    }
    let time = (parts.last ?? "").split(separator: ":").compactMap { Int($0) }
    second = time[0] * 3600 + time[1] * 60 + (time.count > 2 ? time[2] : 0)
  }

  /// Seconds since 1970 of the wall clock.
  var wallSeconds: Int64 {
    CivilTime.days(year: year, month: month, day: day) * 86_400 + Int64(second)
  }

  var pumpTime: PumpTime {
    PumpTime(seconds: UInt32(wallSeconds - PumpTime.epochInUnixSeconds))
  }

  /// The wall seconds of a whole date and time.
  static func wall(_ text: String) -> Int64 {
    var time = WallText(2026, 5, 4)
    time.read(text)
    return time.wallSeconds
  }

  /// The pump time of a whole date and time.
  static func pumpTime(_ text: String) -> PumpTime {
    var time = WallText(2026, 5, 4)
    time.read(text)
    return time.pumpTime
  }
}
