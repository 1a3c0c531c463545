import Foundation

/// A report as a program reads it.
struct ReportDocument: Decodable {
  var inputs: [Input]
  var rejects: [Reject]
  var ignored: [String: Int]
  var unknownIds: [String: Int]
  var changes: Changes
  var moved: [Move]
  var superseded: [Superseded]
  var pending: [Pending]
  var holes: [Hole]
  var findings: [Finding]
  var incomplete: [Incomplete]
  var clocks: [Clock]
  var rows: [Rows]
  var days: [Day]

  init(_ text: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
  }

  /// The input whose name ends in a text.
  func input(_ name: String) -> Input? { inputs.first { $0.document.hasSuffix(name) } }

  struct Input: Decodable {
    var document: String
    var format: String?
    var sha256: String?
    var pumps: [String]
    var records: Int
    var used: Int
    var duplicates: Int
    var rejected: Int
  }

  struct Rows: Decodable {
    var pump: String
    var source: String
    var rows: Int
    var matched: Int
    var unmatched: Int
    var mealsOfEvents: Int
    var rates: Int
    var derivedRates: Int
  }

  struct Reject: Decodable {
    var document: String
    var offset: Int?
    var line: Int?
    var index: Int?
    var reason: String
  }

  struct Move: Decodable {
    var code: String
    var pump: String
    var shiftSeconds: Int
    var count: Int
    var startAt: String
  }

  struct Changes: Decodable, Equatable {
    var fresh = 0
    var unchanged = 0
    var revised = 0
    var withdrawn = 0
  }

  struct Superseded: Decodable {
    var output: String
    var externalId: String
    var change: String
    var old: Form
    var new: Form?
  }

  struct Form: Decodable {
    var value: String
    var revision: Int
  }

  struct Pending: Decodable {
    var pump: String
    var kind: String
    var startAt: String?
    var sequence: Int
  }

  struct Hole: Decodable {
    var pump: String
    var startAt: String
    var endAt: String?
    var reason: String
  }

  struct Finding: Decodable {
    var code: String
    var severity: String
    var pump: String?
    var text: String
  }

  struct Incomplete: Decodable {
    var pump: String
    var bolusId: Int
    var startAt: String?
  }

  struct Clock: Decodable {
    var pump: String
    var mode: String
    var opened: String
    var offsetSeconds: Int?
    var records: Int
  }

  struct Day: Decodable {
    var pump: String
    var day: String
    var basal: String
    var bolus: String
    var carbs: String
    var deliveredMinutes: Double
    var zeroMinutes: Double
    var suspendedMinutes: Double
    var unknownMinutes: Double
  }
}
