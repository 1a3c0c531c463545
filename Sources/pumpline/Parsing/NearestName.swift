/// Finds the name that a person most likely meant.
enum NearestName {
  /// The nearest name within two slips, or the only one that goes on from what was typed; nil if
  /// none is near.
  static func of(_ typed: String, in names: [String]) -> String? {
    let near = names.map { (name: $0, distance: distance(typed, $0)) }
      .filter { $0.distance <= 2 && $0.distance < $0.name.drop { $0 == "-" }.count }
      .min { $0.distance < $1.distance }
    if let near { return near.name }
    let longer = names.filter { typed.count > 2 && $0.hasPrefix(typed) }
    return longer.count == 1 ? longer.first : nil
  }

  /// How many slips lie between two words: a letter left out, put in, changed, or two swapped.
  static func distance(_ left: String, _ right: String) -> Int {
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
