import Foundation
import Synchronization
import Testing

/// Commands of several processes that write to one store at once.
struct ContendedWriteTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  /// Runs a line of the system's shell in several processes at once, each with its number in `$p`.
  /// - Returns: what the commands that failed have said.
  private func inParallel(_ processes: Int, times: Int, _ line: String) -> String {
    nonisolated(unsafe) let tool = tool
    let failures = Mutex("")
    let done = DispatchGroup()
    for number in 1...processes {
      done.enter()
      Thread.detachNewThread {
        let script =
          "p=\(number); for i in $(seq \(times)); do { \(line); } >/dev/null || echo \"exit $?\" >&2; done"
        let text = (try? tool.runShell(script).errors) ?? "not run"
        failures.withLock { $0 += text }
        done.leave()
      }
    }
    done.wait()
    return failures.withLock { $0 }
  }

  @Test("STO-198: adding to one number from eight processes loses nothing and refuses nobody")
  func additions() throws {
    let failures = inParallel(8, times: 40, "graphstore update Employee/p3 salary+=1 --timeout 60")
    #expect(failures == "")
    #expect(try tool.run("get", "Employee/p3", "--fields", "salary", "-f", "csv").output == "salary\n50320\n")
  }

  @Test("Upserts of one key from eight processes make one object and refuse nobody")
  func upserts() throws {
    let failures = inParallel(8, times: 15, "graphstore upsert Employee badge=77 name=n$p-$i --timeout 60")
    #expect(failures == "")
    #expect(try tool.run("count", "Employee", "-w", "badge == 77").output == "1\n")
    #expect(try tool.run("count", "Employee").output == "4\n")
  }

  @Test("Links, deletions and metadata of several processes all take place")
  func others() throws {
    let failures = inParallel(
      4, times: 8,
      """
      graphstore metadata set k$p-$i=x --timeout 60 && graphstore insert Employee name=e$p-$i --timeout 60 >id$p && \
      graphstore link Project/p1.members $(cat id$p) --timeout 60 && \
      graphstore unlink Project/p1.members $(cat id$p) --timeout 60 && graphstore delete $(cat id$p) --timeout 60
      """)
    #expect(failures == "")
    #expect(try tool.run("count", "Employee").output == "3\n")
    #expect(
      try tool.run("metadata", "list").output.split(separator: "\n").count(where: { $0.hasPrefix("k") }) >= 32
    )
    #expect(try tool.run("check").code == 0)
  }

  @Test(
    "A store that stays locked is 75, whatever is to be written",
    arguments: [
      ["insert", "Department", "name=New"], ["update", "Employee/p1", "salary+=1"],
      ["upsert", "Employee", "badge=1", "name=X"], ["link", "Project/p1.members", "Employee/p3"],
      ["unlink", "Employee/p2.manager"], ["delete", "Employee/p3"], ["metadata", "set", "a=b"],
      ["insert", "Department", "name=New", "-n"],
    ])
  func locked(_ arguments: [String]) throws {
    let lock = try StoreLock(tool.path("hr.db"))
    defer { lock.release() }
    let outcome = try tool.run(CommandLineTool.executable.path, arguments + ["--timeout", "0.1"], input: nil)
    #expect(outcome.code == 75, "\(outcome.errors)")
    #expect(outcome.errors.contains("[store-timeout]"))
  }

  @Test(
    "CTX-443: without --timeout a locked store is waited for five seconds, then the exit status is its own")
  func waiting() throws {
    let lock = try StoreLock(tool.path("hr.db"))
    let start = ContinuousClock.now
    let refused = try tool.run("insert", "Department", "name=New")
    #expect(refused.code == 75 && refused.errors.contains("[store-timeout]"), "\(refused.errors)")
    #expect(ContinuousClock.now - start >= .seconds(5))
    // Longer than that where it is said.
    nonisolated(unsafe) let waiting = tool
    let outcome = Mutex<CommandLineTool.Outcome?>(nil)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let waited = try? waiting.run("insert", "Department", "name=New", "--timeout", "60")
      outcome.withLock { $0 = waited }
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 5.5) == .timedOut)
    lock.release()
    done.wait()
    #expect(outcome.withLock { $0?.code } == 0)
    for wrong in ["-1", "soon", "nan"] {
      #expect(try tool.run("insert", "Department", "name=New", "--timeout=\(wrong)").code == 64, "\(wrong)")
    }
  }

  @Test("insert - takes the lock when its input has ended, not before")
  func slowInput() throws {
    let running = try RunningTool(tool, ["insert", "Employee", "-"])
    try running.feed("{\"name\":\"Slow\"}\n")
    #expect(try tool.run("insert", "Employee", "name=Quick", "--timeout", "0.1").code == 0)
    running.endInput()
    #expect(running.exitCode() == 0)
    #expect(try tool.run("count", "Employee").output == "5\n")
  }

  @Test("While a person is asked others write; what has grown meanwhile is asked for again")
  func question() throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["delete", "Department/p2", "-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
      ])
    #expect(terminal.expect("delete 2 objects? [y/N]"))
    let other = try tool.run(
      "insert", "Employee", "name=New", "department=Department/p2", "--timeout", "0.1")
    #expect(other.code == 0)
    terminal.send("y\n")
    #expect(terminal.expect("2 Employee"))
    #expect(terminal.expect("delete 3 objects? [y/N]"))
    terminal.send("n\n")
    #expect(terminal.wait() == 4)
    #expect(try tool.run("count", "Employee").output == "4\n")
  }

  @Test("A session adds to what another process has saved since it last looked")
  func session() throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path, "NO_COLOR": "1",
      ])
    #expect(terminal.expect("hr> "))
    terminal.send("fetch Employee --fields department.employees.manager,reports.projects -f csv\n")
    #expect(terminal.expect("hr> "))
    terminal.send("update Employee/p3 salary+=1 department=Department/p1\n")
    #expect(terminal.expect("hr> "))
    #expect(try tool.run("update", "Employee/p3", "salary+=10").code == 0)
    terminal.send("update Employee/p3 salary+=100\n")
    #expect(terminal.expect("hr!> "))
    terminal.send("get Employee/p3 --fields salary -f csv\n")
    #expect(terminal.expect("50111"), "\(terminal.transcript)")
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
  }
}
