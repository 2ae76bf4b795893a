import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Options that a command has no use for")
struct IdleOptionTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool.staffedCompany()
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent("Models/company.json"),
      to: URL(fileURLWithPath: tool.path("m.json")))
  }

  private func run(_ words: [String]) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, words, input: nil)
  }

  private static let timed: [[String]] = [
    ["fetch", "Employee"], ["get", "Employee/p1"], ["count", "Employee"],
    ["insert", "Department", "name=X"],
    ["update", "Employee/p1", "badge=9"], ["upsert", "Employee", "badge=1"], ["delete", "Project/p1"],
    ["link", "Project/p1.members", "Employee/p3"], ["unlink", "Project/p1.members", "Employee/p1"],
    ["export", "Employee"], ["explain", "Employee"], ["info"], ["check"], ["backup", "new.db"],
    ["metadata", "list"], ["metadata", "set", "a=b"], ["metadata", "unset", "a"],
    ["model", "show", "m.json"],
    ["model", "list", "m.json"],
    ["model", "validate", "m.json"], ["model", "lint", "m.json"], ["model", "diff", "m.json", "m.json"],
    ["model", "diagram", "m.json"], ["model", "hashes", "m.json"], ["model", "from-store"],
    ["model", "convert", "m.json", "n.json"], ["model", "merge", "m.json", "n.json"],
    ["model", "compile", "m.json", "n.json"], ["migrate", "status", "--to", "m.json"],
    ["migrate", "plan", "--to", "m.json"], ["predicate", "check", "Employee", "badge == 1"],
    ["predicate", "print", "badge == 1"], ["completions", "bash"], ["init", "new.db", "-m", "m.json"],
    ["insert", "Department", "name=X", "--dry-run"], ["delete", "Project/p1", "-n"],
  ]

  @Test(
    "DGN-110, DGN-232: --time says how long it took, whatever the command",
    arguments: Self.timed)
  func time(_ words: [String]) throws {
    let quiet = try run(words)
    #expect(!quiet.errors.contains(" ms"), "\(quiet.errors)")
    for path in ["n.json", "new.db"] { try? FileManager.default.removeItem(atPath: tool.path(path)) }
    _ = try tool.run("insert", "Project", "title=Other")
    let repeated = words == ["delete", "Project/p1"] ? ["delete", "Project/p2"] : words
    let outcome = try run(repeated.map { $0 == "name=X" ? "name=Y" : $0 } + ["--time"])
    let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("time: ") }
    guard outcome.code == 0 else { return #expect(words[0] == "unlink", "\(words): \(outcome.errors)") }
    let line = #/time: [0-9.]+ ms, [0-9.]+ ms in SQLite, .*[1-9][0-9]* MB of memory at most/#
    #expect(lines.count == 1, "\(words): \(outcome.errors)")
    #expect(lines.first?.wholeMatch(of: line) != nil, "\(words): \(outcome.errors)")
  }

  @Test(
    "DGN-110: a statement of a script that asks for its time is told, with its own statements, and no other")
  func timeOfStatement() throws {
    let script = "count Employee\nfetch Employee --time\ncount Project\n"
    let outcome = try tool.run("run", "-", input: script)
    #expect(outcome.code == 0, "\(outcome)")
    let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("time: ") }
    #expect(
      lines.count == 1 && lines[0].contains(" in SQLite") && lines[0].contains("3 objects fetched"),
      "\(outcome)")
  }

  private static let modelCommands: [[String]] = [
    ["model", "show", "m.json"], ["model", "list", "m.json"], ["model", "validate", "m.json"],
    ["model", "diff", "m.json", "m.json"], ["model", "diagram", "m.json"], ["model", "hashes", "m.json"],
    ["model", "codegen", "m.json", "-o", "code", "-n"],
    ["predicate", "check", "Employee", "badge == 1", "-m", "m.json"],
  ]

  @Test(
    "A command that reads model files refuses the options of a store",
    arguments: Self.modelCommands)
  func models(_ words: [String]) throws {
    #expect(try run(words).code == 0)
    for option in [
      ["--store", "none.db"], ["-s", "hr.db"], ["--timeout", "1"], ["--read-only"], ["--trace", "saves"],
      ["--configuration", "Staff"],
    ] {
      let name = option[0] == "-s" ? "--store" : option[0]
      for line in [words + option] + (option[0] == "-s" ? [] : [option + words]) {
        let outcome = try run(line)
        #expect(
          outcome.code == 64 && outcome.errors.contains("\(name) is of no use here"),
          "\(line): \(outcome.errors)")
        #expect(outcome.output == "")
      }
    }
  }

  @Test(
    "DGN-112: an option that is of no use is refused in the form that --error-format asks for",
    arguments: [["init", "-v"], ["migrate", "apply", "-v"], ["model", "show", "m.json", "-s", "hr.db"]])
  func form(_ words: [String]) throws {
    for (format, start) in [("json", #"{"error":{"code":"usage","#), ("github", "::error title=usage::")] {
      for line in [words + ["--error-format", format], ["--error-format=\(format)"] + words] {
        let outcome = try run(line)
        #expect(outcome.code == 64 && outcome.errors.hasPrefix(start), "\(line): \(outcome)")
      }
    }
  }

  @Test("model lint takes the options of a store where it reads one")
  func lint() throws {
    for option in [
      ["--timeout", "1"], ["--read-only"], ["--trace", "saves"], ["--configuration", "Staff"],
    ] {
      let refused = try run(["model", "lint", "m.json"] + option)
      #expect(
        refused.code == 64 && refused.errors.contains("\(option[0]) is of no use here"), "\(refused.errors)")
    }
    let ofStore = try run(["model", "lint", "--timeout", "1", "--read-only", "--trace", "saves"])
    #expect(ofStore.code == 0, "\(ofStore.errors)")
    #expect(try run(["model", "lint", "m.json", "--store", "hr.db", "--timeout", "1"]).code == 0)
    #expect(try run(["model", "lint", "m.json", "--store", "hr.db", "--trace", "saves"]).code == 64)
    #expect(try run(["model", "lint", "m.json", "-m", "m.json"]).code == 64)
  }

  @Test("A script tells of a variable that none of its statements asks for", arguments: ["run", "shell"])
  func scriptVariables(command: String) throws {
    let line = "count Employee --where 'salary > $min'"
    let outcome = try run([command, "-c", line, "--var", "min=1", "--var", "minn=1", "--var", "other=2"])
    #expect(outcome.code == 0 && outcome.output == "3\n", "\(outcome.errors)")
    #expect(outcome.errors.contains("no statement asks for the variable $minn   [unknown-variable]"))
    #expect(outcome.errors.contains("did you mean \"min\""), "\(outcome.errors)")
    #expect(outcome.errors.contains("variable $other") && !outcome.errors.contains("variable $min "))
    let template = try run([command, "-c", "count Employee --template wellPaid", "--var", "MIN=60000"])
    #expect(template.output == "2\n" && template.errors.isEmpty, "\(template.errors)")
    #expect(try !run([command, "-c", "count Nobody", "--var", "a=1"]).errors.contains("unknown-variable"))
  }

  private static let untraced: [[String]] = [
    ["check"], ["backup", "x.db"], ["restore", "hr.db", "--yes"], ["metadata", "list"],
    ["metadata", "get", "a"], ["metadata", "set", "a=b"],
    ["metadata", "unset", "a"],
    ["migrate", "status", "--to", "m.json"], ["migrate", "plan", "--to", "m.json"],
    ["migrate", "apply", "--to", "m.json"], ["model", "from-store"], ["init", "x.db", "-m", "m.json"],
    ["filter", "a == 1"], ["predicate", "print", "a == 1"], ["completions", "bash"],
    ["model", "merge", "m.json", "n.json"], ["model", "convert", "m.json", "n.json"],
  ]

  @Test(
    "A command whose work nobody traces refuses --trace, and one without a store has no such option",
    arguments: Self.untraced)
  func trace(_ words: [String]) throws {
    let outcome = try run(words + ["--trace", "fetches"])
    #expect(outcome.code == 64 && outcome.errors.contains("--trace"), "\(outcome.errors)")
    for path in ["x.db", "n.json"] { #expect(!FileManager.default.fileExists(atPath: tool.path(path))) }
    #expect(try tool.run("count", "Employee", "--trace", "fetches").errors.contains("fetch entity=Employee"))
  }

  @Test("init takes nothing that concerns a store that is there; repair writes, which --read-only forbids")
  func stores() throws {
    for option in [["--read-only"], ["--timeout", "3"]] {
      let outcome = try run(["init", "x.db", "-m", "m.json"] + option)
      #expect(outcome.code == 64 && outcome.errors.contains(option[0]), "\(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: tool.path("x.db")))
    #expect(try run(["check", "--repair", "--yes", "--read-only"]).code == 64)
    #expect(try run(["metadata", "list", "-m", "m.json"]).code == 64)
    for words in [
      ["metadata", "list"], ["model", "from-store"], ["check", "--repair", "--yes"], ["backup", "x.db"],
    ] {
      #expect(try run(words + ["--configuration", "Staff"]).code == 64)
    }
    #expect(try run(["model", "show", "m.json", "-m", "m.json"]).code == 64)
  }

  private static let idleInForms: [(String, [String])] = [
    ("json", ["--null", "x"]), ("ndjson", ["--no-header"]), ("ids", ["--null", "x"]),
    ("ids", ["--no-header"]),
    ("json", ["--width", "9"]), ("ids", ["--width", "9"]), ("csv", ["--width", "9"]),
    ("tsv", ["--width", "9"]),
    ("markdown", ["--width", "9"]), ("ids", ["--time-zone", "UTC"]), ("ids", ["--no-id"]),
  ]

  @Test(
    "What a form of results has no use for is refused",
    arguments: Self.idleInForms)
  func forms(form: String, option: [String]) throws {
    for words in [["fetch", "Employee"], ["get", "Employee/p1"]] {
      let outcome = try run(words + ["-f", form] + option)
      #expect(outcome.code == 64 && outcome.errors.contains("\(option[0]) is of no use"), "\(outcome.errors)")
      #expect(outcome.output == "")
    }
    let table = try run(["fetch", "Employee", "-f", "table"] + option)
    #expect(table.code == 0, "\(table.errors)")
  }

  @Test("insert and upsert print ids, which have no form; with --return the options do what they say")
  func returned() throws {
    for words in [["insert", "Department", "name=X"], ["upsert", "Department", "name=X"]] {
      for option in [
        ["--null", "-"], ["--no-header"], ["--width", "9"], ["--time-zone", "UTC"], ["--no-id"],
      ] {
        let outcome = try run(words + option)
        #expect(outcome.code == 64 && outcome.errors.contains(option[0]), "\(outcome.errors)")
      }
    }
    #expect(try tool.run("count", "Department").output == "2\n")
    let shown = try tool.run("insert", "Department", "--return", "name", "--no-header", "name=X")
    #expect(shown.output == "X\n")
    #expect(try tool.run("export", "Department", "--no-header").code == 64)
    #expect(try tool.run("export", "Department", "--no-header", "-o", "d.csv").code == 0)
  }

  @Test("A value for a variable that nothing asks for is refused, with the names there are")
  func variables() throws {
    for words in [
      ["fetch", "Employee", "--where", "salary > $min"], ["count", "Employee", "--where", "salary > $min"],
      ["export", "Employee", "--where", "salary > $min"],
      ["explain", "Employee", "--where", "salary > $min"],
      ["update", "Employee", "--where", "salary > $min", "badge=1"],
      ["delete", "Employee", "--where", "salary > $min"],
    ] {
      let outcome = try run(words.prefix(2) + ["--var", "mim=1", "--var", "min=5"] + words.dropFirst(2))
      #expect(
        outcome.code == 64 && outcome.errors.contains("[unknown-variable]"), "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains("did you mean \"min\""), "\(outcome.errors)")
    }
    #expect(try run(["fetch", "Employee", "--var", "x=1"]).code == 64)
    #expect(try run(["export", "--all", "--var", "x=1"]).code == 64)
    #expect(try run(["update", "Employee/p1", "--var", "x=1", "badge=7"]).code == 64)
    #expect(try run(["predicate", "print", "a == $a", "--var", "b=1"]).code == 64)
    #expect(try run(["filter", "a == $a", "--var", "a=1", "--var", "b=1"]).code == 64)
    let used = try run([
      "fetch", "Employee", "--fields", "salary * $f as more", "--var", "f:=2", "-w", "badge > $b", "--var",
      "b=1",
      "-f", "csv", "--no-header",
    ])
    #expect(used.code == 0 && used.lines == ["144001", "100000"], "\(used.errors)\(used.output)")
    let grouped = try run([
      "fetch", "Employee", "--group-by", "department.name", "--having", "count > $n", "--var", "n=1", "-f",
      "csv",
      "--no-header",
    ])
    #expect(grouped.lines == ["Engineering,2"], "\(grouped.errors)")
  }
}
