@testable import Deduplicate
import Platform
import PumpModel

/// A sample that rests on one event, its own.
func sample(
  _ number: UInt32, _ kind: SampleKind = .bolus, at start: Int64 = 1000, lasting seconds: Int64 = 0,
  amount: Int64 = 500, seconds pumpSeconds: UInt32 = 77, group: UInt32 = 0, id: UInt16 = 20
) -> Sample {
  Sample(
    identity: SampleIdentity(
      kind: kind, group: group, number: number, time: PumpTime(seconds: pumpSeconds), eventID: id),
    start: Instant(unixSeconds: start), end: Instant(unixSeconds: start + seconds), amount: amount)
}

/// A pump of a ledger; one with groups may give its samples in any order.
func testPump(_ number: Int64 = 1, hasGroups: Bool = true) -> LedgerPump {
  LedgerPump(
    number: number, label: PumpLabel(name: "P"), serial: nil, hasGroups: hasGroups, sameAs: nil)
}

extension Ledger {
  /// Puts samples in place of what the ledger held of a pump.
  @discardableResult
  func replacing(
    pump: Int64 = 1, _ samples: [Sample], restingOn lineage: [EventReference]? = nil
  ) throws -> SampleOutcome {
    try begin()
    let replacement = try PumpReplacement(self, pump: testPump(pump))
    var batch = NormalizedBatch()
    for sample in samples {
      let own = EventReference(
        number: sample.identity.first, seconds: sample.identity.second)
      batch.append(sample, restingOn: lineage ?? [own])
    }
    try replacement.take(batch)
    let outcome = try replacement.finish()
    try commit()
    return outcome
  }

  /// What is kept of a pump's samples: id, amount, revision and change.
  func kept(of pump: Int64 = 1) throws -> [String] {
    let statement = try database.prepare(
      "SELECT entries FROM samples WHERE pump = ? ORDER BY high, low")
    statement.bind(1, pump)
    var lines: [String] = []
    while try statement.step() {
      statement.withBlob(0) { bytes in
        var offset = 0
        while offset < bytes.byteCount {
          let stored = SampleCoding.stored(bytes, at: offset)
          lines.append(
            "\(stored.sample.identity.text(pump: "P").dropFirst(9)) \(stored.sample.amount) "
              + "r\(stored.revision) c\(stored.change)" + (stored.isWithdrawn ? " withdrawn" : ""))
          offset += SampleCoding.size(bytes, at: offset)
        }
      }
    }
    return lines
  }

  /// A pump for outputs; samples are kept by its number.
  func pump(_ number: Int64, named name: String) -> LedgerPump {
    LedgerPump(
      number: number, label: PumpLabel(name: name), serial: nil, hasGroups: false, sameAs: nil)
  }
}

extension SampleOutcome {
  /// Fresh, unchanged, revised and withdrawn, over all kinds.
  var counts: [UInt64] {
    changes.values.reduce(into: [0, 0, 0, 0]) { sums, changes in
      sums[0] += changes.fresh
      sums[1] += changes.unchanged
      sums[2] += changes.revised
      sums[3] += changes.withdrawn
    }
  }
}
