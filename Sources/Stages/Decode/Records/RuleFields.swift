package import PumpModel

/// The fields of a record that the rules use, in layout order and working units: what decides
/// between copies of one event that differ (N2).
///
/// Fields that are missing, or taken as absent, are the smallest; places that an id has no field
/// for are all equal.
package struct RuleFields: Equatable, Comparable, Sendable {
  private var first = Int64.min
  private var second = Int64.min
  private var third = Int64.min
  private var fourth = Int64.min

  /// The working tuple of a record that `EventDecoder` took; ids without a rule give an empty one.
  package static func workingTuple(of record: PumpRecord) -> RuleFields {
    let payload = record.payload
    var fields = RuleFields()
    switch record.eventID {
    case 2: fields.first = value(record, 0, WorkingUnits.percent(payload.f32(at: 0)))
    case 3:
      fields.first = value(record, 0, WorkingUnits.rate(payload.f32(at: 0)))
      fields.second = value(record, 1, WorkingUnits.baseRate(payload.f32(at: 4)))
      fields.third = value(record, 3, payload.u8(at: 13))
    case 5: fields.first = value(record, 0, payload.word0)
    case 13, 14:
      fields.first = value(record, 0, payload.word0)
      fields.second = value(record, 1, payload.word1)
    case 16:
      fields.first = value(record, 0, payload.u8(at: 0))
      fields.second = value(record, 2, payload.u16(at: 2))
    case 48: fields.first = value(record, 0, WorkingUnits.carbs(payload.f32(at: 0)))
    case 81:
      let total = WorkingUnits.whole(payload.f32(at: 0), times: 1000, upTo: .max)
      fields.first = value(record, 0, total)
      fields.second = value(record, 5, payload.u8(at: 15))
    case 90: fields.first = value(record, 0, WorkingUnits.rate(payload.f32(at: 0)))
    case 256, 399:
      fields.first = value(record, 2, payload.u16(at: 2))
      fields.setReading(record)
    case 372, 480:
      fields.first = value(record, 2, payload.u8(at: 3))
      fields.setReading(record)
    case 279:
      fields.first = value(record, 0, orAbsent(payload.u16(at: 2)))
      fields.second = value(record, 2, orAbsent(payload.u16(at: 6)))
    default: fields.setBolus(record)
    }
    return fields
  }

  private mutating func setReading(_ record: PumpRecord) {
    second = Self.value(record, 3, record.payload.u16(at: 4))
    third = Self.value(record, 6, record.payload.word2)
  }

  private mutating func setBolus(_ record: PumpRecord) {
    let payload = record.payload
    switch record.eventID {
    case 20, 21:
      first = Self.value(record, 0, payload.u16(at: 0))
      second = Self.value(record, 1, Self.orAbsent(payload.u16(at: 2)))
      third = Self.value(record, 3, WorkingUnits.amount(payload.f32(at: 8)))
      fourth = Self.value(record, 4, WorkingUnits.amount(payload.f32(at: 12)))
    case 55, 59: first = Self.value(record, 1, payload.u16(at: 2))
    case 64:
      first = Self.value(record, 1, payload.u8(at: 1))
      second = Self.value(record, 2, payload.u16(at: 2))
      third = Self.value(record, 4, Self.orAbsent(payload.u16(at: 6)))
    case 65:
      first = Self.value(record, 1, payload.u8(at: 1))
      second = Self.value(record, 2, payload.u16(at: 2))
      third = Self.value(record, 8, payload.u8(at: 15))
    case 66: first = Self.value(record, 0, payload.u16(at: 2))
    case 280:
      first = Self.value(record, 1, payload.u8(at: 1))
      second = Self.value(record, 2, payload.u16(at: 2))
      third = Self.value(record, 5, payload.u8(at: 7))
    default: break
    }
  }

  private static func value(
    _ record: PumpRecord, _ field: UInt16, _ value: (some FixedWidthInteger)?
  ) -> Int64 {
    guard RecordFields(record).has(field), let value else { return .min }
    return Int64(truncatingIfNeeded: value)
  }

  private static func orAbsent(_ value: UInt16) -> UInt16? { value == .max ? nil : value }

  /// Compares field by field in layout order.
  package static func < (left: RuleFields, right: RuleFields) -> Bool {
    (left.first, left.second, left.third, left.fourth)
      < (right.first, right.second, right.third, right.fourth)
  }

  /// Whether two copies of one event differ in a field that the rules use.
  package static func differ(_ left: PumpRecord, _ right: PumpRecord) -> Bool {
    workingTuple(of: left) != workingTuple(of: right)
  }

  /// Whether of two copies `left` is the one that stands; false if they are the same.
  ///
  /// Binary stands before JSON, else the greater tuple, else the greater raw bytes, so that the
  /// order of reading never decides.
  package static func precedes(_ left: PumpRecord, _ right: PumpRecord) -> Bool {
    if left.form != right.form { return left.form == .binary }
    let (leftFields, rightFields) = (workingTuple(of: left), workingTuple(of: right))
    if leftFields != rightFields { return leftFields > rightFields }
    let (a, b) = (left.payload, right.payload)
    if a != b {
      return (a.word0, a.word1, a.word2, a.word3) > (b.word0, b.word1, b.word2, b.word3)
    }
    if left.present != right.present { return left.present > right.present }
    return left.hasText && !right.hasText
  }
}
