import PumpModel

extension PumpEvent {
  /// Mixes in the whole event.
  func mix(into digest: inout StateDigest) {
    digest.mix(position)
    payload.mix(into: &digest)
  }
}

extension PumpEvent.Payload {
  /// Mixes in all that the record says.
  func mix(into digest: inout StateDigest) {
    var words: [Int64?]
    switch self {
    case .tempRateStart(let percent): words = [1, Int64(percent)]
    case .basalRateChange(let commanded, let base, let change):
      words = [2, Int64(commanded), base.map(Int64.init), change.map { Int64($0.rawValue) }]
    case .alarm(let code): words = [3, Int64(code)]
    case .suspended: words = [4]
    case .resumed: words = [5]
    case .clockChange(let shift): words = [6, shift]
    case .meterReading(let glucose, let isManual): words = [7, Int64(glucose), isManual ? 1 : 0]
    case .bolusCompleted(let part, let bolus, let status, let delivered, let requested):
      words = [8, Int64(part.rawValue), Int64(bolus), Int64(status), Int64(delivered)]
      words.append(requested.map(Int64.init))
    case .carbsEntered(let milligrams): words = [9, Int64(milligrams)]
    case .bolusStarted(let part, let bolus): words = [10, Int64(part.rawValue), Int64(bolus)]
    case .bolusRequest1(let bolus, let grams, let type):
      words = [11, Int64(bolus), grams.map(Int64.init), type.map(Int64.init)]
    case .bolusRequest2(let bolus, let options, let override):
      words = [12, Int64(bolus), options.map(Int64.init), override.map(Int64.init)]
    case .bolusRequest3(let bolus): words = [13, Int64(bolus)]
    case .dailyBasal(let total, let isFinal): words = [14, Int64(total), isFinal ? 1 : 0]
    case .newDay(let commanded): words = [15, Int64(commanded)]
    case .sensorReading(let glucose, let takenAt):
      words = [16, Int64(glucose), Int64(takenAt.seconds)]
    case .basalDelivery(let commanded, let source):
      words = [17, Int64(commanded), source.map(Int64.init)]
    case .bolusProgress(let bolus, let isStarted, let source):
      words = [18, Int64(bolus), isStarted ? 1 : 0, source.map(Int64.init)]
    case .other: words = [19]
    }
    for word in words { digest.mix(word) }
  }
}
