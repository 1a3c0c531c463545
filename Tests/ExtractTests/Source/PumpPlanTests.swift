import PumpModel
import TestSupport
import Testing

@testable import Extract

/// What is asked for, and what an answer proves.
@Suite struct PumpPlanTests {
  private static let day: Int64 = 86_400
  /// 2026-06-01.
  private static let today: Int64 = 20_605
  private static let now = Instant(unixSeconds: today * day + 12 * 3600)

  /// A pump with history from some days before today up to this morning at six.
  private static func pump(daysBack: Int64 = 100, tellsRange: Bool = true) -> SourcePump {
    let newest = today * day + 6 * 3600
    return SourcePump(
      assignment: "a", serial: "90000001", modelName: nil,
      available: tellsRange ? (today - daysBack) * day..<newest + 1 : nil, newest: newest,
      lastUpload: "u1")
  }

  private static func plan(
    _ pump: SourcePump = pump(), _ fetches: PumpFetches = PumpFetches(),
    _ limits: PullLimits = PullLimits()
  ) -> PumpPlan {
    PumpPlan(pump: pump, fetches: fetches, limits: limits, now: now)
  }

  /// The first window of the recent lane.
  private static func window(_ plan: inout PumpPlan) throws -> FetchWindow {
    let window = plan.next(.recent)
    return try #require(window)
  }

  /// All windows of a lane, each answered with events on all days that `has` says.
  private static func windows(
    _ plan: inout PumpPlan, _ lane: PullLane, has: (Int64) -> Bool = { _ in true }
  ) -> [ClosedRange<Int64>] {
    var cores: [ClosedRange<Int64>] = []
    while cores.count < 100, let window = plan.next(lane) {
      cores.append(window.core)
      let days = Set(window.core.filter { has($0) && $0 <= today })
      _ = plan.take(window, eventDays: days, newestEvent: nil)
    }
    return cores
  }

  @Test func windowsAreAskedForWithADayMoreOnBothSidesAndNeverMoreThanFourWeeks() {
    var plan = Self.plan()
    let cores = Self.windows(&plan, .backfill)
    #expect(cores.first == Self.today - 25...Self.today)
    #expect(cores.last?.lowerBound == Self.today - 100)
    #expect(cores.map { $0.count }.reduce(0, +) == 101)
    #expect(cores.allSatisfy { FetchWindow(core: $0).asked.count <= 28 })
    #expect(FetchWindow(core: 5...6).asked == 4...7)
  }

  @Test func theRecentLaneIsOneWindow() {
    var plan = Self.plan()
    #expect(Self.windows(&plan, .recent) == [Self.today - 25...Self.today])
    #expect(Self.windows(&plan, .recent).isEmpty)
  }

  @Test func onlyWhatIsMissingIsAskedForNextTime() {
    var plan = Self.plan()
    _ = Self.windows(&plan, .backfill)
    var next = Self.plan(Self.pump(), plan.fetches)
    #expect(Self.windows(&next, .backfill).isEmpty)
    // An hour later the pump has an hour more.
    var later = Self.pump()
    later.newest = later.newest.map { $0 + 3600 }
    var again = Self.plan(later, plan.fetches)
    #expect(Self.windows(&again, .recent) == [Self.today...Self.today])
  }

