import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

/// Commands that make or replace whole stores, one of whose calls fails: what is told as done is there, and
/// what is not done leaves nothing.
struct DurableMigrationTests {
  /// A command and the version that it leads to.
  enum Way: String, CaseIterable, CustomStringConvertible {
    /// By statements over sets.
    case inferred
    /// Object by object, by a mapping with an expression.
    case mapping
    case output
    /// To another place without a step, which is a copy.
    case copy

    var description: String { rawValue }

    var words: [String] {
      switch self {
      case .inferred: ["migrate", "apply", "--to", "V.graphmodel#2", "--no-backup"]
      case .mapping: ["migrate", "apply", "--to", "W.graphmodel#2", "--no-backup"]
      case .output: ["migrate", "apply", "--to", "W.graphmodel#2", "--output", "o.db"]
      case .copy: ["migrate", "apply", "--to", "W.graphmodel#1", "--output", "o.db"]
      }
    }

    var target: String { self == .inferred || self == .mapping ? "s.db" : "o.db" }
  }

  private static func folder() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    for (name, mapped) in [("V", false), ("W", true)] {
      let path = tool.path("\(name).graphmodel/mappings")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let entity = #"{"name":"T","attributes":[{"name":"n","type":"int64"},{"name":"t","type":"string"},"#
      let image = #"{"name":"image","type":"binary","externalStorage":true}"#
      try tool.write(#"{"entities":[\#(entity)\#(image)]}]}"#, to: "\(name).graphmodel/1.json")
      try tool.write(
        #"{"entities":[\#(entity)\#(image),{"name":"u","type":"string"}]}]}"#, to: "\(name).graphmodel/2.json"
      )
      if mapped {
        try tool.write(
          #"{"source":"1","destination":"2","entityMappings":[{"source":"T","destination":"T","attributes":[{"name":"u","value":"uppercase:($source.t)"}]}]}"#,
          to: "\(name).graphmodel/mappings/1-2.json")
      }
    }
    try Data(repeating: 7, count: 150_000).write(to: tool.folder.appendingPathComponent("image"))
    #expect(try tool.run("init", "first.db", "--model", "V.graphmodel#1").code == 0)
    let script =
      (1...60).map { "insert T n=\($0) t=\"\(String(repeating: "text ", count: 40))\"\n" }.joined()
      + "insert T n=61 image=@image\n"
    let made = try tool.run("run", "-", "--store", "first.db", input: script)
    try #require(made.code == 0, "\(made.errors)")
    tool.environment["GRAPHSTORE_STORE"] = "s.db"
    return tool
  }

  /// Puts a fresh store there, with its external data, and nothing else.
  private func prepare(_ tool: CommandLineTool) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: tool.folder.path)
    where !["V.graphmodel", "W.graphmodel", "image", "first.db", ".first_SUPPORT"].contains(name) {
      try files.removeItem(atPath: tool.path(name))
    }
    try files.copyItem(atPath: tool.path("first.db"), toPath: tool.path("s.db"))
    try files.copyItem(atPath: tool.path(".first_SUPPORT"), toPath: tool.path(".s_SUPPORT"))
  }

  private func contents(_ tool: CommandLineTool, _ store: String) throws -> String {
    let outcome = try tool.run("fetch", "T", "--fields", "n,t", "-f", "csv", "--store", store)
    return outcome.code == 0 ? outcome.output : "\(outcome.code) \(outcome.errors)"
  }

  private func names(_ tool: CommandLineTool) throws -> Set<String> {
    Set(
      try FileManager.default.subpathsOfDirectory(atPath: tool.folder.path).filter {
        !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
      })
  }

  private func calls(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
    let all = (0..<6).map { _ in Int.random(in: 1...count, using: &generator) }
    return Set(all + Array(max(1, count - 24)...count)).sorted()
  }

  @Test(
    "MIG-261, MIG-265, MIG-266, MIG-272, MIG-330: whichever call fails, success means that the new store is whole and durable, failure that the old one stays and nothing is left",
    arguments: Way.allCases, TestSeed.sequence(1, from: 31_266))
  func failing(_ way: Way, seed: TestSeed) throws {
    var generator = seed.generator
    let tool = try Self.folder()
    try prepare(tool)
    let all = try contents(tool, "s.db")
    let whole = try TracedTool.run(tool, way.words)
    try #require(whole.code == 0 && whole.calls > 20, "\(whole)")
    #expect(try contents(tool, way.target) == all)
    for call in calls(whole.calls, &generator) {
      try prepare(tool)
      let before = try names(tool)
      let error = generator.pick([EIO, ENOSPC])
      let ending = try TracedTool.run(tool, way.words, .fail(error), at: call)
      let place: Comment = "\(seed), \(way), error \(error) at call \(call) of \(whole.calls): \(ending.call)"
      if ending.code == 0 {
        #expect(try contents(tool, way.target) == all, place)
        #expect(try tool.run("check", "--store", way.target).code == 0, place)
        continue
      }
      #expect([73, 74, 77].contains(ending.code ?? -1), "\(place): \(ending.code as Any)")
      #expect(try contents(tool, "s.db") == all, place)
      #expect(try tool.run("check", "--store", "s.db").code == 0, place)
      // What cannot be removed stays, and what has been folded in or taken back is gone.
      if !ending.call.hasPrefix("unlink") { #expect(try names(tool).subtracting(before).isEmpty, place) }
    }
  }

  @Test(
    "MIG-271: of a migration that was killed amid its replacement nothing stays for good: whoever opens the store for writing removes names of its own",
    arguments: [["insert", "T", "n=5"], ["migrate", "apply", "--to", "V.graphmodel#1"]])
  func secondNames(_ words: [String]) throws {
    let tool = try CommandLineTool.versions()
    let path = tool.path("s.db")
    let own = ["s.db.1.backup", "s.db.backup-2", ".s_db-migration-0000000000abc"]
    let others = ["mine.db", "s.db.note"]
    for name in own + others { #expect(link(path, tool.path(name)) == 0) }
    // Neither a copy nor a symbolic link is a second name.
    try FileManager.default.copyItem(atPath: path, toPath: tool.path("s.db.2.backup"))
    try FileManager.default.createSymbolicLink(
      atPath: tool.path("s.db.3.backup"), withDestinationPath: "s.db")
    try tool.write("x", to: ".s_db-migration-000000000dead")
    let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let left = try Set(FileManager.default.contentsOfDirectory(atPath: tool.folder.path))
    #expect(left.isDisjoint(with: own), "\(left)")
    if words[0] == "migrate" { #expect(!left.contains(".s_db-migration-000000000dead"), "\(left)") }
    #expect(left.isSuperset(of: others + ["s.db", "s.db.2.backup", "s.db.3.backup"]), "\(left)")
    #expect(try tool.run("check").code == 0)
  }
}
