import Testing

@Suite("graphstore delete")
struct DeleteCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test("--dry-run prints the tree of consequences and writes nothing (REL-330, REL-400)")
  func dryRun() throws {
    let outcome = try tool.run("delete", "Department/p1", "Department/p2", "--dry-run")
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        would delete  2 Department
                      3 Employee     cascade Department.employees
        would clear   1 Project.members  nullify
                      5 objects deleted, 1 updated; nothing written

        """)
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("Cascade takes along what was never loaded; nullify clears the other end")
  func cascade() throws {
    #expect(try tool.run("delete", "Department/p2").code == 0)
    #expect(
      try tool.run("fetch", "Employee", "--sort", "badge", "-f", "ids").output == "Employee/p1\nEmployee/p2\n"
    )
    #expect(try tool.run("delete", "Employee/p2").code == 0)
    #expect(
      try tool.run("get", "Project/p1", "--fields", "members", "-f", "csv").output == "members\nEmployee/p1\n"
    )
    #expect(try tool.run("check").code == 0)
  }

  @Test("DGN-171, REL-401: deny refuses, names what is in the way, and exits 3; a dry run says the same")
  func deny() throws {
    let outcome = try tool.run("delete", "Employee/p1")
    #expect(outcome.code == 3)
    #expect(
      outcome.errors == """
        error: cannot delete Employee/p1: "reports" must be empty (rule: deny)   [delete-denied]
          blocked by 2 Employee: Employee/p2, Employee/p3
        hint: delete or move them first, in the same save: graphstore run - <<'…'

        """)
    let rehearsed = try tool.run("delete", "Employee/p1", "-n")
    #expect(rehearsed.code == 3)
    #expect(rehearsed.output.contains("blocked by 2 Employee: Employee/p2, Employee/p3"))
    #expect(try tool.run("count", "Employee").output == "3\n")
  }

  @Test("DGN-217, REL-400: --max counts cascades; --all needs --yes off a terminal")
  func consent() throws {
    let many = try tool.run("delete", "Department/p2", "--max", "1")
    #expect(many.code == 4)
    #expect(many.errors.contains("2 objects would be deleted, more than --max 1   [too-many]"))
    #expect(try tool.run("delete", "Project", "--all").code == 4)
    #expect(try tool.run("delete", "Project", "--all", "--yes").code == 0)
    #expect(try tool.run("count", "Project").output == "0\n")
    #expect(try tool.run("delete", "Employee").code == 64)
    #expect(try tool.run("delete", "Employee/p1", "--where", "badge == 1").code == 64)
  }

  @Test("An object that is not there exits 66")
  func absent() throws {
    let outcome = try tool.run("delete", "Employee/p77")
    #expect(outcome.code == 66)
    #expect(outcome.errors.contains("[object-not-found]"))
  }

  @Test("REL-400: on a terminal a deletion of several objects is asked for, with the tree of consequences")
  func question() throws {
    func terminal() throws -> PseudoTerminal {
      try PseudoTerminal(
        CommandLineTool.executable.path,
        ["delete", "Department/p1", "Department/p2", "-s", tool.path("hr.db")],
        environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path])
    }
    let refused = try terminal()
    #expect(refused.expect("cascade Department.employees"))
    #expect(refused.expect("delete 5 objects? [y/N]"))
    refused.send("n\n")
    #expect(refused.wait() == 4)
    let left = try terminal()
    #expect(left.expect("[y/N] "))
    left.send("\u{04}")
    #expect(left.expect("\r\n"), "\(left.transcript)")
    #expect(left.transcript.contains("[y/N] \r\n"), "\(left.transcript)")
    #expect(left.wait() == 4)
    #expect(try tool.run("count", "Employee").output == "3\n")
    let agreed = try terminal()
    #expect(agreed.expect("[y/N]"))
    agreed.send("y\n")
    #expect(agreed.wait() == 0)
    #expect(try tool.run("count", "Employee").output == "0\n")
  }
}
