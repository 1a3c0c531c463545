package import PumpModel

/// A document of this run.
package struct ReportInput: Sendable {
  /// The document's name, as the person gave it or as its container calls it.
  package var document: String
  /// Its format; nil if none was recognised.
  package var format: DocumentFormat?
  /// The names of the pumps that it speaks of.
  package var pumps: [String]
  /// How many records were read.
  package var records: UInt64
  /// How many of them were new.
  package var used: UInt64
  /// How many were known before.
  package var duplicates: UInt64
  /// How many were rejected.
  package var rejected: UInt64
  /// The SHA-256 of its bytes in hexadecimal digits; nil if it was not read to its end.
  package var sha256: String?

  /// Creates an element.
  package init(
    document: String, format: DocumentFormat?, pumps: [String], records: UInt64, used: UInt64,
    duplicates: UInt64, rejected: UInt64
  ) {
    self.document = document
    self.format = format
    self.pumps = pumps
    self.records = records
    self.used = used
    self.duplicates = duplicates
    self.rejected = rejected
  }
}

/// What became of a pump's rows of exports: which of them its events tell too.
package struct ReportRows: Sendable {
  /// The pump's name.
  package var pump: String
  /// Where the rows come from.
  package var source: ExportSource
  /// The counts.
  package var account: RowAccount

  /// Creates an element.
  package init(pump: String, source: ExportSource, account: RowAccount) {
    self.pump = pump
    self.source = source
    self.account = account
  }
}

/// A piece of a document that could not be used.
package struct ReportReject: Sendable {
  /// The document's name.
  package var document: String
  /// Where in it, and why.
  package var reject: Reject

  /// Creates an element.
  package init(document: String, reject: Reject) {
    self.document = document
    self.reject = reject
  }
}

/// What happened to the ledger's samples in this run.
package struct ReportChanges: Sendable {
  /// Samples given for the first time.
  package var fresh: UInt64
  /// Samples known before, with equal content.
  package var unchanged: UInt64
  /// Samples known before, with other content.
  package var revised: UInt64
  /// Samples no longer produced.
  package var withdrawn: UInt64

  /// Creates the counts, all zero unless said.
  package init(
    fresh: UInt64 = 0, unchanged: UInt64 = 0, revised: UInt64 = 0, withdrawn: UInt64 = 0
  ) {
    self.fresh = fresh
    self.unchanged = unchanged
    self.revised = revised
    self.withdrawn = withdrawn
  }
}

/// Samples of a pump that this run moved in time by one distance, their amounts unchanged.
package struct ReportMove: Sendable {
  /// The pump's name.
  package var pump: String
  /// By how many seconds; later if positive.
  package var shiftSeconds: Int64
  /// How many samples.
  package var samples: UInt64
  /// The earliest start among them, as they lie now.
  package var start: Instant
  /// The latest end among them, as they lie now.
  package var end: Instant

  /// Creates an element.
  package init(
    pump: String, shiftSeconds: Int64, samples: UInt64, start: Instant, end: Instant
  ) {
    self.pump = pump
    self.shiftSeconds = shiftSeconds
    self.samples = samples
    self.start = start
    self.end = end
  }
}

/// A sample that an output was given before and that no longer holds as it was given.
package struct ReportSuperseded: Sendable {
  /// The path of the output.
  package var output: String
  /// The pump's name.
  package var pump: String
  /// The sample's external id.
  package var externalID: String
  /// The sample as it was given.
  package var old: OutputRow
  /// The sample as it is now; nil if it is no more.
  package var new: OutputRow?

  /// Creates an element.
  package init(
    output: String, pump: String, old: OutputRow, new: OutputRow?,
    names: (any IdentityNames)? = nil
  ) {
    self.output = output
    self.pump = pump
    externalID = old.sample.identity.text(pump: pump, names: names)
    self.old = old
    self.new = new
  }
}

