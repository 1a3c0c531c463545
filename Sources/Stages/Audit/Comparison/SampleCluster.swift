import PumpModel

/// Samples of one kind that begin close to each other, in order of time, to be paired one to one.
struct SampleCluster {
  /// Two samples that are one.
  struct Pair {
    var first: StoredRow
    var second: StoredRow
    /// Whether both have ids, so that all that they tell is compared.
    var isComparable: Bool
    /// What differs where not.
    var fields: [String] = []
  }

  /// So many candidates are paired as well as can be; of more, each takes the closest that is left.
  private static let longestSearch = 400

  private let pairing: SamplePairing
  private var rows: [SampleSide: [StoredRow]] = [:]
  private var last: Instant?

  init(_ pairing: SamplePairing) { self.pairing = pairing }

  var count: Int { SampleSide.allCases.reduce(0) { $0 + (rows[$1]?.count ?? 0) } }

  /// Whether a sample lies close enough to the last one to be paired with one of these.
  func reaches(_ sample: WrittenSample) -> Bool {
    guard let last, let one = rows.values.first?.first else { return true }
    return sample.type.family == one.sample.type.family
      && pairing.time(of: sample) - last <= pairing.reach(sample.type)
  }

  mutating func add(_ row: StoredRow) {
    rows[row.side, default: []].append(row)
    last = pairing.time(of: row.sample)
  }

  /// Pairs what is one: equal times and amounts first, then, where one side is without ids, times and
  /// amounts that are close; last what begins and ends together and has another amount.
  func match() -> (pairs: [Pair], rest: [StoredRow]) {
    var first = rows[.first] ?? []
    var second = rows[.second] ?? []
    var pairs = takeEqual(&first, &second)
    pairs += takeClose(&first, &second)
    pairs += takeSameTimes(&first, &second)
    return (pairs, first + second)
  }

  private struct Key: Hashable {
    var type: Int64
    var start: Instant
    var end: Instant
    var amount: WrittenAmount?
  }

  private func key(of sample: WrittenSample, amount: WrittenAmount?) -> Key {
    let span = pairing.span(of: sample)
    return Key(type: sample.type.family, start: span.start, end: span.end, amount: amount)
  }

  private func takeEqual(
    _ first: inout [StoredRow], _ second: inout [StoredRow]
  ) -> [Pair] {
    Self.take(&first, &second) { row in
      key(of: row.sample, amount: row.sample.amount)
    } pair: { first, second in
      let areNamed = first.sample.externalID != nil && second.sample.externalID != nil
      return Pair(first: first, second: second, isComparable: areNamed)
    }
  }

  private func takeSameTimes(
    _ first: inout [StoredRow], _ second: inout [StoredRow]
  ) -> [Pair] {
    Self.take(&first, &second) { row in
      // Two ids are two samples, unless everything else is the same.
      row.sample.externalID == nil ? key(of: row.sample, amount: nil) : nil
    } pair: { first, second in
      Pair(first: first, second: second, isComparable: false, fields: ["value"])
    } orElse: { row in
      key(of: row.sample, amount: nil)
    }
  }

  /// Takes pairs of equal keys, in order.
  ///
  /// A row without a key may still be the partner of one that has one, by `orElse`.
  private static func take(
    _ first: inout [StoredRow], _ second: inout [StoredRow], key: (StoredRow) -> Key?,
    pair: (StoredRow, StoredRow) -> Pair, orElse: ((StoredRow) -> Key)? = nil
  ) -> [Pair] {
    var waiting: [Key: [StoredRow]] = [:]
    for row in second {
      if let key = key(row) ?? orElse?(row) { waiting[key, default: []].append(row) }
    }
    for key in waiting.keys { waiting[key]?.reverse() }
    var pairs: [Pair] = []
    var taken: Set<Int64> = []
    first.removeAll { row in
      guard let own = key(row) ?? orElse?(row), let partner = waiting[own]?.last,
        key(row) != nil || key(partner) != nil
      else { return false }
      waiting[own]?.removeLast()
      taken.insert(partner.number)
      pairs.append(pair(row, partner))
      return true
    }
    second.removeAll { taken.contains($0.number) }
    return pairs
  }

