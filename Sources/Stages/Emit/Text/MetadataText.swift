import Platform
import PumpModel

/// The names of metadata, in sorted order (N4, N5).
enum MetadataKey {
  case automatic, dataSource, deliveredBy, derived, inferred, override, part, rate, rateSource,
    requested
  case status
}

/// How a format writes one entry of metadata.
protocol MetadataForm {
  /// Appends what stands before a value.
  static func appendOpening(_ key: MetadataKey, to buffer: inout ByteBuffer)

  /// Appends a value that may hold any text.
  static func appendValue(_ text: String, to buffer: inout ByteBuffer)

  /// Appends what stands after a value.
  static func appendClosing(to buffer: inout ByteBuffer)
}

/// What a sample's metadata says, as text; absent values are written as nothing.
enum MetadataText {
  /// The value of `dataSource`: made up, or of a third party; nil for all else.
  static func dataSource(_ flags: SampleMetadata.Flags) -> String? {
    flags.contains(.demo) ? "syntheticDemo" : ExportSource.thirdParty(flags)?.word
  }

  /// Appends every entry that a sample has, in order of keys.
  @inline(__always)
  static func append<Form: MetadataForm>(
    _ sample: Sample, _ words: borrowing StatusWords, as form: Form.Type,
    to buffer: inout ByteBuffer
  ) {
    let metadata = sample.metadata
    let flags = metadata.flags
    // Most rows have no flag, and asking the set for each costs a call.
    let hasFlags = flags.rawValue != 0
    @inline(__always)
    func entry(_ key: MetadataKey, _ value: (inout ByteBuffer) -> Void) {
      form.appendOpening(key, to: &buffer)
      value(&buffer)
      form.appendClosing(to: &buffer)
    }
    if hasFlags, flags.contains(.automatic) { entry(.automatic) { $0.append("true") } }
    if hasFlags, let source = dataSource(flags) { entry(.dataSource) { $0.append(utf8: source) } }
    if let source = metadata.deliveredBy { entry(.deliveredBy) { $0.append(utf8: source.text) } }
    if hasFlags, flags.contains(.derived) { entry(.derived) { $0.append("true") } }
    if hasFlags, flags.contains(.inferred) { entry(.inferred) { $0.append("true") } }
    if hasFlags, flags.contains(.override) { entry(.override) { $0.append("true") } }
    if sample.identity.kind.isBolus { entry(.part) { appendPart(sample, to: &$0) } }
    if let rate = metadata.rate { entry(.rate) { appendMilli(rate, to: &$0) } }
    if let source = metadata.rateSource { entry(.rateSource) { $0.append(utf8: source.text) } }
    if let amount = metadata.requested { entry(.requested) { appendMilli(amount, to: &$0) } }
    if let status = metadata.status {
      let text = words.text(status)
      entry(.status) { form.appendValue(text, to: &$0) }
    }
  }

  /// Appends which part of a bolus a sample is; nothing if it is no bolus.
  @inline(__always)
  static func appendPart(_ sample: Sample, to buffer: inout ByteBuffer) {
    switch sample.identity.kind {
    case .bolus: buffer.append("normal")
    case .extended: buffer.append("extended")
    case .basal, .carbs, .cgm, .meter: break
    }
  }

  /// Appends a rate or amount given in thousandths.
  @inline(__always)
  static func appendMilli(_ value: UInt32, to buffer: inout ByteBuffer) {
    DecimalText.append(Int64(value), decimals: 3, to: &buffer)
  }
}

extension SampleKind {
  /// Whether the sample is a part of a bolus.
  var isBolus: Bool {
    switch self {
    case .bolus, .extended: true
    case .basal, .carbs, .cgm, .meter: false
    }
  }

  /// Whether it is basal, whose rows of zero only some formats show.
  var isBasal: Bool {
    if case .basal = self { true } else { false }
  }
}
