import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Scripts")
struct ScriptRunnerTests {
  private let executor = FakeExecutor()
  private let recorder = OutputRecorder()

  private func run(
    _ text: String, _ options: ScriptRunner.Options = .init(), isJSON: Bool = false,
    change: (inout ShellSettings) -> Void = { _ in }
  ) -> Int32 {
    var settings = ShellSettings()
    change(&settings)
    var style = FailureStyle.brief
    style.isJSON = isJSON
    let dispatcher = StatementDispatcher(
      executor: executor, output: recorder.output, style: style, settings: settings)
    var rest = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Array.init)[...]
    let reader = ScriptReader(name: "load.gs") { () throws(ShellError) in rest.popFirst() }
    return ScriptRunner(dispatcher: dispatcher, options: options).run(reader)
  }

  @Test("CTX-434: a script is one transaction")
  func oneTransaction() {
    #expect(run("insert a\n# comment\ninsert b; fetch X\n") == 0)
    #expect(executor.calls == ["<script", "insert a", "insert b", "fetch X", "script>"])
    #expect(executor.saved == ["a", "b"])
    #expect(recorder.errors.isEmpty)
  }

  @Test("A script stops at its first error, and nothing of it is saved")
  func stops() {
    #expect(run("insert a\ninsert b\n\n  fail salary=-5\ninsert c") == 65)
    #expect(executor.saved.isEmpty)
    #expect(executor.calls.last == "script!")
    #expect(
      recorder.errors == """
        load.gs:4:8: error: it is wrong [validation] <salary=-5>
        nothing was saved (2 earlier statements rolled back)

        """)
  }

  @Test("Inside a script 64 becomes 65, other codes pass")
  func exitCodes() {
    #expect(run("ftch X") == 65)
    executor.onExecute = { _ in throw FakeExecutor.Failure(exitCode: .refused) }
    #expect(run("insert a") == 3)
    #expect(recorder.errors.hasSuffix("\nnothing was saved\n"))
  }

  @Test("A statement that answers no lets the script go on, which ends with its code; a failure goes first")
  func answers() {
    #expect(run("insert a\nask\ninsert b\nfetch X") == 2)
    #expect(executor.saved == ["a", "b"])
    #expect(recorder.errors.isEmpty)
    #expect(run("ask\n.quit\ninsert c") == 2)
    #expect(run("ask\n.exit 0") == 0)
    #expect(run("ask\n.exit 7") == 7)
    #expect(run("ask\nfail") == 65)
    #expect(run("ask\nfail", .init(keepsGoing: true)) == 5)
    #expect(run("ask\nfetch X", .init(keepsGoing: true)) == 2)
    #expect(run("fetch X") == 0)
    #expect(executor.saved == ["a", "b"])
  }

  @Test("--keep-going saves each statement by itself, and exits 5 if any failed")
  func keepGoing() {
    #expect(run("insert a\nfail\ninsert b\n.exit x\nfail", .init(keepsGoing: true)) == 5)
    #expect(executor.saved == ["a", "b"])
    #expect(!executor.calls.contains("<script"))
    #expect(recorder.errors.hasSuffix("3 of 5 statements failed\n"))
    #expect(run("insert c", .init(keepsGoing: true)) == 0)
  }

  @Test("--no-transaction keeps what succeeded, and still stops")
  func noTransaction() {
    #expect(run("insert a\nfail\ninsert b", .init(usesTransaction: false)) == 65)
    #expect(executor.saved == ["a"])
    #expect(recorder.errors.hasSuffix("stopped after 1 earlier statement\n"))
  }

  @Test("A script that ends inside .begin is an error and rolled back", arguments: [true, false])
  func unfinished(usesTransaction: Bool) {
    #expect(run(".begin\ninsert a\n", .init(usesTransaction: usesTransaction)) == 65)
    #expect(executor.saved.isEmpty)
    #expect(!executor.status.isInTransaction)
    #expect(recorder.errors.contains("[unclosed-transaction]"))
  }

  @Test(".begin … .commit joins statements, .rollback drops them")
  func groups() {
    #expect(run(".begin\ninsert a\ninsert b\n.commit\n.begin\ninsert c\n.rollback") == 0)
    #expect(executor.saved == ["a", "b"])
    #expect(recorder.text.isEmpty)
  }

  @Test("An unclosed quote is an error with its place")
  func unclosedQuote() {
    #expect(run("insert a\ninsert 'b\nc") == 65)
    #expect(recorder.errors.hasPrefix("load.gs:2:8: error: the quote ' is never closed [unclosed-quote]"))
    #expect(executor.saved.isEmpty)
  }

  @Test("A line that is not UTF-8 is an error with its place")
  func invalidUTF8() {
    let dispatcher = StatementDispatcher(
      executor: executor, output: recorder.output, style: .brief, settings: ShellSettings())
    var lines: [[UInt8]] = [Array("insert é".utf8), [0x61, 0xC3, 0x20, 0x62]]
    let reader = ScriptReader(name: "x.gs") { () throws(ShellError) in
      lines.isEmpty ? nil : lines.removeFirst()
    }
    #expect(ScriptRunner(dispatcher: dispatcher).run(reader) == 65)
    #expect(recorder.errors.hasPrefix("x.gs:2:2: error: the line is not valid UTF-8 [invalid-utf8]"))
    #expect(executor.saved.isEmpty)
  }

  @Test("Carriage returns and a byte order mark of other systems are no part of the words")
  func foreignLines() {
    #expect(run("\u{FEFF}insert a\r\ninsert b\r") == 0)
    #expect(executor.saved == ["a", "b"])
  }

  @Test("--echo prints each statement to stderr")
  func echo() {
    #expect(run("insert a; fetch X") { $0.echoes = true } == 0)
    #expect(recorder.errors == "insert a\nfetch X\n")
  }

  @Test(".quit ends a script and saves it; .exit with a code saves nothing")
  func exit() {
    #expect(run("insert a\n.quit\ninsert b") == 0)
    #expect(executor.saved == ["a"])
    #expect(run("insert c\n.exit 7\ninsert d") == 7)
    #expect(executor.saved == ["a"])
    #expect(recorder.errors == "nothing was saved (1 earlier statement rolled back)\n")
    recorder.errors = ""
    #expect(run("fetch X\n.exit 1") == 1)
    #expect(recorder.errors.isEmpty)
  }

  @Test("Of the statements that are rolled back only those count that changed something")
  func changes() {
    #expect(run("insert a\nfetch X\n.begin\ninsert b\n.rollback\n.vars\nfail") == 65)
    #expect(recorder.errors.hasSuffix("\nnothing was saved (1 earlier statement rolled back)\n"))
    recorder.errors = ""
    #expect(run("fetch X\nfail") == 65)
    #expect(recorder.errors.hasSuffix("\nnothing was saved\n"))
  }

  @Test(".exit with a code within .begin drops what is pending, and says so")
  func exitWithinBegin() {
    #expect(run(".begin\ninsert a\n.exit 9", .init(keepsGoing: true)) == 9)
    #expect(executor.saved.isEmpty)
    #expect(recorder.errors == "1 unsaved change rolled back\n")
  }

  @Test("A variable may be JSON")
  func jsonVariables() {
    #expect(run(".var n:=3\n.vars\nfetch X") == 0)
    #expect(recorder.text == "n:=3\n")
    #expect(executor.settings[0].variables.first?.isJSON == true)
  }

  @Test("Dot commands set what follows")
  func settings() {
    #expect(
      run(".format json\n.null -\n.width 40\n.var $n=a=b\n.var m=1\n.var n=2\nfetch X\n.format\nfetch X") == 0
    )
    #expect(executor.settings[0].format == "json")
    #expect(executor.settings[0].null == "-")
    #expect(executor.settings[0].width == 40)
    #expect(executor.settings[0].variables.map { $0.name + "=" + $0.value } == ["n=2", "m=1"])
    #expect(executor.settings[1].format == nil)
  }

  @Test(
    "Wrong dot commands say what is right",
    arguments: [
      (".fromat json", "did you mean \".format\"?"), (".format jsn", "formats: table, json, ids"),
      (".timer maybe", "write .timer on|off"), (".read", "write .read FILE"),
      (".exit 300", "not a number from 0 to 255"), (".var x", "write .var min=50000"),
      (".begin; .begin", "there is a transaction already"), (".commit", ".commit without .begin"),
      (".zzzzzz", "\".help\" lists the commands"), (".history", "[unknown-command]"),
      (".quit now", ".quit takes fewer arguments"),
    ])
  func wrongDotCommands(line: String, expected: String) {
    #expect(run(line) == 65)
    #expect(recorder.errors.contains(expected))
  }

  @Test("For programs an error keeps the text it complains about, and is all that is printed")
  func json() throws {
    executor.onExecute = { _ in
      throw FakeExecutor.Failure(source: .init(label: "-w", text: "a b", offset: 2, length: 1))
    }
    #expect(run("fetch E -w 'a b'", isJSON: true) == 65)
    #expect(recorder.errors == "load.gs:1:15: error: it is wrong [validation] <b>\n")
  }

  @Test(
    "The place is found in the words: in a predicate, behind an option's =, in an assignment, else the statement"
  )
  func places() {
    func place(_ line: String, _ failure: FakeExecutor.Failure) -> String {
      recorder.errors = ""
      executor.onExecute = { _ in throw failure }
      _ = run(line)
      return String(recorder.errors.split(separator: "\n")[0])
    }
    let predicate = FakeExecutor.Failure(
      source: .init(label: "--where", text: "salry > 5", offset: 0, length: 5))
    #expect(place("fetch E where salry > 5 --limit 2", predicate).hasPrefix("load.gs:1:15: "))
    #expect(place("fetch E where salry > 5 --limit 2", predicate).hasSuffix("<salry>"))
    #expect(place("fetch E '--where=salry > 5'", predicate).hasPrefix("load.gs:1:18: "))
    #expect(place("insert E a=1 salary:=x", .init(key: "salary")).hasSuffix("<salary:=x>"))
    #expect(place("insert E 'salary x'; b", .init(key: "salary")).hasSuffix("<insert E 'salary x'>"))
    #expect(place("  insert E", .init()).hasPrefix("load.gs:1:3: "))
  }

  @Test("-c lines are one script whose positions count them")
  func options() {
    let dispatcher = StatementDispatcher(
      executor: executor, output: recorder.output, style: .brief, settings: ShellSettings())
    let reader = ScriptReader(lines: ["insert a", "fail"])
    #expect(ScriptRunner(dispatcher: dispatcher).run(reader) == 65)
    #expect(recorder.errors.hasPrefix("-c:2:1: error:"))
  }

  @Test("A file that is missing, or a directory, is missing input")
  func missing() throws {
    let error = #expect(throws: ShellError.self) { try ScriptReader(path: "/nowhere/at/all.gs") }
    #expect(error?.exitCode == .noInput)
    let directory = try ScriptReader(path: "/")
    #expect(throws: ShellError.self) { try directory.next() }
    #expect(try directory.next() == nil)
  }

  @Test("A file is read in pieces of any length")
  func longLines() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString).gs")
    defer { try? FileManager.default.removeItem(at: url) }
    let long = String(repeating: "é", count: 100_000)
    try "insert '\(long)'\n\ninsert b\ninsert c".write(to: url, atomically: false, encoding: .utf8)
    let reader = try ScriptReader(path: url.path)
    #expect(try reader.next()?.words[1].text == long)
    #expect(try reader.next()?.position == ShellPosition(line: 3, column: 1))
    #expect(try reader.next()?.arguments == ["insert", "c"])
    #expect(try reader.next() == nil)
  }

  @Test(".read within a script joins its transaction; a script that reads itself ends")
  func nestedRead() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString).gs")
    defer { try? FileManager.default.removeItem(at: url) }
    try "insert b\n".write(to: url, atomically: false, encoding: .utf8)
    #expect(run("insert a\n.read \(url.path)\ninsert c") == 0)
    #expect(executor.calls == ["<script", "insert a", "insert b", "insert c", "script>"])
    try ".read \(url.path)\n".write(to: url, atomically: false, encoding: .utf8)
    #expect(run("insert d\n.read \(url.path)") == 65)
    #expect(executor.saved == ["a", "b", "c"])
    #expect(recorder.errors.contains("[too-deep]"))
  }
}
