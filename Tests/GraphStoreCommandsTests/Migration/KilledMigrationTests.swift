import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

/// Migrations by the command that is killed, or whose calls fail.
struct KilledMigrationTests {
  private static let words = ["migrate", "apply", "--to", "V.graphmodel#4", "--allow-lossy", "--quiet"]
  private static let unchanged = ["T/p1 1 []", "T/p2 70000 []", "T/p3 -5 [T/p2,T/p1]"]

  /// The store is the old or the new one, and whole.
  private func expectWhole(_ tool: CommandLineTool, _ store: String, _ place: Comment) throws -> String? {
    // What was half-written into the store's own journal, whoever opens it takes back.
    try StoreRecovery.run(path: tool.path(store))
    let findings = try StoreCheck.run(path: tool.path(store)).flatMap(\.findings)
    #expect(findings.isEmpty, "\(place): \(findings.prefix(3))")
    let version = try tool.version(store)
    #expect(version == "1" || version == "4", place)
    #expect(try tool.contents(store) == Self.unchanged, place)
    return version
  }

  /// Some of the calls of a run, with as many of the last ones: there the store is replaced.
  private func moments(_ calls: Int, _ count: Int, _ generator: inout SeededGenerator) -> [Int] {
    let all = (0..<count).map { _ in Int.random(in: 1...calls, using: &generator) }
    let last = (0..<count).map { _ in Int.random(in: max(1, calls - 60)...calls, using: &generator) }
    return Set(all + last + [calls / 2, calls]).sorted()
  }

  @Test(
    "MIG-270, MIG-266, MIG-271, MIG-261: killed at any write of a chain of three steps, the store is the old or the new one, whole, and a second run finishes",
    arguments: TestSeed.sequence(1, from: 30_270))
  func killed(_ seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try CommandLineTool.versions()
    func fresh(_ name: String) throws -> [String] {
      try tool.makeStore(name, [1, 70_000, -5])
      return Self.words + ["--store", name]
    }
    let whole = try TracedTool.run(tool, fresh("whole.db"))
    try #require(whole.code == 0 && whole.calls > 50)
    #expect(try expectWhole(tool, "whole.db", "whole") == "4")
    var versions: Set<String> = []
    for moment in moments(whole.calls, 4, &generator) {
      let store = "k\(moment).db"
      let words = try fresh(store)
      let ending = try TracedTool.run(tool, words, generator.chance(30) ? .tear : .kill, at: moment)
      let place: Comment = "\(seed), killed at call \(moment) of \(whole.calls): \(ending.call)"
      let version = try expectWhole(tool, store, place)
      if let version { versions.insert(version) }
      #expect(try TracedTool.run(tool, words).code == 0, place)
      #expect(try expectWhole(tool, store, place) == "4", place)
      let left = tool.leftovers.filter { $0.contains("k\(moment)_db") }
      #expect(left.isEmpty, "\(place): \(left)")
      var status = stat()
      #expect(stat(tool.path(store), &status) == 0 && status.st_nlink == 1, place)
    }
    #expect(versions == ["1", "4"], "\(seed)")
  }

  @Test(
    "MIG-277, MIG-270, MIG-271: killed at any write, a document that is migrated is the old or the new one, whole, and a second run finishes",
    arguments: [StoreType.json, .binary, .xml], TestSeed.sequence(1, from: 30_277))
  func killedDocument(_ type: StoreType, seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try CommandLineTool.versions()
    func fresh(_ name: String) throws -> [String] {
      try tool.makeStore(name, [1, 70_000, -5], type: type)
      return Self.words + ["--store", name]
    }
    let whole = try TracedTool.run(tool, fresh("whole"))
    try #require(whole.code == 0 && whole.calls > 30, "\(whole)")
    #expect(try expectWhole(tool, "whole", "whole") == "4")
    var versions: Set<String> = []
    let last = Array((whole.calls - 6)...whole.calls)
    for moment in moments(whole.calls, 1, &generator) + last {
      let store = "k\(moment)"
      if FileManager.default.fileExists(atPath: tool.path(store)) { continue }
      let words = try fresh(store)
      let ending = try TracedTool.run(tool, words, generator.chance(30) ? .tear : .kill, at: moment)
      let place: Comment = "\(seed), \(type) killed at call \(moment) of \(whole.calls): \(ending.call)"
      let version = try expectWhole(tool, store, place)
      if let version { versions.insert(version) }
      #expect(try TracedTool.run(tool, words).code == 0, place)
      #expect(try expectWhole(tool, store, place) == "4", place)
      let left = tool.leftovers.filter { $0.contains(".\(store)-") }
      #expect(left.isEmpty, "\(place): \(left)")
      var status = stat()
      #expect(stat(tool.path(store), &status) == 0 && status.st_nlink == 1, place)
    }
    #expect(versions == ["1", "4"], "\(seed)")
  }

  @Test(
    "MIG-272, MIG-330, MIG-261: whichever call fails, of a full disk or a broken one, the store is whole and the exit code says it",
    arguments: TestSeed.sequence(1, from: 30_272))
  func failing(_ seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try CommandLineTool.versions()
    func fresh(_ name: String) throws -> [String] {
      try tool.makeStore(name, [1, 70_000, -5])
      return Self.words + ["--store", name]
    }
    let calls = try TracedTool.run(tool, fresh("whole.db")).calls
    for moment in moments(calls, 3, &generator) {
      let store = "f\(moment).db"
      let words = try fresh(store)
      let error = generator.pick([ENOSPC, EIO])
      let ending = try TracedTool.run(tool, words, .fail(error), at: moment)
      let place: Comment = "\(seed), error \(error) at call \(moment) of \(calls): \(ending.call)"
      let version = try expectWhole(tool, store, place)
      // What is only cleaned up may fail in silence.
      if ending.code == 0 {
        #expect(version == "4", place)
      } else {
        #expect([73, 74, 66, 75, 77, 1].contains(ending.code ?? -1), "\(place): \(ending.code as Any)")
      }
      if version == "1" { #expect(try TracedTool.run(tool, words).code == 0, place) }
      #expect(try expectWhole(tool, store, place) == "4", place)
    }
  }
}
