/// Why a record cannot be used.
package enum RecordFault: UInt8, Sendable, Error {
  /// A field that the rules need is missing, or holds 65535 for "no value".
  case fieldMissing
  /// A commanded basal rate is above 15 U/h, negative or not a number.
  case rateOutOfRange
  /// A delivered amount is above 80 IU, negative or not a number.
  case amountOutOfRange
  /// A temp rate's percentage is outside 0 to 250.
  case percentOutOfRange
  /// An amount of carbohydrate is 65535 g or more, negative or not a number.
  case carbsOutOfRange
  /// A daily total is negative, not a number or beyond any pump.
  case totalOutOfRange
  /// A clock change speaks of a time or date that no pump's clock shows.
  case clockOutOfRange
  /// A property has another kind of value than it must have, or a number that does not fit.
  case wrongKind
  /// The event's id is missing or outside 0 to 4095.
  case eventCode
  /// The sequence number is missing or does not fit 32 bits.
  case sequenceNumber
  /// The time is missing, no real date, or outside what the pump's clock can hold.
  case time
  /// The element of the list is no object.
  case notAnObject
  /// The event is longer than any real one.
  case tooLong

  /// The fault in words.
  package var reason: String {
    switch self {
    case .fieldMissing: "a field that is needed is missing"
    case .rateOutOfRange: "basal rate above 15 U/h, negative or not a number"
    case .amountOutOfRange: "delivered amount above 80 IU, negative or not a number"
    case .percentOutOfRange: "temp rate outside 0 to 250 percent"
    case .carbsOutOfRange: "carbohydrate of 65535 g or more, negative or not a number"
    case .totalOutOfRange: "daily total negative, not a number or too large"
    case .clockOutOfRange: "a time or date that no pump's clock shows"
    case .wrongKind: "a value of the wrong kind or size"
    case .eventCode: "eventCode missing or outside 0 to 4095"
    case .sequenceNumber: "sequenceNumber missing or too large"
    case .time: "pumpDateTime missing, no real time, or outside 2008 to 2144"
    case .notAnObject: "not an event"
    case .tooLong: "an event of more than 1 MiB"
    }
  }
}
