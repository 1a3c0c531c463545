package import PumpModel

/// Turns one pump's rows of exports into samples, but for what its events tell too (N5, N6, N7, N10).
///
/// Rows come in chunks of one source, cut where `settled` says. What comes of them is kept apart by `RowPiece`, so that a piece can be made again alone.
package struct RowNormalizer {
  private let schedule: ZoneSchedule
  private let factor: Int64
  private let makesGlucose: Bool
  private let words: StatusWords
  private let tellsCounterparts: Bool
  private var derived: DerivedBasal?
  /// What the rows of each piece gave.
  private var books: [RowPiece: PieceBook] = [:]
  /// The pieces whose rows give anything; nil: all.
  private var pieces: Set<RowPiece>?

  /// The most seconds between a row and an event that tell the same.
  package static let reach = DoseMatching.reach
  /// The most that an amount of a CSV may differ from an event's, in mIU.
  private static let widestTolerance: UInt32 = 50

  /// Creates a normalizer of one pump.
  ///
  /// With `pieces`, rows of others only tell what those of these pieces must know. If it
  /// `tellsCounterparts`, it says what rows alone tell, for sources that come later.
  package init(
    schedule: ZoneSchedule, concentration: Concentration, makesGlucose: Bool, words: StatusWords,
    derivesBasal: Bool = false, pieces: Set<RowPiece>? = nil, tellsCounterparts: Bool = false
  ) {
    self.tellsCounterparts = tellsCounterparts
    self.schedule = schedule
    factor = concentration.factor
    self.makesGlucose = makesGlucose
    self.words = words
    self.pieces = pieces
    derived =
      derivesBasal ? DerivedBasal(schedule: schedule, concentration: concentration) : nil
  }

  /// Adds pieces to those whose rows give anything.
  package mutating func want(_ more: some Sequence<RowPiece>) { pieces?.formUnion(more) }

  /// Takes a chunk of rows of one source with all that may be counterparts of them.
  ///
  /// - Returns: what they alone tell, of pieces that are wanted; nothing unless it is to tell it.
  @discardableResult
  package mutating func process(
    _ rows: [NumberedRow], with counterparts: [Counterpart], into batch: inout NormalizedBatch
  ) -> [ToldCounterpart] {
    guard let source = rows.first?.row.source else { return [] }
    // Parts of a range of rows come in another order than those of all: the rows decide.
    let rows = rows.sorted { $0.precedes($1) }
    var told: [ToldCounterpart] = []
    takeBoluses(rows, source, counterparts.filter(\.isDose), &told, into: &batch)
    if makesGlucose {
      takeReadings(rows, source, counterparts.filter { !$0.isDose }, &told, into: &batch)
    }
    return told
  }

  /// How much earlier or later than a row of a source the dose can have ended that it tells, beyond
  /// `reach`, in the seconds in which they are compared.
  package func margins(of source: ExportSource) -> (before: Int64, behind: Int64) {
    let length =
      tellsCounterparts ? DoseLength.uncertain : source.tellsEnds ? 0 : DoseLength.extended
    // A row of the pump's clock may tell a moment before it was set.
    guard length > 0, !source.tellsInstants else { return (0, length) }
    return (RowBolus.mostClockShift, length + RowBolus.mostClockShift)
  }

  /// The local days of which events tell basal, of those that a batch touches; none where basal is
  /// not made of rates.
  package mutating func daysWithBasal(in batch: borrowing NormalizedBatch) -> Set<Int64> {
    derived?.daysWithBasal(in: batch) ?? []
  }

  /// Learns of which local days events tell basal; before any rate is taken.
  package mutating func learn(daysWithBasal days: some Sequence<Int64>) {
    derived?.learn(daysWithBasal: days)
  }

  /// Takes the next rate that a row of a source tells, by time and then by the row's count within it.
  package mutating func process(rate row: NumberedRow, into batch: inout NormalizedBatch) {
    edit(row) { $0.account.rates += 1 }
    // Rates of a CSV say neither what was delivered nor until when.
    guard row.row.source != .csv else { return }
    let start = instant(row.row.time, row.row.source).unixSeconds
    add(derived?.take(row, from: start), into: &batch)
  }

  /// Ends the rates of a source.
  package mutating func endRates(into batch: inout NormalizedBatch) {
    add(derived?.endSource(), into: &batch)
  }

  /// When a row's doses and readings ended, in the seconds in which they are compared with events.
  package func comparedEnds(of row: ExportRow) -> [Int64] {
    comparedEnds(of: NumberedRow(row, ordinal: 0))
  }

  /// The same of a row that holds.
  package func comparedEnds(of row: NumberedRow) -> [Int64] {
    let time = compared(row.row.time, of: row)
    guard case .bolus(let bolus) = row.row.content, bolus.extended != nil else { return [time] }
    return [time, compared(extendedTime(of: bolus, row), of: row)]
  }

  /// When an event ended, in the seconds in which it is compared with rows of a source.
  package static func comparedEnd(of counterpart: Counterpart, _ source: ExportSource) -> Int64 {
    source.tellsInstants ? counterpart.instant.unixSeconds : counterpart.time.wallSeconds
  }

  /// What came of the rows since the last call, piece by piece.
  package mutating func takePieces() -> [RowPieceResult] {
    defer { books.removeAll() }
    return books.keys.sorted().compactMap { piece in
      guard var book = books.removeValue(forKey: piece) else { return nil }
      let days = book.days.take()
      for part in days { book.digest.mix(part) }
      book.digest.mix(book.account)
      return RowPieceResult(
        piece: piece, account: book.account, days: days, digest: book.digest.value)
    }
  }

  /// What the rows of a piece gave so far.
  private struct PieceBook {
    var account = RowAccount()
    var days: DayBook
    var digest = StateDigest()
  }

  private func isWanted(_ row: NumberedRow) -> Bool {
    pieces?.contains(RowPiece(of: row.row)) ?? true
  }

  private mutating func edit(_ row: NumberedRow, _ change: (inout PieceBook) -> Void) {
    guard isWanted(row) else { return }
    change(&books[RowPiece(of: row.row), default: PieceBook(days: DayBook(schedule: schedule))])
  }
}

