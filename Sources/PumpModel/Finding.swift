/// Something that a reader of the output should know: odd, missing or unsure.
///
/// A finding never stops a run and never holds a sample's value, a name or a credential.
package struct Finding: Sendable, Equatable {
  /// Which kind of thing it is.
  package var code: FindingCode
  /// From when, if that is known.
  package var start: Instant?
  /// Until when, if that is known.
  package var end: Instant?
  /// One sentence for a person.
  package var text: String

  /// Creates a finding.
  package init(_ code: FindingCode, start: Instant? = nil, end: Instant? = nil, text: String) {
    self.code = code
    self.start = start
    self.end = end
    self.text = text
  }
}

/// How much a finding matters.
package enum Severity: String, Sendable, Comparable, CaseIterable {
  /// Good to know.
  case note
  /// Worth a look: amounts or times may be unsure.
  case warning
  /// Something contradicts itself.
  case error

  /// Orders by weight, lightest first.
  package static func < (left: Severity, right: Severity) -> Bool {
    left.weight < right.weight
  }

  private var weight: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// The closed list of findings; `Docs/Findings.md` has a section for each.
package enum FindingCode: String, Sendable, CaseIterable {
  /// The data is made up.
  case madeUp = "made-up"
  /// A pump is named by its assignment id, since no serial number is known.
  case pumpWithoutSerial = "pump-without-serial"
  /// Two names were given to one pump.
  case pumpRenamed = "pump-renamed"
  /// Two pumps delivered at the same time.
  case pumpsOverlap = "pumps-overlap"
  /// No clock changes are known, so the zone's rules were used date by date.
  case clockByZone = "clock-by-zone"
  /// Daylight saving began or ended inside a stretch and the clock was not changed.
  case clockNotChangedForDaylightSaving = "clock-not-changed-for-daylight-saving"
  /// The clock was off by more than a minute.
  case clockDrift = "clock-drift"
  /// The pump lost power, or its clock jumped: what was written then has no known time.
  case clockUnknown = "clock-unknown"
  /// An event is dated after now.
  case eventInFuture = "event-in-future"
  /// `estimatedDateTime` differs from the pump's time by something that is not the zone's offset.
  case estimatedTimeOdd = "estimated-time-odd"
  /// Where stretches of the clock meet, evidence steps back in time: no sample.
  case evidenceStepsBack = "evidence-steps-back"
  /// Two different records carry one sequence number.
  case sequenceConflict = "sequence-conflict"
  /// Copies of one record differ.
  case copiesDiffer = "copies-differ"
  /// Two samples would have had one external id.
  case identityTaken = "identity-taken"
  /// A temp rate would be above what a pump can deliver; it is not used.
  case tempRateAbsurd = "temp-rate-absurd"
  /// A temp rate began and no rate is known to take a percentage of.
  case tempRateWithoutBase = "temp-rate-without-base"
  /// Some records are missing, and whether a source filtered them is not known.
  case continuityUnknown = "continuity-unknown"
  /// The pump reported a damaged or erased log.
  case logDamaged = "log-damaged"
  /// The day's basal differs from the pump's own total.
  case basalTotalDiffers = "basal-total-differs"
  /// Exports tell basal rates, and nobody asked for basal that is made of them.
  case basalLeftOut = "basal-left-out"
  /// A browser's capture lacks the bodies of some responses.
  case bodyMissing = "body-missing"
  /// Meals of an export whose bolus no document tells.
  case mealWithoutBolus = "meal-without-bolus"
  /// Exports were read that hold no basal, or none that samples can be made of.
  case exportWithoutBasal = "export-without-basal"
  /// A run moved samples without changing their amounts.
  case historyMoved = "history-moved"
  /// Basal of an output overlaps the basal before it.
  case basalOverlaps = "basal-overlaps"
  /// Basal of an output comes to a rate that no pump gives.
  case rateImpossible = "rate-impossible"
  /// A sample of an output has an amount that no pump gives or takes.
  case amountImpossible = "amount-impossible"
  /// A sample of an output ends after now.
  case sampleInFuture = "sample-in-future"
  /// An external id stands more than once in an output.
  case idDoubled = "external-id-doubled"
  /// An external id names another pump or kind than its sample.
  case idContradicts = "external-id-contradicts"
  /// Two samples of an output say the same under different ids.
  case sampleDoubled = "sample-doubled"
  /// Two samples of an output say the same of two pumps.
  case sampleOnTwoPumps = "sample-on-two-pumps"
  /// A table has rows or columns that are not those of an output.
  case tableMalformed = "table-malformed"
  /// Records of an export of Health by pumpline lack metadata that each has, or have other.
  case metadataMalformed = "metadata-malformed"
  /// An export of Health breaks its own document type.
  case documentInvalid = "document-invalid"
  /// A database is damaged, or its tables contradict each other.
  case databaseDamaged = "database-damaged"

  /// How much findings of this code matter.
  package var severity: Severity {
    switch self {
    case .clockByZone, .continuityUnknown, .pumpWithoutSerial, .copiesDiffer,
      .exportWithoutBasal, .basalLeftOut, .mealWithoutBolus:
      .note
    case .pumpRenamed, .pumpsOverlap, .clockNotChangedForDaylightSaving, .clockDrift,
      .clockUnknown, .eventInFuture, .estimatedTimeOdd, .evidenceStepsBack, .identityTaken,
      .tempRateAbsurd, .tempRateWithoutBase, .logDamaged, .basalTotalDiffers, .bodyMissing,
      .historyMoved, .sequenceConflict, .madeUp, .basalOverlaps, .sampleInFuture, .tableMalformed,
      .documentInvalid:
      .warning
    case .rateImpossible, .amountImpossible, .idDoubled, .idContradicts, .sampleDoubled,
      .sampleOnTwoPumps, .metadataMalformed, .databaseDamaged:
      .error
    }
  }
}
