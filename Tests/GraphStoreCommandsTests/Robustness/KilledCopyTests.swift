import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

/// Backups and restorations that are killed, or whose calls fail.
struct KilledCopyTests {
  /// A store with a large value, and a backup of it with another.
  private static func folder() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Photos", "entities": [{"name": "Photo", "attributes": [
        {"name": "name", "type": "string"}, {"name": "image", "type": "binary", "externalStorage": true}]}]}
      """, to: "photos.json")
    try Data(repeating: 7, count: 150_000).write(to: tool.folder.appendingPathComponent("large"))
    tool.environment["GRAPHSTORE_STORE"] = "first.db"
    #expect(try tool.run("init", "first.db", "--model", "photos.json").code == 0)
    #expect(try tool.run("insert", "Photo", "name=backup", "image=@large").code == 0)
    #expect(try tool.run("backup", "b.db").code == 0)
    let script = "update Photo/p1 name=store image=@large\ninsert Photo name=more\n"
    #expect(try tool.run("run", "-", input: script).code == 0)
    tool.environment["GRAPHSTORE_STORE"] = "s.db"
    return tool
  }

  /// Puts a fresh store there, with its external data, and nothing else.
  private func prepare(_ tool: CommandLineTool) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: tool.folder.path)
    where !["large", "first.db", ".first_SUPPORT", "b.db", ".b_SUPPORT"].contains(name) {
      try files.removeItem(atPath: tool.path(name))
    }
    try files.copyItem(atPath: tool.path("first.db"), toPath: tool.path("s.db"))
    try files.copyItem(atPath: tool.path(".first_SUPPORT"), toPath: tool.path(".s_SUPPORT"))
  }

  private func contents(_ tool: CommandLineTool, _ store: String) throws -> String {
    let outcome = try tool.run("export", "Photo", "--fields", "name,image", "--store", store)
    return outcome.code == 0 ? outcome.output : "\(outcome.code) \(outcome.errors)"
  }

  private func moments(_ calls: Int, _ generator: inout SeededGenerator) -> [Int] {
    let all = (0..<8).map { _ in Int.random(in: 1...calls, using: &generator) }
    return Set(all + Array(max(1, calls - 20)...calls)).sorted()
  }

  @Test(
    "STO-156, STO-158, STO-164: killed at any step of restore, the store is the old or the new one, whole, and a second run finishes",
    arguments: TestSeed.sequence(1, from: 8_156))
  func killedRestore(_ seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try Self.folder()
    let words = ["restore", "b.db", "--yes"]
    try prepare(tool)
    let (old, new) = (try contents(tool, "s.db"), try contents(tool, "b.db"))
    let whole = try TracedTool.run(tool, words)
    try #require(whole.code == 0 && whole.calls > 20, "\(whole)")
    #expect(try contents(tool, "s.db") == new && old != new)
    var seen: Set<String> = []
    for moment in moments(whole.calls, &generator) {
      try prepare(tool)
      let ending = try TracedTool.run(tool, words, generator.chance(30) ? .tear : .kill, at: moment)
      let place: Comment = "\(seed), killed at call \(moment) of \(whole.calls): \(ending.call)"
      let found = try contents(tool, "s.db")
      #expect([old, new].contains(found), place)
      seen.insert(found)
      #expect(try StoreCheck.run(path: tool.path("s.db")).filter { !$0.isOK }.map(\.name) == [], place)
      #expect(try tool.run("restore", "b.db", "--yes").code == 0, place)
      #expect(try contents(tool, "s.db") == new, place)
      #expect(try tool.run("check", "-s", "s.db").code == 0, place)
    }
    #expect(seen == [old, new], "\(seed)")
  }

  @Test(
    "STO-156, STO-164: a document that is replaced is the old or the new one, wherever that is killed",
    arguments: ["json", "binary", "xml"], TestSeed.sequence(1, from: 8_157))
  func killedDocument(_ type: String, seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try CommandLineTool()
    try tool.write(
      #"{"name": "M", "entities": [{"name": "Photo", "attributes": [{"name": "name", "type": "string"}]}]}"#,
      to: "m.json")
    func names() throws -> String {
      try tool.run("fetch", "Photo", "--fields", "name", "-f", "csv", "--no-header", "--no-id", "-s", "s")
        .output
    }
    func prepare() throws {
      for name in try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
      where !["m.json", "first", "b"].contains(name) {
        try FileManager.default.removeItem(atPath: tool.path(name))
      }
      try FileManager.default.copyItem(atPath: tool.path("first"), toPath: tool.path("s"))
    }
    #expect(try tool.run("init", "first", "--type", type, "--model", "m.json").code == 0)
    #expect(try tool.run("insert", "Photo", "name=backup", "-s", "first").code == 0)
    #expect(try tool.run("backup", "b", "-s", "first").code == 0)
    #expect(try tool.run("update", "Photo/p1", "name=store", "-s", "first").code == 0)
    let words = ["restore", "b", "--yes", "-s", "s"]
    try prepare()
    let whole = try TracedTool.run(tool, words)
    try #require(whole.code == 0 && whole.calls > 5, "\(whole)")
    #expect(try names() == "backup\n")
    var seen: Set<String> = []
    for moment in moments(whole.calls, &generator) {
      try prepare()
      let ending = try TracedTool.run(tool, words, generator.chance(30) ? .tear : .kill, at: moment)
      let place: Comment = "\(seed), \(type) killed at call \(moment) of \(whole.calls): \(ending.call)"
      let found = try names()
      #expect(["store\n", "backup\n"].contains(found), place)
      seen.insert(found)
      #expect(try tool.run("restore", "b", "--yes", "-s", "s").code == 0, place)
      #expect(try names() == "backup\n", place)
      #expect(try tool.run("check", "-s", "s").code == 0, place)
    }
    #expect(seen == ["store\n", "backup\n"], "\(seed)")
  }

  @Test(
    "STO-163: killed at any step of backup, the copy is whole or not there, and the store is as it was",
    arguments: TestSeed.sequence(1, from: 8_163))
  func killedBackup(_ seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try Self.folder()
    let words = ["backup", "copy.db"]
    try prepare(tool)
    let old = try contents(tool, "s.db")
    let whole = try TracedTool.run(tool, words)
    try #require(whole.code == 0 && whole.calls > 10, "\(whole)")
    for moment in moments(whole.calls, &generator) {
      try prepare(tool)
      let ending = try TracedTool.run(tool, words, generator.chance(30) ? .tear : .kill, at: moment)
      let place: Comment = "\(seed), killed at call \(moment) of \(whole.calls): \(ending.call)"
      #expect(try contents(tool, "s.db") == old, place)
      let isThere = FileManager.default.fileExists(atPath: tool.path("copy.db"))
      if isThere { #expect(try contents(tool, "copy.db") == old, place) }
      #expect(try tool.run("backup", "copy.db").code == (isThere ? 73 : 0), place)
      #expect(try tool.run("check", "-s", "copy.db").code == 0, place)
    }
  }

  @Test(
    "STO-154, STO-156, STO-163: whichever call fails, success means that the copy is whole, failure that all is as it was",
    arguments: [["restore", "b.db", "--yes"], ["backup", "copy.db"]], TestSeed.sequence(1, from: 8_154))
  func failing(_ words: [String], seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try Self.folder()
    let target = words[0] == "backup" ? "copy.db" : "s.db"
    try prepare(tool)
    let old = try contents(tool, "s.db")
    let whole = try TracedTool.run(tool, words)
    try #require(whole.code == 0)
    let made = try contents(tool, target)
    for call in moments(whole.calls, &generator) {
      try prepare(tool)
      let error = generator.pick([EIO, ENOSPC])
      let ending = try TracedTool.run(tool, words, .fail(error), at: call)
      let place: Comment = "\(seed), error \(error) at call \(call) of \(whole.calls): \(ending.call)"
      if ending.code == 0 {
        #expect(try contents(tool, target) == made, place)
        continue
      }
      #expect([73, 74, 77].contains(ending.code ?? -1), "\(place): \(ending.code as Any)")
      #expect(try contents(tool, "s.db") == old, place)
      if target == "copy.db" { #expect(!FileManager.default.fileExists(atPath: tool.path(target)), place) }
    }
  }
}
