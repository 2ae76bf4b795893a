import Testing

@Suite("The pseudo-terminal that drives programs in tests")
struct PseudoTerminalTests {
  @Test("A program sees a terminal, and what is typed")
  func talks() throws {
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-c", "test -t 0 && stty size; read x; echo got $x; exit 3"])
    #expect(terminal.expect("24 80"))
    terminal.send("é\n")
    #expect(terminal.expect("got é"))
    #expect(terminal.wait() == 3)
  }

  @Test("Ctrl-C reaches the program as a signal, Ctrl-D ends its input")
  func controls() throws {
    let interrupted = try PseudoTerminal(
      "/bin/sh", ["-c", "trap 'echo caught; exit 9' INT; echo ready; read x"])
    #expect(interrupted.expect("ready"))
    interrupted.send("\u{3}")
    #expect(interrupted.expect("caught"))
    #expect(interrupted.wait() == 9)
    let ended = try PseudoTerminal("/bin/cat", [])
    ended.send("a\n\u{4}")
    #expect(ended.expect("a\r\na\r\n"))
    #expect(ended.wait() == 0)
  }

  @Test("A text that never comes is told after the deadline")
  func deadline() throws {
    let terminal = try PseudoTerminal("/bin/cat", [])
    #expect(!terminal.expect("never", seconds: 0.1))
  }
}
