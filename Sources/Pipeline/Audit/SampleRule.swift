import Decode
import PumpModel

/// What makes a sample of events, in words.
enum SampleRule {
  /// The words for a sample, by the event that defines it; they go on after "made of".
  static func words(of sample: WrittenSample) -> String {
    let name = sample.definingEvent.map { id in
      "event \(id)" + (EventCatalogue.name(of: id).map { " \($0)" } ?? "")
    }
    let source = name ?? "a row of an export"
    return switch sample.type {
    case .basal: "the rate that was commanded by \(source), until the next evidence"
    case .bolus: "what was delivered, by \(source)"
    case .carbohydrates: "what was entered, by \(source)"
    case .sensorGlucose, .meterGlucose: "a reading, by \(source)"
    }
  }
}
