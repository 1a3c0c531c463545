import Foundation
import TestSupport
import Testing

/// Where room, rights or locks are missing, a run ends with a code that says so, and every output
/// is whole or the old one.
@Suite("Full disks, forbidden folders, two at once", .needsBuiltTool)
struct ScarceTests {
  private static let codes: Set<Int32> = [73, 74]

  /// Runs the second night where files may not grow beyond some blocks.
  private func limited(_ nights: Nights, blocks: Int) throws -> BuiltTool.Outcome {
    try BuiltTool.run(
      URL(filePath: "/bin/sh"),
      ["-c", "ulimit -f \(blocks) && exec \"$0\" \"$@\"", BuiltTool.url.path]
        + nights.arguments(2), in: nights.url)
  }

  @Test("Files that may not grow", arguments: [Nights.Outputs.whole, .changes])
  func fileSize(outputs: Nights.Outputs) throws {
    let nights = try Nights(outputs, seed: 4)
    try nights.succeed(1)
    let (old, start) = (try nights.contents, try nights.saved())
    try nights.succeed(2)
    let new = try nights.contents
    var failures = 0
    for blocks in [1, 8, 32, 64, 100, 150, 200, 300, 400, 600, 1000, 100_000] {
      try nights.restore(start)
      let outcome = try limited(nights, blocks: blocks)
      if outcome.code != 0 {
        #expect(Self.codes.contains(outcome.code), "\(blocks) blocks: \(outcome.errors)")
        #expect(outcome.errors.hasPrefix("error: "), "\(outcome.errors)")
        failures += 1
      }
      #expect(try nights.broken(old, new) == [], "\(blocks) blocks")
      try nights.succeed(2)
      #expect(try nights.differing(from: new) == [], "\(blocks) blocks")
      #expect(try nights.leftovers == [], "\(blocks) blocks")
    }
    #expect((3...11).contains(failures))
  }

  /// A file system of its own, as large as a test wants it.
  private final class SmallDisk {
    private let folder: TemporaryFolder
    let url: URL

    init(kilobytes: Int) throws {
      folder = try TemporaryFolder()
      url = URL(filePath: folder.path)
      let mount = try #require(BuiltTool.installed("mount"))
      let outcome = try BuiltTool.run(
        mount, ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path], in: url)
      guard outcome.code == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    deinit {
      guard let umount = BuiltTool.installed("umount") else { return }
      _ = try? BuiltTool.run(umount, [folder.path], in: URL(filePath: "/"))
    }

    /// Mounts the disk anew so that nothing can be written to it.
    func forbidWriting() throws {
      let mount = try #require(BuiltTool.installed("mount"))
      let outcome = try BuiltTool.run(mount, ["-o", "remount,ro", folder.path], in: url)
      #expect(outcome.code == 0)
    }
  }

  private static let canMount = (try? SmallDisk(kilobytes: 64)) != nil

