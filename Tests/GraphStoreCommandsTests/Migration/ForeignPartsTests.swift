import Foundation
import GraphStore
import Testing

/// What becomes of parts of a store's file that its model knows nothing of, when it is migrated.
struct ForeignPartsTests {
  private static func store() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    func model(_ attributes: [String], _ more: String = "") -> String {
      let list = attributes.map { #"{"name":"\#($0)","type":"string"}"# }.joined(separator: ",")
      return #"{"entities":[{"name":"A","attributes":[\#(list)]}\#(more)]}"#
    }
    try tool.write(model(["n", "k"]), to: "a.json")
    try tool.write(model(["n", "m"]), to: "b.json")
    try tool.write(model(["n", "k"], #",{"name":"Mine","attributes":[]}"#), to: "c.json")
    #expect(try tool.run("init", "s.db", "--model", "a.json").code == 0)
    #expect(try tool.run("insert", "A", "n=1", "k=x", "--store", "s.db").code == 0)
    return tool
  }

  private func value(_ sql: String, _ tool: CommandLineTool) throws -> String {
    try tool.run("/usr/bin/env", ["sqlite3", "s.db", sql], input: nil).output.trimmingCharacters(
      in: .newlines)
  }

  @Test(
    "MIG-279: tables of the user's and indexes go along, also through several ways, and plan and apply say so before",
    arguments: [false, true])
  func takenOver(isByObjects: Bool) throws {
    let tool = try Self.store()
    try tool.sqlite(
      """
      CREATE TABLE mine (a PRIMARY KEY, "b c", d AS (a + 1) STORED) WITHOUT ROWID;
      INSERT INTO mine (a, "b c") VALUES (1, 'x'), (2, NULL);
      CREATE INDEX byB ON mine ("b c"); CREATE INDEX byN ON ZA (ZN); CREATE INDEX byK ON ZA (ZK);
      CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, t); INSERT INTO counted (id, t) VALUES (7, 'y');
      CREATE VIEW v AS SELECT 1; CREATE TRIGGER t AFTER INSERT ON mine BEGIN SELECT 1; END;
      CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY);
      """, "s.db")
    var words = ["--store", "s.db", "--to", "b.json"]
    if isByObjects {
      try tool.write(
        #"{"source":"a","destination":"b","entityMappings":[{"source":"A","destination":"A","attributes":[{"name":"m","value":"uppercase:($source.k)"}]}]}"#,
        to: "m.json")
      words += ["--mapping", "m.json"]
    }
    let plan = try tool.run(CommandLineTool.executable.path, ["migrate", "plan"] + words, input: nil)
    let applied = try tool.run(
      CommandLineTool.executable.path,
      ["migrate", "apply", "--allow-lossy", "--no-backup"] + words, input: nil)
    #expect(applied.code == 0, "\(applied.errors)")
    for text in [plan.output, applied.errors] {
      #expect(
        text.contains("taken over: the table mine, the table counted, the index byB, the index byN."),
        "\(text)")
      #expect(text.contains("not taken over: the index byK, the table ANSCKEVENT"), "\(text)")
      #expect(text.contains("the view v") && text.contains("the trigger t"), "\(text)")
    }
    #expect(try value("SELECT group_concat(a || ifnull(\"b c\", '-') || d) FROM mine", tool) == "1x2,2-3")
    #expect(try value("SELECT id || t FROM counted; SELECT seq FROM sqlite_sequence", tool) == "7y\n7")
    #expect(
      try value(
        "SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name LIKE 'by%' ORDER BY 1)",
        tool)
        == "byB,byN")
    #expect(try tool.run("check", "--store", "s.db").code == 0)
    #expect(try tool.run("count", "A", "--store", "s.db").output == "1\n")
  }

  @Test(
    "MIG-279, MIG-327: data that cannot go along are a loss, which has to be agreed to; empty columns are none"
  )
  func leftBehind() throws {
    let tool = try Self.store()
    try tool.sqlite(
      """
      CREATE TABLE ZMINE (a); INSERT INTO ZMINE VALUES (1);
      ALTER TABLE ZA ADD COLUMN empty; ALTER TABLE ZA ADD COLUMN zextra; UPDATE ZA SET zextra = 'by hand';
      """, "s.db")
    let plan = try tool.run("migrate", "plan", "--store", "s.db", "--to", "c.json")
    #expect(plan.output.contains("left behind: ZA.zextra: the column is not the model's"), "\(plan.output)")
    #expect(plan.output.contains("left behind: ZMINE: the table is not the model's"), "\(plan.output)")
    #expect(plan.output.contains("not taken over: the column ZA.empty."), "\(plan.output)")
    let words = ["migrate", "apply", "--store", "s.db", "--to", "c.json"]
    let refused = try tool.run(CommandLineTool.executable.path, words, input: nil)
    #expect(refused.code == 4 && refused.errors.contains("ZA.zextra"), "\(refused.errors)")
    #expect(try value("SELECT zextra FROM ZA", tool) == "by hand")
    #expect(try tool.run(CommandLineTool.executable.path, words + ["--allow-lossy"], input: nil).code == 0)
    #expect(try tool.run("check", "--store", "s.db").code == 0)
  }
}
