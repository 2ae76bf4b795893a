import Foundation
import Testing

/// Contexts at the prompt: what it shows, and what leaving asks.
@Suite("Contexts at a terminal")
struct ContextTerminalTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func shell() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: ["TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path],
      size: (160, 24))
    try #require(terminal.expect("hr> "), "\(terminal.transcript)")
    return terminal
  }

  /// Sends a line and waits for the prompt behind it.
  private func send(_ line: String, _ prompt: String, _ terminal: PseudoTerminal) {
    terminal.send(line + "\n")
    #expect(terminal.expect("\u{1B}[?2004h\(prompt)"), "\(line): \(terminal.unread.debugDescription)")
  }

  private func names() throws -> String {
    try tool.run("fetch", "Employee", "--fields", "name", "-f", "csv", "--no-header").output
  }

  @Test("CTX-437, CTX-438: the prompt names the context and its unsaved changes")
  func prompt() throws {
    let terminal = try shell()
    send(".context new --scratch draft", "hr/draft*> ", terminal)
    send("update Employee/p1 name=One", "hr/draft*(~1)> ", terminal)
    send(".context switch main", "hr> ", terminal)
    send(".context new other", "hr/other> ", terminal)
    send(".begin", "hr/other*> ", terminal)
    send(".rollback", "hr/other> ", terminal)
    send(".context drop", "hr> ", terminal)
    terminal.send(".context switch draft\n.commit\n")
    #expect(
      terminal.expect(
        "saved 1 update into main, which keeps it within .begin: .context switch main, then .commit.\r\n"),
      "\(terminal.unread)")
    send(".context switch main", "hr*(~1)> ", terminal)
    send(".commit", "hr> ", terminal)
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
    #expect(try names() == "One\nAda\nBob\n")
  }

  @Test("CTX-490: the mark of what other programs write is each context's, until that has read it")
  func changedElsewhere() throws {
    let terminal = try shell()
    send(".context new --scratch draft", "hr/draft*> ", terminal)
    send("update Employee/p1 salary=1", "hr/draft*(~1)> ", terminal)
    #expect(try tool.run("update", "Employee/p3", "name=Theirs").code == 0)
    send("count Employee", "hr/draft*!(~1)> ", terminal)
    send(".context switch main", "hr!> ", terminal)
    send("insert Department name=Own", "hr> ", terminal)
    send(".context switch draft", "hr/draft*!(~1)> ", terminal)
    send(".refresh", "hr/draft*(~1)> ", terminal)
    terminal.send("get Employee/p3 --fields name -f csv --no-header\n")
    #expect(terminal.expect("Theirs"), "\(terminal.unread)")
    #expect(try tool.run("update", "Employee/p3", "name=Again").code == 0)
    send("", "hr/draft*!(~1)> ", terminal)
    send(".commit", "hr/draft*> ", terminal)
    send(".context switch main", "hr*(~1)> ", terminal)
    send(".rollback", "hr> ", terminal)
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
  }

  @Test(
    "CTX-437: leaving asks with the unsaved changes of all contexts; they are saved from below, or dropped",
    arguments: [("c", "One\nTwo\nThree\n"), ("r", "Grace\nAda\nBob\n")])
  func leaving(answer: String, expected: String) throws {
    let terminal = try shell()
    send(".begin", "hr*> ", terminal)
    send("update Employee/p1 name=One", "hr*(~1)> ", terminal)
    send(".context new --scratch draft", "hr/draft*> ", terminal)
    send("update Employee/p2 name=Two", "hr/draft*(~1)> ", terminal)
    send(".context new --scratch deep", "hr/deep*> ", terminal)
    send("update Employee/p3 name=Three", "hr/deep*(~1)> ", terminal)
    send(".context new other", "hr/other> ", terminal)
    terminal.send("\u{4}")
    #expect(terminal.expect("3 unsaved changes: 1 in main, 1 in draft, 1 in deep.\r\n"), "\(terminal.unread)")
    #expect(terminal.expect("to discard: "))
    terminal.send("k\n")
    #expect(terminal.expect("hr/other> "))
    terminal.send(".quit\n")
    #expect(terminal.expect("to discard: "))
    terminal.send(answer + "\n")
    if answer == "c" {
      #expect(terminal.expect("deep: saved 1 update into draft.\r\n"), "\(terminal.unread)")
      #expect(terminal.expect("draft: saved 2 updates into main.\r\n"), "\(terminal.unread)")
      #expect(terminal.expect("main: saved 3 updates.\r\n"), "\(terminal.unread)")
    }
    #expect(terminal.wait() == 0)
    #expect(try names() == expected)
  }

  @Test("CTX-437: where a context cannot be saved on leaving, the session stays in it")
  func failedLeaving() throws {
    let terminal = try shell()
    send(".context new --scratch draft", "hr/draft*> ", terminal)
    send("update Employee/p2 name=Mine", "hr/draft*(~1)> ", terminal)
    send(".context switch main", "hr> ", terminal)
    #expect(try tool.run("update", "Employee/p2", "name=Theirs").code == 0)
    terminal.send("\u{4}")
    #expect(terminal.expect("1 unsaved change: 1 in draft.\r\n"), "\(terminal.unread)")
    terminal.send("c\n")
    #expect(terminal.expect("Could not save draft into main"), "\(terminal.unread)")
    #expect(terminal.expect("hr/draft*!(~1)> "), "\(terminal.unread)")
    send(".refresh", "hr/draft*(~1)> ", terminal)
    terminal.send("\u{4}")
    #expect(terminal.expect("1 unsaved change.\r\n"), "\(terminal.unread)")
    terminal.send("c\n")
    #expect(terminal.wait() == 0)
    #expect(try names() == "Grace\nMine\nBob\n")
  }

  @Test("CTX-437: .context drop asks before unsaved changes go")
  func dropping() throws {
    let terminal = try shell()
    send(".context new --scratch draft", "hr/draft*> ", terminal)
    send("update Employee/p2 name=Mine", "hr/draft*(~1)> ", terminal)
    terminal.send(".context drop\n")
    #expect(terminal.expect("drop draft with 1 unsaved change? [y/N] "), "\(terminal.unread)")
    terminal.send("n\n")
    #expect(terminal.expect("hr/draft*(~1)> "), "\(terminal.unread)")
    terminal.send(".context drop draft\n")
    #expect(terminal.expect("[y/N] "))
    terminal.send("y\n")
    let told = "dropped draft and 1 unsaved change.\r\nin context main.\r\n"
    #expect(terminal.expect(told), "\(terminal.unread)")
    #expect(terminal.expect("hr> "))
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
    #expect(try names() == "Grace\nAda\nBob\n")
  }

  @Test(
    "CTX-437, CTX-491: a scratch context's commit keeps temporary ids; that of main tells the new ones"
  )
  func toldIdentifiers() throws {
    let terminal = try shell()
    send(".context new --scratch draft", "hr/draft*> ", terminal)
    send("insert Department name=New", "hr/draft*(+1)> ", terminal)
    send(".commit", "hr/draft*> ", terminal)
    #expect(!terminal.transcript.contains("is now"))
    send(".context switch main", "hr*(+1)> ", terminal)
    terminal.send(".commit\n")
    #expect(
      terminal.expect("saved 1 insert.\r\n  Department/t1 is now Department/p3\r\n"), "\(terminal.unread)")
    terminal.send(".quit\n")
    #expect(terminal.wait() == 0)
  }
}