extension RowNormalizer {
  private mutating func takeBoluses(
    _ rows: [NumberedRow], _ source: ExportSource, _ doses: [Counterpart],
    _ told: inout [ToldCounterpart], into batch: inout NormalizedBatch
  ) {
    var parts = rows.enumerated().flatMap { self.parts(of: $1, $0) }
    // Parts of equal ends stand in the order of their rows, normal ones first.
    parts.sort { ($0.end, $0.row, $0.kind.rawValue) < ($1.end, $1.row, $1.kind.rawValue) }
    let found = DoseMatching.match(parts, with: doses) { Self.comparedSpan(of: $0, source) }
    var matched: [Int: Set<SampleKind>] = [:]
    for (part, dose) in zip(parts, found) where dose != nil {
      matched[part.row, default: []].insert(part.kind)
    }
    for (index, row) in rows.enumerated() {
      switch row.row.content {
      case .bolus(let bolus):
        add(bolus, row, matched: matched[index] ?? [], &told, into: &batch)
      case .meal: edit(row) { $0.account.mealsAlone += 1 }
      case .reading, .rate: break
      }
    }
  }

  /// The time of an extended part that is compared: its end, where the source tells ends.
  private func extendedTime(of bolus: RowBolus, _ row: NumberedRow) -> Int64 {
    guard row.row.source.tellsEnds, let span = bolus.span else { return row.row.time }
    return span.upperBound
  }

