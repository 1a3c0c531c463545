import PumpModel

/// Finds which doses of rows are doses that events told, one to one (N10).
///
/// As many pairs as possible; of those, the pairs with the least sum of seconds apart; of those, the
/// ones that come first in order. What is decided of some doses does not depend on others that no
/// chain of possible pairs joins with them.
struct DoseMatching {
  /// A dose of a row that an event may have told too.
  struct Part: Hashable {
    /// Which row it is a part of; parts of one row are decided on together.
    var row: Int
    /// `bolus` or `extended`.
    var kind: SampleKind
    /// When it ended, in the seconds that counterparts are compared in.
    var end: Int64
    /// mIU of the pump.
    var amount: UInt32
    /// How far an event's amount may be away, in mIU.
    var tolerance: UInt32
    /// The event's number, if the row tells one: its amount may be further away.
    var number: UInt32?

    /// How far the amount of the event with the number may be away, in mIU.
    var widest: UInt32 { number == nil ? tolerance : max(tolerance, RowDose.numberedTolerance) }

    /// Whether it may be an event's dose by its amount.
    func mayBe(_ event: Counterpart) -> Bool {
      let apart = max(amount, event.amount) - min(amount, event.amount)
      return apart <= tolerance || (apart <= widest && event.number == number)
    }
  }

  /// The most seconds between the ends of one dose.
  static let reach: Int64 = 60
  /// A pump cannot end so many doses within a minute: further ones are not looked at.
  private static let mostCandidates = 64
  /// The most parts and events of a chain that the best pairs are looked for among; of longer ones,
  /// which no pump makes, pairs are taken one by one, the closest first.
  private static let longestChain = 400

  /// A part and an event that may be one dose.
  struct Pair {
    var part: Int
    var event: Int
    var apart: Int64
    var rank: Int64 = 0
  }

  /// Finds the event of each part.
  ///
  /// - Parameters:
  ///   - parts: doses of rows; those of equal ends in the order of their rows, normal ones first.
  ///   - events: doses that events told.
  ///   - span: the seconds between which a row may say that an event's dose was.
  /// - Returns: for each part the place of its event in `events`; nil where none is its.
  static func match(
    _ parts: [Part], with events: [Counterpart],
    spanning span: (Counterpart) -> ClosedRange<Int64>
  ) -> [Int?] {
    var result = [Int?](repeating: nil, count: parts.count)
    let spans = events.map(span)
    let pairs = pairs(parts, events, spans)
    guard !pairs.isEmpty else { return result }
    for chain in chains(pairs, parts, events: events.count) {
      let ranked = ranked(chain.map { pairs[$0] }, parts, events, spans)
      for pair in best(of: ranked) { result[pair.part] = pair.event }
    }
    return result
  }

  /// All possible pairs, in no promised order: of very many for one part, the closest.
  static func pairs(
    _ parts: [Part], _ events: [Counterpart], _ spans: [ClosedRange<Int64>]
  ) -> [Pair] {
    let candidates = CandidateDoses(events, spanning: spans)
    var pairs: [Pair] = []
    for (index, part) in parts.enumerated() {
      var found: [Pair] = []
      candidates.forEach(of: part) {
        found.append(Pair(part: index, event: $0.event, apart: $0.apart))
      }
      if found.count > mostCandidates {
        found.sort {
          ($0.apart, spans[$0.event].upperBound, events[$0.event])
            < ($1.apart, spans[$1.event].upperBound, events[$1.event])
        }
      }
      pairs += found.prefix(mostCandidates)
    }
    return pairs
  }

  /// The pairs of a chain by their ranks: by the row's end, the event's number, the row; where some doses
  /// are not known by one second, by their ends before their numbers.
  private static func ranked(
    _ chain: [Pair], _ parts: [Part], _ events: [Counterpart], _ spans: [ClosedRange<Int64>]
  ) -> [Pair] {
    guard chain.count > 1 else { return chain }
    let knowsSeconds = chain.allSatisfy { spans[$0.event].lowerBound == spans[$0.event].upperBound }
    func ends(_ pair: Pair) -> (Int64, Int64) {
      (parts[pair.part].end, knowsSeconds ? 0 : spans[pair.event].upperBound)
    }
    var ranked = chain.sorted {
      let (left, right) = (events[$0.event], events[$1.event])
      if ends($0) != ends($1) { return ends($0) < ends($1) }
      if left.number != right.number { return left.number < right.number }
      // What rows tell has no number.
      if left != right { return left < right }
      return ($0.part, $0.event) < ($1.part, $1.event)
    }
    for index in ranked.indices { ranked[index].rank = Int64(index) }
    return ranked
  }

