import Foundation
import GraphStoreTestSupport
import Testing

/// The locks that commands have on a store, from the call that takes them to the one that lets go of them.
@Suite(.enabled(if: LockTrace.isPossible, "strace is missing, or may not watch processes"))
struct HeldLockTests {
  private static let model = """
    { "version": "1", "entities": [
      { "name": "K", "attributes": [
        { "name": "n", "type": "int64", "default": 0 }, { "name": "g", "type": "string" },
        { "name": "b", "type": "binary", "externalStorage": true } ],
        "relationships": [
          { "name": "p", "destination": "K", "inverse": "cs" },
          { "name": "cs", "destination": "K", "inverse": "p", "toMany": true } ],
        "uniquenessConstraints": [["g"]] } ] }
    """
  /// Inferred from the first; with a written mapping it is made object by object.
  private static let later = model.replacing("\"1\"", with: "\"2\"").replacing(
    "{ \"name\": \"g\"", with: "{ \"name\": \"h\", \"type\": \"string\" }, { \"name\": \"g\"")
  private static let mapping = """
    { "source": "1", "destination": "2", "entityMappings": [ { "source": "K", "destination": "K",
      "attributes": [ { "name": "h", "value": "uppercase:($source.g)" } ] } ] }
    """

  /// A store with objects, a file of external data, and the versions of its model.
  private func tool() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try FileManager.default.createDirectory(
      atPath: tool.path("V.graphmodel/mappings"), withIntermediateDirectories: true)
    try tool.write(Self.model, to: "V.graphmodel/1.json")
    try tool.write(Self.later, to: "V.graphmodel/2.json")
    try tool.write(Self.mapping, to: "V.graphmodel/mappings/1-2.json")
    try tool.write(Self.later, to: "2.json")
    try tool.write(String(repeating: "x", count: 300_000), to: "big")
    tool.environment["GRAPHSTORE_STORE"] = "s.db"
    let lines = (1...30).map { "{\"g\":\"text \($0)\"}\n" }.joined()
    #expect(try tool.run("init", "s.db", "--model", "V.graphmodel#1").code == 0)
    #expect(try tool.run("import", "K", "-", "--from", "ndjson", "-q", input: lines).code == 0)
    #expect(try tool.run("update", "K/p1", "b=@big").code == 0)
    try tool.sqlite("UPDATE ZK SET ZP = 99999 WHERE Z_PK IN (3, 4)", "s.db")
    return tool
  }

  private func expectKept(
    _ line: String, in tool: CommandLineTool, code: Int32 = 0, takesLocks: Bool = true,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try tool.runShell(
      "strace -f -y -qq -s 4096 -o trace -e trace=\(LockTrace.calls) graphstore \(line)")
    #expect(outcome.code == code, "\(line): \(outcome.errors)", sourceLocation: location)
    let text = try String(contentsOfFile: tool.path("trace"), encoding: .utf8)
    let trace = LockTrace(text, folder: tool.folder.resolvingSymlinksInPath().path)
    #expect(trace.losses == [], "\(line)", sourceLocation: location)
    #expect(trace.lockCount > 0 || !takesLocks, "\(line)", sourceLocation: location)
  }

  @Test(
    "STO-327: a command that reads closes no descriptor of the store while it has a lock on it",
    arguments: [
      "count K", "fetch K", "get K/p1 --fields n,b", "export K", "export --all", "explain K", "info",
      "metadata list", "metadata get x", "model show", "migrate status --to 2.json",
      "migrate plan --to 2.json",
      "migrate plan --to V.graphmodel --check-data", "model from-store s.db",
    ])
  func reading(_ line: String) throws {
    let tool = try tool()
    try expectKept(line, in: tool, code: line.hasPrefix("metadata get") ? 2 : 0, takesLocks: false)
  }

  @Test(
    "STO-327: a command that writes closes no descriptor of the store between its lock and its commit",
    arguments: [
      "insert K g=new", "insert K g=new b=@big", "insert K g=new b=@s.db", "update K/p2 n+=1",
      "update K/p1 b=@s.db", "upsert K g='text 5' n=7", "link K/p1.cs K/p2", "unlink K/p3.p", "delete K/p1",
      "metadata set a=b", "metadata unset a", "run script",
    ])
  func writing(_ line: String) throws {
    let tool = try tool()
    try tool.write("insert K g=new\nfetch K\nupdate K n=5 where n == 0\ndelete K/p2\n", to: "script")
    try expectKept(line, in: tool)
  }

  @Test("STO-327: a script and records that are the store itself are read beside its locks")
  func storeAsInput() throws {
    let tool = try tool()
    for line in ["import K s.db --from ndjson", "run s.db", "insert K - < s.db"] {
      try expectKept(line, in: tool, code: 65, takesLocks: false)
    }
  }

  @Test("STO-327: a check and a repair keep their locks to the end", arguments: ["WAL", "DELETE"])
  func repairing(journal: String) throws {
    let tool = try tool()
    try tool.sqlite("PRAGMA journal_mode = \(journal)", "s.db")
    try expectKept("check", in: tool, code: 2)
    try expectKept("check --repair --yes", in: tool)
    try expectKept("check", in: tool)
    #expect(try tool.run("count", "K", "-w", "p != nil").output == "0\n")
  }

  @Test(
    "STO-327: a migration keeps its locks to the end",
    arguments: [
      "migrate apply --to 2.json", "migrate apply --to 2.json --no-backup", "migrate apply --to V.graphmodel",
      "migrate apply --to 2.json --output o.db", "migrate apply --to V.graphmodel --output o.db",
      "migrate apply --to V.graphmodel --dry-run",
    ])
  func migrating(_ line: String) throws {
    let tool = try tool()
    try tool.sqlite("UPDATE ZK SET ZP = NULL", "s.db")
    try expectKept(line, in: tool)
    try expectKept("check", in: tool)
  }
}