  /// The doses of a row that events may have told too.
  func parts(of row: NumberedRow, _ index: Int) -> [DoseMatching.Part] {
    guard case .bolus(let bolus) = row.row.content else { return [] }
    let (time, source) = (row.row.time, row.row.source)
    var parts: [DoseMatching.Part] = []
    let normal = bolus.normal.flatMap { isRejected($0) ? nil : $0 }
    let extended = bolus.extended.flatMap { isRejected($0) ? nil : $0 }
    if let normal, normal.amount > 0 {
      parts.append(
        DoseMatching.Part(
          row: index, kind: .bolus, end: compared(time, of: row), amount: normal.amount,
          tolerance: Self.tolerance(normal, source), number: bolus.number))
    }
    if let extended, extended.amount > 0 {
      parts.append(
        DoseMatching.Part(
          row: index, kind: .extended,
          end: compared(extendedTime(of: bolus, row), of: row), amount: extended.amount,
          tolerance: Self.tolerance(extended, source),
          number: bolus.normal == nil ? bolus.number : nil))
    }
    // A meal without insulin is the event whose dose was nothing.
    if parts.isEmpty, bolus.carbohydrate ?? 0 > 0, bolus.normal == nil || normal != nil {
      parts.append(
        DoseMatching.Part(
          row: index, kind: .bolus, end: compared(time, of: row), amount: 0,
          tolerance: normal.map { Self.tolerance($0, source) } ?? 0, number: bolus.number))
    }
    return parts
  }

  private mutating func add(
    _ bolus: RowBolus, _ row: NumberedRow, matched: Set<SampleKind>,
    _ told: inout [ToldCounterpart], into batch: inout NormalizedBatch
  ) {
    edit(row) {
      $0.account.rows += 1
      $0.account.matched += UInt64(matched.count)
    }
    if let normal = bolus.normal, !matched.contains(.bolus) {
      add(
        normal, .bolus, of: bolus, row, from: row.row.time, until: row.row.time, &told, into: &batch
      )
    }
    if let extended = bolus.extended, !matched.contains(.extended) {
      let span = bolus.span ?? row.row.time...row.row.time
      add(
        extended, .extended, of: bolus, row, from: span.lowerBound, until: span.upperBound, &told,
        into: &batch)
    }
    addMeal(of: bolus, row, isMatched: !matched.isEmpty, &told, into: &batch)
  }

  private mutating func add(
    _ dose: RowDose, _ kind: SampleKind, of bolus: RowBolus, _ row: NumberedRow,
    from: Int64, until: Int64, _ told: inout [ToldCounterpart], into batch: inout NormalizedBatch
  ) {
    let amount = Int64(dose.amount) * factor
    guard amount > 0, !isRejected(dose) else { return }
    var metadata = SampleMetadata()
    metadata.status = dose.status.flatMap(words.code)
    if bolus.isAutomatic { metadata.flags.insert(.automatic) }
    if bolus.isOverride { metadata.flags.insert(.override) }
    let end = instant(until, row.row.source)
    // Where the clock went back between the two, the end may come out before the beginning.
    let start = min(instant(from, row.row.source), end)
    // A third party tells when a part that goes on ended, and not since when.
    if kind == .extended, from == until, !row.row.source.flag.isEmpty {
      metadata.flags.insert(.inferred)
    }
    append(kind, row, start: start, end: end, amount, metadata, into: &batch)
    edit(row) {
      $0.days.add(bolus: amount, from: start.unixSeconds, until: end.unixSeconds)
      $0.account.unmatched += 1
    }
    tell(kind, from: from, until: until, dose.amount, row, &told)
  }

  /// How long before and behind the times that a row tells its dose may have been.
  private static func margins(
    of kind: SampleKind, hasLength: Bool, _ source: ExportSource
  ) -> (before: Int64, behind: Int64) {
    guard kind == .bolus || kind == .extended else { return (0, 0) }
    let longest = kind == .extended && !hasLength ? DoseLength.extended : DoseLength.normal
    switch source {
    case .csv, .legacy, .nightscout: return (longest, 0)
    case .tidepool: return (0, longest)
    case .glooko: return (longest, longest)
    }
  }

