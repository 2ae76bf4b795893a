import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Results that are longer than the screen")
struct PagerTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test("Variables name the pager; cat, nothing, and one that is not there are none")
  func command() {
    let path = ["PATH": "/usr/bin:/bin"]
    func command(_ variables: [String: String]) -> String? {
      Pager.command(path.merging(variables) { $1 })
    }
    #expect(command(["GRAPHSTORE_PAGER": "sed -n p", "PAGER": "more"]) == "sed -n p")
    #expect(command(["PAGER": "sed"]) == "sed")
    #expect(command(["GRAPHSTORE_PAGER": "", "PAGER": "sed"]) == nil)
    #expect(command(["PAGER": "cat"]) == nil && command(["PAGER": "no-such-pager -x"]) == nil)
    #expect(command(["PAGER": "/bin/sed -n"]) == "/bin/sed -n")
    #expect(command(["PAGER": "sed", "TERM": "dumb"]) == nil)
    #expect(command(["PAGER": "X=1 sed"]) == "X=1 sed" && command(["PATH": "/nowhere"]) == nil)
  }

  /// The command at a terminal of ten lines, whose pager marks what goes through it.
  private func transcript(_ arguments: String..., pager: String = "sed 's/^/P:/'") throws -> String {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, arguments + ["--store", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path,
        "PATH": "/usr/bin:/bin", "GRAPHSTORE_PAGER": pager,
      ], size: (80, 10))
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    return terminal.transcript
  }

  @Test("At a terminal a long result goes through the pager, a short one and --no-pager do not")
  func paged() throws {
    let long = try transcript("metadata", "list", "--all", "-f", "line")
    #expect(long.split(separator: "\r\n").count > 10 && long.hasPrefix("P:"), "\(long)")
    #expect(try !transcript("count", "Employee").contains("P:"))
    #expect(try !transcript("metadata", "list", "--all", "-f", "line", "--no-pager").contains("P:"))
  }

  @Test("A script has no pager, and neither has what is redirected")
  func unpaged() throws {
    #expect(try !transcript("run", "-c", "metadata list --all -f line").contains("P:"))
    tool.environment["GRAPHSTORE_PAGER"] = "sed 's/^/P:/'"
    #expect(try !tool.run("metadata", "list", "--all", "-f", "line").output.contains("P:"))
    #expect(
      try !transcript("metadata", "list", "--all", "-f", "line", "-o", tool.path("f")).contains(
        "P:"))
  }

  @Test(
    "Pages of help go through it; a person who leaves the pager has seen enough, which is no failure"
  )
  func left() throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["help", "predicates"],
      environment: [
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "PAGER": "sed 1q",
      ],
      size: (80, 10))
    #expect(terminal.wait() == 0)
    #expect(terminal.transcript.split(separator: "\r\n").count == 1, "\(terminal.transcript)")
  }

  @Test("In the shell a long page of help goes through it, but for --no-pager", arguments: [true, false])
  func helpInShell(isPaged: Bool) throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path,
      ["shell", "-X", "--history", "", "-s", tool.path("hr.db")] + (isPaged ? [] : ["--no-pager"]),
      environment: [
        "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path,
        "PATH": "/usr/bin:/bin", "GRAPHSTORE_PAGER": "sed 's/^/P:/'",
      ], size: (80, 10))
    try #require(terminal.expect("\u{1B}[?2004hhr> "))
    terminal.send(".help predicates\n")
    #expect(terminal.expect("\u{1B}[?2004hhr> "), "\(terminal.unread)")
    #expect(terminal.transcript.contains("P:") == isPaged, "\(terminal.transcript)")
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
  }

  @Test("In the shell Ctrl-C belongs to the pager, and the session goes on behind it")
  func session() throws {
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "--history", "", "-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path,
        "PATH": "/usr/bin:/bin",
        "PAGER": "sh -c 'trap : INT; sed s/^/P:/; echo ready; read x < /dev/tty; echo done'",
      ], size: (80, 10))
    try #require(terminal.expect("\u{1B}[?2004hhr> "))
    terminal.send("metadata list --all -f line\n")
    #expect(terminal.expect("P:") && terminal.expect("ready"), "\(terminal.unread)")
    terminal.send("\u{3}")
    terminal.send("\n")
    #expect(terminal.expect("done") && terminal.expect("\u{1B}[?2004hhr> "), "\(terminal.unread)")
    #expect(!terminal.transcript.contains("interrupted"))
    terminal.send("count Employee\n")
    #expect(terminal.expect("3\r\n") && terminal.expect("\u{1B}[?2004hhr> "))
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
  }
}
