import Foundation
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@Suite("graphstore compact")
struct CompactCommandTests {
  /// A company of which most employees have gone, in a store that keeps its free pages.
  private func shrunkCompany() throws -> CommandLineTool {
    let tool = try CommandLineTool.staffedCompany()
    try tool.damage("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = 0; VACUUM; PRAGMA journal_mode = WAL")
    let text = String(repeating: "x", count: 100)
    let rows = (0..<5000).map { "{\"name\":\"p\($0) \(text)\",\"badge\":\($0 + 100),\"salary\":1}\n" }
    try tool.write(rows.joined(), to: "rows.ndjson")
    #expect(try tool.run("import", "Employee", "rows.ndjson", "-q").code == 0)
    #expect(try tool.run("delete", "Employee", "--where", "salary == 1", "-q", "--yes").code == 0)
    return tool
  }

  private func number(_ key: String, in json: String) throws -> Int {
    let text = try #require(json.firstMatch(of: try Regex("\"\(key)\":(-?[0-9]+)"))?.output[1].substring)
    return try #require(Int(text))
  }

  private func size(_ tool: CommandLineTool, _ name: String = "hr.db") throws -> Int {
    try #require(
      try FileManager.default.attributesOfItem(atPath: tool.path(name))[.size] as? Int)
  }

  @Test("STO-201, PAT-197: free pages go back to the file system; bytes before, after and saved are printed")
  func compact() throws {
    let tool = try shrunkCompany()
    let before = try size(tool)
    #expect(before > 500_000)
    let dry = try tool.run("compact", "--dry-run", "--json")
    #expect(dry.code == 0 && dry.errors == "", "\(dry)")
    #expect(try number("before", in: dry.output) == before)
    #expect(try number("free-bytes", in: dry.output) > before / 2)
    #expect(try size(tool) == before)
    let outcome = try tool.run("compact", "--json")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    let after = try size(tool)
    #expect(try after < before / 2 && number("after", in: outcome.output) == after)
    #expect(try number("before", in: outcome.output) == before)
    #expect(try number("saved", in: outcome.output) == before - after)
    #expect(outcome.output.contains("\"left\":null"))
    #expect(try tool.run("count", "Employee").output == "3\n")
    #expect(try tool.run("check").code == 0)
    let text = try tool.run("compact")
    #expect(text.code == 0 && text.lines.contains { $0.hasPrefix("saved") && $0.hasSuffix(" 0") })
  }

  @Test(
    "STO-201: beside a process that writes nothing is waited for beyond --timeout, and what is left is said")
  func locked() throws {
    let tool = try shrunkCompany()
    let lock = try StoreLock(tool.path("hr.db"))
    let start = ContinuousClock.now
    let outcome = try tool.run("compact", "--timeout", "0.3")
    #expect(outcome.code == 5 && outcome.errors.contains("[not-compacted]"), "\(outcome)")
    #expect(outcome.errors.contains("--timeout") && outcome.output.contains("file"))
    #expect(ContinuousClock.now - start < .seconds(60))
    lock.release()
    #expect(try tool.run("compact").code == 0)
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("STO-201: a compaction that is killed at any moment leaves every object", arguments: 0..<8)
  func killed(_ moment: Int) throws {
    let tool = try shrunkCompany()
    let milliseconds = [0, 2, 4, 8, 12, 16, 24, 40][moment]
    let line = """
      graphstore compact >/dev/null 2>&1 & pid=$!; sleep 0.\(String(format: "%03d", milliseconds)); kill -9 $pid; wait $pid
      """
    _ = try tool.runShell(line)
    #expect(try tool.run("check").code == 0)
    #expect(try tool.run("count", "Employee").output == "3\n")
    #expect(try tool.run("compact").code == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    #expect(names == ["hr.db", "rows.ndjson"], "\(names)")
  }

  @Test("STO-201: in a session it works on the session's store, between its statements")
  func session() throws {
    let tool = try shrunkCompany()
    let outcome = try tool.run("run", "-", "--no-transaction", input: "compact\ncount Employee\n")
    #expect(outcome.output.hasSuffix("3\n"), "\(outcome)")
  }

  @Test("STO-201: what cannot be compacted is refused with its code, and stays as it is")
  func refused() throws {
    let tool = try shrunkCompany()
    #expect(try tool.run("compact", "-s", "none.db").code == 66)
    try tool.write("hello\n", to: "text")
    try tool.write("", to: "empty")
    try tool.sqlite("CREATE TABLE a (b)", "other.db")
    for name in ["text", "empty", "other.db", tool.folder.path] {
      let outcome = try tool.run("compact", "-s", name)
      #expect(outcome.code == 65, "\(name): \(outcome.errors)")
    }
    let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
    try bytes.prefix(bytes.count / 2).write(to: tool.folder.appendingPathComponent("cut.db"))
    #expect(try tool.run("compact", "-s", "cut.db").code == 74)
    #expect(try size(tool, "cut.db") == bytes.count / 2)
    #expect(try tool.run("compact", "--read-only").code == 64)
    #expect(try tool.run("compact", "--read-only", "--dry-run").code == 0)
    #expect(try tool.run("compact", "--trace", "saves").code == 64)
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("hr.db")) == bytes)
  }

  @Test("STO-201: several stores are compacted one after the other, each under its name")
  func several() throws {
    let tool = try shrunkCompany()
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    #expect(try tool.run("init", "two.db", "-m", model).code == 0)
    let outcome = try tool.run("compact", "--ndjson", "-s", "hr=hr.db", "-s", "two=two.db")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines.map { $0.hasPrefix("{\"store\":\"hr\"") } == [true, false])
  }

  @Test(
    "STO-201, STO-278: a store as Core Data leaves it is compacted without its metadata or its model changing"
  )
  func foreign() throws {
    let tool = try CommandLineTool.coreDataStandIn()
    func system() throws -> String? {
      let connection = try SQLiteConnection(path: tool.path("app.sqlite"), mode: .readOnly)
      defer { connection.close() }
      return try connection.string(
        "SELECT hex(Z_PLIST) || Z_UUID || (SELECT hex(Z_CONTENT) FROM Z_MODELCACHE) FROM Z_METADATA")
    }
    let before = try system()
    #expect(try tool.run("compact", "-s", "app.sqlite").code == 0)
    #expect(try system() == before && before != nil)
    #expect(try tool.run("count", "Book", "-s", "app.sqlite").output == "2\n")
  }
}
