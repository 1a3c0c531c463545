import Pipeline
import PumpModel

/// The few lines at the end of `demo`: what was written, and what to do with it.
struct DemoText {
  /// What was written.
  let summary: DemoSummary
  /// How it is to look.
  let style: TextStyle

  /// The lines.
  var text: String {
    var lines = LabeledText(style: style)
    lines.addLines(
      "wrote",
      summary.archives.map { archive in
        "\(style.green(printable(archive.path))) (\(archive.format.rawValue), "
          + "\(counted(archive.documents, "document")))"
      })
    lines.add("note", "made-up data: nobody got this insulin, and every output says so")
    if let archive = summary.archives.first {
      let serial = archive.serial.map { " --serial \($0)" } ?? ""
      let path = shellWord(archive.path)
      lines.addLines(
        "next", ["pumpline convert \(path) --zone \(DemoRequest.zone)\(serial) -o demo.csv"])
    }
    return lines.text
  }
}
