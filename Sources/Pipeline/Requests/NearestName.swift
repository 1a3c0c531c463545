/// Finds the name that a person most likely meant.
package enum NearestName {
  /// The only name that goes on from what was typed, or the nearest within two slips; nil if none
  /// is near.
  package static func of(_ typed: String, in names: [String]) -> String? {
    let longer = names.filter { bare(typed).count > 2 && $0.hasPrefix(typed) }
    if longer.count == 1 { return longer.first }
    return names.map { (name: $0, distance: distance(typed, $0)) }
      .filter { $0.distance <= 2 && $0.distance < bare($0.name).count }
      .min { $0.distance < $1.distance }?.name
  }

  private static func bare(_ name: String) -> Substring { name.drop { $0 == "-" } }

  /// How many slips lie between two words: a letter left out, put in, changed, or two swapped.
  package static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      for j in right.indices {
        let change = last[j] + (left[i] == right[j] ? 0 : 1)
        var best = min(change, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
