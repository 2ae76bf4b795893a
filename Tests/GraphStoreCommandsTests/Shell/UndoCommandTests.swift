import Foundation
import Testing

@Suite("Undo in sessions")
struct UndoCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func session(_ lines: String...) throws -> CommandLineTool.Outcome {
    try tool.run("run", "--keep-going", "-", input: lines.joined(separator: "\n") + "\n")
  }

  private func names() throws -> String {
    try tool.run("fetch", "Employee", "--sort", "badge", "--fields", "name", "-f", "csv", "--no-header")
      .output
  }

  @Test("CTX-436, OBJ-410, OBJ-411: a deletion is undone and redone with one-way links to what was deleted")
  func oneWayLinks() throws {
    let tool = try CommandLineTool()
    try tool.write(
      #"{"entities":[{"name":"P","relationships":[{"name":"xs","destination":"X","toMany":true}]},{"name":"X"}]}"#,
      to: "model.json")
    try tool.run("init", "s.db", "--model", "model.json")
    let lines = [
      "insert X", "insert X", "insert P xs=X/p1,X/p2", "delete X/p1", ".undo", ".redo", ".undo",
    ]
    let outcome = try tool.run(
      "run", "-", "-s", "s.db", input: lines.joined(separator: "\n") + "\n")
    #expect(outcome.code == 0, "\(outcome)")
    let members = try tool.run("get", "P/p1", "--fields", "xs", "--ndjson", "-s", "s.db").output
    #expect(members == #"{"id":"P/p1","xs":["X/p1","X/p2"]}"# + "\n")
  }

  @Test(
    "CTX-436, CTX-153, OBJ-411: outside of .begin the opposite change is saved, and so is bringing it back")
  func autocommit() throws {
    let outcome = try session(
      "update Employee/p2 name=Eve", "delete Employee/p3", ".undo", ".undo", ".undo", ".redo")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output.hasSuffix(
        """
          undone: delete Employee/p3
          undone: update Employee/p2 name=Eve
          nothing to undo
          redone: update Employee/p2 name=Eve

        """), "\(outcome.output)")
    #expect(try names() == "Grace\nEve\nBob\n")
    #expect(
      try tool.run("get", "Employee/p3", "--fields", "manager", "-f", "csv").output
        == "manager\nEmployee/p1\n")
    #expect(try tool.run("check", "-q").code == 0)
  }

  @Test("DGN-183: .undo N takes back several statements and says which; a number is asked for")
  func several() throws {
    let outcome = try session(
      "insert Department name=A", "insert Department name=B", ".undo 5", ".redo 1", ".undo x")
    #expect(
      outcome.output.contains(
        "  undone: insert Department name=B\n  undone: insert Department name=A\n  redone: insert Department name=A\n"
      ))
    #expect(outcome.errors.contains("[wrong-argument]") || outcome.errors.contains("not a number"))
    #expect(try tool.run("count", "Department").output == "3\n")
  }

  @Test("Within .begin statements are undone unsaved, to a savepoint too; .status tells each property")
  func transaction() throws {
    let outcome = try session(
      "update Employee/p1 name=One", ".begin", "update Employee/p2 name=Two salary=1", ".status",
      ".savepoint here",
      "insert Employee name=Three badge=9", "update Employee/p2 name=Four", ".rollback here", ".status",
      ".undo",
      ".status", ".redo", ".rollback nowhere", ".commit", ".undo", ".undo")
    #expect(
      outcome.output.contains("~ Employee/p2  name: \"Ada\" → \"Two\", salary: 72000.5 → 1\n"),
      "\(outcome.output)")
    #expect(outcome.output.contains("  undone: update Employee/p2 name=Two salary=1\nno unsaved changes\n"))
    #expect(outcome.errors.contains("there is no savepoint nowhere"))
    #expect(try names() == "Grace\nAda\nBob\n", "\(outcome.output)")
  }

  @Test("CTX-438: .status tells the counts, how many statements can be undone, and the policy")
  func status() throws {
    let outcome = try session(
      "update Employee/p1 name=One", ".begin", "insert Employee name=New badge=9 salary=1",
      "delete Project --all -y", "update Employee/p2 name=Two", ".policy store", ".status", ".undo",
      ".status", ".rollback", ".status")
    let lines = outcome.output.split(separator: "\n").filter { $0.contains(" to undo; ") }
    #expect(lines.count == 3, "\(outcome.output)")
    #expect(lines[0].contains("1 inserted, "))
    #expect(lines[0].hasSuffix("4 statements to undo; on conflict: store"))
    #expect(!lines[0].contains(" 0 updated") && !lines[0].contains(" 0 deleted"))
    #expect(lines[1].contains("3 statements to undo"))
    #expect(lines[2] == "0 inserted, 0 updated, 0 deleted; 1 statement to undo; on conflict: store")
  }

  @Test("A savepoint is gone once what it named is undone, also when other statements come in its place")
  func undoneSavepoint() throws {
    let outcome = try session(
      ".begin", "insert Department name=A", ".savepoint s", ".undo", "insert Department name=B",
      "insert Department name=C", ".rollback s", ".commit")
    #expect(outcome.errors.contains("there is no savepoint s"), "\(outcome.errors)")
    let names = try tool.run("fetch", "Department", "--fields", "name", "-f", "csv", "--no-header")
    #expect(names.output == "Engineering\nSales\nB\nC\n")
  }

  @Test("CTX-438: members of an ordered relationship are told in its order, as they were and as they are")
  func orderedMembers() throws {
    let outcome = try session(
      "insert Project title=Ordered members=Employee/p3,Employee/p1,Employee/p2", ".begin",
      "unlink Project/p2.members Employee/p1", ".status", "link Project/p2.members Employee/p1", ".status",
      ".rollback")
    let former = "[Employee/p3, Employee/p1, Employee/p2]"
    #expect(
      outcome.output.contains("members: \(former) → [Employee/p3, Employee/p2]\n"), "\(outcome.output)")
    #expect(
      outcome.output.contains("members: \(former) → [Employee/p3, Employee/p2, Employee/p1]\n"),
      "\(outcome.output)")
  }

  @Test("CTX-491: an id given within .begin means the same object after .commit, in every statement")
  func formerIdentifiers() throws {
    let outcome = try session(
      ".begin", "insert Department name=First", "insert Department name=Second", ".commit",
      "get Department/t1 --fields name -f csv --no-header", "update Department/t2 name=Renamed",
      "link Department/t2.employees Employee/p1", ".begin", "insert Department name=Third",
      "get Department/t2 Department/t3 --fields name -f csv --no-header", ".commit",
      "delete Department/t1 Department/t3")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Department/t2\nFirst\n"), "\(outcome.output)")
    #expect(outcome.output.contains("Department/t3\nRenamed\nThird\n"), "\(outcome.output)")
    let names = try tool.run("fetch", "Department", "--fields", "id,name", "-f", "csv", "--no-header")
    #expect(names.output == "Department/p1,Engineering\nDepartment/p2,Sales\nDepartment/p4,Renamed\n")
    #expect(
      try tool.run("get", "Employee/p1", "--fields", "department", "-f", "csv", "--no-header").output
        == "Department/p4\n")
  }

  @Test("CTX-491: a person is told the new ids")
  func toldIdentifiers() throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1"])
    #expect(terminal.expect("hr> "))
    terminal.send(".begin\ninsert Department name=New\n.commit\n")
    #expect(terminal.expect("saved 1 insert.\r\n  Department/t1 is now Department/p3\r\n"))
    terminal.send(".begin\ndelete Department/t1\n")
    #expect(terminal.expect("Pending until .commit.\r\n"))
    #expect(terminal.expect("hr*(-1)> "), "\(terminal.unread)")
    #expect(!terminal.transcript.contains("deleted 1 object"), "what is pending is told as done")
    terminal.send(".commit\n.quit\n")
    #expect(terminal.wait() == 0)
  }

  @Test("A rollback drops what .begin has brought, and keeps what can be undone of before")
  func rollback() throws {
    let outcome = try session(
      "update Employee/p1 name=One", ".begin", "delete Department/p2", "insert Department name=New",
      ".rollback", ".undo")
    #expect(outcome.output.hasSuffix("  undone: update Employee/p1 name=One\n"))
    #expect(try names() == "Grace\nAda\nBob\n")
    #expect(try tool.run("count", "Department").output == "2\n")
  }

  @Test("A statement that fails changes nothing, outside of .begin and within, and can be gone behind")
  func failing() throws {
    let outcome = try session(
      "update Employee/p1 name=One", "update Employee/p2 name=Lost salary=-5", ".begin",
      "update Employee/p2 name=Two", "update Employee/p2 name=Lost manager=Project/p1", ".undo", ".undo",
      ".commit")
    #expect(
      outcome.output.contains("undone: update Employee/p2 name=Two\n  undone: update Employee/p1 name=One\n"))
    #expect(try names() == "Grace\nAda\nBob\n")
  }

  @Test("OBJ-418: what somebody else has changed meanwhile is not undone; the reason is told, exit 3")
  func changedElsewhere() throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
      ])
    #expect(terminal.expect("hr> "))
    terminal.send("update Employee/p2 name=Mine\n")
    #expect(terminal.expect("hr> "))
    #expect(try tool.run("update", "Employee/p2", "name=Theirs").code == 0)
    terminal.send(".undo\n")
    #expect(terminal.expect("was changed by somebody else"), "\(terminal.transcript)")
    #expect(terminal.expect("older"), "\(terminal.transcript)")
    terminal.send("get Employee/p2 --fields name -f csv\n")
    #expect(terminal.expect("Theirs"))
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
    #expect(try names() == "Grace\nTheirs\nBob\n")
  }

  @Test("An import past the session ends what can be undone")
  func imported() throws {
    try Data("{\"name\":\"New\"}\n".utf8).write(to: URL(fileURLWithPath: tool.path("new.ndjson")))
    let outcome = try session("update Employee/p1 name=One", "import Department new.ndjson", ".undo")
    #expect(outcome.output.hasSuffix("  nothing to undo\n"), "\(outcome.output)\(outcome.errors)")
  }

  @Test(
    "Random statements, undone step by step, end in the store that was there, and redone in the one after",
    arguments: [false, true])
  func random(isInTransaction: Bool) throws {
    var random = SeededGenerator(seed: isInTransaction ? 2 : 1)
    let before = try export()
    let statements = (0..<20).map { number in Self.statement(number, &random) }
    let (begin, commit) = isInTransaction ? ([".begin"], [".commit"]) : ([], [])
    let there = try session(lines: begin + statements + commit)
    let after = try export()
    #expect(there.code != 70 && after != before)
    let back = try CommandLineTool.staffedCompany()
    let outcome = try back.run(
      "run", "--keep-going", "-",
      input: (begin + statements + [".undo 2000"] + commit).joined(separator: "\n") + "\n")
    #expect(try export(back) == before, "\(outcome.errors.suffix(300))")
    let again = try CommandLineTool.staffedCompany()
    _ = try again.run(
      "run", "--keep-going", "-",
      input: (begin + statements + [".undo 2000", ".redo 2000"] + commit).joined(separator: "\n") + "\n")
    #expect(try export(again) == after)
    #expect(try again.run("check", "-q").code == 0)
  }

  private func session(lines: [String]) throws -> CommandLineTool.Outcome {
    try tool.run("run", "--keep-going", "-", input: lines.joined(separator: "\n") + "\n")
  }

  private func export(_ tool: CommandLineTool? = nil) throws -> String {
    try (tool ?? self.tool).run("export", "--all", "-f", "ndjson").output
  }

  private static func statement(_ number: Int, _ random: inout SeededGenerator) -> String {
    let employee = "Employee/p\(Int.random(in: 1...12, using: &random))"
    let department = "Department/p\(Int.random(in: 1...5, using: &random))"
    return switch Int.random(in: 0..<9, using: &random) {
    case 0: "insert Employee name=E\(number) badge=\(100 + number) department=\(department)"
    case 1: "insert Department name=D\(number)"
    case 2: "update \(employee) salary=\(Int.random(in: -1...9, using: &random))000"
    case 3: "update \(employee) department=\(department)"
    case 4: "update \(employee) manager=Employee/p\(Int.random(in: 1...12, using: &random))"
    case 5: "delete \(employee) --yes"
    case 6: "link \(employee) projects Project/p1"
    case 7: "unlink Project/p1 members \(employee)"
    default:
      "update Employee where salary == \(Int.random(in: 1...9, using: &random))000 name=N\(number) --yes"
    }
  }

  @Test("OBJ-418: what .commit saves after an .undo is one's own, and what was done before can be undone")
  func undoneInTransaction() throws {
    let outcome = try session(
      "insert Department name=A", "update Department/p3 name=B", "update Department/p3 name=C", ".begin",
      ".undo",
      ".commit", ".undo", ".redo", ".redo", ".undo", ".undo")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output.hasSuffix(
        """
          undone: update Department/p3 name=B
          redone: update Department/p3 name=B
          redone: update Department/p3 name=C
          undone: update Department/p3 name=C
          undone: update Department/p3 name=B

        """), "\(outcome.output)")
    #expect(
      try tool.run("get", "Department/p3", "--fields", "name", "-f", "csv", "--no-header").output == "A\n")
  }

  @Test(
    "A rollback brings back what can be undone and redone, also where .begin has taken back older statements")
  func rollbackOfUndo() throws {
    for statements in [[], ["insert Department name=New", "delete Department/p3"]] {
      let tool = try CommandLineTool.staffedCompany()
      let lines =
        ["insert Department name=A", "insert Department name=B", ".undo", ".begin", ".undo"] + statements
        + [".rollback", ".status", ".redo", ".undo 2"]
      let outcome = try tool.run("run", "--keep-going", "-", input: lines.joined(separator: "\n") + "\n")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("1 statement to undo"), "\(outcome.output)")
      #expect(
        outcome.output.hasSuffix(
          """
            redone: insert Department name=B
            undone: insert Department name=B
            undone: insert Department name=A

          """), "\(outcome.output)")
      #expect(try tool.run("count", "Department").output == "2\n")
    }
  }

  @Test(
    "A statement that is refused leaves what can be redone",
    arguments: [
      "update Employee/p2 salary=-5", "insert Employee name=Twin badge=1", "update Employee/p9 name=x",
      "update Employee/p2 name=Lost manager=Project/p1", "delete",
    ])
  func redoBehindRefusal(_ refused: String) throws {
    // What rules of the model refuse is refused when it is saved.
    for begin in refused.contains("manager") ? [[], [".begin"]] : [[]] {
      let tool = try CommandLineTool.staffedCompany()
      let lines =
        begin + ["insert Department name=A", "update Employee/p2 name=Two", ".undo 2", refused, ".redo 3"]
        + begin.map { _ in ".commit" }
      let outcome = try tool.run("run", "--keep-going", "-", input: lines.joined(separator: "\n") + "\n")
      #expect(!outcome.errors.isEmpty, "\(outcome.output)")
      #expect(
        outcome.output.contains(
          """
            redone: insert Department name=A
            redone: update Employee/p2 name=Two

          """), "\(outcome.output) \(outcome.errors)")
    }
  }

  @Test(
    "CTX-159: what a settled conflict has saved is undone to what somebody else had saved, not to what was before"
  )
  func settledConflict() throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
      ])
    #expect(terminal.expect("hr> "))
    terminal.send(".begin\nupdate Employee/p2 name=Mine\n")
    #expect(terminal.expect("hr*("))
    #expect(try tool.run("update", "Employee/p2", "name=Theirs").code == 0)
    terminal.send(".policy memory\n.commit\n")
    #expect(terminal.expect("saved"))
    #expect(try names() == "Grace\nMine\nBob\n")
    terminal.send(".undo\n")
    #expect(terminal.expect("undone: update Employee/p2 name=Mine"))
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
    #expect(try names() == "Grace\nTheirs\nBob\n")
  }
}
