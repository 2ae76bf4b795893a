import Foundation
import GraphStoreTestSupport
import Testing

@Suite("predicate check and predicate print")
struct PredicateCommandTests {
  private let tool: CommandLineTool
  private static let model = Repository.root.appendingPathComponent("Models/company.json").path

  init() throws {
    tool = try CommandLineTool()
    tool.environment["GRAPHSTORE_MODEL"] = Self.model
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  // MARK: check

  @Test("MDL-370, PAT-186: check lists the names in scope, without a store")
  func names() throws {
    let outcome = try tool.run("predicate", "check", "Employee", "salary > $min AND ANY reports.salary > 1")
    #expect(outcome.code == 0 && outcome.errors == "")
    #expect(outcome.lines.first == "keys of Employee")
    #expect(outcome.lines.contains { $0.hasPrefix("  salary ") && $0.contains("decimal") })
    #expect(outcome.lines.contains { $0.hasPrefix("  reports ") && $0.contains("→→ Employee") })
    #expect(outcome.lines.contains { $0.hasPrefix("  objectID ") })
    #expect(outcome.lines.contains { $0.contains("@count @sum @avg") })
    #expect(outcome.lines.suffix(2) == ["variables", "  $min"])
    let parent = try tool.run("predicate", "check", "Person", "TRUEPREDICATE")
    #expect(parent.lines.contains { $0.hasPrefix("  salary ") && $0.hasSuffix("(Employee)") })
  }

  @Test("PRD-212: every problem at once, in the order of the text, exit 64")
  func problems() throws {
    let outcome = try tool.run(
      "predicate", "check", "Employee", "salry > 1 AND name > 5 AND department.nme == 'x'")
    #expect(outcome.code == 64)
    let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    #expect(errors.count == 3, "\(outcome.errors)")
    #expect(errors.first == "error: Employee has no attribute or relationship \"salry\"   [unknown-key]")
    #expect(outcome.errors.contains("\n  ^^^^^\n"))
    #expect(outcome.lines.first == "keys of Employee")
  }

  @Test("DGN-164: a variable in quotes is literal text, which is warned of in its place")
  func quotedVariable() throws {
    let outcome = try tool.run("predicate", "check", "Employee", "name == '$n' AND email == $n")
    #expect(outcome.code == 0 && outcome.errors.contains("[quoted-variable]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("\n          ^^^^\n"))
    for text in ["name == $n", "name == '$5'", "name == 'a $n'", "name == '$'"] {
      #expect(try tool.run("predicate", "check", "Employee", text).errors == "", "\(text)")
    }
    let json = try object(
      tool.run("predicate", "check", "Employee", "name LIKE \"$n\"", "--json").output)
    let warnings = try #require(json["warnings"] as? [[String: Any]])
    #expect(warnings.map { $0["code"] as? String } == ["quoted-variable"])
    #expect(warnings.first?["offset"] as? Int == 10)
  }

  @Test(
    "DGN-154, REL-358: a fetched property that is not whole is an error of every command that reads the model"
  )
  func fetchedProperties() throws {
    func errors(_ property: String, _ words: [String]) throws -> String {
      try tool.write(
        #"{"name":"M","entities":[{"name":"A","fetchedProperties":[\#(property)]}]}"#, to: "bad.json")
      let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
      #expect(outcome.code != 0)
      return outcome.output + outcome.errors
    }
    let commands = [
      ["model", "validate", "bad.json"],
      ["predicate", "check", "A", "TRUEPREDICATE", "--model", "bad.json"],
    ]
    for words in commands {
      let missing = try errors(#"{"name":"found"}"#, words)
      #expect(missing.contains("model-missing-key"), "\(missing)")
      #expect(missing.contains(#"The key "entity" is missing"#), "\(missing)")
    }
    let variable = try errors(
      #"{"name":"found","entity":"A","predicate":"SELF == $OTHER"}"#, commands[0])
    #expect(variable.contains("model-bad-expression") && variable.contains("$OTHER"), "\(variable)")
    #expect(variable.contains("found"), "\(variable)")
  }

  @Test("PRD-206: a text that cannot be read has one problem, and the names are left out")
  func syntax() throws {
    let outcome = try tool.run("predicate", "check", "Employee", "salary >")
    #expect(outcome.code == 64 && outcome.output == "")
    #expect(outcome.errors.contains("[predicate-syntax]"))
    #expect(outcome.errors.contains("\n          ^\n"))
  }

  @Test("PRD-095: inequalities and NOT on optional keys warn, with both readings, exit 0")
  func warnings() throws {
    let outcome = try tool.run("predicate", "check", "Employee", "email != 'x'")
    #expect(outcome.code == 0)
    #expect(
      outcome.errors == """
        warning: email != "x" leaves out objects without email in a fetch, and has them when it is evaluated in memory   \
        [missing-value]
          email != 'x'
          ^^^^^^^^^^^^
        hint: write email != "x" OR email == nil to have them in both, email != "x" AND email != nil in neither

        """)
    #expect(try tool.run("predicate", "check", "Employee", "email != 'x' OR email == nil").errors == "")
  }

  @Test("PRD-257: --portable names what the original store refuses")
  func portable() throws {
    let text = "ANY reports.projects.title == 'x'"
    #expect(try tool.run("predicate", "check", "Employee", text).errors == "")
    let outcome = try tool.run("predicate", "check", "Employee", text, "--portable")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("[not-portable]"))
  }

  @Test("--json holds problems, warnings and names")
  func checkJSON() throws {
    let outcome = try tool.run("predicate", "check", "Employee", "email != $x AND nme == 1", "--json")
    #expect(outcome.code == 64 && outcome.errors == "")
    let object = try object(outcome.output)
    #expect(object["ok"] as? Bool == false)
    #expect(object["entity"] as? String == "Employee")
    #expect(object["variables"] as? [String] == ["x"])
    let problems = try #require(object["problems"] as? [[String: Any]])
    #expect(problems.first?["code"] as? String == "unknown-key")
    #expect(problems.first?["offset"] as? Int == 16)
    #expect((object["warnings"] as? [Any])?.count == 1)
    let keys = try #require(object["keys"] as? [[String: Any]])
    let reports = try #require(keys.first { $0["name"] as? String == "reports" })
    #expect(reports["toMany"] as? Bool == true && reports["destination"] as? String == "Employee")
    let syntax = try tool.run("predicate", "check", "Employee", "a ==", "--json")
    #expect(syntax.code == 64 && syntax.errors == "")
  }

  @Test("The model is that of --model, of the store, or of the environment; an unknown entity is named")
  func models() throws {
    let store = try CommandLineTool.company()
    #expect(try store.run("predicate", "check", "Employee", "manager == 'Employee/p1'").code == 0)
    #expect(try tool.run("predicate", "check", "Employee", "manager == 'Employee/p1'").code == 0)
    #expect(try tool.run("predicate", "check", "Employee", "manager == 'p1'").code == 64)
    tool.environment = [:]
    #expect(try tool.run("predicate", "check", "Employee", "salary > 1").code == 66)
    #expect(try tool.run("predicate", "check", "Employee", "salary > 1", "--model", Self.model).code == 0)
    let unknown = try tool.run("predicate", "check", "Employe", "salary > 1", "--model", Self.model)
    #expect(unknown.code == 64 && unknown.errors.contains("did you mean \"Employee\""))
    #expect(try tool.run("predicate", "check", "Employee", "salary > 1", "--model", "none.json").code == 66)
  }

  // MARK: print

  @Test("PRD-195, PRD-202: print gives the plain form")
  func plain() throws {
    let outcome = try tool.run(
      "predicate", "print", "name in {'Ada','Bob'} && !(SELF.age between {18,30}) or some a.b=1")
    #expect(outcome.code == 0)
    #expect(outcome.output == "(name IN {\"Ada\", \"Bob\"} AND NOT age BETWEEN {18, 30}) OR ANY a.b == 1\n")
    #expect(
      try tool.run("predicate", "print", "a == 1 AND (b == 2 OR c == 3)", "--indent").output
        == "a == 1\nAND (\n  b == 2\n  OR c == 3\n)\n")
  }

  @Test("--arg and --var put values in, of every kind")
  func values() throws {
    #expect(
      try tool.run(
        "predicate", "print", "%K == %@ AND at > $t", "--arg", "\"name\"", "--arg", "\"x\"", "--var",
        "t={\"$date\":\"2001-01-02\"}"
      ).output == "name == \"x\" AND at > CAST(86400.0, \"NSDate\")\n")
    #expect(try tool.run("predicate", "print", "a == $t").output == "a == $t\n")
    #expect(
      try tool.run("predicate", "print", "a IN %@", "--arg", "{\"$set\":[2,1,2]}").output == "a IN {1, 2}\n")
    let missing = try tool.run("predicate", "print", "a == $t AND b == $u", "--var", "t=1")
    #expect(missing.code == 64 && missing.errors.contains("$u"))
  }

  @Test("--tree prints the tree as JSON")
  func tree() throws {
    let outcome = try tool.run("predicate", "print", "a == 1 AND b LIKE[c] 'x*'", "--tree")
    #expect(outcome.code == 0)
    #expect(try object(outcome.output)["type"] as? String == "and")
    let other = try tool.run("predicate", "print", "(a=1) && b like[C] \"x*\"", "--tree")
    #expect(other.output == outcome.output, "equal trees print alike, however they were written")
    #expect(try tool.run("predicate", "print", "a == 1", "--tree", "--indent").code == 64)
  }

  @Test("PRD-213: what cannot be read ends with 64 and a caret")
  func problemsOfPrint() throws {
    for text in ["", "a ==", "a == %@", "a == 'x", "foo:(a) == 1", "a == CAST('x', 'NSDate')"] {
      let outcome = try tool.run("predicate", "print", text)
      #expect(outcome.code == 64 && outcome.output == "", "\(text)")
      #expect(outcome.errors.contains("^") || text.isEmpty, "\(text): \(outcome.errors)")
    }
  }
}
