import Foundation
import Testing

@Suite("What people find when they read the documentation")
struct ReadersTests {
  @Test("the README names the two commands that set up everything")
  func commands() throws {
    let page = try Page("README.md")
    let makefile = try Page("Makefile").text.split(separator: "\n")
    for target in ["demo", "test"] {
      #expect(page.text.contains("make \(target)"))
      #expect(makefile.contains("\(target):"))
    }
  }

  @Test("the README has the warnings")
  func warnings() throws {
    let text = try Page("README.md").text
    for warning in ["not a medical device", "insulin on board", "Importing a day twice"] {
      #expect(text.contains(warning), "missing: \(warning)")
    }
  }

  @Test("every page can be reached from the README")
  func reachable() throws {
    let pages = try Dictionary(uniqueKeysWithValues: Page.all().map { ($0.path, $0) })
    var found: Set<String> = ["README.md"]
    var waiting = ["README.md"]
    while let path = waiting.popLast() {
      for target in pages[path].map(targets) ?? [] where found.insert(target.path).inserted {
        waiting.append(target.path)
      }
    }
    let lost = pages.keys.filter { !found.contains($0) }.sorted()
    #expect(lost == [])
  }

  @Test("every link leads somewhere")
  func links() throws {
    for page in try Page.all() {
      for target in targets(of: page) {
        let file = Page.root.appending(path: target.path)
        #expect(
          FileManager.default.fileExists(atPath: file.path), "\(page.path): \(target.path)")
        guard let anchor = target.anchor, target.path.hasSuffix(".md") else { continue }
        let anchors = try Page(target.path).anchors
        #expect(anchors.contains(anchor), "\(page.path): \(target.path)#\(anchor)")
      }
    }
  }

  @Test("no page names a path of a single machine")
  func machinePaths() throws {
    let paths = /(?m)(^|[\s"'`(=])\/(work|farm|root|home|Users|tmp|private|mnt)\//
    for page in try Page.all() {
      #expect(page.text.firstMatch(of: paths) == nil, "\(page.path)")
    }
  }

  @Test("decisions are numbered in order, each number once, and listed")
  func decisions() throws {
    let list = try Page("Docs/Decisions/README.md")
    let names = try Page.all().map(\.path)
      .filter { $0.hasPrefix("Docs/Decisions/") && $0 != list.path }
    #expect(list.links.map { "Docs/Decisions/\($0)" } == names)
    var last = 0
    for name in names {
      let match = try #require(name.firstMatch(of: /^Docs\/Decisions\/(\d{4})-/), "\(name)")
      let number = try #require(Int(match.output.1))
      #expect(number > last, "\(name)")
      last = number
      #expect(try Page(name).headings.first?.hasPrefix("\(number). ") == true, "\(name)")
      #expect(list.text.contains("\n\(number). ["), "\(name)")
    }
  }

  /// Where the relative links of a page lead, from the repository's folder.
  private func targets(of page: Page) -> [(path: String, anchor: String?)] {
    page.links.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }.map { link in
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let anchor = parts.count > 1 ? String(parts[1]) : nil
      guard let first = parts.first, !first.isEmpty else { return (page.path, anchor) }
      var folders = page.path.split(separator: "/").dropLast().map(String.init)
      for part in first.split(separator: "/") {
        if part == ".." {
          _ = folders.popLast()
        } else if part != "." {
          folders.append(String(part))
        }
      }
      return (folders.joined(separator: "/"), anchor)
    }
  }
}
