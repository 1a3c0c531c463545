extension PumpRecord {
  /// Whether a field is present, by its place in the layout.
  @inlinable
  @inline(__always)
  public func has(_ field: UInt16) -> Bool { present & (1 << field) != 0 }

  /// Whether all fields of a set of bits are present.
  @inlinable
  @inline(__always)
  public func hasAll(_ fields: UInt16) -> Bool { present & fields == fields }
}
