import Deduplicate
import PumpModel

extension StateDigest {
  /// Mixes in all that some events gave.
  mutating func mix(_ batch: borrowing NormalizedBatch) {
    mix(Int64(batch.samples.count))
    for index in batch.samples.indices {
      mix(batch.samples[index])
      for event in batch.lineage[batch.lineage(of: index)] {
        mix(UInt64(event.number) << 32 | UInt64(event.seconds))
      }
    }
    mix(Int64(batch.pending.count))
    for part in batch.pending {
      mix(part.kind.rawValue)
      mix(part.start?.unixSeconds)
      mix(Int64(part.number))
      mix(part.extent.map { Int64($0.lastNumber) })
      mix(part.extent.map { Int64(clamping: $0.count) })
    }
    mix(Int64(batch.holes.count))
    for hole in batch.holes {
      mix(hole.start.unixSeconds)
      mix(hole.end?.unixSeconds)
      mix(hole.reason.rawValue)
    }
    mix(Int64(batch.findings.count))
    for finding in batch.findings {
      mix(finding.code.rawValue)
      mix(finding.start?.unixSeconds)
      mix(finding.end?.unixSeconds)
      mix(finding.text)
    }
    mix(Int64(batch.incomplete.count))
    for request in batch.incomplete {
      mix(Int64(request.bolus))
      mix(request.start.unixSeconds)
    }
    mix(Int64(batch.counterparts.count))
    for counterpart in batch.counterparts { mix(counterpart) }
    mix(Int64(batch.basalEvidence.count))
    for instant in batch.basalEvidence { mix(instant.unixSeconds) }
  }

  /// Mixes in a piece of the history.
  mutating func mix(_ segment: StoredSegment) {
    mix(segment.start)
    mix(segment.state.digest)
    let notes = segment.notes
    mix(Int64(clamping: notes.records))
    mix(Int64(clamping: notes.gaps.numbers))
    mix(Int64(clamping: notes.damage.count))
    mix(Int64(clamping: notes.future.count))
    mix(notes.newest?.unixSeconds)
    for span in notes.spans {
      mix(span.from)
      mix(Int64(clamping: span.records))
      mix(span.first?.unixSeconds)
      mix(span.last?.unixSeconds)
    }
    for part in notes.days { mix(part) }
    mix(Int64(clamping: segment.differing.count))
    mix(Int64(clamping: segment.conflicting.count))
  }

  private mutating func mix(_ text: String) {
    for byte in text.utf8 { mix(UInt64(byte)) }
  }
}
