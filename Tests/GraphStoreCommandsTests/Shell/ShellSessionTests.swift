import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("The session of the shell", .serialized)
struct ShellSessionTests {
  private let executor = FakeExecutor()
  private let recorder = OutputRecorder()

  private func run(_ lines: ScriptedLines, rcFile: String? = nil) -> Int32 {
    let dispatcher = StatementDispatcher(
      executor: executor, output: recorder.output, style: .brief, settings: ShellSettings())
    let session = ShellSession(dispatcher: dispatcher, lines: lines, history: ShellHistory(file: nil))
    return session.run(rcFile: rcFile.map { ScriptReader(lines: [$0]) })
  }

  @Test("Each statement is saved by itself, and an error does not end the session")
  func autocommit() {
    let lines = ScriptedLines("insert a", "fail salary=x", "insert b; fail; insert c", "insert d")
    #expect(run(lines) == 0)
    #expect(executor.saved == ["a", "b", "d"])
    #expect(lines.prompts == ["hr> ", "hr> ", "hr> ", "hr> ", "hr> "])
    #expect(
      recorder.errors == "error: it is wrong [validation] <salary=x>\nerror: it is wrong [validation]\n")
  }

  @Test("The prompt shows the transaction and its changes")
  func prompts() {
    let lines = ScriptedLines(".begin", "insert a", "insert b", ".status", ".rollback", "insert c")
    #expect(run(lines) == 0)
    #expect(lines.prompts == ["hr> ", "hr*> ", "hr*(+1)> ", "hr*(+2)> ", "hr*(+2)> ", "hr> ", "hr> "])
    let summary = "2 inserted, 0 updated, 0 deleted; 0 statements to undo; on conflict: error"
    #expect(recorder.text == "+ a\n+ b\n\(summary)\nrolled back 2 changes.\n")
    #expect(executor.saved == ["c"])
  }

  @Test("OBJ-505: .validate prints what a save would refuse, and saves nothing")
  func validation() {
    #expect(
      run(ScriptedLines(".begin", ".validate", "insert a", "insert bad", ".validate", ".rollback")) == 0)
    #expect(
      recorder.text == """
        no value and no deletion would be refused; .commit sees to unique values and what others have saved
        bad
        rolled back 2 changes.

        """)
    #expect(executor.saved == [])
  }

  @Test("Counts of every kind stand in the prompt, and ! if the file changed")
  func promptText() {
    var status = ShellStatus(storeName: "hr")
    status.present.keepsChanges = true
    status.present.inserted = 1
    status.present.updated = 2
    status.present.deleted = 3
    #expect(ShellPrompt.ready(status).text == "hr*(+1 ~2 -3)> ")
    status = ShellStatus(storeName: "hr")
    status.isChangedElsewhere = true
    #expect(ShellPrompt.ready(status).text == "hr!> ")
    #expect(ShellPrompt.continuation(.parenthesis).text == "...  (    ")
  }

  @Test("An open block goes on, shows what is open, and is one history entry")
  func blocks() {
    let lines = ScriptedLines("fetch E where (", "  a > {1", "  } )", ".history")
    #expect(run(lines) == 0)
    #expect(lines.prompts.prefix(4) == ["hr> ", "...  (    ", "...  {    ", "hr> "])
    #expect(executor.calls == ["fetch E where (\n  a > {1\n  } )"])
    #expect(lines.remembered == ["fetch E where (\n  a > {1\n  } )", ".history"])
    #expect(recorder.text.hasPrefix("    1  fetch E where (\n         a > {1\n"))
  }

  @Test("A pasted block runs statement by statement once nothing is open")
  func paste() {
    let lines = ScriptedLines("insert a\ninsert b\nfetch (", ")")
    #expect(run(lines) == 0)
    #expect(executor.calls == ["insert a", "insert b", "fetch (\n)"])
    #expect(lines.remembered == ["insert a\ninsert b\nfetch (\n)"])
  }

  @Test("Ctrl-C drops the line and the pending block")
  func interrupted() {
    let lines = ScriptedLines([.line("fetch ("), .interrupted, .interrupted, .line("insert a")])
    #expect(run(lines) == 0)
    #expect(executor.calls == ["insert a"])
    #expect(lines.prompts == ["hr> ", "...  (    ", "hr> ", "hr> ", "hr> "])
  }

  @Test(
    "Leaving with unsaved changes asks",
    arguments: [
      ("c", ["a"], "saved 1 insert.\n"), ("R", [], ""), ("what", [], ""),
    ])
  func asks(answer: String, saved: [String], said: String) {
    let lines = ScriptedLines([.line(".begin"), .line("insert a"), .endOfInput, .line(answer)])
    #expect(run(lines) == 0)
    #expect(executor.saved == saved)
    #expect(recorder.text == "1 unsaved change.\n" + said)
    #expect(!executor.status.isInTransaction)
  }

  @Test("The question can be answered by going on; .quit asks too")
  func keepsWorking() {
    let lines = ScriptedLines(
      ".begin", "insert a", ".quit", "k", "insert b", ".commit", ".exit 4", "insert c")
    #expect(run(lines) == 4)
    #expect(executor.saved == ["a", "b"])
  }

  @Test("A commit that fails keeps the session and its changes")
  func failedCommit() {
    let lines = ScriptedLines([
      .line(".begin"), .line("insert bad"), .endOfInput, .line("c"), .line(".rollback"),
    ])
    #expect(run(lines) == 0)
    #expect(recorder.errors.contains("[validation]"))
    #expect(lines.prompts.contains("hr*(+1)> "))
  }

  @Test("A signal ends the session, and drops what is pending")
  func signal() {
    let lines = ScriptedLines([.line(".begin"), .line("insert a"), .terminated(signal: SIGTERM)])
    #expect(run(lines) == 143)
    #expect(executor.saved.isEmpty)
    #expect(!executor.status.isInTransaction)
  }

  @Test("OBJ-505, DGN-183: .undo and .redo step through statements")
  func undo() {
    let lines = ScriptedLines("insert a", "insert b", ".undo", ".undo", ".undo", ".redo")
    #expect(run(lines) == 0)
    #expect(
      recorder.text == "  undone: insert b\n  undone: insert a\n  nothing to undo\n  redone: insert a\n")
  }

  @Test("The lines of the RC file run first; an error in them does not end the session")
  func rcFile() {
    #expect(run(ScriptedLines("fetch E"), rcFile: ".format ids\n.nonsense\n.format json") == 0)
    #expect(executor.settings.last?.format == "ids")
    #expect(recorder.errors.contains("[unknown-command]"))
  }

  @Test(".error shows the last error again, .help what there is")
  func errorsAndHelp() {
    #expect(
      run(ScriptedLines(".error", "fail", ".error", ".help", ".help fetch", ".help keys", ".help rollback"))
        == 0)
    #expect(recorder.text.hasPrefix("no error yet\nerror: it is wrong [validation]\n"))
    #expect(recorder.text.contains("\n  .var name=value ") && recorder.text.contains("  set $name"))
    #expect(recorder.text.contains("\nhelp on fetch\n"))
    #expect(recorder.text.contains("Ctrl-R"))
    #expect(
      recorder.text.hasSuffix(".rollback [NAME]   drop what is pending, or what has come since a savepoint\n")
    )
  }

  @Test("The banner says what is open")
  func banner() {
    let evil = ShellStatus(storeName: "a\u{1B}]0;x\u{7}", storeFile: "a\u{9B}2J.db", modelName: "\u{202E}m")
    #expect(ShellPrompt.ready(evil).text == "a␛]0;x␇> ")
    #expect(ShellSession.banner(version: "1", status: evil).contains("a<U+009B>2J.db · model <U+202E>m."))
    let status = ShellStatus(storeName: "hr", storeFile: "hr.db", modelName: "HR v1", objectCount: 10044)
    #expect(
      ShellSession.banner(version: "0.1.0", status: status)
        == "graphstore 0.1.0 · hr.db · model HR v1 · 10 044 objects.  .help for help, Ctrl-D to leave.")
  }

  @Test("Ctrl-C while a statement runs interrupts the statement and keeps the session")
  func interruptsStatement() {
    let recorder = recorder
    let executor = InterruptibleExecutor()
    let dispatcher = StatementDispatcher(
      executor: executor, output: recorder.output, style: .brief, settings: ShellSettings())
    let lines = ScriptedLines("wait", "fetch")
    let session = ShellSession(dispatcher: dispatcher, lines: lines, history: ShellHistory(file: nil))
    #expect(session.run() == 0)
    #expect(!executor.interruption.isAsked)
    #expect(recorder.errors.hasPrefix("error: interrupted") && recorder.errors.contains(" [interrupted]"))
    #expect(lines.prompts.count == 3)
  }
}
