import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Dot commands on stores, results, programs and kept statements")
struct SessionCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func script(_ lines: String..., options: String...) throws -> CommandLineTool.Outcome {
    try tool.run(
      CommandLineTool.executable.path, ["run", "-"] + options,
      input: Data(lines.joined(separator: "\n").utf8))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: tool.path(name), encoding: .utf8)
  }

  // MARK: Stores

  @Test(
    ".open works on another store from then on, and on its own where the other cannot be opened")
  func open() throws {
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    try #require(try tool.run("init", "other.db", "-m", model).code == 0)
    let outcome = try script(
      "count Department", ".open other.db", "count Department", "insert Department name=There",
      ".open none.db", "count Department", ".open hr.db", "count Department",
      options: "--keep-going")
    #expect(outcome.output == "2\n0\nDepartment/p1\n1\n2\n" && outcome.code == 5, "\(outcome)")
    #expect(
      outcome.errors.contains("none.db") && outcome.errors.contains("[store-not-found]"),
      "\(outcome.errors)")
  }

  @Test(".open is refused within a script's transaction and with unsaved changes")
  func openUnfinished() throws {
    let whole = try script("count Department", ".open hr.db")
    #expect(whole.code == 65 && whole.errors.contains("[unclosed-transaction]"), "\(whole.errors)")
    let begun = try script(
      ".begin", "insert Department name=X", ".open hr.db", ".rollback", options: "--keep-going")
    #expect(begun.code == 5 && begun.errors.contains("1 unsaved change"), "\(begun.errors)")
  }

  // MARK: Results

  @Test(".fields says what is printed of an entity where a statement does not")
  func fields() throws {
    let outcome = try script(
      ".fields Employee name,badge", ".format csv", "fetch Employee --limit 1", "get Employee/p2",
      "fetch Employee --fields name --limit 1", ".fields", ".fields Employee",
      "fetch Department --limit 1")
    #expect(
      outcome.lines == [
        "name,badge", "Grace,1", "name,badge", "Ada,2", "name", "Grace", "Employee  name,badge",
        "id,name",
        "Department/p1,Engineering",
      ], "\(outcome)")
    let wrong = try script(".fields Employee nam")
    #expect(wrong.code == 65 && wrong.errors.contains("did you mean \"name\""), "\(wrong.errors)")
    #expect(try script(".fields Emploee name").errors.contains("did you mean \"Employee\""))
  }

  @Test(
    ".output writes results behind each other into a file, in the form of its name; .once writes one"
  )
  func output() throws {
    let outcome = try script(
      ".output all.csv", "fetch Department --fields name", "fetch Project --fields title",
      "fetch Department --fields name -o own.json", ".output", "count Employee",
      ".once one.ndjson", "fetch Department --fields name", "count Department")
    #expect(outcome.code == 0 && outcome.output == "3\n2\n", "\(outcome)")
    #expect(try text("all.csv") == "name\nEngineering\nSales\ntitle\nCompiler\n")
    #expect(try text("own.json").contains("Engineering"))
    #expect(try text("one.ndjson").split(separator: "\n").count == 2)
    let again = try script(".output all.csv", "count Employee")
    #expect(again.code == 4 && again.errors.contains("all.csv is there already"), "\(again.errors)")
    #expect(try text("all.csv").hasPrefix("name\n"))
    let store = try script(".output hr.db", options: "--yes")
    #expect(store.code == 65 && store.errors.contains("would replace"), "\(store.errors)")
  }

  @Test(".last runs the last statement that printed a result again, in the format of now")
  func last() throws {
    let outcome = try script(
      ".last", "fetch Department --fields name --limit 1", "insert Department name=New",
      ".format csv", ".last")
    #expect(
      outcome.lines.first == "no result yet" && outcome.lines.last == "Engineering", "\(outcome)")
    #expect(outcome.output.hasSuffix("name\nEngineering\n") && outcome.code == 0)
    #expect(try tool.run("count", "Department").output == "3\n")
  }

  @Test(".color colours what follows, or does not")
  func color() throws {
    let outcome = try script(
      ".color", ".color always", "fetch Department --fields name", ".color never",
      "fetch Department --fields name", ".color")
    let texts = outcome.output.components(separatedBy: "Engineering")
    #expect(
      texts.count == 3 && texts[0].contains("\u{1B}[") && !texts[2].contains("\u{1B}["),
      "\(outcome)")
    #expect(outcome.lines.first == "auto" && outcome.lines.last == "never")
    #expect(try script(".color red").errors.contains(".color always"))
  }

  // MARK: Programs

  @Test(".shell runs a command line as it stands, and tells how it failed")
  func shell() throws {
    let outcome = try script(
      ".shell printf 'a b\\n' | tr a c", ".shell 'printf x; printf y'", "count Employee")
    #expect(outcome.output == "c b\nxy3\n" && outcome.code == 0, "\(outcome)")
    let failed = try script("insert Department name=X", ".shell exit 3")
    #expect(
      failed.code == 1 && failed.errors.contains("ended with 3   [program-failed]"), "\(failed)")
    #expect(try tool.run("count", "Department").output == "2\n")
  }

  @Test("--safe leaves out what starts programs or writes files")
  func safe() throws {
    for line in [".shell echo x", ".output f", ".once f", ".edit"] {
      let outcome = try tool.run("shell", "--safe", "-c", line)
      #expect(outcome.code == 65 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.errors.contains("is left out by --safe"), "\(outcome.errors)")
    }
    #expect(try tool.run("shell", "--safe", "-c", ".help").output.contains(".read"))
    #expect(try !tool.run("shell", "--safe", "-c", ".help").output.contains(".shell"))
  }

  @Test("Rows of groups are of what is saved, which is said where something is not")
  func unsavedChanges() throws {
    let outcome = try script(
      ".begin", "insert Department name=New", "fetch Department --aggregate count -f csv",
      "fetch Department --distinct --fields name",
      "count Department", ".rollback", "fetch Department --aggregate count -f csv")
    #expect(
      outcome.output == "Department/t1\ncount\n2\nname\nEngineering\nSales\n3\ncount\n2\n", "\(outcome)")
    #expect(
      outcome.errors.components(separatedBy: "hint: such rows are made of what is saved").count == 3,
      "\(outcome.errors)")
  }

  // MARK: Kept statements

  @Test(".query keeps statements under names, from one session to the next")
  func queries() throws {
    tool.environment["XDG_CONFIG_HOME"] = tool.path("config")
    let first = try script("count Employee where salary > 60000", ".query save rich", ".query list")
    #expect(
      first.output == "2\nrich  count Employee where salary > 60000\n" && first.code == 0,
      "\(first)")
    let second = try script(".query run rich", ".query drop rich", ".query list")
    #expect(second.output == "2\nno statement is kept\n" && second.code == 0, "\(second)")
    let unknown = try script("count Employee", ".query save one", ".query run onn")
    #expect(unknown.code == 65 && unknown.errors.contains("[unknown-query]"), "\(unknown.errors)")
    #expect(unknown.errors.contains("did you mean \"one\""), "\(unknown.errors)")
    #expect(try script(".query save x").errors.contains("there is no statement to keep yet"))
    #expect(try script(".query sav x").errors.contains("did you mean \"save\""))
    try tool.write("[]", to: "config/graphstore/queries.json")
    let broken = try script(".query list")
    #expect(broken.code == 65 && broken.errors.contains("queries.json"), "\(broken.errors)")
  }

  // MARK: At a terminal

  /// The prompt, once keys are read.
  private static let prompt = "\u{1B}[?2004hhr> "

  private func terminal(_ environment: [String: String], _ arguments: String...) throws
    -> PseudoTerminal
  {
    let usual = ["TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path]
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path,
      ["shell", "-X", "--history", "", "-s", tool.path("hr.db")] + arguments,
      environment: usual.merging(environment) { $1 })
    try #require(terminal.expect(Self.prompt), "\(terminal.transcript)")
    return terminal
  }

  @Test(
    ".edit begins with the last entry, and runs what the editor of GRAPHSTORE_EDITOR leaves as one script"
  )
  func edit() throws {
    let editor = "f() { cat $1; printf 'insert Department name=E\\ncount Department\\n' > $1; }; f"
    let terminal = try terminal([
      "PATH": "/usr/bin:/bin", "GRAPHSTORE_EDITOR": editor, "VISUAL": "false", "EDITOR": "false",
    ])
    terminal.send("count Project\n")
    #expect(terminal.expect("1\r\n") && terminal.expect(Self.prompt))
    terminal.send(".edit\n")
    #expect(terminal.expect("count Project\r\n"), "\(terminal.unread)")
    #expect(terminal.expect("Department/p3\r\n3\r\n"), "\(terminal.unread)")
    #expect(terminal.expect(Self.prompt))
    terminal.send(".history\n")
    #expect(terminal.expect("insert Department name=E"), "\(terminal.unread)")
    #expect(terminal.expect(Self.prompt), "\(terminal.unread)")
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
  }

  @Test(".bail off goes on behind an error of a line of several statements")
  func bail() throws {
    let terminal = try terminal([:])
    terminal.send("count Nothing; count Employee\n")
    #expect(terminal.expect("[unknown-entity]") && terminal.expect(Self.prompt))
    #expect(!terminal.transcript.contains("\n3\r\n"), "\(terminal.transcript)")
    terminal.send(".bail off; count Nothing; count Employee\n")
    #expect(terminal.expect("[unknown-entity]") && terminal.expect("\n3\r\n"), "\(terminal.unread)")
    #expect(terminal.expect(Self.prompt), "\(terminal.unread)")
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
  }

  @Test("historyPerStore keeps a history for each store")
  func historyPerStore() throws {
    try tool.write("{\"historyPerStore\": true}", to: "config.json")
    let terminal = try PseudoTerminal(
      CommandLineTool.executable.path, ["shell", "-X", "-s", tool.path("hr.db")],
      environment: [
        "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path,
        "GRAPHSTORE_CONFIG": tool.path("config.json"), "XDG_STATE_HOME": tool.path("state"),
      ])
    try #require(terminal.expect(Self.prompt), "\(terminal.transcript)")
    terminal.send("count Employee\n")
    #expect(terminal.expect("3\r\n") && terminal.expect(Self.prompt))
    terminal.send("\u{4}")
    #expect(terminal.wait() == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: tool.path("state/graphstore"))
    #expect(files.count == 1 && files[0].hasPrefix("history-"), "\(files)")
    #expect(try text("state/graphstore/\(files[0])") == "count Employee\n")
  }
}