  @Test(
    "A disk without room", .enabled(if: canMount, "this process may not mount a tmpfs"),
    arguments: [Nights.Outputs.whole, .changes])
  func fullDisk(outputs: Nights.Outputs) throws {
    let disk = try SmallDisk(kilobytes: 8192)
    let nights = try Nights(outputs, seed: 5, in: disk.url)
    try nights.succeed(1)
    let (old, start) = (try nights.contents, try nights.saved())
    try nights.succeed(2)
    let new = try nights.contents
    var failures = 0
    for free in [0, 16, 64, 128, 200, 300, 400, 600] {
      try nights.restore(start)
      let filler = disk.url.appending(path: "filler")
      try fill(disk.url, filler, leaving: free * 1024)
      let outcome = try nights.run(2)
      #expect(
        outcome.code == 0 || Self.codes.contains(outcome.code), "\(free) KiB: \(outcome.errors)")
      if outcome.code != 0 { failures += 1 }
      #expect(try nights.broken(old, new) == [], "\(free) KiB")
      try FileManager.default.removeItem(at: filler)
      try nights.succeed(2)
      #expect(try nights.differing(from: new) == [], "\(free) KiB")
      #expect(try nights.leftovers == [], "\(free) KiB")
    }
    #expect(failures > 2)
  }

  /// Fills a disk up to some bytes.
  private func fill(_ disk: URL, _ filler: URL, leaving free: Int) throws {
    let values = try FileManager.default.attributesOfFileSystem(forPath: disk.path)
    let room = (values[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    try Data(count: max(0, room - free)).write(to: filler)
  }

  @Test(
    "A disk that is read-only", .enabled(if: canMount, "this process may not mount a tmpfs"))
  func readOnly() throws {
    let disk = try SmallDisk(kilobytes: 4096)
    let nights = try Nights(.whole, seed: 6, in: disk.url)
    try nights.succeed(1)
    let old = try nights.contents
    try disk.forbidWriting()
    let outcome = try nights.run(2)
    #expect(outcome.code == 73, "\(outcome.errors)")
    #expect(try nights.differing(from: old) == [])
    let elsewhere = try TemporaryFolder()
    let ledger = try BuiltTool.run(
      [
        "convert", nights.url.appending(path: "second.json").path, "--ledger",
        nights.url.appending(path: "ledger").path, "-o", "out.csv",
      ], in: URL(filePath: elsewhere.path))
    #expect(ledger.code == 73, "\(ledger.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
  }

  @Test(
    "A folder without the right to write",
    .enabled(if: geteuid() != 0, "root may write everywhere"))
  func forbidden() throws {
    let nights = try Nights(.changes, seed: 7)
    try nights.succeed(1)
    let old = try nights.contents
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o500], ofItemAtPath: nights.url.path)
    defer { try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: nights.url.path) }
    let outcome = try nights.run(2)
    #expect(outcome.code == 73, "\(outcome.errors)")
    #expect(try nights.differing(from: old) == [])
  }

  @Test("Two runs at once, both fresh: each waits for the other, and nothing is lost")
  func twoAtOnce() async throws {
    let folder = try TemporaryFolder()
    let nights = try Nights(.whole, seed: 8, in: URL(filePath: folder.path))
    let url = nights.url
    let common = ["--zone", "America/New_York", "--quiet", "--wait", "600"]
    let wanted = try BuiltTool.run(
      ["convert", "first.json", "second.json", "pumper.json", "-o", "wanted.csv"] + common, in: url)
    #expect(wanted.code == 0)
    for round in 0..<6 {
      let ledger = "ledger-\(round)"
      async let first = BuiltTool.run(
        ["convert", "first.json", "pumper.json", "--ledger", ledger, "-o", "a.csv"] + common,
        in: url)
      async let second = BuiltTool.run(
        ["convert", "second.json", "pumper.json", "--ledger", ledger, "-o", "b.csv"] + common,
        in: url)
      let outcomes = try await [first, second]
      #expect(outcomes.map(\.code) == [0, 0], "\(outcomes.map(\.errors))")
      let last = try BuiltTool.run(
        ["convert", "first.json", "--ledger", ledger, "-o", "both.csv"] + common, in: url)
      #expect(last.code == 0)
      #expect(try masked("both.csv", in: url) == masked("wanted.csv", in: url))
      #expect(try nights.leftovers == [])
    }
  }

  /// A table without the column of revisions, which tells in how many runs it came to be.
  private func masked(_ name: String, in folder: URL) throws -> [[Substring]] {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      .split(whereSeparator: \.isNewline).map { line in
        var fields = line.split(separator: ",", omittingEmptySubsequences: false)
        fields.remove(at: 10)
        return fields
      }
  }

  @Test("Two runs at once for one sink of changes: together they give everything once")
  func twoForOneSink() async throws {
    let folder = try TemporaryFolder()
    let nights = try Nights(.changes, seed: 9, in: URL(filePath: folder.path))
    let url = nights.url
    for round in 0..<4 {
      func run(_ night: String) throws -> BuiltTool.Outcome {
        try BuiltTool.run(
          [
            "convert", night, "pumper.json", "--zone", "America/New_York", "--wait", "600",
            "--ledger", "ledger-\(round)", "--changes", "--to", "samples", "--output", "-",
          ], in: url)
      }
      async let first = run("first.json")
      async let second = run("second.json")
      let outcomes = try await [first, second]
      #expect(outcomes.map(\.code) == [0, 0], "\(outcomes.map(\.errors))")
      // Each form of a sample is given once, by the one or by the other.
      let given = outcomes.flatMap { outcome in
        outcome.output.split(separator: "\n").compactMap { line in
          line.range(of: #""revision":\d+"#, options: .regularExpression).map {
            "\(line.split(separator: "\"").dropFirst(3).first ?? "") \(line[$0])"
          }
        }
      }
      #expect(given.count > 50)
      #expect(Set(given).count == given.count)
      #expect(try run("first.json").output == "")
    }
  }
}
