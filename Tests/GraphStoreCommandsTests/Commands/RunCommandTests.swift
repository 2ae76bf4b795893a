import Testing

@Suite("graphstore run and shell with a script")
struct RunCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test("DGN-222: a script is one transaction; the first error undoes all of it, with its place")
  func transaction() throws {
    let outcome = try tool.run(
      "run", "-", input: "update Employee/p2 salary=90000\ninsert Employee name=Eve salary=-5\n")
    #expect(outcome.code == 65)
    #expect(
      outcome.errors == """
        <stdin>:2:26: error: Employee.salary: -5 is less than the minimum 0   [validation]
          2 | insert Employee name=Eve salary=-5
            |                          ^^^^^^^^^
        nothing was saved (1 earlier statement rolled back)

        """)
    #expect(
      try tool.run("get", "Employee/p2", "--fields", "salary", "-f", "csv").output == "salary\n72000.5\n")
  }

  @Test("Later statements see what earlier ones saved; shell without a terminal does the same")
  func sequence() throws {
    let script =
      "insert Department name=New\ncount Department\nfetch Department where name == \"New\" --fields name\n"
    let outcome = try tool.run("shell", input: script)
    #expect(outcome.code == 0)
    #expect(outcome.output == "Department/p3\n3\nname\nNew\n")
    #expect(try tool.run("count", "Department").output == "3\n")
  }

  @Test("CTX-434: .begin and .commit join statements into one save, .rollback drops them")
  func begin() throws {
    let outcome = try tool.run(
      "run", "-c", ".begin", "-c", "insert Department name=New", "-c",
      "insert Employee name=Eve department?='name == \"New\"'", "-c", ".commit", "-c", ".begin", "-c",
      "insert Department name=Gone", "-c", ".rollback", "-c", "count Department")
    #expect(outcome.errors == "")
    #expect(outcome.output == "Department/t1\nEmployee/t2\nDepartment/t3\n3\n")
  }

  @Test("OBJ-449, PAT-173: an id that was printed for an unsaved object is refused later with temporary-id")
  func temporaryID() throws {
    let made = try tool.run("run", "-c", ".begin", "-c", "insert Department name=New", "-c", ".commit")
    #expect(made.output == "Department/t1\n")
    for arguments in [
      ["get", "Department/t1"], ["update", "Department/t1", "name=x"],
      ["get", "x-coredata:///Department/t0A0B-11"],
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
      #expect(outcome.code == 65 && outcome.errors.contains("[temporary-id]"), "\(outcome.errors)")
    }
  }

  @Test("A script that ends within .begin is an error and rolled back")
  func unfinished() throws {
    #expect(try tool.run("run", "-c", ".begin", "-c", "insert Department name=New").code == 65)
    #expect(try tool.run("count", "Department").output == "2\n")
  }

  @Test("--keep-going saves each statement by itself and exits 5 after a failure")
  func keepGoing() throws {
    let outcome = try tool.run(
      "run", "--keep-going", "-c", "insert Department name=New", "-c", "insert Department name=New", "-c",
      "insert Department name=Newer")
    #expect(outcome.code == 5)
    #expect(outcome.errors.contains("1 of 3 statements failed"))
    #expect(try tool.run("count", "Department").output == "4\n")
  }

  @Test("--no-transaction keeps what succeeded before the first failure")
  func noTransaction() throws {
    let outcome = try tool.run(
      "run", "--no-transaction", "-c", "insert Department name=New", "-c", "fetch Nothing", "-c",
      "insert Department name=Newer")
    #expect(outcome.code == 65)
    #expect(try tool.run("count", "Department").output == "3\n")
  }

  @Test("PRD-213: a predicate's error in a script has its line and column, and exits 65")
  func predicateError() throws {
    try tool.write("# a comment\n\nfetch Employee where salry > 1\n", to: "bad.gs")
    let outcome = try tool.run("run", "bad.gs")
    #expect(outcome.code == 65)
    #expect(
      outcome.errors.hasPrefix("bad.gs:3:22: error: Employee has no attribute or relationship \"salry\""))
  }

  @Test("--var fills $name; --echo prints the statements to standard error")
  func variables() throws {
    let outcome = try tool.run(
      "run", "--var", "min=75000", "--echo", "-c", "count Employee where salary > $min")
    #expect(outcome.output == "1\n")
    #expect(outcome.errors == "count Employee where salary > $min\n")
  }

  @Test(".exit N ends with N, for every N", arguments: [0, 1, 6, 7, 64, 100, 127, 130, 255])
  func exit(_ code: Int32) throws {
    let outcome = try tool.run("run", "-c", "insert Department name=New", "-c", ".exit \(code)")
    #expect(outcome.code == code)
    #expect(outcome.errors == (code == 0 ? "" : "nothing was saved (1 earlier statement rolled back)\n"))
    #expect(try tool.run("count", "Department").output == (code == 0 ? "3\n" : "2\n"))
  }

  @Test("A where at the end of a line lacks its predicate, and the next line is read as ever")
  func bareWhere() throws {
    let outcome = try tool.run("run", "--keep-going", "-", input: "count Employee where\ncount Employee\n")
    #expect(outcome.code == 5)
    #expect(outcome.output == "3\n")
    #expect(outcome.errors.contains("missing value for '--where"))
  }

  @Test("--var takes JSON behind :=")
  func jsonVariable() throws {
    let outcome = try tool.run("run", "--var", "n:=75000", "-c", "count Employee where salary > $n")
    #expect(outcome.output == "1\n")
    let bad = try tool.run("run", "--var", "n:=[", "-c", "count Employee where salary > $n")
    #expect(bad.code == 65)
    #expect(bad.errors.contains("[json-syntax]"))
  }

  @Test("A twin of an unsaved object is named as it is known")
  func twin() throws {
    let outcome = try tool.run(
      "run", "-c", ".begin", "-c", "insert Employee name=A badge=50", "-c", "insert Employee name=B badge=50",
      "-c",
      ".commit")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("Employee/t1 has it"), "\(outcome.errors)")
  }

  @Test("Other exit codes pass through: a refused deletion is 3, a missing script 66")
  func codes() throws {
    #expect(try tool.run("run", "-c", "delete Employee/p1").code == 3)
    #expect(try tool.run("run", "nofile.gs").code == 66)
    #expect(try tool.run("run").code == 64)
    #expect(try tool.run("run", "-c", "ftch Employee").code == 65)
  }

  @Test(
    "A script goes on after an answer of no, and ends with 2",
    arguments: [
      "fetch Employee where salary > 1000000 --exit-code", "count Employee where salary < 0 --exit-code",
      "model validate broken.json",
    ])
  func answer(_ statement: String) throws {
    try tool.write(#"{"name": "B", "entities": [{"name": "A", "parent": "None"}]}"#, to: "broken.json")
    let outcome = try tool.run("run", "-c", statement, "-c", "insert Department name=New")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(try tool.run("count", "Department").output == "3\n")
  }

  @Test("A check with findings in a script is its exit code")
  func check() throws {
    try tool.sqlite("UPDATE ZPERSON SET Z_ENT = 77 WHERE Z_PK = 1", "hr.db")
    #expect(try tool.run("run", "-c", "check").code == 2)
  }

  @Test("An id that is not there is an error, which undoes a script; its place is told")
  func absentID() throws {
    let outcome = try tool.run(
      "run", "-c", "insert Department name=New", "-c", "get Department/p99", "-c",
      "insert Department name=Newer")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(
      outcome.errors.hasPrefix("-c:2:1: error: there is no Department/p99   [object-not-found]"),
      "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("nothing was saved (1 earlier statement rolled back)\n"))
    #expect(try tool.run("count", "Department").output == "2\n")
  }

  @Test("Errors of a script as JSON are one line with the place")
  func json() throws {
    let outcome = try tool.run("run", "--error-format", "json", "-c", "fetch Employee where salry > 1")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains(#""code":"unknown-key""#))
    #expect(outcome.errors.contains(#""line":1,"column":22"#))
  }

  @Test("Within .begin a statement that fails undoes only itself")
  func partialUndo() throws {
    let outcome = try tool.run(
      "run", "--keep-going", "-c", ".begin", "-c", "update Employee/p1 name=Kept", "-c",
      "update Employee/p1 name=Lost manager=Project/p1", "-c", "get Employee/p1 --fields name -f csv", "-c",
      ".commit")
    #expect(outcome.code == 5)
    #expect(outcome.output == "name\nKept\n")
    #expect(try tool.run("get", "Employee/p1", "--fields", "name", "-f", "csv").output == "name\nKept\n")
  }

  @Test("The shell at a terminal: banner, prompt, a statement, and leaving")
  func interactive() throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
      ])
    #expect(terminal.expect("hr.db · model Company v1 · 6 objects"))
    #expect(terminal.expect("hr> "))
    terminal.send("count Employee\n")
    #expect(terminal.expect("3\r\n"))
    terminal.send("fetch Emplo\t\t where sal\t > 80000 --fields name -f csv\n")
    #expect(terminal.expect("Grace"))
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
  }
}