  /// Takes as many pairs of close samples as there can be, the closest first.
  private func takeClose(
    _ first: inout [StoredRow], _ second: inout [StoredRow]
  ) -> [Pair] {
    var candidates: [[Int]] = []
    for row in first {
      var close = second.indices.filter { isClose(row, second[$0]) }
      close.sort { apart(row, second[$0]) < apart(row, second[$1]) }
      candidates.append(close)
    }
    let edges = candidates.reduce(0) { $0 + $1.count }
    guard edges > 0 else { return [] }
    var matching = ClosestPairs(candidates: candidates, count: second.count)
    let partners = matching.partners(isSearching: edges <= Self.longestSearch)
    var pairs: [Pair] = []
    for (index, partner) in partners.enumerated() {
      guard let partner else { continue }
      pairs.append(Pair(first: first[index], second: second[partner], isComparable: false))
    }
    let taken = Set(partners.compactMap(\.self))
    first = first.indices.filter { partners[$0] == nil }.map { first[$0] }
    second = second.indices.filter { !taken.contains($0) }.map { second[$0] }
    return pairs
  }

  private func apart(_ left: StoredRow, _ right: StoredRow) -> Int64 {
    abs(pairing.time(of: left.sample) - pairing.time(of: right.sample))
  }

  private func isClose(_ left: StoredRow, _ right: StoredRow) -> Bool {
    // Two ids of pumpline's are two samples.
    guard left.sample.externalID == nil || right.sample.externalID == nil else { return false }
    let amounts = (left.sample.amount.parts, right.sample.amount.parts)
    return pairing.isClose(left.sample, right.sample)
      && (amounts.0 > amounts.1 ? amounts.0 - amounts.1 : amounts.1 - amounts.0)
        <= left.sample.type.tolerance.parts
  }
}

extension SampleType {
  /// What may stand for the same sample where nobody tells more: readings of glucose are one kind.
  var family: Int64 { min(code, SampleType.sensorGlucose.code) }

  /// How far two tellings of one amount may be apart (N7, N10).
  var tolerance: WrittenAmount {
    switch self {
    case .basal, .bolus: WrittenAmount(Int64(RowDose.foreignTolerance), decimals: 3)
    case .carbohydrates: WrittenAmount(5, decimals: 1)
    case .sensorGlucose, .meterGlucose: WrittenAmount(1, decimals: 0)
    }
  }
}

/// Pairs one to one along given candidates.
private struct ClosestPairs {
  /// The candidates of each, best first.
  let candidates: [[Int]]
  /// Whose each candidate is.
  private var owners: [Int?]
  private var visited: Set<Int> = []

  init(candidates: [[Int]], count: Int) {
    self.candidates = candidates
    owners = Array(repeating: nil, count: count)
  }

  /// The partner of each; with a search as many have one as can.
  mutating func partners(isSearching: Bool) -> [Int?] {
    for index in candidates.indices {
      guard isSearching else {
        if let free = candidates[index].first(where: { owners[$0] == nil }) { owners[free] = index }
        continue
      }
      visited.removeAll(keepingCapacity: true)
      _ = settle(index)
    }
    var partners = [Int?](repeating: nil, count: candidates.count)
    for (candidate, owner) in owners.enumerated() {
      if let owner { partners[owner] = candidate }
    }
    return partners
  }

  /// Finds a partner for one, moving others to further candidates of theirs if that helps.
  private mutating func settle(_ index: Int) -> Bool {
    if let free = candidates[index].first(where: { owners[$0] == nil }) {
      owners[free] = index
      return true
    }
    for candidate in candidates[index] where visited.insert(candidate).inserted {
      guard let owner = owners[candidate], settle(owner) else { continue }
      owners[candidate] = index
      return true
    }
    return false
  }
}
