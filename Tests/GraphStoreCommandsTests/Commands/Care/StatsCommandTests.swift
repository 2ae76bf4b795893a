import Foundation
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

@Suite("graphstore stats")
struct StatsCommandTests {
  @Test("STO-202: a line for each entity and property, with bytes, missing share, distinct values, indexes")
  func table() throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try tool.run("stats", "Employee", "--ndjson")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    let lines = outcome.lines
    #expect(lines[0].hasPrefix(#"{"entity":"Employee","property":null,"rows":3,"#))
    func line(_ property: String) throws -> String {
      try #require(lines.first { $0.contains("\"property\":\"\(property)\"") }, "\(lines)")
    }
    #expect(try line("birthday").contains(#""missing":"66.7%","distinct":1"#))
    #expect(try line("name").contains(#""missing":"0.0%","distinct":3"#))
    #expect(try line("name").contains(#""bytes":11,"#))
    #expect(try line("email").contains(#""missing":"100.0%","distinct":0"#))
    #expect(try line("badge").contains("Z_Employee_UNIQUE_badge"))
    #expect(try line("manager").contains("_INDEX"))
    let all = try tool.run("stats", "--format", "json").output
    #expect(all.contains(#""entity":"Project","property":"title","rows":1"#))
    #expect(!all.contains("\"entity\":\"Person\",\"property\":\"salary\""))
    #expect(try tool.run("stats").lines.first?.contains("distinct") == true)
  }

  @Test("STO-173, STO-202: it reads by itself; --analyze has SQLite gather its statistics")
  func analyze() throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.damage("DELETE FROM sqlite_stat1")
    let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
    #expect(try !tool.run("stats", "Employee").lines[1].contains("analyzed"))
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("hr.db")) == bytes)
    let lock = try StoreLock(tool.path("hr.db"))
    #expect(try tool.run("stats").code == 0)
    #expect(try tool.run("stats", "--analyze", "--timeout", "0.1").code == 75)
    lock.release()
    let outcome = try tool.run("stats", "Employee", "--analyze")
    #expect(outcome.code == 0 && outcome.lines[1].contains("analyzed"), "\(outcome)")
    #expect(try tool.run("stats", "--analyze", "--read-only").code == 64)
    #expect(try tool.run("check").code == 0)
  }

  @Test("STO-202: bad input is refused with its code")
  func refused() throws {
    let tool = try CommandLineTool.staffedCompany()
    let unknown = try tool.run("stats", "Employe")
    #expect(unknown.code == 64 && unknown.errors.contains("Employee"), "\(unknown)")
    #expect(try tool.run("stats", "-s", "none.db").code == 66)
    try tool.sqlite("CREATE TABLE a (b)", "other.db")
    #expect(try tool.run("stats", "-s", "other.db").code == 65)
    try tool.damage("UPDATE Z_METADATA SET Z_PLIST = x'00'")
    #expect(try tool.run("stats").code == 74)
  }

  @Test("STO-202: a store as Core Data leaves it has statistics too")
  func foreign() throws {
    let tool = try CommandLineTool.coreDataStandIn()
    let outcome = try tool.run("stats", "Book", "-s", "app.sqlite", "--ndjson")
    #expect(outcome.code == 0 && outcome.lines.contains { $0.contains(#""property":"pages","rows":2"#) })
    let bare = try CommandLineTool.coreDataStandIn(hasModel: false)
    #expect(try bare.run("stats", "-s", "app.sqlite").code == 66)
    #expect(try bare.run("stats", "Book", "-s", "app.sqlite", "-m", "library.json").code == 0)
  }
}
