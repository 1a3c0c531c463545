import Platform
import TestSupport
import Testing

/// Strings of bytes are found wherever they lie.
@Suite("A search for bytes")
struct ByteSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "finds a string at the beginning, at the end, and across what is read at once",
    arguments: [0, 1, 262_143, 262_144 - 5, 262_144, 524_288 - 1, 600_000])
  func found(offset: Int) throws {
    var bytes = [UInt8](repeating: 7, count: 600_000)
    bytes.insert(contentsOf: Array("needle-0123".utf8), at: offset)
    let path = try folder.write("hay", bytes)
    let strings = ["elsewhere", "needle-0123"].map { Array($0.utf8) }
    #expect(try ByteSearch.holds(any: strings, at: path))
    #expect(try !ByteSearch.holds(any: [Array("needle-0124".utf8)], at: path))
    #expect(try !ByteSearch.holds(any: [], at: path))
  }

  @Test("finds nothing where there is nothing")
  func missing() throws {
    #expect(try !ByteSearch.holds(any: [[1, 2]], at: folder.path + "/none"))
    let empty = try folder.write("empty", [])
    #expect(try !ByteSearch.holds(any: [[1, 2]], at: empty))
  }
}
