import Decode
import Deduplicate
import Emit
import Platform
import PumpModel

/// Writes the report of a filter that reads samples: its rejects, and what changed.
struct SampleReport {
  let lines: SampleLineImport
  let outcome: SampleImportOutcome

  /// Writes the report and seals it; nil if none was asked for.
  func write(to path: String?) throws -> ReportWriter? {
    guard let path else { return nil }
    let report = try ReportWriter(path == "-" ? .standardOutput : .file(path))
    try lines.rejects.forEach { input, reject in
      try report.write(ReportReject(document: lines.inputs[Int(input)], reject: reject))
    }
    let changes = outcome.changes.values.reduce(into: SampleChanges()) { $0 += $1 }
    try report.write(
      ReportChanges(
        fresh: changes.fresh, unchanged: changes.unchanged, revised: changes.revised,
        withdrawn: changes.withdrawn))
    try report.seal()
    return report
  }
}
