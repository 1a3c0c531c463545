import PumpModel
import TestSupport
import Testing

/// N5: doses, their starts and what is said of them.
@Suite("Boluses")
struct BolusTests {
  private func samples(@HistoryBuilder _ steps: () -> [HistoryStep]) -> [String] {
    History(steps).outcome().samples
  }

  @Test(
    "A normal part begins with [55], else with the first [280] that says so, else where it ends")
  func starts() {
    #expect(
      samples {
        at("12:00", .progress(7))
        at("12:00:10", .start(7))
        at("12:02", .end(7, 2000))
      } == ["#3 bolus 12:00:10–12:02 2 pumpScreen"])
    #expect(
      samples {
        at("12:00", .progress(7, started: false))
        at("12:01", .progress(7))
        at("12:01:30", .progress(7))
        at("12:02", .end(7, 2000))
      } == ["#4 bolus 12:01–12:02 2 pumpScreen"])
    #expect(samples { at("12:02", .end(7, 2000)) } == ["#1 bolus 12:02 2"])
  }

  @Test("An extended part is a sample of its own, from [59] to [21]")
  func extended() {
    #expect(
      samples {
        at("12:00", .request(7))
        at("12:00:15", .start(7))
        at("12:01", .end(7, 2083))
        at("12:01:02", .startExtended(7))
        at("14:17", .endExtended(7, 4685, status: 0, requested: 6247))
      } == [
        "#3 bolus 12:00:15–12:01 2.083",
        "#5 extended 12:01:02–14:17 4.685 userAborted of 6.247",
      ])
  }

  @Test("Without [59] an extended part begins where the normal one ended, and is inferred")
  func extendedInferred() {
    #expect(
      samples {
        at("12:01", .end(7, 1000))
        at("13:00", .endExtended(7, 2000))
      } == ["#1 bolus 12:01 1", "#2 extended 12:01–13:00 2 inferred"])
    #expect(
      samples { at("13:00", .endExtended(7, 2000)) } == ["#1 extended 13:00 2 inferred"])
  }

  @Test("Two completions in a group are two samples, each with a start of its own")
  func twoCompletions() {
    #expect(
      samples {
        at("12:00", .start(7))
        at("12:01", .end(7, 1000))
        at("12:10", .start(7))
        at("12:11", .end(7, 500))
        at("12:20", .end(7, 250))
      } == ["#2 bolus 12:00–12:01 1", "#4 bolus 12:10–12:11 0.5", "#5 bolus 12:20 0.25"])
  }

  @Test("Parts join up to 24 hours apart, one by one; further apart the id was used again")
  func reuse() {
    func text(_ end: String) -> String {
      History {
        at("05-04 12:00", .start(7))
        at(end, .end(7, 1000))
      }.text
    }
    #expect(text("05-05 12:00") == "#2 bolus 12:00–05-05 12:00 1")
    #expect(
      text("05-05 12:00:01") == """
        #2 bolus 05-05 12:00:01 1
        pending bolus #1 12:00
        """)
    #expect(
      samples {
        at("05-04 12:00", .startExtended(7))
        at("05-05 11:00", .progress(7))
        at("05-06 10:00", .endExtended(7, 1000))
      } == ["#3 extended 12:00–05-06 10:00 1 pumpScreen"])
  }

  @Test(
    "What was delivered counts, not what was requested; nothing delivered is no insulin",
    arguments: [
      (0, " userAborted"), (1, " alarm"), (2, " malfunction"), (3, ""), (6, " plgs"), (4, " 4"),
      (77, " 77"),
    ] as [(UInt16, String)])
  func statuses(status: UInt16, word: String) {
    #expect(
      samples { at("12:00", .end(7, 47, status: status, requested: 500)) } == [
        "#1 bolus 12:00 0.047\(word) of 0.5"
      ])
    #expect(samples { at("12:00", .end(7, 0, status: status)) } == [])
  }

  @Test("A rejected part gives nothing at all, and leaves nothing pending or incomplete")
  func rejected() {
    let history = History {
      at("12:00", .request(7, grams: 30))
      at("12:00", .start(7))
      at("12:01", .end(7, 1000, status: 5))
    }
    #expect(history.text == "")
  }

  @Test("Started and not finished is pending, by its start record or its progress alone")
  func pending() {
    let history = History {
      at("12:00", .start(7))
      at("12:00", .progress(7))
      at("12:10", .startExtended(8))
      at("12:20", .request(9, grams: 10))
      at("12:21", .progress(9))
      at("12:30", .end(10, 1000))
      at("12:31", .startExtended(10))
      at("12:40", .start(11))
      at("12:41", .end(11, 500))
      at("12:42", .start(11))
    }
    #expect(
      history.text == """
        #6 bolus 12:30 1
        #9 bolus 12:40–12:41 0.5
        pending bolus #1 12:00
        pending extended #3 12:10
        pending bolus #5 12:21
        pending extended #7 12:31
        pending bolus #10 12:42
        """)
  }

  @Test("A start never lies after its end, even where the clock was moved back between")
  func startAfterEnd() {
    let history = History(zone: TestZones.utc) {
      at("12:10", .start(7))
      at("12:04", .clock(by: -400))
      at("12:05", .end(7, 1000))
    }
    #expect(history.outcome().samples == ["#3 bolus 12:05 1"])
  }

  @Test("Automatic are options 3 and 6, request type 2 and delivery source 7")
  func automatic() {
    for what in [
      What.options(7, 3), .options(7, 6), .request(7, type: 2), .progress(7, source: 7),
    ] {
      #expect(
        samples {
          at("12:00", what)
          at("12:00", .end(7, 1000))
        }.first?.contains("automatic") == true)
    }
    for what in [
      What.options(7, 0), .options(7, nil), .request(7, type: 3), .progress(7, source: 8),
    ] {
      #expect(
        samples {
          at("12:00", what)
          at("12:00", .end(7, 1000))
        }.first?.contains("automatic") == false)
    }
  }

  @Test(
    "The first [280] with a known source says what delivered it",
    arguments: [
      (0, "pumpButton"), (1, "pumpScreen"), (5, "remote"), (7, "algorithm automatic"), (8, "ble"),
      (9, "eatingSoon"), (3, "ble"), (nil, "ble"),
    ] as [(UInt8?, String)])
  func deliveredBy(source: UInt8?, word: String) {
    #expect(
      samples {
        at("12:00", .progress(7, source: source))
        at("12:01", .progress(7, source: 8))
        at("12:02", .end(7, 1000))
      } == ["#3 bolus 12:00–12:02 1 \(word)"])
  }

  @Test("An overridden calculator, and what was asked for, are told")
  func override() {
    #expect(
      samples {
        at("12:00", .options(7, 0, override: 1))
        at("12:00", .end(7, 1000, requested: 0))
        at("13:00", .options(8, 0, override: 2))
        at("13:00", .end(8, 1000))
      } == ["#2 bolus 12:00 1 of 0 override", "#4 bolus 13:00 1"])
  }

  @Test("Lineage is every part of the bolus, in order")
  func lineage() {
    let outcome = History {
      at("12:00", .request(7))
      at("12:00", .options(7, 0))
      at("12:00", .total(7))
      at("12:00", .heartbeat(0))
      at("12:00:10", .start(7))
      at("12:01", .end(7, 1000))
    }.outcome()
    #expect(outcome.lineage(.bolus) == [[1, 2, 3, 5, 6]])
  }

  /// Every completion would carry all the others: a small file would make a huge ledger.
  @Test("Where a broken log joins too many records, a dose rests on its completion alone")
  func longLineage() {
    func lineages(_ count: Int) -> [[UInt32]] {
      History { for _ in 0..<count { at("12:00", .end(7, 1000)) } }.outcome().lineage(.bolus)
    }
    #expect(lineages(256).allSatisfy { $0.count == 256 })
    #expect(lineages(257) == (1...257).map { [$0] })
  }

  @Test("Parts of unknown time take no part and do not separate")
  func unknownTime() {
    let history = History(zone: TestZones.utc) {
      at("12:00", .start(7))
      at("2027-01-01 00:00", .end(7, 9000))
      at("2026-05-04 12:02", .end(7, 1000))
    }
    #expect(history.outcome().samples == ["#3 bolus 12:00–12:02 1"])
  }
}
