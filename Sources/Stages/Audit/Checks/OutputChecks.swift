import Platform
package import PumpModel

/// Looks at one set of a store by itself: what no output can rightly hold, whatever its sources.
package struct OutputChecks {
  private let store: SampleStore
  private let side: SampleSide
  private let checks: [any OutputCheck]
  private let namesSamples: Bool
  private let goesOn: () throws -> Void

  /// How often `goesOn` is asked: every so many samples.
  private static let pause = 4096

  /// Prepares the checks.
  ///
  /// - Parameters:
  ///   - store: where the samples are.
  ///   - side: which of them are looked at.
  ///   - form: the form of the output that they come from.
  ///   - concentration: the insulin in the pump, by which its limits count.
  ///   - now: what counts as now.
  ///   - goesOn: is asked again and again, and may throw to end the checks.
  package init(
    _ store: SampleStore, side: SampleSide, form: OutputForm, concentration: Concentration,
    now: Instant, goesOn: @escaping () throws -> Void = {}
  ) {
    self.store = store
    self.side = side
    self.goesOn = goesOn
    namesSamples = [.csv, .samples].contains(form)
    let content = SampleContent(form, form)
    checks = [
      BasalOverlaps(), ImpossibleAmounts(concentration), FutureSamples(now: now),
      ContradictingIDs(content), RepeatedSamples(content),
    ]
  }

  /// Looks, and tells what is found, check by check in order of time, with the pump of the sample that
  /// shows it.
  ///
  /// - Throws: `AuditError` if the database fails, and whatever `goesOn` throws.
  package func run(_ tell: (Finding, _ pump: String?) -> Void) throws {
    do {
      try lookAtSamples(tell)
      try lookAtIDs(tell)
    } catch let error as SQLiteError {
      throw AuditError.store(error)
    }
  }

  private func lookAtSamples(_ tell: (Finding, String?) -> Void) throws {
    var seen = 0
    var unnamed: (count: Int, first: WrittenSample)?
    try store.forEachSample(of: side, isBrief: true) { sample in
      seen += 1
      if sample.externalID == nil {
        unnamed = ((unnamed?.count ?? 0) + 1, unnamed?.first ?? sample)
      }
      if seen % Self.pause == 0 { try goesOn() }
      for check in checks { check.look(at: sample) { tell($0, sample.device) } }
    }
    // A table without ids is somebody's own; one that lacks some was changed.
    if namesSamples, let unnamed, unnamed.count < seen {
      tell(
        Finding(
          .idContradicts, start: unnamed.first.start,
          text: "samples without an external id, among others that have one: \(unnamed.count)"),
        unnamed.first.device)
    }
  }

  private func lookAtIDs(_ tell: (Finding, String?) -> Void) throws {
    guard store.mayRepeatIDs.contains(side) else { return }
    let select = try store.database.prepare(
      """
      SELECT id, count(*), min(start), min(device), max(device) FROM samples
      WHERE side = ?1 AND id IN (SELECT id FROM ids_again WHERE side = ?1)
      GROUP BY id HAVING count(*) > 1 ORDER BY min(start), id
      """)
    select.bind(1, side.rawValue)
    while try select.step() {
      let isOfOne = !select.isNull(3) && select.text(3) == select.text(4)
      tell(
        Finding(
          .idDoubled, start: Instant(unixSeconds: select.int64(2)),
          text: "\(select.text(0)) stands \(select.int64(1)) times"),
        isOfOne ? select.text(3) : nil)
    }
  }
}

/// A check of samples that come in order of time, without place, zone, metadata, lineage and event.
protocol OutputCheck: AnyObject {
  /// Looks at the next sample, and tells what is wrong with it or with those before it.
  func look(at sample: WrittenSample, _ tell: (Finding) -> Void)
}

extension WrittenSample {
  /// How findings name it.
  var title: String { externalID ?? "\(type.rawValue) without an id" }
}
