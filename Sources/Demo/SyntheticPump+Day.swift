import PumpModel

extension SyntheticPump {
  /// Plans what a day brings; called at each day's start, counted in true time.
  mutating func planDay(_ action: Action) {
    guard case .planDay(let day) = action else { return }
    schedule(.planDay(day + 1), after: 86_400)
    if let trip = options.trips.first(where: { $0.day == day }) {
      plan(.travel(trip.zone), around: 720)
    }
    planClock()
    if !options.hasAlgorithm { planSegments() }
    guard options.isLively else { return }
    planMeals()
    for _ in 0..<random.integer(2...4) {
      plan(.automaticCorrection(milliUnits: random.integer(150...2400)), around: 840, 500)
    }
    if day % 3 == 1 { plan(.siteChange, around: 1080, 90) }
    planSometimes(200, .correction(milliUnits: random.integer(5...40) * 100), around: 900, 400)
    planSometimes(80, .remoteBolus(milliUnits: random.integer(8...50) * 50), around: 900, 400)
    planSometimes(120, .suspension(minutes: random.integer(10...50)), around: 1000, 300)
    planSometimes(30, .occlusion(minutes: random.integer(5...25)), around: 700, 600)
    planSometimes(
      60, .tempRate(percent: random.integer(4...15) * 10, minutes: 90), around: 950, 200)
    planSometimes(100, .fingerstick(sensor.glucose), around: 600, 500)
    planSometimes(300, .alert(48), around: 720, 700)
    planSometimes(20, .requestOnly(grams: 25), around: 930, 200)
    planSometimes(10, .rejected(grams: 30), around: 945, 200)
    planSometimes(
      options.gapsInHundredDays * 10, .gap(minutes: random.integer(3...90)), around: 500, 480)
    planSometimes(
      options.powerLossesInHundredDays * 10, .powerLoss(minutes: random.integer(20...200)),
      around: 650, 250)
    plan(.sleep(false), around: 395, 25)
    plan(.sleep(true), around: 1350, 40)
    for _ in 0..<3 { plan(.sensorAlert, around: 720, 700) }
    for index in 0..<44 { plan(.unknown, around: 15 + index * 32, 12) }
  }

  private mutating func planMeals() {
    plan(.meal(grams: random.integer(30...65)), around: 460, 40)
    plan(.meal(grams: random.integer(40...85)), around: 765, 45)
    if random.happens(inThousand: 400) {
      planSometimes(900, .meal(grams: random.integer(10...25)), around: 935, 40)
    }
    let grams = random.integer(40...110)
    let dinner: Incident =
      switch random.integer(0...99) {
      case ..<16: .combo(grams: grams, percentNow: 10 * random.integer(3...8), minutes: 120)
      case ..<18: .combo(grams: grams, percentNow: 0, minutes: 90)
      case ..<21: .comboStopped(grams: grams, percentNow: 40, minutes: 180)
      case ..<25: .bolusStopped(grams: grams)
      default: .meal(grams: grams)
      }
    plan(dinner, around: 1140, 70)
  }

  private mutating func plan(_ incident: Incident, around minute: Int, _ spread: Int = 0) {
    let at = minute * 60 + random.integer(-spread * 60...spread * 60)
    schedule(.incident(incident), after: Int64(Swift.max(0, at)))
  }

  private mutating func planSometimes(
    _ likelihood: Int, _ incident: Incident, around minute: Int, _ spread: Int
  ) {
    if random.happens(inThousand: likelihood) { plan(incident, around: minute, spread) }
  }

  private mutating func planSegments() {
    let midnight = now - clock.wall(at: now) % 86_400
    for segment in Self.profile.dropFirst() {
      let at = midnight + Int64(segment.minute) * 60
      if at > now { schedule(.segment, after: at - now) }
    }
  }
}
