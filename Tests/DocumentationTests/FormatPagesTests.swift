import Foundation
import PumpModel
import Testing

@testable import Decode

@Suite("Docs/Formats and what the decoders declare")
struct FormatPagesTests {
  // MARK: Tables

  @Test(
    "has the columns of each section, decoded or ignored as the code has them",
    arguments: [
      ("SourceCSV", DocumentFormat.sourceCSV, ["sensor", "meter", "bolus"], "before the sections"),
      ("TimelineCSV", .timelineCSV, ["readings", "insulin on board", "basal", "bolus"], nil),
      ("Glooko", .glooko, ["bolus", "basal", "sensor", "meter"], "other tables"),
    ] as [(String, DocumentFormat, [String], String?)])
  func columns(page: String, format: DocumentFormat, sections: [String], rest: String?) throws {
    let forms =
      format == .glooko
      ? GlookoTable.forms.map(\.form) : TableForm.all.filter { $0.format == format }
    let checklist = try Checklist(of: Page("Docs/Formats/\(page).md").text)
    #expect(checklist.sections == sections + (rest.map { [$0] } ?? []))
    #expect(forms.count == sections.count)
    for (section, form) in zip(sections, forms) {
      let decoded = Set(form.used.map(\.name))
      #expect(checklist.columns(.decoded, of: section) == decoded, "\(page), \(section)")
      #expect(
        checklist.columns(.ignored, of: section) == Set(form.columns).subtracting(decoded),
        "\(page), \(section)")
    }
  }

  @Test("says by how many columns translated tables of Glooko are known")
  func widths() throws {
    let text = try Page("Docs/Formats/Glooko.md").text.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    let widths = GlookoTable.forms.map(\.form.columns.count)
    #expect(
      text.contains(
        "boluses by their \(widths[0]) columns, rates by \(widths[1]), a sensor's readings by "
          + "\(widths[2]) and a meter's by \(widths[3])."))
  }

  // MARK: JSON

  @Test("has the members of therapy events, and their types")
  func therapyEvents() throws {
    let list = try checklist("LegacyJSON", "`therapy-events`")
    let read = TherapyEvent.Kind.allCases.filter { $0 != .basal }.map(\.rawValue)
    #expect(list.words(.decoded) == texts(TherapyEvent.members).union(read))
    #expect(list.words(.ignored).contains(TherapyEvent.Kind.basal.rawValue))
    #expect(list.words(.ignored).subtracting(["type"]).isDisjoint(with: list.words(.decoded)))
  }

  @Test("has the lists and members of the basal timeline and of suspensions")
  func timeline() throws {
    let list = try checklist("LegacyJSON", "`timeline-json`")
    func lists(_ places: JSONReader.Place...) -> Set<String> {
      Set(JSONReader.legacyLists.filter { places.contains($0.place) }.map { "\($0.key)" })
    }
    #expect(
      list.words(.decoded)
        == lists(.rates).union(texts(TimelineRate.members)).union(["basal"]))
    #expect(
      list.words(.ignored).subtracting(["basal"]) == lists(.others, .otherSuspensions))
    let suspensions = try checklist("LegacyJSON", "`basal-suspension`")
    #expect(
      Set(suspensions.words(.decoded).map { $0.lowercased() })
        == Set(texts(JSONReader.suspensionMembers).map { $0.lowercased() }))
  }

  @Test("has the members and types of treatments of Nightscout")
  func nightscout() throws {
    let list = try checklist("Nightscout", "Members")
    let kinds = NightscoutTreatment.Kind.allCases.map(\.rawValue)
    #expect(list.words(.decoded) == texts(NightscoutTreatment.members).union(kinds))
    #expect(list.words(.ignored).isDisjoint(with: list.words(.decoded)))
  }

  @Test("has the members and types of records of Tidepool")
  func tidepool() throws {
    let list = try checklist("Tidepool", "Members")
    let kinds = TidepoolRecord.Kind.allCases.map(\.rawValue)
    #expect(list.words(.decoded) == texts(TidepoolRecord.members).union(kinds))
    #expect(list.words(.ignored).isDisjoint(with: list.words(.decoded)))
  }

  private func texts(_ members: ExportMembers) -> Set<String> {
    Set(members.names.map(\.rawValue))
  }

  private func checklist(_ page: String, _ heading: String) throws -> Checklist {
    Checklist(of: try section(heading, of: "Docs/Formats/\(page).md"))
  }

  private func section(_ heading: String, of path: String) throws -> String {
    let parts = try Page(path).text.components(separatedBy: "\n## \(heading)\n")
    let rest = try #require(parts.count == 2 ? parts[1] : nil, "no section \(heading)")
    return rest.components(separatedBy: "\n## ")[0]
  }

  // MARK: Bluetooth

  @Test("has the kinds of Bluetooth captures, and what of their packets is looked at")
  func captures() throws {
    let captures = try section("Captures", of: "Docs/Formats/BLEHistoryLog.md")
    let rows = captures.split(separator: "\n").filter { $0.hasPrefix("| ") }
    let links = try #require(rows.first { $0.contains("HCI") })
    #expect(
      links.matches(of: /\((\d+)\)/).compactMap { UInt32($0.output.1) }
        == CaptureReader.Datalink.allCases.map(\.rawValue))
    let notifying = try #require(rows.first { $0.contains("notifications") })
    #expect(
      notifying.matches(of: /0x([0-9A-F]{2})/).compactMap { UInt8($0.output.1, radix: 16) }
        == RadioLink.notifying)
    let frames = try section("Frames", of: "Docs/Formats/BLEHistoryLog.md")
    let opcode = "0x" + String(PumpMessage.historyOpcode, radix: 16).uppercased()
    #expect(frames.contains("| 0 | opcode \(opcode) | decoded |"))
  }

  // MARK: Events

  @Test("Docs/Formats.md has the ids of which something is made, and no other")
  func events() throws {
    let section = try section("What is made of records", of: "Docs/Formats.md")
    let named = Set(section.matches(of: /\[(\d+)\]/).compactMap { UInt16($0.output.1) })
    let used = (0...4095 as ClosedRange<UInt16>).filter { id in
      let record = PumpRecord(
        number: 1, seconds: 578_707_200, eventID: id, payload: .init(), form: .binary)
      switch EventDecoder.decode(record) {
      case .event(_, .noRule), .event(_, .unknownEvent): return false
      case .event, .rejected: return true
      }
    }
    #expect(named == Set(used))
  }
}

