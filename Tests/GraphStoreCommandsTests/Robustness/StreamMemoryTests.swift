import Foundation
import GraphStoreSQLite
import Testing

@Suite("Memory of streamed results")
struct StreamMemoryTests {
  private struct NoStatus: Error {}

  /// Rows that the reader leaves: more than a pipe holds, so that the command waits while it is looked at.
  private static let left = 6000

  /// A store with so many rows, made by SQLite itself.
  private func store(_ rows: Int) throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Rows", "entities": [{"name": "Row", "attributes": [
        {"name": "number", "type": "int64"}, {"name": "text", "type": "string"}]}]}
      """, to: "rows.json")
    try #require(try tool.run("init", "rows.db", "--model", "rows.json").code == 0)
    try #require(try tool.run("insert", "Row", "number=1", "text=first", "-s", "rows.db").code == 0)
    let raw = try SQLiteConnection(path: tool.path("rows.db"), mode: .readWrite)
    defer { raw.close() }
    try raw.execute(
      """
      INSERT INTO ZROW (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZTEXT)
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      SELECT i, (SELECT Z_ENT FROM ZROW WHERE Z_PK = 1), 1, i, 'text of row ' || i FROM n
      """)
    try raw.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_NAME = 'Row'")
    return tool
  }

  /// The most memory that a fetch has used by the time that nearly all of its rows were taken, in kilobytes.
  private func peak(_ rows: Int, _ words: String...) throws -> Int {
    try peak(rows, in: store(rows), ["fetch", "Row", "--stream"] + words)
  }

  /// The same of a history with so many transactions.
  private func peak(transactions: Int) throws -> Int {
    let tool = try store(1)
    try #require(try tool.run("history", "enable", "-s", "rows.db").code == 0)
    try #require(try tool.run("update", "Row/p1", "number=2", "-s", "rows.db").code == 0)
    try tool.sqlite(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP)
      WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(transactions))
      SELECT i, 16002, 1, 1, 1, 1000 + i FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(transactions) WHERE Z_ENT = 16002
      """, "rows.db")
    return try peak(transactions, in: tool, ["history"])
  }

  private func peak(_ rows: Int, in tool: CommandLineTool, _ words: [String]) throws -> Int {
    let process = Process()
    let output = Pipe()
    process.executableURL = CommandLineTool.executable
    process.arguments = words + ["-s", "rows.db", "--ndjson"]
    process.currentDirectoryURL = tool.folder
    process.environment = ["HOME": tool.folder.path, "LC_ALL": "C.UTF-8"]
    process.standardOutput = output
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    var lines = 0
    while lines < rows - Self.left {
      let part = try #require(
        try output.fileHandleForReading.read(upToCount: 4096), "ended after \(lines) rows")
      lines += part.count { $0 == UInt8(ascii: "\n") }
    }
    #expect(process.isRunning)
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    guard let most = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap({ Int($0.1) }) else {
      throw NoStatus()
    }
    return most
  }

  @Test("FET-258, FET-146: rows leave as they come, and memory does not grow with them")
  func flat() throws {
    let few = try peak(10_000, "--fields", "number,text,number * 2 as twice")
    let many = try peak(60_000, "--fields", "number,text,number * 2 as twice")
    #expect(many - few < 8 * 1024, "\(few) and \(many) kB")
  }

  @Test("CTX-440: a history leaves page by page, and memory does not grow with it")
  func history() throws {
    let few = try peak(transactions: 8_000)
    let many = try peak(transactions: 40_000)
    #expect(many - few < 8 * 1024, "\(few) and \(many) kB")
  }
}