  /// The pairs that shared rows and events join, as places in `pairs`.
  private static func chains(_ pairs: [Pair], _ parts: [Part], events: Int) -> [[Int]] {
    var sets = DisjointSets(count: (parts.map(\.row).max() ?? 0) + 1 + events)
    let firstEvent = sets.count - events
    for pair in pairs { sets.join(parts[pair.part].row, firstEvent + pair.event) }
    var chains: [Int: Int] = [:]
    var result: [[Int]] = []
    for (index, pair) in pairs.enumerated() {
      let root = sets.root(of: parts[pair.part].row)
      if let chain = chains[root] {
        result[chain].append(index)
      } else {
        chains[root] = result.count
        result.append([index])
      }
    }
    return result
  }

  private static func best(of ranked: [Pair]) -> [Pair] {
    guard ranked.count > 1 else { return ranked }
    var partNumbers: [Int: Int] = [:]
    var eventNumbers: [Int: Int] = [:]
    for pair in ranked {
      if partNumbers[pair.part] == nil { partNumbers[pair.part] = partNumbers.count }
      if eventNumbers[pair.event] == nil { eventNumbers[pair.event] = eventNumbers.count }
    }
    guard partNumbers.count + eventNumbers.count <= longestChain else { return closest(ranked) }
    let most = Int64(min(partNumbers.count, eventNumbers.count))
    let second = Int64(ranked.count) * most + 1
    let unpaired = (reach + 1) * second * (most + 1)
    var costs = [Int64](
      repeating: unpaired, count: partNumbers.count * (eventNumbers.count + partNumbers.count))
    let width = eventNumbers.count + partNumbers.count
    var places: [Int: Pair] = [:]
    for pair in ranked {
      guard let part = partNumbers[pair.part], let event = eventNumbers[pair.event] else {
        continue
      }
      costs[part * width + event] = pair.apart * second + pair.rank
      places[part * width + event] = pair
    }
    let assigned = Assignment.least(costs, rows: partNumbers.count, columns: width)
    return assigned.enumerated().compactMap { places[$0.offset * width + $0.element] }
  }

  private static func closest(_ pairs: [Pair]) -> [Pair] {
    var parts: Set<Int> = []
    var events: Set<Int> = []
    return pairs.sorted { ($0.apart, $0.rank) < ($1.apart, $1.rank) }.filter { pair in
      guard !parts.contains(pair.part), !events.contains(pair.event) else { return false }
      parts.insert(pair.part)
      events.insert(pair.event)
      return true
    }
  }
}

/// Numbers that belong together, as they are joined.
private struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  var count: Int { parents.count }

  mutating func root(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  mutating func join(_ left: Int, _ right: Int) {
    let (left, right) = (root(of: left), root(of: right))
    if left != right { parents[max(left, right)] = min(left, right) }
  }
}

/// Gives every row of a table a column of its own so that the sum of their costs is the least: the
/// Hungarian method, in time of rows² × columns.
enum Assignment {
  /// The column of each row; there must be no more rows than columns, and costs, given row after row,
  /// must not be negative, and their sums within 62 bits.
  static func least(_ costs: [Int64], rows: Int, columns: Int) -> [Int] {
    var rowPrices = [Int64](repeating: 0, count: rows + 1)
    var columnPrices = [Int64](repeating: 0, count: columns + 1)
    // Rows and columns count from 1; 0 stands for none.
    var rowOf = [Int](repeating: 0, count: columns + 1)
    var before = [Int](repeating: 0, count: columns + 1)
    for row in stride(from: 1, through: rows, by: 1) {
      rowOf[0] = row
      var least = [Int64](repeating: .max, count: columns + 1)
      var isUsed = [Bool](repeating: false, count: columns + 1)
      var column = 0
      repeat {
        isUsed[column] = true
        let current = rowOf[column]
        var delta = Int64.max
        var next = 0
        for other in 1...columns where !isUsed[other] {
          let cost =
            costs[(current - 1) * columns + other - 1] - rowPrices[current] - columnPrices[other]
          if cost < least[other] {
            least[other] = cost
            before[other] = column
          }
          if least[other] < delta {
            delta = least[other]
            next = other
          }
        }
        for other in 0...columns {
          if isUsed[other] {
            rowPrices[rowOf[other]] += delta
            columnPrices[other] -= delta
          } else if least[other] < .max {
            least[other] -= delta
          }
        }
        column = next
      } while rowOf[column] != 0
      while column != 0 {
        rowOf[column] = rowOf[before[column]]
        column = before[column]
      }
    }
    var result = [Int](repeating: 0, count: rows)
    for column in 1...max(1, columns) where rowOf[column] > 0 {
      result[rowOf[column] - 1] = column - 1
    }
    return result
  }
}
