import PumpModel

/// The glucose side of a synthetic pump, in mg/dL.
struct SensorState {
  var glucose = 120
  /// Grams that have not shown yet.
  var carbEffect = 0
  /// mIU that have not shown yet.
  var insulinEffect = 0
}

extension SyntheticPump {
  mutating func reading() {
    let rise = sensor.carbEffect / 12
    sensor.carbEffect -= rise
    let fall = sensor.insulinEffect / 30
    sensor.insulinEffect -= fall
    let pull = (115 - sensor.glucose) / 24
    let before = sensor.glucose
    schedule(.reading, after: 300)
    sensor.glucose += rise * 4 - fall * 3 / 100 + pull + random.integer(-4...4)
    sensor.glucose = Swift.min(420, Swift.max(38, sensor.glucose))
    guard options.hasSensor else { return }
    let status: UInt16 = sensor.glucose > 400 ? 1 : sensor.glucose < 40 ? 2 : 0
    write(
      399,
      .sensorReading(
        glucose: UInt16(sensor.glucose), status: status,
        trend: Int8(clamping: (sensor.glucose - before) * 2), takenAt: pumpSeconds - 5))
  }
}