  @Test func anAnswerCountsUpToTheNewestEventThatWasTold() throws {
    var plan = Self.plan()
    let window = try Self.window(&plan)
    let proven = plan.take(window, eventDays: Set(window.core), newestEvent: nil)
    #expect(
      proven == [
        FetchedRange(
          window.seconds.lowerBound..<Self.today * Self.day + 6 * 3600 + 1, .held)
      ])
  }

  @Test func whereNothingNewestIsToldTheAnswersOwnNewestCounts() throws {
    var pump = Self.pump()
    pump.newest = nil
    var plan = Self.plan(pump)
    let window = try Self.window(&plan)
    let newest = (Self.today - 3) * Self.day + 100
    let proven = plan.take(window, eventDays: [Self.today - 3], newestEvent: newest)
    #expect(proven.map(\.seconds.upperBound).max() == newest + 1)
    var silent = Self.plan(pump)
    let empty = try Self.window(&silent)
    #expect(silent.take(empty, eventDays: [], newestEvent: nil).isEmpty)
  }

  @Test func datesFarAheadAreNotBelieved() {
    var pump = Self.pump()
    pump.newest = (Self.today + 4000) * Self.day
    #expect(Self.plan(pump).wanted(.recent).upperBound <= Self.now.unixSeconds + 14 * 3600 + 1)
  }

  @Test func daysWithoutEventsAreAskedForOnceMoreAndThenAccepted() {
    let empty = Self.today - 10...Self.today - 8
    func has(_ day: Int64) -> Bool { !empty.contains(day) }
    var first = Self.plan()
    _ = Self.windows(&first, .recent, has: has)
    #expect(Self.windows(&first, .recent, has: has).isEmpty)
    var second = Self.plan(Self.pump(), first.fetches)
    #expect(Self.windows(&second, .recent, has: has) == [empty])
    var third = Self.plan(Self.pump(), second.fetches)
    #expect(Self.windows(&third, .recent, has: has).isEmpty)
  }

  @Test func withoutARangeTheWalkEndsAfterSixEmptyMonths() {
    let first = Self.today - 200
    var plan = Self.plan(Self.pump(tellsRange: false))
    let cores = Self.windows(&plan, .backfill) { $0 >= first }
    #expect(cores.last?.lowerBound == first - 168)
    // What was empty is asked for once more, and the walk does not creep on.
    var second = Self.plan(Self.pump(tellsRange: false), plan.fetches)
    #expect(Self.windows(&second, .backfill) { $0 >= first }.last?.lowerBound == first - 168)
    var third = Self.plan(Self.pump(tellsRange: false), second.fetches)
    #expect(Self.windows(&third, .backfill) { $0 >= first }.isEmpty)
  }

  @Test func sinceAndAvailableDaysEndTheWalk() {
    var since = Self.plan(
      Self.pump(tellsRange: false), PumpFetches(),
      PullLimits(since: (Self.today - 40) * Self.day))
    #expect(Self.windows(&since, .backfill).last?.lowerBound == Self.today - 40)
    var days = Self.plan(Self.pump(), PumpFetches(), PullLimits(availableDays: 30))
    // The pump's clock may be half a day ahead.
    #expect(Self.windows(&days, .backfill).last?.lowerBound == Self.today + 1 - 29)
  }

  @Test func aTimeThatWasAskedForIsTheOnlyOne() {
    let from = (Self.today - 60) * Self.day
    var plan = Self.plan(
      Self.pump(), PumpFetches(), PullLimits(from: from, until: from + 3 * Self.day))
    #expect(Self.windows(&plan, .recent) == [Self.today - 60...Self.today - 58])
  }

  @Test func lateUploadsAreReadFromADayBeforeWhatWasNewest() throws {
    var fetches = PumpFetches()
    fetches.held.insert((Self.today - 100) * Self.day..<Self.today * Self.day)
    let newest = (Self.today - 5) * Self.day + 50
    fetches.seen = PumpFetches.Seen(lastUpload: "u0", newest: newest)
    var plan = Self.plan(Self.pump(), fetches)
    #expect(Self.windows(&plan, .changes) == [Self.today - 6...Self.today])
    fetches.seen?.lastUpload = "u1"
    var unchanged = Self.plan(Self.pump(), fetches)
    #expect(Self.windows(&unchanged, .changes).isEmpty)
  }

  @Test func historyThatIsGoneIsToldOnce() {
    var fetches = PumpFetches()
    fetches.held.insert((Self.today - 200) * Self.day..<(Self.today - 150) * Self.day)
    var plan = Self.plan(Self.pump(), fetches)
    let gone = WallRanges([(Self.today - 150) * Self.day..<(Self.today - 100) * Self.day])
    #expect(plan.lost() == gone)
    plan.tell(plan.lost())
    #expect(plan.lost().isEmpty)
    #expect(Self.plan(Self.pump(), plan.fetches).lost().isEmpty)
    let asked = Self.plan(
      Self.pump(), PumpFetches(), PullLimits(from: (Self.today - 120) * Self.day))
    #expect(
      asked.lost() == WallRanges([(Self.today - 120) * Self.day..<(Self.today - 100) * Self.day]))
    #expect(Self.plan().lost().isEmpty)
  }

  @Test func aWindowThatFailsIsHalvedDownToADay() throws {
    var plan = Self.plan()
    var window = try Self.window(&plan)
    var cores: [ClosedRange<Int64>] = []
    while plan.halve(window) {
      window = try Self.window(&plan)
      cores.append(window.core)
    }
    #expect(cores.map { $0.count } == [13, 7, 4, 2, 1])
    #expect(cores.allSatisfy { $0.upperBound == Self.today })
    // The older halves come next, and together they are the whole.
    var rest: [Int64] = Array(window.core)
    while let part = plan.next(.recent) { rest += Array(part.core) }
    #expect(rest.sorted() == Array(Self.today - 25...Self.today))
  }

  @Test func aPumpThatNeverUploadedIsNotAskedFor() {
    var plan = Self.plan(SourcePump(assignment: "a"))
    #expect(plan.next(.recent) == nil)
    #expect(plan.next(.backfill) == nil)
  }

  @Test(arguments: 1...20)
  func whateverFailsTheNextRunsEndWithAll(seed: Int) {
    var random = TestRandom(seed: UInt64(seed))
    var fetches = PumpFetches()
    for _ in 0..<40 {
      var plan = Self.plan(Self.pump(), fetches)
      for lane in [PullLane.recent, .changes, .backfill] {
        while let window = plan.next(lane) {
          if random.happens(inThousand: 300) {
            if !plan.halve(window) { break }
          } else {
            _ = plan.take(
              window, eventDays: Set(window.core.filter { $0 % 7 != 0 }), newestEvent: nil)
          }
        }
      }
      fetches = plan.fetches
      let left = Self.plan(Self.pump(), fetches).missing(.backfill)
      if left.subtracting(fetches.emptyOnce).isEmpty { break }
    }
    let all = WallRanges([(Self.today - 100) * Self.day..<Self.today * Self.day + 6 * 3600 + 1])
    #expect(fetches.settled.union(fetches.emptyOnce) == all, "\(random.describe)")
  }
}
