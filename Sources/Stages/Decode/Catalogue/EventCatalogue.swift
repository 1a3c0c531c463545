package import PumpModel

/// Every event id that EVENTS knows, with names, fields and words.
package enum EventCatalogue {
  /// All layouts, in no particular order.
  package static let layouts = deliveryLayouts + alertsLayouts + sensorLayouts + deviceLayouts

  /// The layout of an id; nil if EVENTS does not know the id.
  package static func layout(of id: UInt16) -> EventLayout? {
    guard id < places.count, places[Int(id)] != .max else { return nil }
    return layouts[Int(places[Int(id)])]
  }

  /// Whether EVENTS knows an id.
  package static func isKnown(_ id: UInt16) -> Bool {
    Int(id) < places.count && places[Int(id)] != .max
  }

  /// The name of an id in the pump's own schema; nil if EVENTS does not know the id.
  package static func name(of id: UInt16) -> String? { layout(of: id)?.name }

  /// The kind of row that `pump_events` shows an id as; nil if it shows none.
  package static func category(of id: UInt16) -> String? {
    switch id {
    case 5, 8, 28: "alarm"
    case 4, 26, 27, 171, 172, 173, 369, 370, 371, 460, 461: "alert"
    case 6, 7: "malfunction"
    case 31, 32, 33, 41, 98, 301, 302: "cartridge"
    case 61, 63, 291, 348: "site"
    case 11, 12, 198, 199: "suspension"
    case 229, 230, 313: "mode"
    case 2, 15: "temp rate"
    default: nil
    }
  }

  /// The fields of a record as text, in layout order, with words where a code is known.
  ///
  /// Fields that a record does not have, 65535 in a u16 field among them, are left out. The result
  /// is empty for ids without a layout.
  package static func details(of record: PumpRecord) -> [PumpEventRow.Detail] {
    guard !record.hasText, let layout = layout(of: record.eventID) else { return [] }
    return layout.fields.indices.compactMap { index in
      guard record.present & (1 << UInt16(index)) != 0 else { return nil }
      let field = layout.fields[index]
      guard let value = field.text(in: record.payload) else { return nil }
      return PumpEventRow.Detail(name: field.name, value: value)
    }
  }

  /// For each id the place of its layout, or `.max`.
  private static let places: [UInt8] = {
    var places = [UInt8](repeating: .max, count: 512)
    for (place, layout) in layouts.enumerated() { places[Int(layout.id)] = UInt8(place) }
    return places
  }()
}

extension EventLayout.Field {
  /// The field's bits, without sign, in a payload.
  package func bits(in payload: PumpRecord.Payload) -> UInt32 {
    let word = payload[word: offset >> 2]
    let shift = UInt32((4 - kind.size - (offset & 3)) * 8)
    return kind.size == 4 ? word : word >> shift & (1 << UInt32(kind.size * 8) - 1)
  }

  fileprivate func text(in payload: PumpRecord.Payload) -> String? {
    let bits = bits(in: payload)
    if isMask { return maskText(bits) }
    if let word = words[bits] { return word }
    return switch kind {
    case .u8, .u32: String(bits)
    case .u16: bits == 65_535 ? nil : String(bits)
    case .i8: String(Int8(truncatingIfNeeded: bits))
    case .i16: String(Int16(truncatingIfNeeded: bits))
    case .i32: String(Int32(bitPattern: bits))
    case .f32: floatText(Float(bitPattern: bits))
    }
  }

  private func maskText(_ bits: UInt32) -> String {
    (0..<UInt32(kind.size * 8)).filter { bits & (1 << $0) != 0 }
      .map { words[$0] ?? String($0) }
      .joined(separator: ", ")
  }

  /// Whole numbers without the fraction that Swift prints.
  private func floatText(_ value: Float) -> String {
    if let whole = Int32(exactly: value) { return String(whole) }
    return value.isFinite ? String(value) : "not a number"
  }
}