  /// Tells what later sources may tell too, of a dose or a reading between two of the row's times.
  private mutating func tell(
    _ kind: SampleKind, from start: Int64, until end: Int64, _ amount: UInt32, _ row: NumberedRow,
    _ told: inout [ToldCounterpart]
  ) {
    guard tellsCounterparts, isWanted(row) else { return }
    let source = row.row.source
    let (before, behind) = Self.margins(of: kind, hasLength: start < end, source)
    // A row tells its own time, and the dose when the pump's log has it.
    let latest = instant(end, source) + row.delay
    let earliest = min(instant(start, source) + row.delay, latest)
    var counterpart = Counterpart(
      kind: kind, time: PumpTime(seconds: 0), instant: latest + behind, begin: earliest + -before,
      amount: amount, number: Counterpart.noNumber)
    if !source.tellsInstants {
      let onClock = end + behind - PumpTime.epochInUnixSeconds
      counterpart.time = PumpTime(seconds: UInt32(clamping: onClock))
      counterpart.clockSeconds = Int32(clamping: behind + end - start + before)
    }
    told.append(ToldCounterpart(piece: RowPiece(of: row.row), counterpart: counterpart))
    edit(row) { $0.digest.mix(counterpart) }
  }

  private mutating func addMeal(
    of bolus: RowBolus, _ row: NumberedRow, isMatched: Bool, _ told: inout [ToldCounterpart],
    into batch: inout NormalizedBatch
  ) {
    guard let milligrams = bolus.carbohydrate, milligrams > 0 else { return }
    guard !isMatched else {
      edit(row) { $0.account.mealsOfEvents += 1 }
      return
    }
    // It was eaten with a bolus only if a part of that ended otherwise than refused.
    let parts = [bolus.normal, bolus.extended].compactMap(\.self)
    guard parts.isEmpty || parts.contains(where: { !isRejected($0) }) else { return }
    let at = instant(bolus.requestTime ?? row.row.time, row.row.source)
    append(
      .carbs, row, start: at, end: at, Int64(milligrams), SampleMetadata(), into: &batch)
    edit(row) { $0.days.add(carbohydrate: Int64(milligrams), at: at.unixSeconds) }
    if parts.allSatisfy({ $0.amount == 0 }) {
      tell(.bolus, from: row.row.time, until: row.row.time, 0, row, &told)
    }
  }

  private mutating func takeReadings(
    _ rows: [NumberedRow], _ source: ExportSource, _ events: [Counterpart],
    _ told: inout [ToldCounterpart], into batch: inout NormalizedBatch
  ) {
    let ordered = events.map { (at: Self.comparedEnd(of: $0, source), event: $0) }.sorted {
      $0.at < $1.at
    }
    for row in rows {
      guard case .reading(let glucose, let isManual) = row.row.content else { continue }
      edit(row) { $0.account.readings += 1 }
      let kind: SampleKind = isManual ? .meter : .cgm
      let at = compared(row.row.time, of: row)
      var place = ordered.partitioningIndex { $0.at >= at - DoseMatching.reach }
      var isTold = false
      while place < ordered.count, ordered[place].at <= at + DoseMatching.reach, !isTold {
        let event = ordered[place].event
        isTold = event.kind == kind && abs(Int64(event.amount) - Int64(glucose)) <= 1
        place += 1
      }
      guard !isTold else {
        edit(row) { $0.account.matchedReadings += 1 }
        continue
      }
      let instant = instant(row.row.time, source)
      append(
        kind, row, start: instant, end: instant, Int64(glucose), SampleMetadata(), into: &batch)
      tell(kind, from: row.row.time, until: row.row.time, UInt32(glucose), row, &told)
    }
  }

