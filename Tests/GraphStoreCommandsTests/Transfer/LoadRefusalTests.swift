import Foundation
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("What load refuses, and that nothing is left then")
struct LoadRefusalTests {
  /// A folder with `hr.db` and `hr.dump`, and nothing else.
  private static func dumpedCompany() throws -> CommandLineTool {
    let tool = try CommandLineTool.staffedCompany()
    let dumped = try tool.run("dump", "hr.dump")
    try #require(dumped.code == 0, "\(dumped.errors)")
    tool.environment["GRAPHSTORE_STORE"] = "copy.db"
    return tool
  }

  private static func names(_ tool: CommandLineTool) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
  }

  private static func dump(_ tool: CommandLineTool) throws -> String {
    String(decoding: try Data(contentsOf: tool.folder.appendingPathComponent("hr.dump")), as: UTF8.self)
  }

  @Test(
    "CLI: a number that no attribute holds, which another program has written, is refused by dump with its place"
  )
  func misfit() throws {
    let tool = try CommandLineTool.staffedCompany()
    let raw = try SQLiteConnection(path: tool.path("hr.db"), mode: .readWrite)
    try raw.execute("UPDATE ZPERSON SET ZBADGE = 5000000000 WHERE Z_PK = 2")
    raw.close()
    let outcome = try tool.run("dump", "bad.dump")
    #expect(outcome.code == 74 && outcome.errors.contains("Employee/p2.badge is 5000000000"), "\(outcome)")
    #expect(try !Self.names(tool).contains("bad.dump"))
  }

  @Test(
    "CLI: a dump that is cut short, or is none, or has a wrong line, is refused with its place",
    arguments: [
      ("hr.dump goes without its end", 65, "dump-incomplete"),
      ("a line is missing", 65, "dump-incomplete"), ("a line is cut", 65, "json-syntax"),
      ("a line goes on behind the end", 65, "json-syntax"), ("records without a header", 65, "not-a-dump"),
      ("nothing", 65, "not-a-dump"), ("a newer version", 78, "dump-newer"), ("an id twice", 65, "not-unique"),
      ("an unknown entity", 65, "bad-id"), ("an unknown key", 65, "unknown-key"),
      ("a wrong type", 65, "value-type"), ("a wrong destination", 65, "wrong-destination"),
      ("no model", 65, "not-a-dump"), ("a configuration that is none", 65, "unknown-configuration"),
      ("a member twice", 65, "not-unique"),
    ])
  func refused(_ what: String, _ code: Int32, _ word: String) throws {
    let tool = try Self.dumpedCompany()
    let text = try Self.dump(tool)
    var lines = text.split(separator: "\n").map(String.init)
    let ada = try #require(lines.firstIndex { $0.contains("\"Ada\"") })
    switch what {
    case "hr.dump goes without its end": lines.removeLast()
    case "a line is missing": lines.remove(at: ada)
    case "a line is cut": lines = Array(lines[...ada]); lines[ada] = String(lines[ada].prefix(20))
    case "a line goes on behind the end": lines.append(lines[ada])
    case "records without a header": lines.removeFirst()
    case "nothing": lines = []
    case "a newer version": lines[0] = lines[0].replacing("\"dump\":1", with: "\"dump\":2")
    case "an id twice": lines.insert(lines[ada], at: ada)
    case "an unknown entity": lines[ada] = lines[ada].replacing("Employee/", with: "Worker/")
    case "an unknown key": lines[ada] = lines[ada].replacing("\"salary\"", with: "\"salry\"")
    case "a wrong type": lines[ada] = lines[ada].replacing("\"72000.5\"", with: "\"much\"")
    case "a configuration that is none":
      lines[0] = lines[0].replacing("{\"dump\":1,", with: "{\"dump\":1,\"configuration\":\"Nowhere\",")
    case "a member twice":
      lines = lines.map {
        $0.replacing(/"members":\["([^"]+)"/) { "\"members\":[\"\($0.output.1)\",\"\($0.output.1)\"" }
      }
    case "a wrong destination": lines[ada] = lines[ada].replacing("\"Department/p1\"", with: "\"Project/p1\"")
    default: lines[0] = "{\"dump\":1,\"uuid\":\"\(UUID().uuidString)\"}"
    }
    try tool.write(lines.map { $0 + "\n" }.joined(), to: "bad.dump")
    let before = try Self.names(tool)
    let outcome = try tool.run("load", "bad.dump")
    #expect(outcome.code == code, "\(what): \(outcome.errors)")
    #expect(outcome.errors.contains("[\(word)]"), "\(what): \(outcome.errors)")
    #expect(outcome.errors.contains("bad.dump"), "\(what): \(outcome.errors)")
    let isOfLine = ["bad-id", "unknown-key", "value-type", "wrong-destination", "not-unique"].contains(word)
    let changed = what == "a member twice" ? lines.firstIndex { $0.contains("\"members\":[\"") } : ada
    let line = try #require(changed) + (what == "an id twice" ? 2 : 1)
    if isOfLine { #expect(outcome.errors.contains("bad.dump:\(line)"), "\(what): \(outcome.errors)") }
    #expect(try Self.names(tool) == before, "\(what)")
  }

  @Test("CLI: a store that is there is not touched, and an empty file is a place for one")
  func places() throws {
    let tool = try Self.dumpedCompany()
    let refused = try tool.run("load", "hr.dump", "-s", "hr.db")
    #expect(refused.code == 73)
    #expect(refused.errors.contains("[store-exists]"))
    #expect(try tool.run("count", "Employee", "-s", "hr.db").output == "3\n")
    try tool.write("", to: "copy.db")
    #expect(try tool.run("load", "hr.dump").code == 0)
    #expect(try tool.run("count", "Employee").output == "3\n")
    #expect(try tool.run("load", "hr.dump", "-s", "none/copy.db").code == 73)
    #expect(try tool.run("load", "none.dump", "-s", "other.db").code == 66)
    #expect(try tool.run("load", "hr.dump", "-s", "o.db", "--model", "x.json").code == 64)
    let piped = try tool.runShell("graphstore dump -s hr.db | graphstore load - -s piped.db")
    #expect(piped.code == 0, "\(piped.errors)")
    #expect(piped.errors.contains("created piped.db: 6 objects"), "\(piped.errors)")
    let modes = try tool.runShell("umask 027; graphstore load hr.dump -s m.db -q; stat -c %a m.db hr.db")
    #expect(modes.lines.first == "640")
  }

  @Test("PAT-166: lines may be taken out on purpose; what led to them is left out")
  func pruned() throws {
    let tool = try Self.dumpedCompany()
    let line = "grep -v '^{\"id\":\"Employee/p1\"' hr.dump | graphstore load - --pruned"
    let outcome = try tool.runShell(line)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("Employee.manager: 2 rows refer to a missing Employee/p1; left out"))
    #expect(outcome.errors.contains("Project.members") || outcome.errors.contains("Employee.projects"))
    let members = try tool.run("get", "Project/p1", "--fields", "members", "--ndjson")
    #expect(members.output.contains("\"members\":[\"Employee/p2\"]"), "\(members.output)")
    #expect(try tool.run("check").code == 0)
  }

  @Test("DGN-106: references of a damaged store to what is gone stay, and are told")
  func dangling() throws {
    let tool = try Self.dumpedCompany()
    let lines = try Self.dump(tool).split(separator: "\n").filter { !$0.hasPrefix("{\"id\":\"Employee/p1\"") }
    let text = lines.map { $0 + "\n" }.joined().replacing("{\"end\":6}", with: "{\"end\":5}")
    try tool.write(text, to: "torn.dump")
    let outcome = try tool.run("load", "torn.dump")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("Employee.manager: 2 rows refer to a missing Employee/p1; kept"))
    #expect(try tool.run("check").code == 2)
  }

  @Test("CLI: who reads a dump may go, the disk may be full, and a load may be ended at any moment")
  func streams() throws {
    let tool = try Self.dumpedCompany()
    let objects = (1...20_000).map { "{\"title\":\"Project \($0) \(String(repeating: "x", count: 50))\"}\n" }
    try tool.write(objects.joined(), to: "many.ndjson")
    try #require(try tool.run("import", "Project", "many.ndjson", "-q", "-s", "hr.db").code == 0)
    let closed = try tool.runShell(
      "{ graphstore dump -s hr.db; echo $? >code; } | head -1 >/dev/null; cat code")
    #expect(closed.output == "141\n")
    let full = try tool.runShell("graphstore dump -s hr.db >/dev/full")
    #expect(full.code == 74)
    #expect(full.errors.contains("[disk-full]"))
    try #require(try tool.run("dump", "many.dump", "-s", "hr.db").code == 0)
    let before = try Self.names(tool)
    for (signal, code) in [("INT", "130"), ("TERM", "143"), ("KILL", "137")] {
      let line =
        "{ cat many.dump | head -c 900000; sleep 5; } | graphstore load - & sleep 1; kill -\(signal) $!; wait $!; echo $?"
      let ended = try tool.run("/bin/bash", ["-c", line], input: nil)
      #expect(ended.lines.last == code, "\(signal): \(ended.errors)")
      #expect(!FileManager.default.fileExists(atPath: tool.path("copy.db")), "\(signal)")
      if signal != "KILL" { #expect(try Self.names(tool) == before, "\(signal)") }
    }
    #expect(try tool.run("load", "many.dump", "-q").code == 0)
    // What the killed one had left is gone too.
    #expect(try Self.names(tool) == (before + ["copy.db"]).sorted())
  }
}
