#if canImport(FoundationInternationalization)
import FoundationEssentials
import FoundationInternationalization
#else
import Foundation
#endif

/// Which zone names there are.
struct ZoneNames: Sendable {
  private let folder: FilePath?

  /// Names of a folder of tzdata files; if there is none, those that Foundation knows.
  init(folder: String) {
    let path = FilePath(folder)
    let isThere = path.flatMap { try? InputFile.kind(of: $0, followingLinks: true) } == .folder
    self.folder = isThere ? path : nil
  }

  /// Whether a name is an exact tzdata name with a `/`, or `UTC`.
  ///
  /// Each part is looked for in the listing of its folder, never opened: so a file system that
  /// ignores case cannot accept other spellings, and `..` leads nowhere.
  func accept(_ name: String) -> Bool {
    if name == "UTC" { return true }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count > 1, !Self.isCopy(String(name.prefix { $0 != "/" })) else { return false }
    guard let folder else { return TimeZone.knownTimeZoneIdentifiers.contains(name) }
    var place = folder
    for part in parts {
      guard let name = FilePath(bytes: Array(part)), let all = try? FolderListing.names(in: place),
        all.contains(name)
      else { return false }
      place = place.appending(name)
    }
    return (try? InputFile.kind(of: place, followingLinks: true)) == .file
  }

  /// `posix` and `right` hold all zones once more, the latter with leap seconds.
  private static func isCopy(_ part: String) -> Bool { part == "posix" || part == "right" }

  /// Every accepted name.
  func all() -> [String] {
    guard let folder else {
      return TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") } + ["UTC"]
    }
    var names = ["UTC"]
    var open: [(place: FilePath, prefix: String)] = [(folder, "")]
    while let (place, prefix) = open.popLast() {
      for member in (try? FolderListing.members(of: place)) ?? [] {
        let name = prefix + member.name.text
        switch member.kind {
        case .folder where !Self.isCopy(name):
          open.append((place.appending(member.name), name + "/"))
        case .file, .link: if !prefix.isEmpty { names.append(name) }
        default: break
        }
      }
    }
    return names.sorted()
  }

  /// Up to three accepted names that may have been meant, the likeliest first.
  func nearest(to typed: String) -> [String] {
    let known = all()
    var found: [String] = []
    func add(_ name: String) {
      if found.count < 3, known.contains(name), !found.contains(name) { found.append(name) }
    }
    for name in Self.meaning(of: typed) { add(name) }
    guard typed.utf8.count <= 64 else { return found }
    let wanted = Array(typed.lowercased().replacing(" ", with: "_").utf8)
    let last = Array(wanted.split(separator: UInt8(ascii: "/")).last ?? [])
    let ranked = known.compactMap { name -> (distance: Int, name: String)? in
      let whole = Array(name.lowercased().utf8)
      let city = Array(whole.split(separator: UInt8(ascii: "/")).last ?? [])
      // A typed city counts as well as a typed name, a wrong region a little less.
      let distance = min(editDistance(wanted, whole), editDistance(last, city) + 1)
      return distance <= max(2, last.count / 3) ? (distance, name) : nil
    }
    for (_, name) in ranked.sorted(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) {
      add(name)
    }
    return found
  }

  /// What is likely meant by an abbreviation or by an offset from UTC.
  private static func meaning(of typed: String) -> [String] {
    let upper = typed.uppercased()
    if let names = abbreviations[upper] { return names }
    guard let prefix = ["UTC", "GMT"].first(where: upper.hasPrefix) else { return [] }
    let offset = upper.dropFirst(prefix.count)
    guard !offset.isEmpty else { return ["UTC"] }
    guard let hours = Int(offset.hasSuffix(":00") ? offset.dropLast(3) : offset) else { return [] }
    if hours == 0 { return ["UTC"] }
    // The names of tzdata count west of Greenwich.
    return ["Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"]
  }

  private static let abbreviations: [String: [String]] = [
    "EST": ["America/New_York"], "EDT": ["America/New_York"], "EST5EDT": ["America/New_York"],
    "CST": ["America/Chicago"], "CDT": ["America/Chicago"], "CST6CDT": ["America/Chicago"],
    "MST": ["America/Denver", "America/Phoenix"], "MDT": ["America/Denver"],
    "MST7MDT": ["America/Denver"],
    "PST": ["America/Los_Angeles"], "PDT": ["America/Los_Angeles"],
    "PST8PDT": ["America/Los_Angeles"], "HST": ["Pacific/Honolulu"],
    "AKST": ["America/Anchorage"], "BST": ["Europe/London"], "WET": ["Europe/Lisbon"],
    "CET": ["Europe/Berlin", "Europe/Paris"], "CEST": ["Europe/Berlin", "Europe/Paris"],
    "MET": ["Europe/Berlin"], "EET": ["Europe/Helsinki", "Europe/Athens"],
    "AEST": ["Australia/Sydney"], "NZ": ["Pacific/Auckland"], "NZST": ["Pacific/Auckland"],
    "Z": ["UTC"], "ZULU": ["UTC"],
  ]
}

/// How many single-letter changes lead from one text to the other.
func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var row = Array(0...right.count)
  for (index, byte) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in right.indices {
      let substituted = diagonal + (byte == right[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substituted, row[column] + 1, row[column + 1] + 1)
    }
  }
  return row[right.count]
}
