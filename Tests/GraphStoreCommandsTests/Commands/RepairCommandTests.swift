import Foundation
import GraphStoreTestSupport
import Testing

/// `graphstore check --repair` as a person and a script see it.
@Suite("check --repair")
struct RepairCommandTests {
  private let tool: CommandLineTool

  /// A reference and a link to objects that are gone, which can be mended, and a missing value, which cannot.
  init() throws {
    tool = try CommandLineTool.staffedCompany()
    try tool.damage(
      """
      UPDATE ZPERSON SET ZDEPARTMENT = 77 WHERE Z_PK = 2; UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 3;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Person'
      """)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// How many failures a check finds; nil where it does not end as a check does.
  private func failures(_ store: String = "hr.db") throws -> Int? {
    let outcome = try tool.run("check", "--json", "-s", store)
    return [0, 2].contains(outcome.code) ? try object(outcome.output)["failures"] as? Int : nil
  }

  private func terminal(_ arguments: String...) throws -> PseudoTerminal {
    try PseudoTerminal(
      CommandLineTool.executable.path, arguments + ["-s", tool.path("hr.db")],
      environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path], size: (200, 24))
  }

  @Test("DGN-106: check counts problems, says that a repair mends some, and exits 2")
  func problems() throws {
    let check = try tool.run("check")
    #expect(check.code == 2)
    let shown = try terminal("check")
    #expect(
      shown.expect(
        "3 problems; run \"graphstore check --repair\" to mend what can be mended without losing data"),
      "\(shown.transcript)")
    #expect(shown.wait() == 2)
    #expect(
      check.output.contains(
        "FAIL  references       Employee.department   1 row refers to a missing Department/p77: Employee/p2\n"
      ))
  }

  @Test("STO-289: off a terminal a repair needs --yes, else it exits 4 and changes nothing")
  func consent() throws {
    let before = try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
    for arguments in [
      ["check", "--repair"], ["check", "--repair", "--no-input"], ["check", "--repair", "--json"],
    ] {
      let refused = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
      #expect(refused.code == 4 && refused.errors.contains("check --repair needs --yes"), "\(refused)")
      #expect(refused.errors.contains("hr.db: Employee.department: set 1 reference to nil (Employee/p2)"))
      #expect(refused.errors.contains("hr.db: left as it is: Person.name: 1 row without a value"))
      #expect(refused.errors.contains("--dry-run") && !refused.errors.contains("--where"))
    }
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("hr.db")) == before)
    #expect(!FileManager.default.fileExists(atPath: tool.path("hr.db.backup")))
  }

  @Test(
    "REL-306, STO-289: a repair prints each step, the copy, and what is left with reason and remedy, and exits 2"
  )
  func repaired() throws {
    let outcome = try tool.run("check", "--repair", "--yes")
    #expect(outcome.code == 2)
    #expect(
      outcome.output.hasPrefix(
        """
        done  references  Employee.department: set 1 reference to nil (Employee/p2)
        done  key counters  Person: count on from the key 3
              the former state is in hr.db.backup
        """))
    #expect(
      outcome.output.contains(
        """
        FAIL  required values  Person.name   1 row without a value: Employee/p3
              left: the value is not known; set it, or delete the objects

        """))
    #expect(try failures("hr.db.backup") == 3)
    #expect(try tool.run("update", "Employee/p3", "name=Bob").code == 0)
    #expect(try tool.run("check").code == 0)
    #expect(try tool.run("insert", "Employee", "name=Eve").output == "Employee/p4\n")
  }

  @Test(
    "A repair that leaves nothing exits 0, and so does one that finds nothing to mend; warnings do not count")
  func exitCodes() throws {
    #expect(try tool.run("check", "--repair", "--yes").code == 2)
    #expect(try tool.run("check", "--repair").code == 2, "nothing to mend is nothing to ask")
    #expect(try tool.run("update", "Employee/p3", "name=Bob").code == 0)
    #expect(try tool.run("check", "--repair").code == 0)
    try tool.damage("CREATE TRIGGER theirs AFTER UPDATE ON ZPERSON BEGIN SELECT 1; END")
    #expect(try tool.run("check").code == 0)
    #expect(try tool.run("check", "--strict").code == 2)
    let warned = try tool.run("check", "--repair")
    #expect(warned.code == 0 && warned.output.contains("warn") && warned.output.contains("      left: "))
  }

  @Test("JSON carries what was mended, what is left, and how many failures and warnings there are")
  func json() throws {
    try tool.damage("DROP INDEX ZPERSON_ZDEPARTMENT_INDEX")
    let checked = try object(try tool.run("check", "--json").output)
    #expect(checked["failures"] as? Int == 3 && checked["warnings"] as? Int == 1)
    #expect(checked["repairs"] == nil && checked["unrepaired"] == nil)
    let outcome = try tool.run("check", "--repair", "--yes", "--json")
    #expect(outcome.code == 2)
    let repaired = try object(outcome.output)
    #expect(repaired["ok"] as? Bool == false && repaired["backup"] as? String == "hr.db.backup")
    #expect(repaired["failures"] as? Int == 1 && repaired["warnings"] as? Int == 0)
    let repairs = try #require(repaired["repairs"] as? [[String: Any]])
    #expect(Set(repairs.compactMap { $0["name"] as? String }) == ["tables", "references", "key counters"])
    let reference = try #require(repairs.first { $0["name"] as? String == "references" })
    #expect(reference["subject"] as? String == "Employee.department" && reference["count"] as? Int == 1)
    #expect(reference["objects"] as? [String] == ["Employee/p2"])
    let left = try #require((repaired["unrepaired"] as? [[String: Any]])?.first)
    #expect(left["name"] as? String == "required values" && left["severity"] as? String == "failure")
    #expect(left["reason"] as? String == "the value is not known")
    #expect(left["remedy"] as? String == "set it, or delete the objects")
    #expect(left["objects"] as? [String] == ["Employee/p3"])
  }

  @Test("On a terminal the plan is shown and asked for; no exits 4 and yes repairs")
  func question() throws {
    let silent = try terminal("check", "--repair", "--no-input")
    #expect(silent.wait() == 4)
    let refused = try terminal("check", "--repair")
    #expect(
      refused.expect("Employee.department: set 1 reference to nil (Employee/p2)"), "\(refused.transcript)")
    #expect(refused.expect("left as it is: Person.name: 1 row without a value"), "\(refused.transcript)")
    #expect(refused.expect("repair the store? [y/N]"), "\(refused.transcript)")
    refused.send("n\n")
    #expect(refused.wait() == 4)
    #expect(try failures() == 3)
    let agreed = try terminal("check", "--repair")
    #expect(agreed.expect("[y/N]"))
    agreed.send("y\n")
    #expect(agreed.expect("1 problem left, which somebody has to decide"), "\(agreed.transcript)")
    #expect(agreed.wait() == 2)
    #expect(try failures() == 1)
  }

  @Test("STO-289: a dry run tells what would be done and left, writes nothing, and exits as a check does")
  func dryRun() throws {
    let before = try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    let planned = try tool.run("check", "--repair", "--dry-run")
    #expect(planned.code == 2)
    #expect(
      planned.output.hasPrefix(
        """
        would do  references  Employee.department: set 1 reference to nil (Employee/p2)
        would do  key counters  Person: count on from the key 3

        """), "\(planned.output)")
    #expect(planned.output.contains("      left: the value is not known; set it, or delete the objects\n"))
    let listed = try object(try tool.run("check", "--repair", "-n", "--json").output)
    #expect((listed["repairs"] as? [Any])?.count == 2 && listed["backup"] == nil)
    #expect(listed["failures"] as? Int == 3)
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("hr.db")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted() == names)
    #expect(try tool.run("check", "--dry-run").code == 64)
  }

  @Test(
    "STO-328: a value that keeps its row from being read is cleared where that is asked for, and set anew",
    arguments: ["'abc'", "x'00'", "9e999"])
  func cleared(_ value: String) throws {
    try tool.damage("UPDATE ZPERSON SET ZSALARY = \(value) WHERE Z_PK = 1")
    let export = try tool.run("export", "Employee")
    #expect(export.code == 74 && export.errors.contains("Employee/p1"), "\(export.errors)")
    #expect(export.errors.contains("graphstore check --repair --clear Employee.salary"), "\(export.errors)")
    let kept = try tool.run("check", "--repair", "--yes")
    #expect(kept.code == 2 && kept.output.contains("graphstore check --repair --clear"), "\(kept.output)")
    #expect(try tool.run("update", "Employee/p1", "salary=5").code == 74, "nothing is cleared unasked")
    let outcome = try tool.run("check", "--repair", "--clear", "Employee.salary", "--yes")
    #expect(
      outcome.output.contains("done  values  Employee.salary: set 1 value to nil (Employee/p1)"), "\(outcome)"
    )
    #expect(try tool.run("update", "Employee/p1", "salary=5").code == 0)
    #expect(try tool.run("export", "Employee").code == 0)
    let check = try tool.run("check")
    #expect(!check.output.contains("FAIL  values"), "\(check.output)")
  }

  @Test(
    "STO-328: what is no number is refused where a number or a date is expected, and told by the check",
    arguments: [
      ("ZBADGE", "badge", "'none'"), ("ZBADGE", "badge", "x'00'"), ("ZBIRTHDAY", "birthday", "'2024-05-01'"),
    ])
  func notNumbers(_ column: String, _ key: String, _ value: String) throws {
    try tool.damage("UPDATE ZPERSON SET \(column) = \(value) WHERE Z_PK = 1")
    for command in ["export Employee", "fetch Employee --fields \(key) --format csv"] {
      let outcome = try tool.runShell("graphstore \(command)")
      #expect(outcome.code == 74 && outcome.errors.contains("Employee/p1"), "\(outcome)")
      #expect(outcome.errors.contains("no number") && outcome.errors.contains(key), "\(outcome.errors)")
    }
    #expect(
      try tool.run("check").output.contains(".\(key) "), "under the name of the entity that declares it")
    let repair = try tool.run("check", "--repair", "--clear", "Employee.\(key)", "--yes")
    #expect(repair.output.contains("Employee.\(key): set 1 value to nil (Employee/p1)"), "\(repair)")
    #expect(try tool.run("export", "Employee").code == 0)
  }

  @Test(
    "STO-328: what is cleared has to be a property, and --clear goes with --repair",
    arguments: ["Nothing.x", "Employee.x", "Employee"])
  func clearedNames(_ name: String) throws {
    let refused = try tool.run("check", "--repair", "--clear", name, "--yes")
    #expect(refused.code == 64 || refused.code == 65, "\(refused)")
    #expect(refused.errors.contains("[unknown-entity]") || refused.errors.contains("[unknown-key]"))
    #expect(try tool.run("check", "--clear", "Employee.salary").code == 64)
  }

  @Test(
    "STO-289: a repair that is ended while it copies leaves no copy in part, at once or after the next one",
    .enabled(if: LockTrace.isPossible, "strace is missing, or may not watch processes"),
    arguments: ["TERM", "INT", "HUP", "KILL"])
  func endedWhileCopying(_ signal: String) throws {
    let before = try names()
    // Another thread ends the process, and this one would have the whole copy in its place before.
    let ended = try tool.runShell(
      """
      strace -f -qq -o /dev/null -e inject=fdatasync:signal=\(signal):when=2 \
        -e inject=renameat2:delay_enter=60000000 graphstore check --repair --yes
      """)
    #expect(ended.code > 128)
    if signal != "KILL" { #expect(try names() == before) }
    #expect(try tool.run("check", "--repair", "--yes").code == 2)
    #expect(try names() == (before + ["hr.db.backup"]).sorted())
  }

  /// The names of all files, but for the log and its index, which the next user of the store takes away.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
      .filter { !["hr.db-wal", "hr.db-shm"].contains($0) }.sorted()
  }

  @Test("--repair looks at all rows, so that --quick does not go with it")
  func quick() throws {
    let refused = try tool.run("check", "--quick", "--repair")
    #expect(refused.code == 64 && refused.errors.contains("--quick"))
  }

  @Test("Several stores are repaired after one question, each with its own report")
  func severalStores() throws {
    try FileManager.default.copyItem(atPath: tool.path("hr.db"), toPath: tool.path("other.db"))
    let outcome = try tool.run("check", "--repair", "--yes", "--json", "-s", "a=hr.db", "-s", "b=other.db")
    #expect(outcome.code == 2, "\(outcome.errors)")
    let stores = try #require(try object(outcome.output)["stores"] as? [[String: Any]])
    #expect(stores.compactMap { ($0["repairs"] as? [Any])?.count } == [2, 2])
    #expect(stores.compactMap { $0["backup"] as? String } == ["hr.db.backup", "other.db.backup"])
  }

  @Test(
    "STO-195: a repair that is killed at any moment leaves the old store or the new one", arguments: [0, 1])
  func killed(part: Int) throws {
    try tool.sqlite(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSALARY, ZDEPARTMENT)
      SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee'), NULL, 'n' || i, 1, 5000 + i FROM n
      """, "hr.db")
    let start = Date()
    try FileManager.default.copyItem(atPath: tool.path("hr.db"), toPath: tool.path("whole.db"))
    #expect(try tool.run("check", "--repair", "--yes", "-s", "whole.db").code == 2)
    let whole = Date().timeIntervalSince(start)
    for moment in 0..<6 {
      let store = "killed\(moment).db"
      try FileManager.default.copyItem(atPath: tool.path("hr.db"), toPath: tool.path(store))
      let delay = String(format: "%.4f", whole * (Double(moment * 2 + part) + 0.5) / 12)
      _ = try tool.runShell(
        """
        graphstore check --repair --yes -s \(store) >/dev/null 2>&1 &
        sleep \(delay); kill -9 $! 2>/dev/null; wait $!; true
        """)
      let left = try failures(store)
      #expect(left == 4 || left == 1, "after \(delay) s: \(left as Any)")
      let again = try tool.run("check", "--repair", "--yes", "-s", store)
      #expect(again.code == 2, "\(again.errors)")
      #expect(try failures(store) == 1)
    }
  }
}
