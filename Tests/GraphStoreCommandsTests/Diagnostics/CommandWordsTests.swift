import Foundation
import GraphStoreReports
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("Errors in the words of the command")
struct CommandWordsTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func run(_ arguments: [String]) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, arguments, input: nil)
  }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let outcome = try run(arguments + ["--error-format", "json"])
    let object = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
    return try #require(object?["error"] as? [String: Any], "\(outcome.errors)")
  }

  // MARK: Options

  @Test(
    "DGN-216: an option that takes one of some words names them all, as text and in JSON",
    arguments: [
      (["fetch", "Employee", "-f", "yaml"], OutputFormat.allCases.map(\.rawValue)),
      (["fetch", "Employee", "--color", "pink"], ["auto", "always", "never"]),
      (
        ["insert", "Department", "name=X", "--on-save-conflict", "x"],
        SaveConflictPolicy.allCases.map(\.rawValue)
      ),
    ])
  func choices(arguments: [String], words: [String]) throws {
    let outcome = try run(arguments)
    #expect(outcome.code == 64)
    #expect(
      outcome.errors.contains("hint: choose one of \(words.joined(separator: ", "))\n"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("following"))
    let hint = try #require(try json(arguments)["hint"] as? String)
    #expect(hint.contains(words.joined(separator: ", ")))
    #expect(try json(["fetch", "Employee", "-f", "jsn"])["suggestions"] as? [String] == ["json"])
  }

  @Test(
    "DGN-216: an option in front of the command says where it stands",
    arguments: [
      (["-s", "hr.db", "count", "Employee"], "-s stands behind the command, --store before it or behind"),
      (["-y", "delete", "Employee", "--all"], "-y stands behind the command, --yes before it or behind"),
      (["-q", "count", "Employee"], "-q stands behind the command, --quiet before it or behind"),
      (["-m", "x.json", "init", "y.db"], "-m stands behind the command, --model before it or behind"),
      (["--json", "fetch", "Employee"], "it is an option of fetch: write it behind that word"),
      (["-f", "csv", "fetch", "Employee"], "it is an option of fetch: write it behind that word"),
      (["--sotre", "hr.db", "count", "Employee"], "did you mean \"--store\"?"),
    ])
  func leadingOptions(arguments: [String], words: String) throws {
    let outcome = try run(arguments)
    #expect(outcome.code == 64 && outcome.errors.contains("[unknown-option]"), "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test("Long options in front of the command work as ever")
  func longLeadingOptions() throws {
    #expect(try run(["--store", "hr.db", "--no-color", "--quiet", "count", "Employee"]).output == "3\n")
    #expect(try run(["--store=hr.db", "count", "Employee"]).output == "3\n")
    #expect(try run(["--version"]).code == 0)
    #expect(try run(["-h"]).code == 0)
  }

  @Test("DGN-216: an unknown option is told before what is missing")
  func unknownBeforeMissing() throws {
    for arguments in [
      ["fetch", "--bogus"], ["get", "--bogus"], ["import", "--bogus", "x"], ["update", "--bogus"],
    ] {
      let outcome = try run(arguments)
      #expect(outcome.code == 64 && outcome.errors.contains("unknown option '--bogus'"), "\(outcome.errors)")
    }
    #expect(try json(["fetch", "--wheer", "x"])["suggestions"] as? [String] == ["--where"])
    #expect(try run(["fetch"]).errors.contains("missing expected argument"))
  }

  // MARK: where

  @Test("The command line takes where as scripts do, in either case of letters")
  func bareWhere() throws {
    for words in [
      ["where", "salary > 60000"], ["WHERE", "salary > 60000"], ["where", "salary", ">", "60000"],
      ["--no-subentities", "where", "salary > 60000"],
    ] {
      #expect(try run(["count", "Employee"] + words).output == "2\n", "\(words)")
    }
    let fetched = try run([
      "fetch", "Employee", "where", "salary > 60000", "--sort", "-salary", "--fields", "name", "-f", "csv",
      "--no-header",
    ])
    #expect(fetched.output == "Grace\nAda\n")
    #expect(try run(["fetch", "Employee", "Where", "badge == 3", "-f", "ids"]).output == "Employee/p3\n")
    #expect(try run(["update", "Employee", "salary=1", "where", "badge == 3"]).code == 0)
    #expect(try run(["delete", "Employee", "where", "salary == 1"]).code == 0)
    #expect(try run(["count", "Employee"]).output == "2\n")
    // A value of an option, and the place of the entity, are no keyword.
    #expect(try run(["count", "Employee", "--template", "where"]).errors.contains("\"where\""))
    #expect(try run(["count", "where"]).errors.contains("no entity \"where\""))
    #expect(try run(["count", "Employee", "where"]).code == 64)
  }

  @Test("Scripts take the keyword in either case of letters, and an entity of that name behind the command")
  func keywordInScripts() throws {
    let outcome = try run([
      "run", "-c", "count Employee WHERE salary > 60000", "-c",
      "count Employee Where name == 'Ada' --limit 1",
    ])
    #expect(outcome.output == "2\n1\n", "\(outcome.errors)")
    #expect(try run(["run", "-c", "count WHERE"]).errors.contains("no entity \"WHERE\""))
  }

  // MARK: Predicates

  @Test(
    "DGN-157: slips that are read as something else are told as what they are",
    arguments: [
      ("birthday > 1980-01-01", "a date stands in quotes: \"1980-01-01\""),
      ("birthday BETWEEN {1980-01-01, 1990-12-31}", "a date stands in quotes: \"1980-01-01\""),
      ("department == Department/p1", "an id stands in quotes: \"Department/p1\""),
      ("ANY reports == Employee/p2", "an id stands in quotes: \"Employee/p2\""),
      ("salary > 5 -f ids", "-f is read as a part of the predicate"),
      ("length:name > 3", "the argument of a function stands in parentheses: length:(name)"),
    ])
  func slips(predicate: String, hint: String) throws {
    for arguments in [
      ["count", "Employee", "--where", predicate], ["run", "-c", "count Employee where \(predicate)"],
    ] {
      let outcome = try run(arguments)
      #expect([64, 65].contains(outcome.code))
      #expect(outcome.errors.contains("hint: \(hint)"), "\(outcome.errors)")
      #expect(
        !outcome.errors.contains("CAST") && !outcome.errors.contains("did you mean"), "\(outcome.errors)")
    }
  }

  @Test("What looks like a slip and stands in quotes is none")
  func noSlips() throws {
    for predicate in ["salary > '1980-01-01", "nme == 'Department/p1'", "nme == '1980-01-01'"] {
      let errors = try run(["count", "Employee", "--where", predicate]).errors
      #expect(!errors.contains("stands in quotes"), "\(errors)")
    }
  }

  @Test("An aggregate of an expression says how its argument is written")
  func aggregates() throws {
    let outcome = try run(["fetch", "Employee", "--aggregate", "sum:salary*2"])
    #expect(outcome.code == 64 && outcome.errors.contains("sum:(salary*2)"), "\(outcome.errors)")
    let named = try run(["fetch", "Employee", "--aggregate", "avg:salary * 2 as mean, count"])
    #expect(named.errors.contains("avg:(salary * 2)\n"), "\(named.errors)")
    #expect(try run(["fetch", "Employee", "--aggregate", "sum:(salary * 2)"]).code == 0)
  }

  @Test("PRD-215: directions in either case; any other end of a sort key is told in the command's words")
  func sortKeys() throws {
    let sorted = try run(["fetch", "Employee", "--sort", "salary:DESC", "--fields", "name", "-f", "csv"])
    #expect(sorted.output == "name\nGrace\nAda\nBob\n", "\(sorted.errors)")
    #expect(try run(["fetch", "Employee", "--sort", "name:Asc"]).code == 0)
    let outcome = try run(["fetch", "Employee", "--sort", "salary:down"])
    #expect(
      outcome.code == 64 && outcome.errors.contains("a sort key cannot end in :down"), "\(outcome.errors)")
    #expect(outcome.errors.contains(":asc or :desc") && !outcome.errors.contains("NSSortDescriptor"))
  }

  // MARK: Stores

  @Test("DGN-198: a store that is named twice, and a copy of one, are told without words of the library")
  func sameStores() throws {
    try FileManager.default.copyItem(atPath: tool.path("hr.db"), toPath: tool.path("copy.db"))
    let copy = try run(["count", "Employee", "--store", "hr.db", "--store", "copy.db"])
    #expect(copy.code != 0 && copy.errors.contains("copy of"), "\(copy.errors)")
    let twice = try run(["count", "Employee", "--store", "a=hr.db", "--store", "b=hr.db"])
    #expect(twice.code != 0)
    for errors in [copy.errors, twice.errors] { #expect(!errors.contains("coordinator"), "\(errors)") }
  }

  @Test("migrate names its own option where no model is given")
  func migrationTarget() throws {
    for command in ["apply", "plan", "status"] {
      let outcome = try run(["migrate", command])
      #expect(outcome.code == 66 && outcome.errors.contains("name one with --to MODEL"), "\(outcome.errors)")
    }
    #expect(try run(["init", "new.db"]).errors.contains("name one with --model FILE"))
  }

  // MARK: Models

  @Test(
    "Keys of other model languages in a model file name what is written here",
    arguments: [
      (#"{"name":"a","type":"string","required":true}"#, "\"optional\": false"),
      (#"{"name":"a","type":"string","unique":true}"#, "\"uniquenessConstraints\""),
      (#"{"name":"a","type":"string","index":true}"#, "\"indexes\""),
    ])
  func modelKeys(attribute: String, remedy: String) throws {
    try tool.write(#"{"entities":[{"name":"A","attributes":[\#(attribute)]}]}"#, to: "m.json")
    for command in [["model", "validate"], ["init", "m.db", "--model"]] {
      let outcome = try run(command + ["m.json"])
      #expect((outcome.output + outcome.errors).contains(remedy), "\(outcome.output)\(outcome.errors)")
    }
  }

  @Test("A version that is not there suggests none that is unlike it")
  func versions() throws {
    let model = try String(
      contentsOf: Repository.root.appendingPathComponent("Models/company.json"), encoding: .utf8)
    try FileManager.default.createDirectory(
      atPath: tool.path("C.graphmodel"), withIntermediateDirectories: true)
    try tool.write(model, to: "C.graphmodel/1.json")
    let outcome = try run(["model", "show", "C.graphmodel#3"])
    #expect(outcome.code == 64 && outcome.errors.contains("there is no version \"3\""), "\(outcome.errors)")
    #expect(!outcome.errors.contains("did you mean"), "\(outcome.errors)")
  }

  @Test("A model comes through a pipe, a process's output and standard input too")
  func streams() throws {
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    let text = try String(contentsOfFile: model, encoding: .utf8)
    for path in ["-", "/dev/stdin"] {
      let shown = try tool.run("model", "hashes", path, input: text)
      #expect(shown.code == 0 && shown.output.contains("Employee"), "\(shown.errors)")
      #expect(try tool.run("model", "validate", path, input: text).code == 0)
      let made = try tool.run("init", "\(path.count).db", "--model", path, input: text)
      #expect(made.code == 0, "\(made.errors)")
    }
    let piped = try tool.runShell("cat '\(model)' | graphstore model diff - '\(model)' --exit-code")
    #expect(piped.code == 0, "\(piped.errors)")
    let named = try tool.runShell("mkfifo p; cat '\(model)' >p & graphstore model show p --entity Department")
    #expect(named.code == 0 && named.output.contains("Department"), "\(named.errors)")
    let refused = try tool.runShell(
      "mkdir locked.json 2>/dev/null; graphstore model show locked.json; echo '{' | graphstore model show -")
    #expect(!refused.errors.contains("operation could not be completed"), "\(refused.errors)")
  }

  // MARK: Values

  @Test("Inherited properties are called by the entity that was named, numbers of JSON stand without quotes")
  func ownNames() throws {
    for arguments in [["insert", "Employee", "birthday=x"], ["update", "Employee/p1", "birthday=x"]] {
      let error = try json(arguments)
      #expect((error["message"] as? String)?.hasPrefix("Employee.birthday: ") == true, "\(error)")
      #expect(error["entity"] as? String == "Employee" && error["property"] as? String == "birthday")
    }
    try tool.write("{\"name\":\"A\",\"birthday\":\"x\"}\n", to: "e.ndjson")
    let imported = try run(["import", "Employee", "e.ndjson"])
    #expect(imported.errors.contains("Employee.birthday: ") && !imported.errors.contains("Person."))
    let number = try run(["insert", "Employee", "name:=5"])
    #expect(number.errors.contains("Employee.name: 5 is not a string"), "\(number.errors)")
    let list = try run(["insert", "Employee", "name:=[1]"])
    #expect(list.errors.contains("Employee.name: [1] is not a string"), "\(list.errors)")
    #expect(try run(["insert", "Employee", "badge=x"]).errors.contains("\"x\" is not a whole number"))
  }

  // MARK: Imports

  @Test(
    "A header that another delimiter divides names the option where one was said, and else is read by it",
    arguments: [
      (";", "--delimiter ';'", "semicolons"), ("\t", "--delimiter '\\t'", "tabs"),
      ("|", "--delimiter '|'", "bars"),
    ])
  func delimiters(delimiter: String, option: String, words: String) throws {
    try tool.write(
      ["Name", "Salary"].joined(separator: delimiter) + "\n" + ["A", "1"].joined(separator: delimiter) + "\n",
      to: "s.csv")
    let outcome = try run(["import", "Employee", "s.csv", "--delimiter", ","])
    #expect(outcome.code == 65 && outcome.errors.contains(option), "\(outcome.errors)")
    #expect(!outcome.errors.contains("--ignore-unknown") && !outcome.errors.contains("did you mean"))
    let found = try run(["import", "Employee", "s.csv"])
    #expect(found.code == 0, "\(found.errors)")
    #expect(
      found.errors.hasPrefix("the columns of \"s.csv\" are divided by \(words)\n1 read"), "\(found.errors)")
  }

  @Test("Unique values that are taken name the options that settle them, with the key")
  func takenValues() throws {
    try tool.write("name,badge\nZoe,1\n", to: "one.csv")
    let one = try run(["import", "Employee", "one.csv"])
    #expect(one.errors.contains("--key badge --on-conflict update (or ignore, or replace)"), "\(one.errors)")
    try tool.write("name,badge\nZoe,1\nYve,2\n", to: "two.csv")
    let two = try run(["import", "Employee", "two.csv"])
    #expect(two.errors.contains("--key badge --on-conflict update (or ignore, or replace)"), "\(two.errors)")
    let settled = try run([
      "import", "Employee", "two.csv", "--key", "badge", "--on-conflict", "update",
    ])
    #expect(settled.code == 0, "\(settled.errors)")
  }

  // MARK: Repair

  @Test("check --repair shows what it would do where nobody can be asked, and speaks of no objects to select")
  func repairPlan() throws {
    try tool.damage("UPDATE ZPERSON SET ZMANAGER = 77 WHERE Z_PK = 2")
    let outcome = try run(["check", "--repair"])
    #expect(outcome.code == 4 && outcome.errors.contains("[not-confirmed]"))
    #expect(
      outcome.errors.contains("Employee.manager") && outcome.errors.contains("Employee/p2"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("repeat the command with --yes") && !outcome.errors.contains("--where"))
    #expect(try run(["check"]).code == 2)
    #expect(try run(["delete", "Department", "--all"]).errors.contains("select objects with --where"))
  }
}
