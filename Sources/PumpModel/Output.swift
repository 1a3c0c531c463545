/// What every output of one run shares.
package struct OutputContext {
  /// The zones, for local times, days and HKTimeZone.
  package var schedule: ZoneSchedule
  /// The pumps; rows name them by their place in this list.
  package var pumps: [PumpLabel]
  /// The newest end among the samples of this output; nil if there are none.
  package var newestEnd: Instant?
  /// The words that status codes of rows stand for.
  package var statusWords: StatusWords
  /// What ids of samples of named records begin with.
  package var names: (any IdentityNames)?

  /// Creates a context.
  package init(
    schedule: ZoneSchedule, pumps: [PumpLabel], newestEnd: Instant?,
    statusWords: StatusWords = StatusWords(), names: (any IdentityNames)? = nil
  ) {
    self.schedule = schedule
    self.pumps = pumps
    self.newestEnd = newestEnd
    self.statusWords = statusWords
    self.names = names
  }
}

/// How a pump is named in outputs.
package struct PumpLabel: Sendable, Equatable {
  /// The name it was given first: the serial number, or the assignment id without one (N1).
  package var name: String
  /// The model's name, if an account answer told it.
  package var modelName: String?
  /// The model's number, if an account answer told it.
  package var modelNumber: String?
  /// The version of the pump's software, if an account answer told it.
  package var softwareVersion: String?

  /// Creates a label.
  package init(
    name: String, modelName: String? = nil, modelNumber: String? = nil,
    softwareVersion: String? = nil
  ) {
    self.name = name
    self.modelName = modelName
    self.modelNumber = modelNumber
    self.softwareVersion = softwareVersion
  }
}

/// A sample as outputs see it.
package struct OutputRow: Sendable {
  /// The sample.
  package var sample: Sample
  /// The place of its pump in `OutputContext.pumps`.
  package var pump: Int
  /// 1 when the sample was given first, one more each time its content changed.
  package var revision: UInt32
  /// The range in `OutputBatch.lineage` of the events that it rests on, in order.
  package var lineage: Range<Int>
  /// What an output of changes has to say of it; nil in outputs of all samples.
  package var change: OutputChange?
  /// Whether the sample is as it was given before and no longer holds.
  package var isOldForm = false

  /// Creates a row.
  @inlinable
  package init(sample: Sample, pump: Int, revision: UInt32, lineage: Range<Int>) {
    self.sample = sample
    self.pump = pump
    self.revision = revision
    self.lineage = lineage
  }
}

/// What became of a sample since an output was given it; raw values are the words of outputs.
package enum OutputChange: String, Sendable, CaseIterable {
  /// Never given to this output before.
  case fresh
  /// Given before, and now saying something else.
  case revised
  /// Given before, and no longer true.
  case withdrawn
}

/// Some thousand rows that go to outputs together.
package struct OutputBatch: Sendable {
  /// The rows, in the order that the sink asked for.
  package var rows: [OutputRow]
  /// The lineages of all rows, one after the other.
  package var lineage: [EventReference]

  /// Creates an empty batch.
  package init() {
    rows = []
    lineage = []
  }
}

/// The order in which a sink wants its rows.
package enum OutputOrder: Sendable {
  /// By device name, start, type, external id.
  case device
  /// By HealthKit type (glucose, carbohydrates, insulin), start, external id.
  case healthType
}

/// A record that Health has no type for: site, cartridge, alarms, suspensions, modes.
package struct PumpEventRow: Sendable, Equatable {
  /// The place of its pump in `OutputContext.pumps`.
  package var pump: Int
  /// When it was written.
  package var at: Instant
  /// The record's number and pump seconds.
  package var reference: EventReference
  /// The event id.
  package var eventID: UInt16
  /// `alarm`, `alert`, `malfunction`, `cartridge`, `site`, `suspension`, `mode` or `temp rate`.
  package var category: String
  /// The event's name, such as `PUMPING_SUSPENDED`.
  package var name: String
  /// The record's fields with their values as text, in layout order.
  package var details: [Detail]

  /// Creates a row.
  package init(
    pump: Int, at: Instant, reference: EventReference, eventID: UInt16, category: String,
    name: String, details: [Detail]
  ) {
    self.pump = pump
    self.at = at
    self.reference = reference
    self.eventID = eventID
    self.category = category
    self.name = name
    self.details = details
  }

  /// A field of a record.
  package struct Detail: Sendable, Equatable {
    /// The field's name, as in the web service.
    package var name: String
    /// Its value: a number, or a word where the code is known.
    package var value: String

    /// Creates a detail.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
}
