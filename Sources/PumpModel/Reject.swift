/// A piece of input that could not be used, with where it stands and why (N2).
package struct Reject: Sendable, Equatable {
  /// Where in the document.
  package var position: Position
  /// Why, for a person: no values, no names.
  package var reason: String

  /// Creates a reject.
  package init(_ position: Position, _ reason: String) {
    self.position = position
    self.reason = reason
  }

  /// Where in a document something stands.
  package enum Position: Sendable, Equatable {
    /// Bytes from the document's beginning: for base64, of the decoded bytes; for JSON, of the text.
    case offset(UInt64)
    /// A line, counted from 1.
    case line(UInt64)
    /// An element of a list, counted from 0.
    case index(UInt64)
    /// The document as a whole.
    case whole
  }
}

/// Why a record that is sound was not used (N2).
///
/// Raw values are the report's words.
package enum IgnoredReason: String, Sendable, CaseIterable {
  /// 26 equal bytes of 0xFF or 0x00: flash that holds no record.
  case erasedFlash
  /// An event id that EVENTS does not know.
  case unknownEvent
  /// An event that no rule makes samples or clock of.
  case noRule
  /// A sensor reading that the pump did not show, or high, low or zero.
  case glucoseNotShown
  /// A row of basal rates, which say neither what was delivered nor until when.
  case basalRow
  /// A row of insulin on board.
  case insulinOnBoardRow
  /// A row of a bolus of which no part had ended.
  case incompleteRow
  /// A record of another pump, a pen, another program or a person.
  case otherOrigin
  /// A row of a suspension, which says neither a rate nor until when.
  case suspensionRow
  /// A row of a bolus that another row of the document tells as well.
  case repeatedRow
  /// A row of another kind that no rule makes samples of.
  case otherRow
  /// A column of an export that nobody knows; counted once a section.
  case unknownColumn
  /// A line of a log, or a packet of a Bluetooth capture, that holds nothing of a pump's history.
  case noHistory
  /// A document inside a container that is no pump data.
  case unrecognisedDocument
  /// A link, pipe, device or socket in a folder, which is passed over.
  case specialFile

  /// Whether it is said of records or rows that passed every check.
  package var isOfRecords: Bool {
    switch self {
    case .unknownEvent, .noRule, .glucoseNotShown, .basalRow, .insulinOnBoardRow, .incompleteRow,
      .otherOrigin, .suspensionRow, .repeatedRow, .otherRow:
      true
    case .erasedFlash, .noHistory, .unknownColumn, .unrecognisedDocument, .specialFile: false
    }
  }
}

/// The formats of documents.
///
/// Raw values are the report's words.
package enum DocumentFormat: String, Sendable, CaseIterable {
  /// Tandem Source `{events, clockChanges}`.
  case pumpLogs = "pump-logs"
  /// Tandem Source account answer with the pumps' serial numbers.
  case pumper = "pumper"
  /// What a pull says that it fetched, beside the answers that it kept.
  case fetched = "pumpline-fetched"
  /// The retired service's JSON string of base64 records.
  case pumpEvents = "pumpevents"
  /// 26-byte big-endian records.
  case records = "records"
  /// A browser's HTTP archive; its responses are documents of their own.
  case har = "har"
  /// Tandem Source's "Export CSV", the daily timeline.
  case sourceCSV = "source-csv"
  /// The older site's therapy timeline as CSV.
  case timelineCSV = "timeline-csv"
  /// The older site's `TherapyEvents`.
  case therapyEvents = "therapy-events"
  /// The older site's `therapytimeline` as JSON.
  case timelineJSON = "timeline-json"
  /// The older site's list of suspensions.
  case suspensionsJSON = "basal-suspension"
  /// Treatments of Nightscout.
  case nightscout = "nightscout"
  /// A table of a Glooko export.
  case glooko = "glooko"
  /// Records of a Tidepool export.
  case tidepool = "tidepool"
  /// 26-byte little-endian records, as pumps send them over Bluetooth.
  case littleEndianRecords = "records-little-endian"
  /// Lines of a log that end in hexadecimal digits: records, frames, or packets of frames.
  case hexLines = "hex-lines"
  /// Frames of the Bluetooth history stream, one after the other.
  case frames = "ble-frames"
  /// A capture of a computer's or phone's Bluetooth traffic.
  case btsnoop = "btsnoop"
}

extension DocumentFormat {
  /// Whether documents hold rows of exports, of which only those that are used are handed on.
  package var holdsRows: Bool {
    switch self {
    case .sourceCSV, .timelineCSV, .therapyEvents, .timelineJSON, .suspensionsJSON,
      .nightscout, .glooko, .tidepool:
      true
    case .pumpLogs, .pumper, .fetched, .pumpEvents, .records, .har, .littleEndianRecords, .hexLines,
      .frames,
      .btsnoop:
      false
    }
  }
}

/// How the reading of a document ended.
package enum DocumentVerdict: Sendable, Equatable {
  /// Recognised and read to its end; single bad records may have been rejected.
  case whole(DocumentFormat)
  /// Recognised, but damaged: nothing of it may be used.
  case damaged(DocumentFormat, Reject)
  /// No format of ours.
  case unrecognised
}

/// What an account answer says of one pump.
package struct PumpFacts: Sendable, Equatable {
  /// The assignment id that events carry.
  package var assignment: String
  /// The serial number.
  package var serial: String
  /// The name of the model, such as "Tandem Mobi™ System".
  package var modelName: String?
  /// The model number.
  package var modelNumber: String?
  /// The version of the pump's software.
  package var softwareVersion: String?

  /// Creates facts of one pump.
  package init(
    assignment: String, serial: String, modelName: String? = nil, modelNumber: String? = nil,
    softwareVersion: String? = nil
  ) {
    self.assignment = assignment
    self.serial = serial
    self.modelName = modelName
    self.modelNumber = modelNumber
    self.softwareVersion = softwareVersion
  }
}
