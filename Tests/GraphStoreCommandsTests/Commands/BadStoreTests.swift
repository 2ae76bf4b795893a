import Foundation
import Testing

@Suite("Stores that cannot be opened")
struct BadStoreTests {
  @Test(
    "DGN-189, STO-286: what is no store keeps its bytes and gives the right code",
    arguments: [("text", "hello\n", 65, "not-a-store"), ("empty", "", 65, "not-a-store")])
  func noStore(_ name: String, _ content: String, _ code: Int32, _ word: String) throws {
    let tool = try CommandLineTool()
    try tool.write(content, to: name)
    for command in [["fetch", "A"], ["insert", "A", "x=1"], ["check"], ["info"], ["stats"], ["compact"]] {
      let outcome = try tool.run(CommandLineTool.executable.path, command + ["-s", name], input: nil)
      #expect(outcome.code == code)
      #expect(outcome.errors.contains("[\(word)]"))
    }
    #expect(try String(contentsOfFile: tool.path(name), encoding: .utf8) == content)
  }

  @Test("STO-167, DGN-185: a path without a file gives 66, says where it looked, and makes none")
  func missing() throws {
    let tool = try CommandLineTool()
    for command in [
      ["fetch", "A"], ["insert", "A", "x=1"], ["check"], ["shell"], ["run", "-c", "count A"],
    ] {
      let arguments =
        command.first == "insert" ? ["insert", "-s", "no.db", "A", "x=1"] : command + ["-s", "no.db"]
      let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
      #expect(outcome.code == 66, "\(command): \(outcome.errors)")
      #expect(outcome.errors.contains("no.db") && outcome.errors.contains("[store-not-found]"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).isEmpty)
  }

  @Test("A directory and a SQLite file that is no store give 65")
  func strangers() throws {
    let tool = try CommandLineTool()
    #expect(try tool.run("fetch", "A", "-s", tool.folder.path).code == 65)
    try tool.sqlite("CREATE TABLE a (b)", "other.db")
    let outcome = try tool.run("fetch", "A", "-s", "other.db")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("[not-a-store]"))
  }

  @Test("DGN-190: a truncated store gives 74 and store-corrupt")
  func truncated() throws {
    let tool = try CommandLineTool.staffedCompany()
    let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
    try bytes.prefix(bytes.count / 2).write(to: tool.folder.appendingPathComponent("cut.db"))
    let outcome = try tool.run("fetch", "Employee", "-s", "cut.db")
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("[store-corrupt]"))
  }

  @Test("DGN-194: a locked store is waited for, then 75")
  func locked() throws {
    let tool = try CommandLineTool.staffedCompany()
    let lock = try StoreLock(tool.path("hr.db"))
    let outcome = try tool.run("update", "--timeout", "0.2", "Employee/p1", "name=x")
    #expect(outcome.code == 75)
    #expect(outcome.errors.contains("[store-timeout]"))
    lock.release()
    #expect(try tool.run("update", "Employee/p1", "name=x").code == 0)
  }

  @Test("DGN-193: --read-only refuses to write with 77")
  func readOnly() throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try tool.run("update", "--read-only", "Employee/p1", "name=x")
    #expect(outcome.code == 77)
    #expect(outcome.errors.contains("[read-only-store]"))
  }

  @Test("Standard output on a full disk gives 74")
  func fullDisk() throws {
    let tool = try CommandLineTool.staffedCompany()
    #expect(try tool.runShell("graphstore fetch Employee >/dev/full").code == 74)
  }

  @Test("A reader that goes away ends the command with 141")
  func brokenPipe() throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try tool.runShell("(graphstore fetch Employee; echo $? >&2) | true; sleep 0.3")
    #expect(["0\n", "141\n"].contains(outcome.errors))
  }
}
