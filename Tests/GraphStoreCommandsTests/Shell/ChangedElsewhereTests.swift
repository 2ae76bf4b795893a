import Foundation
import Testing

@Suite("The prompt's mark of what other programs write")
struct ChangedElsewhereTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func shell() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: ["TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path])
    try #require(terminal.expect("hr> "), "\(terminal.transcript)")
    return terminal
  }

  /// Sends a line and waits for the prompt behind it.
  private func send(_ line: String, _ prompt: String, _ terminal: PseudoTerminal) {
    terminal.send(line + "\n")
    #expect(terminal.expect("\u{1B}[?2004h\(prompt)"), "\(line): \(terminal.unread.debugDescription)")
  }

  @Test("CTX-490: once after another program has written, and not after what the session itself writes")
  func betweenStatements() throws {
    let terminal = try shell()
    send("count Employee", "hr> ", terminal)
    #expect(try tool.run("update", "Employee/p2", "name=Theirs").code == 0)
    send("count Employee", "hr!> ", terminal)
    send("count Employee", "hr> ", terminal)
    send("insert Department name=Own", "hr> ", terminal)
    send("update Employee/p1 salary=5", "hr> ", terminal)
    send(".undo", "hr> ", terminal)
    send(".redo", "hr> ", terminal)
    send("metadata set owner=me", "hr> ", terminal)
    #expect(try tool.run("fetch", "Employee").code == 0)
    send("count Employee", "hr> ", terminal)
    #expect(try tool.run("insert", "Department", "name=Theirs").code == 0)
    send("insert Department name=Other", "hr!> ", terminal)
    send("", "hr!> ", terminal)
    send("count Department", "hr> ", terminal)
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
  }

  @Test("CTX-490: within .begin until .refresh, .commit or .rollback")
  func withinTransaction() throws {
    let terminal = try shell()
    send(".begin", "hr*> ", terminal)
    send("update Employee/p2 salary=1", "hr*(~1)> ", terminal)
    #expect(try tool.run("update", "Employee/p3", "name=Theirs").code == 0)
    send("", "hr*!(~1)> ", terminal)
    send("count Employee", "hr*!(~1)> ", terminal)
    send("update Employee/p1 salary=2", "hr*!(~2)> ", terminal)
    send(".refresh", "hr*(~2)> ", terminal)
    #expect(try tool.run("update", "Employee/p3", "name=Again").code == 0)
    send(".status", "hr*!(~2)> ", terminal)
    send(".commit", "hr> ", terminal)
    send(".begin", "hr*> ", terminal)
    #expect(try tool.run("update", "Employee/p3", "name=Third").code == 0)
    send("", "hr*!> ", terminal)
    send(".rollback", "hr> ", terminal)
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
  }
}
