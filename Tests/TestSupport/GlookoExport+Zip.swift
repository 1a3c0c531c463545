package import Demo

extension GlookoExport {
  /// A whole export: its tables in one zip, those that nothing is made of with them.
  package func zip(_ rows: [Row]) -> [UInt8] {
    let others = [
      (
        "insulin_data_1.csv",
        table(
          "Timestamp,Total Bolus (U),Total Insulin (U),Total Basal (U),Serial Number",
          [["2026-05-04 00:00:00", "20", "45", "25", rows.first?.serial ?? ""]])
      ),
      ("alarms_data_1.csv", table("Timestamp,Alarm/Event,Serial Number", [])),
    ]
    return ArchiveBuilder.archive(
      .zip,
      (tables(rows) + others).map { .file("export/Insulin data/\($0)", Array($1.utf8)) })
  }
}
