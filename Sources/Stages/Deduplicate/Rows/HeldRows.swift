import Platform
package import PumpModel

extension Ledger {
  /// The row of a pump that a reference names and that holds; nil if the ledger has none.
  package func row(_ reference: RowReference, of pump: Int64) throws(LedgerError) -> ExportRow? {
    let section = RowSection(of: reference.kind)
    switch reference.name {
    case .time(let seconds, let ordinal):
      let time = PumpTime(seconds: seconds).wallSeconds
      let rows = try rows(of: pump, from: reference.source, section, in: [time..<time + 1])
      while let row = try rows.take() {
        if row.row.content.kind == reference.kind, row.ordinal == ordinal { return row.row }
      }
    case .own(let name):
      let digest = NameKeeper.digest(of: reference.source.idBase(of: name), by: Digest256())
      guard let time = try time(ofRowNamed: digest, pump) else { return nil }
      let rows = try rows(of: pump, from: reference.source, section, in: [time..<time + 1])
      while let row = try rows.take() { if row.nameDigest == digest { return row.row } }
    }
    return nil
  }

  private func time(ofRowNamed digest: UInt64, _ pump: Int64) throws(LedgerError) -> Int64? {
    try run { () throws(SQLiteError) in
      // The one that holds may stand at another time than others of its name.
      let select = try database.prepare(
        """
        SELECT time FROM export_rows JOIN documents USING (document)
        WHERE name = ? AND pump = ? ORDER BY run DESC, time DESC LIMIT 1
        """)
      select.bind(1, Int64(bitPattern: digest))
      select.bind(2, pump)
      return try select.step() ? select.int64(0) : nil
    }
  }
}

extension RowSection {
  /// The section of rows of a kind.
  fileprivate init(of kind: RowKind) {
    self =
      switch kind {
      case .bolus, .meal: .boluses
      case .sensor, .meter: .readings
      case .rate: .rates
      }
  }
}
