import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("The shell at a terminal", .serialized, .enabled(if: !TerminalSession.isChild))
struct LineEditorTests {
  @Test("A line is read, run, and the next prompt comes; Ctrl-D leaves and the terminal is as before")
  func basics() throws {
    let terminal = try TerminalSession.start()
    #expect(terminal.transcript.contains("graphstore 0.0.0 · hr.db · model HR v1 · 0 objects."))
    terminal.send("fetch 'é 日本 😀'\n")
    #expect(terminal.expect("ran <fetch 'é 日本 😀'>\r\n"))
    #expect(terminal.expect("hr> "))
    #expect(!terminal.isCooked)
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
    #expect(!terminal.transcript.contains("\u{1B}[6n"))
    #expect(!terminal.transcript.contains("\u{1B}]"))
    #expect(terminal.transcript.hasSuffix("\u{1B}[?2004l\r\n"))
  }

  @Test("Ctrl-C drops the line and the open block, any number of times")
  func interrupt() throws {
    let terminal = try TerminalSession.start()
    for _ in 0..<3 {
      terminal.send("fetch lost (\n")
      #expect(terminal.expect("...  (    "))
      terminal.send("more\u{3}")
      #expect(terminal.expect("^C\r\n"))
      #expect(terminal.expect("hr> "))
      terminal.send("\u{3}")
      #expect(terminal.expect("hr> "))
    }
    terminal.send("fetch kept\n")
    #expect(terminal.expect("ran <fetch kept>"))
    #expect(terminal.expect("hr> "))
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
    #expect(!terminal.transcript.contains("ran <fetch lost"))
  }

  @Test("Ctrl-D with text on the line does not leave")
  func deleteForward() throws {
    let terminal = try TerminalSession.start()
    terminal.send("fetch xa\u{4}\u{2}\u{2}\u{4}\n")
    #expect(terminal.expect("ran <fetch a>"))
    terminal.send(".exit 6\n")
    #expect(terminal.wait() == 6)
  }

  @Test("A pasted block stays in the line until Enter, and comes back whole with the up arrow")
  func paste() throws {
    let terminal = try TerminalSession.start()
    #expect(terminal.transcript.contains("\u{1B}[?2004h"))
    terminal.send("\u{1B}[200~fetch a é\rfetch (\r  b )\r\u{1B}[201~")
    #expect(terminal.expect("b )"))
    #expect(!terminal.expect("ran", seconds: 0.2))
    terminal.send("\n")
    #expect(terminal.expect("ran <fetch a é>"))
    #expect(terminal.expect("ran <fetch (|  b )>"))
    #expect(terminal.expect("hr> "))
    terminal.send("\u{1B}[A\n")
    #expect(terminal.expect("ran <fetch a é>"))
    #expect(terminal.expect("ran <fetch (|  b )>"))
    #expect(terminal.expect("hr> "))
    terminal.send("\u{1B}[200~fetch '\u{1B}[31m'\u{1B}[201~\n")
    #expect(terminal.expect("ran <fetch '[31m'>"))
  }

  @Test("Ctrl-Left and Ctrl-Right go by words")
  func words() throws {
    let terminal = try TerminalSession.start()
    terminal.send("fetch one two\u{1B}[1;5D\u{1B}[1;5Dx\u{1B}[1;5Cy\n")
    #expect(terminal.expect("ran <fetch xoney two>"))
  }