/// What would still become a sample, or has no known time.
package struct ReportPending: Sendable {
  /// The pump's name.
  package var pump: String
  /// `basal`, `bolus`, `extended` or `clock`.
  package var kind: String
  /// When it began; nil for `clock`.
  package var start: Instant?
  /// The sequence number of the record that began it.
  package var sequence: UInt32
  /// For `clock`: the last sequence number, and how many records there are.
  package var clock: (lastSequence: UInt32, count: UInt64)?

  /// Creates an element.
  package init(
    pump: String, kind: String, start: Instant?, sequence: UInt32,
    clock: (lastSequence: UInt32, count: UInt64)? = nil
  ) {
    self.pump = pump
    self.kind = kind
    self.start = start
    self.sequence = sequence
    self.clock = clock
  }
}

/// A span for which the basal rate is not known.
package struct ReportHole: Sendable {
  /// The pump's name.
  package var pump: String
  /// When it begins; nil if nothing before it has a known time.
  package var start: Instant?
  /// When it ends; nil if nothing after it has a known time.
  package var end: Instant?
  /// Why it is not filled.
  package var reason: String

  /// Creates an element.
  package init(pump: String, start: Instant?, end: Instant?, reason: String) {
    self.pump = pump
    self.start = start
    self.end = end
    self.reason = reason
  }
}

/// A finding with the pump that it is about.
package struct ReportFinding: Sendable {
  /// The pump's name; nil if it is about none.
  package var pump: String?
  /// The finding.
  package var finding: Finding

  /// Creates an element.
  package init(pump: String?, finding: Finding) {
    self.pump = pump
    self.finding = finding
  }
}

/// A request for a bolus that never finished.
package struct ReportIncomplete: Sendable {
  /// The pump's name.
  package var pump: String
  /// The pump's number of the bolus.
  package var bolusID: UInt16
  /// When it was asked for, if that is known.
  package var start: Instant?

  /// Creates an element.
  package init(pump: String, bolusID: UInt16, start: Instant?) {
    self.pump = pump
    self.bolusID = bolusID
    self.start = start
  }
}

/// A stretch of a pump's clock.
package struct ReportClock: Sendable {
  /// The pump's name.
  package var pump: String
  /// How its times became instants.
  package var mode: ClockMode
  /// What opened it, as a word.
  package var opened: String
  /// When it begins; nil if that is not known.
  package var start: Instant?
  /// When it ends; nil if it is open or that is not known.
  package var end: Instant?
  /// Its UTC offset in seconds; nil in zone mode, and if it is not known.
  package var offset: Int64?
  /// What the clock was off by, in seconds; nil if that is not known.
  package var drift: Int64?
  /// How many records lie in it.
  package var records: UInt64

  /// Creates an element.
  package init(
    pump: String, mode: ClockMode, opened: String, start: Instant?, end: Instant?,
    offset: Int64?, drift: Int64?, records: UInt64
  ) {
    self.pump = pump
    self.mode = mode
    self.opened = opened
    self.start = start
    self.end = end
    self.offset = offset
    self.drift = drift
    self.records = records
  }
}

/// The numbers of a pump's local day (N11).
package struct ReportDay: Sendable {
  /// The pump's name.
  package var pump: String
  /// The local day, counted from 1970-01-01.
  package var day: Int64
  /// Basal, cut at local midnights and rounded once, in µIU.
  package var basal: Int64
  /// Boluses that began on the day, in mIU.
  package var bolus: Int64
  /// Carbohydrate of the day, in mg.
  package var carbs: Int64
  /// Seconds with a rate above zero; minutes in the report.
  package var deliveredSeconds: Int64
  /// Seconds with the algorithm's rate of zero; minutes in the report.
  package var zeroSeconds: Int64
  /// Seconds of suspension; minutes in the report.
  package var suspendedSeconds: Int64
  /// Seconds of which nothing is known; minutes in the report.
  package var unknownSeconds: Int64
  /// The pump's own total, in µIU; nil if it gave none.
  package var pumpBasal: Int64?
  /// Ours less the pump's, in µIU; nil where they cannot be compared.
  package var difference: Int64?

  /// Creates an element with all numbers zero.
  package init(pump: String, day: Int64) {
    self.pump = pump
    self.day = day
    (basal, bolus, carbs) = (0, 0, 0)
    (deliveredSeconds, zeroSeconds, suspendedSeconds, unknownSeconds) = (0, 0, 0, 0)
  }
}