/// The tables of a page that say what is decoded and what is not.
private struct Checklist {
  enum State { case decoded, ignored }

  private var rows: [(section: String, cell: String, state: State)] = []

  /// Reads the rows of a text: the state is the last cell, the names the one before.
  init(of text: String) {
    var section = ""
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 2, let last = cells.last, let state = Self.state(last) else { continue }
      if cells.count > 2, !cells[0].isEmpty { section = cells[0] }
      rows.append((section, cells[cells.count - 2], state))
    }
  }

  private static func state(_ cell: String) -> State? {
    if cell.hasPrefix("decoded") { return .decoded }
    return cell.hasPrefix("known") || cell.hasPrefix("unknown") ? .ignored : nil
  }

  /// The sections, in order.
  var sections: [String] {
    rows.map(\.section).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// The columns of a section that have a state.
  func columns(_ state: State, of section: String) -> Set<String> {
    Set(
      rows.filter { $0.section == section && $0.state == state }
        .flatMap { $0.cell.components(separatedBy: ", ") })
  }

  /// The members and values that have a state: what stands as code, paths taken apart.
  func words(_ state: State) -> Set<String> {
    Set(
      rows.filter { $0.state == state }
        .flatMap { $0.cell.matches(of: /`([^`]+)`/).flatMap { $0.output.1.split(separator: ".") } }
        .map(String.init))
  }
}