  @Test("Tab completes, and again lists")
  func completion() throws {
    let terminal = try TerminalSession.start()
    terminal.send("fe\tEm\t--li\t3\n")
    #expect(terminal.expect("ran <fetch Employee --limit 3>"))
    #expect(terminal.expect("hr> "))
    terminal.send("fetch Employee where department.\t")
    #expect(!terminal.expect("employees", seconds: 0.2))
    terminal.send("\t")
    #expect(
      terminal.expect("\r\nname       employees\r\n"))
    terminal.send("na\t== 'é\u{1B}[D\u{1B}[Dx\n\u{3}")
    #expect(terminal.expect("^C"))
  }

  @Test("History is kept between sessions in a private file, and Ctrl-R searches it")
  func history() throws {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent("home-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: home) }
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let first = try TerminalSession.start(home: home)
    first.send("fetch alpha\n")
    #expect(first.expect("ran <fetch alpha>"))
    #expect(first.expect("hr> "))
    first.send(" fetch secret\nfetch beta (\n)\n")
    #expect(first.expect("ran <fetch beta (|)>"))
    #expect(first.expect("hr> "))
    first.send("\u{4}")
    #expect(first.wait() == 0)
    let path = home + "/.local/state/graphstore/history"
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "fetch alpha\nfetch beta (\\n)\n")
    let second = try TerminalSession.start(home: home)
    second.send("\u{1B}[A\u{1B}[A\n")
    #expect(second.expect("ran <fetch alpha>"))
    #expect(second.expect("hr> "))
    second.send("\u{12}bet")
    #expect(second.expect("bck:"))
    second.send("\u{1B}\n")
    #expect(second.expect("ran <fetch beta (|)>"))
  }

  @Test("A signal to end ends the session, and leaves the terminal as before")
  func signals() throws {
    let terminal = try TerminalSession.start()
    terminal.send(".begin\ninsert a\n")
    #expect(terminal.expect("hr*(+1)> "))
    terminal.signal(SIGTERM)
    #expect(terminal.wait() == 143)
    #expect(terminal.isCooked)
  }

  @Test("Ctrl-Z suspends with the terminal as before, and the line is there again after fg")
  func suspend() throws {
    let terminal = try TerminalSession.startInJobControl()
    terminal.send("fetch ab")
    #expect(terminal.expect("fetch ab"))
    terminal.send("\u{1A}")
    #expect(terminal.expect("Stopped"))
    #expect(terminal.expect("@@@ "))
    terminal.send("fg\n")
    #expect(terminal.expect("fetch ab"))
    #expect(!terminal.expect("fetch ab", seconds: 0.3), "the prompt stands twice")
    terminal.send("c\n")
    #expect(terminal.expect("ran <fetch abc>"))
    #expect(terminal.expect("hr> "))
    terminal.send("\u{4}")
    #expect(terminal.expect("@@@ "))
  }

  @Test("Colours of the prompt take no room")
  func colors() throws {
    let terminal = try TerminalSession.start(
      environment: ["GRAPHSTORE_TEST_COLOR": "1"], prompt: "\u{1B}[1;36mhr>\u{1B}[0m ")
    terminal.send("etch a\u{1}f\u{5}b\n")
    #expect(terminal.expect("ran <fetch ab>"))
  }

  @Test(
    "Nothing but the prompt is in its colour: not what is typed, nor what is printed, nor what comes after",
    arguments: [
      "xterm", "xterm-256color", "screen", "tmux-256color", "vt100", "vt220", "linux", "ansi", "dumb", "",
    ])
  func styles(name: String) throws {
    let isColored = name != "dumb" && !name.isEmpty
    let end = isColored ? "\u{1B}[0m" : ""
    let terminal = try TerminalSession.start(
      environment: ["GRAPHSTORE_TEST_COLOR": "1", "TERM": name], prompt: "hr>\(end) ")
    terminal.send("fetch axy\u{2}\u{2}\u{2}b\u{1}\u{5}\n")
    #expect(terminal.expect("ran <fetch baxy>"), "\(terminal.transcript.debugDescription)")
    #expect(terminal.expect("hr>\(end) "))
    terminal.send("fetch (\n")
    #expect(terminal.expect("...  (   \(end) "))
    terminal.send("more\u{3}")
    #expect(terminal.expect("hr>\(end) "))
    terminal.send(".begin\ninsert a\n")
    #expect(terminal.expect("hr*(+1)>\(end) "))
    terminal.send("\u{1B}[A\u{1B}[A\u{3}")
    #expect(terminal.expect("hr*(+1)>\(end) "))
    terminal.send(".rollback\n")
    #expect(terminal.expect("hr>\(end) "))
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
    // The library of tests has said in its colours which one it is.
    let greeting = try #require(terminal.transcript.range(of: "graphstore 0.0.0"))
    let styled = StyledText(String(terminal.transcript[greeting.lowerBound...]))
    let prompts: Set = ["hr>", "hr*>", "hr*(+1)>", "...  (   "]
    #expect(Set(styled.runs).isSubset(of: prompts), "\(styled.runs)")
    #expect(styled.runs.isEmpty != isColored)
    #expect(!styled.isOpen, "the last style is never ended")
  }

  @Test("A new window size keeps the line")
  func resize() throws {
    let terminal = try TerminalSession.start()
    terminal.send("fetch ab")
    #expect(terminal.expect("fetch ab"))
    terminal.resize(columns: 40, rows: 10)
    terminal.signal(SIGWINCH)
    terminal.send("c\n")
    #expect(terminal.expect("ran <fetch abc>"))
  }

  @Test("A terminal that knows no escape sequences gets none of ours")
  func dumb() throws {
    let terminal = try TerminalSession.start(environment: ["TERM": "dumb"])
    terminal.send("fetch a\n")
    #expect(terminal.expect("ran <fetch a>"))
    #expect(!terminal.transcript.contains("2004"))
  }

  @Test("In the plain C locale characters are still UTF-8")
  func plainLocale() throws {
    let terminal = try TerminalSession.start(environment: ["LC_ALL": "C"])
    terminal.send("fetch 'é'\n")
    #expect(terminal.expect("ran <fetch 'é'>"))
  }

  @Test("When the terminal goes away the shell ends")
  func hangup() throws {
    let terminal = try TerminalSession.start()
    terminal.signal(SIGHUP)
    #expect(terminal.wait() == 129)
  }

  @Test("Leaving with unsaved changes asks at the terminal")
  func asks() throws {
    let terminal = try TerminalSession.start()
    terminal.send(".begin\ninsert a\n")
    #expect(terminal.expect("hr*(+1)> "))
    terminal.send("\u{4}")
    #expect(terminal.expect("1 unsaved change."))
    #expect(terminal.expect("discard: "))
    terminal.send("c\n")
    #expect(terminal.expect("saved 1 insert."))
    #expect(terminal.wait() == 0)
  }
}
