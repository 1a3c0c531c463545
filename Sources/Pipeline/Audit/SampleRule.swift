import Decode
import PumpModel

/// What makes a sample of events or of a row, in words.
enum SampleRule {
  /// The words for a sample, by the event that defines it; they go on after "made of".
  static func words(of sample: WrittenSample) -> String {
    let name = sample.definingEvent.map { id in
      "event \(id)" + (EventCatalogue.name(of: id).map { " \($0)" } ?? "")
    }
    let source = name ?? row(of: sample)
    return switch sample.type {
    case .basal where name == nil:
      "the rate that was told by \(source), until its own end or the next rate"
    case .basal: "the rate that was commanded by \(source), until the next evidence"
    case .bolus: "what was delivered, by \(source)"
    case .carbohydrates: "what was entered, by \(source)"
    case .sensorGlucose, .meterGlucose: "a reading, by \(source)"
    }
  }

  private static func row(of sample: WrittenSample) -> String {
    switch SampleOrigin(of: sample).row?.source {
    case .csv?: "a row of a table of the pump's maker"
    case .legacy?: "a row of the older site's JSON"
    case .glooko?: "a row of a Glooko table"
    case .tidepool?: "a record of Tidepool"
    case .nightscout?: "a treatment of Nightscout"
    case nil: "a row of an export"
    }
  }

  /// Which outputs leave a sample out unless they are asked to hold it; nil: none does.
  static func note(on sample: WrittenSample) -> String? {
    let isDerived = sample.metadata.entries.contains { $0.name == "derived" }
    switch sample.type {
    case .basal where sample.amount.parts == 0:
      return "outputs leave a rate of zero out, unless --zero-basal asks for it"
    case .basal where isDerived:
      return "outputs leave it out, unless --include derived-basal asks for it"
    case .sensorGlucose, .meterGlucose:
      return "outputs leave readings out, unless --include glucose asks for them"
    case .basal, .bolus, .carbohydrates: return nil
    }
  }
}
