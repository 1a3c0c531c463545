import PumpModel
import TestSupport

@testable import Demo

/// What exports tell of an invented pump's history, in every form that is read: the doses that its
/// records tell too, some of its own, and something that cannot be used.
struct ExportDocuments {
  private let history: RandomHistory
  private var random: TestRandom

  init(of history: RandomHistory, _ random: inout TestRandom) {
    self.history = history
    self.random = TestRandom(seed: random.next())
  }

  /// A document of each form.
  var all: [Document] {
    mutating get {
      let csv = rows(.csv).map { (history.pump.serial as String?, $0) }
      var glooko = GlookoExport()
      glooko.isMillimoles = true
      let legacy = rows(.legacy)
      let glookoRows = rows(.glooko).map { (history.pump.serial, $0) }
      return [
        document("source.csv", TableEncoder(.source).text(csv) + ",,bad\n"),
        document("timeline.csv", TableEncoder(.timeline).text(csv)),
        document("events.json", LegacyExport.therapyEvents(legacy, serial: history.pump.serial)),
        document("timeline.json", LegacyExport.timeline(legacy, suspensions: 2)),
        document("suspensions.js", LegacyExport.suspensions(count: 3)),
        document("bolus_data_1.csv", glooko.boluses(glookoRows)),
        document("basal_data_1.csv", glooko.rates(glookoRows)),
        document("bg_data_1.csv", glooko.readings(glookoRows, isManual: true)),
        document(
          "tidepool.json",
          TidepoolExport.list(
            rows(.tidepool).flatMap {
              TidepoolExport.records($0, serial: history.pump.serial)
            } + [#"{"type":"bolus","id":"z","time":"2026","deviceId":"tandem10027179000001"}"#])),
        document(
          "treatments.json",
          NightscoutExport.list(
            rows(.nightscout).compactMap { NightscoutExport.treatment($0) } + [
              #"{"_id":"a","created_at":"2026-05-04T12:00:00Z","eventType":"Note"}"#
            ])),
      ]
    }
  }

  private func document(_ name: String, _ text: String) -> Document {
    Document(name, Array(text.utf8))
  }

  /// The rows of a source: what records tell, some of it otherwise or not at all, with times and names
  /// as the source has them.
  private mutating func rows(_ source: ExportSource) -> [ExportRow] {
    var rows: [ExportRow] = []
    for row in DemoRows.of(history.records, source: source) where !random.happens(inThousand: 100) {
      var row = row
      // Some are of no record.
      if random.happens(inThousand: 150) { row.time += Int64(random.integer(-900...900)) }
      if source.tellsInstants { row.time += 4 * 3600 }
      if case .bolus(let bolus) = row.content {
        row.content = .bolus(told(bolus, by: source, at: row.time))
      }
      if source.namesRecords { row.name = "\(source.word)-\(rows.count)" }
      rows.append(row)
    }
    return rows
  }

  private mutating func told(
    _ bolus: RowBolus, by source: ExportSource, at time: Int64
  ) -> RowBolus {
    var bolus = bolus
    bolus.isAutomatic = random.happens(inThousand: 100)
    bolus.isOverride = random.happens(inThousand: 100)
    if bolus.extended != nil { bolus.span = time - 600...time }
    // A treatment is one part of a bolus.
    if source == .nightscout, bolus.extended != nil { bolus.normal = nil }
    if source == .tidepool { bolus.requestTime = bolus.requestTime.map { $0 + 4 * 3600 } }
    return bolus
  }
}
