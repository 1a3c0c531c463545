import Decode
import Foundation
import PumpModel
import TestSupport
import Testing

/// Tables that somebody damaged.
@Suite("Damaged tables")
struct TableFuzzTests {
  @Test("Damaged tables never trap, and give the same calls in whatever pieces they come")
  func mutations() {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["PUMPLINE_FUZZ_SECONDS"].flatMap(Double.init) ?? 1
    let seed = environment["PUMPLINE_FUZZ_SEED"].flatMap(UInt64.init) ?? 20_260_504
    var random = TestRandom(seed: seed)
    let end = ContinuousClock.now + .seconds(seconds)
    var rounds = 0
    repeat {
      let document = Self.mutated(&random)
      let forms = CellForms(
        decimal: [nil, .point, .comma][random.integer(0...2)],
        dates: [nil, .dmy, .mdy, .ymd][random.integer(0...3)])
      let whole = Recording.of(document, forms: forms)
      let pieces = random.integer(1...64)
      let pieced = Recording.of(document, pieces: pieces, forms: forms)
      rounds += 1
      if whole.calls != pieced.calls || whole.verdicts.isEmpty
        || !whole.rows.allSatisfy(Self.isWithinBounds)
      {
        Issue.record(
          "seed \(seed), round \(rounds), pieces of \(pieces): \(document)\n\(whole.calls)\n\(pieced.calls)"
        )
        return
      }
    } while ContinuousClock.now < end
    print("damaged tables: seed \(seed), \(rounds) rounds")
  }

  /// What the contract of rows promises.
  private static func isWithinBounds(_ row: ExportRow) -> Bool {
    switch row.content {
    case .reading(let glucose, _): return 1...1000 ~= glucose
    case .meal: return false
    case .rate(let rate, let seconds):
      return rate <= ExportRow.highestRate && 1...ExportRow.longestRate ~= seconds
    case .bolus(let bolus):
      let doses = [bolus.normal, bolus.extended].compactMap(\.self)
      return !doses.isEmpty && doses.allSatisfy { $0.amount <= 80_000 && $0.decimals <= 9 }
        && (bolus.extended == nil) == (bolus.span == nil)
        && 1..<65_535_000 ~= bolus.carbohydrate ?? 1
    }
  }

  private static let pieces: [[UInt8]] = [
    "\"", "\"\"", ",", ";", "\t", "\n", "\r", "\r\n", "\0", "-", ".", "2,35", "1.250", "1e5",
    "Auto",
    "99999999999", "4/5/2026 12:31", "20.5.2026 12:31", "Bolus", "Type,EventID,EventDateTime,IOB",
    "(mmol/L)", "(%)", "é", "High", "\u{FEFF}", "\"2,350\"", "Timestamp",
    "Name:A,B:2026-05-01 - 2026-05-31",
  ].map { Array($0.utf8) }

  private static func mutated(_ random: inout TestRandom) -> [UInt8] {
    let glooko = GlookoTests.documents
    let place = random.integer(0...TableTests.encoders.count + glooko.count - 1)
    var document =
      place < glooko.count
      ? Array(glooko[place].utf8)
      : TableTests.encoders[place - glooko.count].bytes(TableFixture.rows)
    for _ in 0..<random.integer(1...4) {
      let place = random.integer(0...document.count)
      let range = place..<min(document.count, place + random.integer(0...8))
      let piece = pieces[random.integer(0...pieces.count - 1)]
      switch random.integer(0...5) {
      case 0: document.removeSubrange(range)
      case 1: document.insert(contentsOf: piece, at: place)
      case 2: for index in range { document[index] = UInt8(random.integer(0...255)) }
      case 3: document.replaceSubrange(range, with: piece)
      case 4:
        let from = random.integer(0...document.count)
        let copied = Array(document[from..<min(document.count, from + 200)])
        document.insert(contentsOf: copied, at: place)
      default: document.removeSubrange(place...)
      }
    }
    return document
  }
}