  private mutating func append(
    _ kind: SampleKind, _ row: NumberedRow, start: Instant, end: Instant, _ amount: Int64,
    _ metadata: SampleMetadata, into batch: inout NormalizedBatch
  ) {
    guard let time = row.pumpTime, isWanted(row) else { return }
    var metadata = metadata
    metadata.flags.formUnion(row.row.source.flag)
    let identity =
      row.nameDigest.map { SampleIdentity(kind: kind, named: $0) }
      ?? SampleIdentity(
        kind: kind, scheme: row.row.source.scheme, row: time, ordinal: row.ordinal)
    let sample = Sample(
      identity: identity, start: start, end: end, amount: amount, metadata: metadata)
    edit(row) { $0.digest.mix(sample) }
    // The id of a record that has its own is all that its sample rests on.
    guard row.nameDigest == nil else { return batch.append(sample, restingOn: []) }
    batch.append(
      sample, restingOn: EventReference(number: time.seconds, seconds: row.ordinal))
  }
}

extension RowNormalizer {
  private mutating func add(_ segment: DerivedBasal.Segment?, into batch: inout NormalizedBatch) {
    guard let segment else { return }
    edit(segment.row) {
      $0.account.derived += 1
      $0.days.add(
        rate: segment.rate, isSuspended: false, from: segment.start, until: segment.end)
    }
    guard segment.amount > 0 else { return }
    var metadata = SampleMetadata()
    metadata.rate = UInt32(segment.rate * factor)
    metadata.flags.insert(.derived)
    append(
      .basal, segment.row, start: Instant(unixSeconds: segment.start),
      end: Instant(unixSeconds: segment.end), segment.amount, metadata, into: &batch)
  }

  private func isRejected(_ dose: RowDose) -> Bool { dose.status == StatusWords.rejected }

  /// How far an event's amount may be away: half a unit of the cell's last digit.
  private static func tolerance(_ dose: RowDose, _ source: ExportSource) -> UInt32 {
    guard source == .csv else { return RowDose.foreignTolerance }
    switch dose.decimals {
    case 0, 1: return widestTolerance
    case 2: return 5
    default: return 0
    }
  }

  /// The instant of a row's time: by the zone's rules, of a time that occurs twice the earlier.
  private func instant(_ time: Int64, _ source: ExportSource) -> Instant {
    guard !source.tellsInstants else { return Instant(unixSeconds: time) }
    return schedule.rules(atWall: time).readings(ofWall: time).earlier(wall: time)
  }

  /// The seconds in which a row's time is compared with others: those of the clock that it tells, which
  /// is the pump's, or that of the world (Decisions 98).
  private func compared(_ time: Int64, of row: NumberedRow) -> Int64 { time + row.delay }

  /// The seconds of a dose at which a row of a source may tell it: its end, where both tell ends; else
  /// any from when it was asked for (Decisions 77).
  package static func comparedSpan(
    of dose: Counterpart, _ source: ExportSource
  ) -> ClosedRange<Int64> {
    let end = comparedEnd(of: dose, source)
    guard !source.tellsEnds || dose.number == Counterpart.noNumber else { return end...end }
    return source.tellsInstants ? dose.begin.unixSeconds...end : dose.clockSpan
  }
}

extension NumberedRow {
  /// By the time at which it is compared, then in the order of rows of one time (N10).
  fileprivate func precedes(_ other: NumberedRow) -> Bool {
    let (own, others) = (row.time + delay, other.row.time + other.delay)
    guard own == others else { return own < others }
    guard row.source.namesRecords else { return ordinal < other.ordinal }
    return Int64(bitPattern: nameDigest ?? 0) < Int64(bitPattern: other.nameDigest ?? 0)
  }

  /// The row's time on the pump's clock; nil for times that it cannot show.
  package var pumpTime: PumpTime? {
    UInt32(exactly: row.time - PumpTime.epochInUnixSeconds).map(PumpTime.init)
  }
}

extension Array {
  /// The first place from which on a condition holds; it must hold for all that follow.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
