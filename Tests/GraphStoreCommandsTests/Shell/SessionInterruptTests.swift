import Foundation
import Testing

/// Ctrl-C and other signals at a terminal, with the command itself.
struct SessionInterruptTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func terminal(_ arguments: [String]) throws -> PseudoTerminal {
    try PseudoTerminal(
      CommandLineTool.executable.path, arguments + ["-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
      ])
  }

  private func shell() throws -> PseudoTerminal {
    let terminal = try terminal(["shell", "-X", "--history", ""])
    try #require(terminal.expect("hr> "))
    return terminal
  }

  /// So many employees that changing them takes a while.
  private func fill() throws {
    let lines = (1...20_000).map { "{\"name\":\"p\($0)\",\"salary\":1,\"department\":\"Department/p2\"}\n" }
    try tool.write(lines.joined(), to: "many.ndjson")
    try #require(try tool.run("import", "Employee", "many.ndjson", "-q").code == 0)
  }

  @Test("Ctrl-C at a question in the shell is no consent, and the session goes on")
  func question() throws {
    let terminal = try shell()
    for action in ["update Employee --all salary=1", "delete Project/p1 Employee/p3"] {
      terminal.send(action + "\n")
      #expect(terminal.expect("[y/N] "))
      terminal.send("\u{3}")
      #expect(terminal.expect("\r\n"))
      #expect(terminal.expect("interrupted; nothing was changed"))
      #expect(terminal.expect("hr> "))
    }
    terminal.send("count Employee where salary == 1\n")
    #expect(terminal.expect("0\r\n"))
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
  }

  @Test("A signal to end ends the session at a question too", arguments: [SIGTERM, SIGHUP])
  func ending(_ signal: Int32) throws {
    let terminal = try shell()
    terminal.send("update Employee --all salary=1\n")
    #expect(terminal.expect("[y/N] "))
    terminal.signal(signal)
    #expect(terminal.wait() == 128 + signal)
    #expect(try tool.run("count", "Employee", "-w", "salary == 1").output == "0\n")
  }

  @Test("A session whose terminal goes away ends with 129")
  func hangup() throws {
    let terminal = try shell()
    terminal.signal(SIGHUP)
    #expect(terminal.wait() == 129)
  }

  @Test(
    "Within .begin an interrupted deletion takes back itself and nothing else",
    arguments: [0.05, 0.2, 0.5, 1])
  func deletion(after delay: Double) throws {
    try fill()
    let terminal = try shell()
    terminal.send(".begin\ninsert Department name=Kept\n")
    #expect(terminal.expect("hr*(+1)> "))
    terminal.send("delete Employee where badge == nil --yes\n")
    #expect(terminal.expect("\r\n"))
    usleep(UInt32(delay * 1e6))
    terminal.send("\u{3}")
    #expect(terminal.expect("hr*(+1"), "\(terminal.transcript)")
    terminal.send(".commit\n.quit\n")
    #expect(terminal.wait() == 0)
    #expect(try tool.run("count", "Department").output == "3\n")
    let isInterrupted = terminal.transcript.contains("interrupted; nothing was changed")
    #expect(
      try tool.run("count", "Employee").output == (isInterrupted ? "20003\n" : "3\n"),
      "\(terminal.transcript)")
    #expect(try tool.run("check").code == 0)
  }

  @Test(
    "STO-277: Ctrl-C stops a change wherever it is; nothing of it is saved, and the session goes on",
    arguments: [0.02, 0.1, 0.2, 0.4, 0.7])
  func change(after delay: Double) throws {
    try fill()
    let terminal = try shell()
    for line in ["update Employee --all -y salary=7", "delete Employee where badge == nil --yes"] {
      terminal.send(line + "; count Employee\n")
      #expect(terminal.expect("\r\n"))
      usleep(UInt32(delay * 1e6))
      terminal.send("\u{3}")
      #expect(terminal.expect("hr> "), "\(terminal.transcript)")
    }
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
    let wasInterrupted =
      terminal.transcript.components(separatedBy: "interrupted; nothing was changed").count - 1
    // Whichever was quicker than the signal is done as a whole.
    let updated = try tool.run("count", "Employee", "-w", "salary == 7").output
    let left = try tool.run("count", "Employee").output
    #expect(["0\n", "3\n", "20003\n"].contains(updated), "\(updated)")
    #expect(["3\n", "20003\n"].contains(left), "\(left)")
    #expect(
      wasInterrupted > 0 || (updated == "3\n" && left == "3\n") || delay < 0.05, "\(terminal.transcript)")
    #expect(try tool.run("check").code == 0)
  }

  /// Statements that would go on for hours: a count, and a sort of what a condition selects.
  private static let endless = [
    "count Employee where \(condition)", "fetch Employee --sort name where \(condition)",
  ]

  /// For each employee as many steps as there are colleagues, to the fourth power.
  private static let condition =
    "SUBQUERY(department.employees, $a, SUBQUERY(department.employees, $b, SUBQUERY(department.employees, $c, "
    + "SUBQUERY(department.employees, $d, $a.badge + $b.badge + $c.badge + $d.badge == -1).@count > 0)"
    + ".@count > 0).@count > 0).@count > 0"

  /// How long the end may take that an interrupt asks for: ample, for a machine that others use too.
  private static let mostSeconds = 3.0

  private func fillDepartment() throws {
    let lines = (1...400).map {
      "{\"name\":\"p\($0)\",\"badge\":\(100 + $0),\"department\":\"Department/p2\"}\n"
    }
    try tool.write(lines.joined(), to: "colleagues.ndjson")
    try #require(try tool.run("import", "Employee", "colleagues.ndjson", "-q").code == 0)
  }

  @Test(
    "STO-277: Ctrl-C ends a long count and a long sort in the shell, and the prompt comes back",
    arguments: endless)
  func reading(_ statement: String) throws {
    try fillDepartment()
    let terminal = try shell()
    for _ in 0..<2 {
      terminal.send(statement + "\n")
      #expect(terminal.expect("\r\n"))
      usleep(300_000)
      terminal.send("\u{3}")
      #expect(terminal.expect("interrupted", seconds: Self.mostSeconds), "\(terminal.transcript)")
      #expect(terminal.expect("hr> ", seconds: Self.mostSeconds))
    }
    terminal.send("count Employee\n.quit\n")
    #expect(terminal.expect("403\r\n"))
    #expect(terminal.wait() == 0)
  }

  @Test("Outside of the shell Ctrl-C ends a long count and a long sort with 130", arguments: endless)
  func readingOutside(_ statement: String) throws {
    try fillDepartment()
    let isSort = statement.hasPrefix("fetch")
    let words = isSort ? ["fetch", "Employee", "--sort", "name"] : ["count", "Employee"]
    for line in [
      words + ["--where", Self.condition], ["run", "-c", statement], ["shell", "-c", statement],
    ] {
      let running = try RunningTool(tool, line)
      usleep(500_000)
      let start = ContinuousClock.now
      running.send(SIGINT)
      #expect(running.exitCode() == 130)
      #expect(start.duration(to: .now) < .seconds(Self.mostSeconds))
    }
  }

  @Test("Within .begin an interrupted change takes back itself and nothing else")
  func begin() throws {
    try fill()
    let terminal = try shell()
    terminal.send(".begin\ninsert Department name=Kept\n")
    #expect(terminal.expect("hr*(+1)> "))
    terminal.send("update Employee --all -y salary=7\n")
    #expect(terminal.expect("\r\n"))
    usleep(150_000)
    terminal.send("\u{3}")
    #expect(terminal.expect("hr*(+1"), "\(terminal.transcript)")
    terminal.send(".commit\n.quit\n")
    #expect(terminal.wait() == 0)
    #expect(try tool.run("count", "Department").output == "3\n")
    let updated = try tool.run("count", "Employee", "-w", "salary == 7").output
    #expect(["0\n", "20003\n"].contains(updated))
  }

  @Test("Outside of the shell Ctrl-C ends with 130 and says that nothing was written")
  func outside() throws {
    let terminal = try terminal(["update", "Employee", "--all", "salary=1"])
    #expect(terminal.expect("[y/N] "))
    terminal.send("\u{3}")
    #expect(terminal.expect("^C\r\ninterrupted; nothing was written\r\n"))
    #expect(terminal.wait() == 130)
  }

  @Test("DGN-184: what is told of an import that is ended is what is in the store")
  func imports() throws {
    for (commit, kept, told) in [
      ("all", "0\n", "terminated; nothing was written\n"),
      ("line", "3\n", "terminated; what was saved before stays saved\n"),
    ] {
      let tool = try CommandLineTool.company()
      let running = try RunningTool(
        tool, ["import", "Employee", "-", "--from", "ndjson", "--commit", commit], errors: "errors")
      try running.feed("{\"name\":\"a\"}\n{\"name\":\"b\"}\n{\"name\":\"c\"}\n")
      usleep(300_000)
      running.send(SIGTERM)
      #expect(running.exitCode() == 143)
      #expect(try String(contentsOfFile: tool.path("errors"), encoding: .utf8) == told)
      #expect(try tool.run("count", "Employee").output == kept)
    }
  }

  @Test("Errors as JSON: what ended the process is one too")
  func json() throws {
    let running = try RunningTool(
      tool, ["insert", "Employee", "-", "--error-format", "json"], errors: "errors")
    try running.feed("{\"name\":\"a\"}\n")
    running.send(SIGINT)
    #expect(running.exitCode() == 130)
    #expect(
      try String(contentsOfFile: tool.path("errors"), encoding: .utf8).hasPrefix(
        #"{"error":{"code":"interrupted","message":"interrupted; nothing was written""#))
  }

  @Test("A script that is no text is refused at once, and a wait for one can be interrupted")
  func scripts() throws {
    let terminal = try shell()
    terminal.send(".read /dev/zero\n")
    #expect(terminal.expect("is no script: it holds NUL characters"))
    #expect(terminal.expect("hr> "))
    #expect(try tool.runShell("mkfifo pipe").code == 0)
    terminal.send(".read \(tool.path("pipe"))\n")
    #expect(terminal.expect("\r\n"))
    usleep(100_000)
    terminal.send("\u{3}")
    #expect(terminal.expect("[interrupted]"))
    #expect(terminal.expect("hr> "))
    terminal.send(".exit 7\n")
    #expect(terminal.wait() == 7)
  }

  @Test("How long a person took to answer is no part of a timing")
  func timing() throws {
    let terminal = try shell()
    terminal.send(".timer on\nupdate Employee --all salary=1\n")
    #expect(terminal.expect("[y/N] "))
    usleep(1_500_000)
    terminal.send("y\n")
    #expect(terminal.expect("updated 3 Employee, "))
    #expect(terminal.expect("time: "))
    #expect(terminal.expect("hr> "))
    let times = terminal.transcript.matches(of: #/(?:Employee, |time: )([0-9]+)\.[0-9] ms/#).compactMap {
      Int($0.output.1)
    }
    #expect(times.count >= 3)
    #expect(times.allSatisfy { $0 < 1_200 }, "\(times)")
  }

  @Test("Many unsaved objects are shown by the first of them")
  func pending() throws {
    try fill()
    let terminal = try shell()
    terminal.send(".begin\nupdate Employee --all -y salary=7\n.status\n")
    #expect(terminal.expect("~ Employee/p20  "))
    #expect(terminal.expect("… and 19983 more\r\n"))
  }
}
