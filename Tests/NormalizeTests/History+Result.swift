import Normalize
import PumpModel

/// What came out of a history, with texts that tests compare.
struct Outcome {
  var batch: NormalizedBatch
  var days: [DayTotals]
  var clockRows: [ClockRow]

  /// The findings' codes, in the order of their names.
  var findings: [FindingCode] { batch.findings.map(\.code).sorted { $0.rawValue < $1.rawValue } }

  /// Every sample, hole, pending part and unfinished request, one a line, times in UTC.
  var text: String {
    (samples + holes + pending + incomplete).joined(separator: "\n")
  }

  /// Samples by start, kind and number: number, kind, times, amount, metadata.
  var samples: [String] {
    batch.samples.sorted {
      ($0.start, $0.identity.kind.rawValue, $0.identity.first)
        < ($1.start, $1.identity.kind.rawValue, $1.identity.first)
    }.map(Self.line)
  }

  /// The samples of a kind.
  func samples(_ kind: SampleKind) -> [String] {
    samples.filter { $0.contains(" \(kind.idSuffix) ") }
  }

  var holes: [String] {
    batch.holes.sorted { $0.start < $1.start }.map { hole in
      "hole \(span(hole.start, hole.end)) \(hole.reason.rawValue)"
    }
  }

  var pending: [String] {
    batch.pending.sorted { $0.number < $1.number }.map { part in
      if let extent = part.extent {
        return "pending clock #\(part.number)–#\(extent.lastNumber) (\(extent.count))"
      }
      return "pending \(part.kind.rawValue) #\(part.number) \(part.start.map(clock) ?? "?")"
    }
  }

  var incomplete: [String] {
    batch.incomplete.sorted { $0.start < $1.start }.map {
      "incomplete bolus \($0.bolus) \(clock($0.start))"
    }
  }

  /// The stretches of the clock: what opened each, its offset and drift, its records.
  var clocks: [String] {
    clockRows.map { row in
      let offset = row.offset.map(offsetText) ?? "unknown"
      let drift = row.driftMilliseconds == 0 ? "" : " drift \(row.driftMilliseconds) ms"
      return "\(row.opening.rawValue) \(offset)\(drift) (\(row.records))"
    }
  }

  /// The lineage of a kind's samples, as numbers.
  func lineage(_ kind: SampleKind) -> [[UInt32]] {
    batch.samples.indices.filter { batch.samples[$0].identity.kind == kind }.map { index in
      batch.lineage[batch.lineage(of: index)].map(\.number)
    }
  }

  private static func line(_ sample: Sample) -> String {
    var words = ["#\(sample.identity.first) \(sample.identity.kind.idSuffix)"]
    words.append(
      sample.start == sample.end ? clock(sample.start) : span(sample.start, sample.end))
    words.append(decimal(sample.amount, sample.identity.kind.decimals))
    let metadata = sample.metadata
    if let rate = metadata.rate { words.append("rate \(decimal(Int64(rate), 3))") }
    if let source = metadata.rateSource { words.append(source.text) }
    if let status = metadata.status, status != 3 { words.append(BolusStatus.text(status)) }
    if let requested = metadata.requested {
      words.append("of \(decimal(Int64(requested), 3))")
    }
    if let source = metadata.deliveredBy { words.append(source.text) }
    if metadata.flags.contains(.automatic) { words.append("automatic") }
    if metadata.flags.contains(.override) { words.append("override") }
    if metadata.flags.contains(.inferred) { words.append("inferred") }
    return words.joined(separator: " ")
  }
}

extension History {
  /// What the history says of the clock, and of the numbers that are known to be missing.
  func placed() -> (timeline: Timeline, missing: MissingNumbers) {
    var missing = MissingNumbers()
    for event in events { missing.take(group: event.group, number: event.number) }
    missing.finish()
    let usesRecords =
      clock == .records || (clock == .auto && events.contains { $0.payload.isClockChange })
    var scanner = ClockScanner(usesRecords: usesRecords)
    for event in events {
      var shift: Int64?
      if case .clockChange(let milliseconds) = event.payload { shift = milliseconds }
      scanner.process(ClockScanner.Record(position: event.position, shift: shift))
    }
    return (
      Timeline(scanner.finish(), schedule: schedule, usesRecords: usesRecords), missing
    )
  }

  /// Normalizes the history.
  func outcome() -> Outcome {
    let (timeline, missing) = placed()
    var normalizer = PumpNormalizer(
      timeline: timeline, missing: missing, claims: claims, fetched: FetchedTime(fetched),
      concentration: concentration, gathersCounterparts: true, now: now)
    var batch = NormalizedBatch()
    normalizer.process(events, into: &batch)
    normalizer.end(into: &batch)
    let segment = normalizer.cut()
    var account = PumpAccount(timeline: timeline)
    account.add(segment)
    account.addFindings(into: &batch)
    var sums = DaySums(schedule: schedule, concentration: concentration)
    let days = segment.days.map { part in
      let (totals, finding) = sums.totals(part)
      batch.findings += [finding].compactMap { $0 }
      return totals
    }
    return Outcome(batch: batch, days: days, clockRows: account.clocks())
  }

  /// The text of what the history gives.
  var text: String { outcome().text }

  /// The UTC offset at which each record was placed, runs of equal ones joined: `1–3 -4:00`.
  var offsets: String {
    var cursor = placed().timeline.cursor()
    var runs: [(first: UInt32, last: UInt32, offset: String)] = []
    for event in events {
      let instant = cursor.instant(of: event)
      let offset = instant.map { offsetText(event.time.wallSeconds - $0.unixSeconds) } ?? "unknown"
      if let last = runs.last, last.offset == offset {
        runs[runs.count - 1].last = event.number
      } else {
        runs.append((event.number, event.number, offset))
      }
    }
    return runs.map { run in
      run.first == run.last
        ? "\(run.first) \(run.offset)" : "\(run.first)–\(run.last) \(run.offset)"
    }.joined(separator: ", ")
  }
}

/// Hours, minutes and, if there are any, seconds east of UTC.
func offsetText(_ seconds: Int64) -> String {
  let size = abs(seconds)
  let rest = size % 60 == 0 ? "" : ":" + twoDigits(size % 60)
  return "\(seconds < 0 ? "-" : "+")\(size / 3600):\(twoDigits(size % 3600 / 60))\(rest)"
}

/// The time of day in UTC, with the date on other days than 2026-05-04.
func clock(_ instant: Instant) -> String {
  let time = CivilTime(secondsSince1970: instant.unixSeconds)
  let seconds = time.second == 0 ? "" : ":" + twoDigits(Int64(time.second))
  let text = "\(twoDigits(Int64(time.hour))):\(twoDigits(Int64(time.minute)))\(seconds)"
  if time.year == 2026, time.month == 5, time.day == 4 { return text }
  let date = "\(twoDigits(Int64(time.month)))-\(twoDigits(Int64(time.day)))"
  return (time.year == 2026 ? date : "\(time.year)-\(date)") + " " + text
}

private func span(_ start: Instant, _ end: Instant?) -> String {
  "\(clock(start))–\(end.map(clock) ?? "?")"
}

private func twoDigits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

private func decimal(_ value: Int64, _ digits: Int) -> String {
  var text = String(abs(value))
  guard digits > 0 else { return text }
  while text.count <= digits { text = "0" + text }
  let whole = text.dropLast(digits)
  var fraction = text.suffix(digits)
  while fraction.last == "0" { fraction = fraction.dropLast() }
  return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
}
