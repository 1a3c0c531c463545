import PumpModel

extension SyntheticPump {
  /// Lets something happen, or puts it off while a bolus runs or delivery is suspended.
  mutating func begin(_ incident: Incident) {
    guard isFree(for: incident) else {
      schedule(.incident(incident), after: 660)
      return
    }
    switch incident {
    case .meal, .combo, .comboStopped, .bolusStopped, .requestOnly, .rejected: eat(incident)
    case .correction(let amount): request { $0.correction = amount }
    case .automaticCorrection(let amount):
      request {
        $0.correction = amount
        ($0.options, $0.type, $0.source) = (3, 2, 7)
      }
    case .remoteBolus(let amount):
      request {
        $0.food = amount
        ($0.options, $0.type, $0.source, $0.isOverridden) = (4, 3, 8, true)
      }
    case .suspension(let minutes): suspend(reason: 0, minutes: minutes)
    case .occlusion(let minutes): occlude(minutes: minutes)
    case .siteChange: changeSite()
    case .tempRate(let percent, let minutes): startTemp(percent: percent, minutes: minutes)
    case .fingerstick(let value):
      write(16, .meterReading(glucose: UInt16(value), iob: boluses.onBoard))
    case .sleep(let begins): sleep(begins)
    case .alert, .sensorAlert, .unknown: note(incident)
    case .gap(let minutes): gapUntil = now + Int64(minutes) * 60
    case .powerLoss(let minutes): losePower(minutes: minutes)
    case .travel(let destination):
      zone = destination
      setClock()
    case .setClock: setClock()
    }
  }

  private func isFree(for incident: Incident) -> Bool {
    switch incident {
    case .fingerstick, .sleep, .alert, .sensorAlert, .unknown, .gap: true
    case .travel, .setClock: boluses.current == nil
    default: boluses.current == nil && !basal.isSuspended && basal.temp == nil
    }
  }

  private mutating func eat(_ incident: Incident) {
    let glucose = random.happens(inThousand: 600) ? sensor.glucose : 0
    var bolus = SyntheticBolus(id: 0)
    switch incident {
    case .meal(let grams): bolus.grams = grams
    case .combo(let grams, let percentNow, let minutes):
      (bolus.grams, bolus.percentNow, bolus.minutes) = (grams, percentNow, minutes)
    case .comboStopped(let grams, let percentNow, let minutes):
      (bolus.grams, bolus.percentNow, bolus.minutes) = (grams, percentNow, minutes)
      bolus.stopsAt = 60
    case .bolusStopped(let grams): (bolus.grams, bolus.stopsAt) = (grams, 35)
    case .rejected(let grams): (bolus.grams, bolus.isRejected) = (grams, true)
    case .requestOnly(let grams): bolus.grams = grams
    default: return
    }
    // Six grams a unit; a correction where glucose is high.
    bolus.food = bolus.grams * 1000 / 6
    bolus.correction = Swift.max(0, glucose - 150) * 1000 / 30
    bolus.glucose = glucose
    bolus.type = 1
    bolus.options = bolus.minutes > 0 ? 1 : 0
    request { wanted in
      bolus.id = wanted.id
      wanted = bolus
    }
    if case .requestOnly = incident { boluses.current = nil }
  }

  private mutating func occlude(minutes: Int) {
    write(5, PumpRecord.Payload(2, 8311, 18))
    suspend(reason: 1, minutes: minutes)
    schedule(.record(28, PumpRecord.Payload(2)), after: Int64(minutes) * 60 - 30)
  }

  private mutating func changeSite() {
    suspend(reason: 0, minutes: 9)
    basal.reservoir = 200
    var fill = PumpRecord.Payload(180)
    fill.set(f32: 185.64, at: 4)
    schedule(.record(33, fill), after: 150)
    var tubing = PumpRecord.Payload(0, 3, 631_224)
    tubing.set(f32: 14.6, at: 0)
    schedule(.record(63, tubing), after: 290)
    var cannula = PumpRecord.Payload(0, 3)
    cannula.set(f32: 0.3, at: 0)
    schedule(.record(61, cannula), after: 470)
  }

  private mutating func sleep(_ begins: Bool) {
    var mode = PumpRecord.Payload()
    mode.set(u8: begins ? 1 : 2, at: 1)
    mode.set(u8: begins ? 0 : 1, at: 2)
    mode.set(u8: begins ? 1 : 0, at: 3)
    mode.set(u8: 1, at: 6)
    write(229, mode)
    write(230, PumpRecord.Payload(0x0100_0303, 0x0001_0101))
  }

  private mutating func note(_ incident: Incident) {
    switch incident {
    case .alert(let code):
      write(4, PumpRecord.Payload(code, 0, 0, 0x4400_8000))
      schedule(.record(26, PumpRecord.Payload(code)), after: 240)
    case .sensorAlert:
      write(369, PumpRecord.Payload(0x0000_0302, 8468, 214, 0x4348_0000))
      schedule(.record(371, PumpRecord.Payload(0x0000_0302, 0)), after: 90)
      schedule(.record(370, PumpRecord.Payload(0x0000_0302)), after: 900)
    default:
      // Battery, status and radio records, of which no layout is known.
      let ids: [UInt16] = [9, 34, 35, 219]
      write(
        ids[random.integer(0...3)],
        PumpRecord.Payload(
          UInt32(random.integer(0...100)), UInt32(random.integer(3600...4100)),
          UInt32(boluses.onBoard), UInt32(level)))
    }
  }
}
