import PumpModel

/// Takes what an `ImportReader` reads, with all that was said of it, for who does not want it in a
/// journal.
///
/// What it is given may be taken back until the reader's `onSettled`.
protocol ImportTap: AnyObject {
  /// Takes records with their offsets in the document.
  func take(_ records: Span<PumpRecord>, at places: Span<UInt64>, of document: UInt32) throws

  /// Takes rows of exports, whose places are in them.
  func take(rows: [ExportRow], of document: UInt32) throws

  /// Takes the properties of a record without a layout, which comes later: properties come in the
  /// order of those records.
  func take(properties: Span<UInt8>, of document: UInt32) throws

  /// Takes that `estimatedDateTime` of a record differs from its time.
  func take(estimateDiffersBy seconds: Int64, of record: PumpRecord, of document: UInt32)
}
