import Foundation
import Testing

@Suite("Errors: their text, their JSON and their exit codes")
struct ErrorMessageTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.company() }

  private func json(_ arguments: String...) throws -> [String: Any] {
    let outcome = try tool.run(
      CommandLineTool.executable.path, arguments + ["--error-format", "json"], input: nil)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
    let error = try #require(object?["error"] as? [String: Any])
    #expect(error["exit"] as? Int32 == outcome.code)
    return error
  }

  @Test("DGN-139: an unknown key has a caret under it, suggestions, and the names there are")
  func unknownKey() throws {
    let outcome = try tool.run("fetch", "Employee", "--where", "salry > 75000")
    #expect(outcome.code == 64)
    #expect(
      outcome.errors == """
        error: Employee has no attribute or relationship "salry"   [unknown-key]
          salry > 75000
          ^^^^^
        hint: did you mean "salary"?  Also known: name, email, birthday, badge, department, manager, reports, \
        projects

        """)
  }

  @Test("An unknown key behind a relationship is one of the destination")
  func unknownKeyInPath() throws {
    let outcome = try tool.run("fetch", "Employee", "--where", "name != nil AND department.nme == 'x'")
    #expect(outcome.errors.hasPrefix("error: Department has no attribute or relationship \"nme\""))
    #expect(outcome.errors.contains("\n" + String(repeating: " ", count: 29) + "^^^\n"))
  }

  @Test("DGN-112: the same as one line of JSON")
  func unknownKeyJSON() throws {
    let error = try json("fetch", "Employee", "--where", "salry > 1")
    #expect(error["code"] as? String == "unknown-key")
    #expect(error["entity"] as? String == "Employee")
    #expect(error["source"] as? String == "--where")
    #expect(error["offset"] as? Int == 0)
    #expect(error["length"] as? Int == 5)
    #expect(error["suggestions"] as? [String] == ["salary"])
  }

  @Test("The fault is found in the right one of several conditions")
  func severalConditions() throws {
    let outcome = try tool.run("fetch", "Employee", "-w", "salary > 1", "-w", "badge LIKE 5")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("\n  badge LIKE 5\n"))
  }

  @Test("DGN-157: a syntax error says what was expected, with a caret at the place")
  func syntax() throws {
    for text in [
      "salary >", "(salary > 1", "salary > 1)", "name LIKE", "AND", "name == 'x", "@", "$", "{1,2",
    ] {
      let outcome = try tool.run("fetch", "Employee", "--where", text)
      #expect(outcome.code == 64, "\(text)")
      #expect(outcome.errors.contains("^"), "\(outcome.errors)")
    }
  }

  @Test("Deep nesting is refused, not crashed on")
  func deep() throws {
    let text = String(repeating: "(", count: 50_000) + "salary > 1"
    let outcome = try tool.run("fetch", "Employee", "--where", text)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("[predicate-too-deep]"))
  }

  @Test("DGN-216: unknown commands and options, with suggestions, as text and as JSON")
  func arguments() throws {
    let command = try tool.run("ftch", "Employee")
    #expect(command.code == 64)
    #expect(
      command.errors == """
        error: unknown command "ftch"   [unknown-command]
        hint: did you mean "fetch"?  Run "graphstore --help" for the list.

        """)
    #expect(try tool.run("metadata", "lst").errors.contains("did you mean \"list\"?"))
    let option = try json("fetch", "Employee", "--srot", "name")
    #expect(option["code"] as? String == "unknown-option")
    #expect(option["suggestions"] as? [String] == ["--sort"])
    #expect(try json("fetch")["code"] as? String == "usage")
    #expect(try json("fetch", "Employee", "--limit", "x")["exit"] as? Int == 64)
    #expect(try tool.run("fetch").errors.contains("see graphstore fetch --help"))
    #expect(try tool.run("fetch", "Employee", "--var", "$=1").code == 64)
  }

  @Test("DGN-131: an unknown entity, with the names near it and all there are")
  func entity() throws {
    let outcome = try tool.run("fetch", "Employe")
    #expect(outcome.code == 64)
    #expect(
      outcome.errors == """
        error: the model has no entity "Employe"   [unknown-entity]
        hint: did you mean "Employee"?  Also known: Person, Department, Project

        """)
    #expect(try tool.run("insert", "Person", "name=x").errors.contains("[abstract-entity]"))
  }

  @Test("Faults of --sort and --fields are shown in their own text")
  func otherTexts() throws {
    let sort = try tool.run("fetch", "Employee", "--sort", "name,-salry")
    #expect(sort.errors.contains("  name,-salry\n        ^^^^^\n"))
    let fields = try tool.run("fetch", "Employee", "--fields", "name,department.nme")
    #expect(fields.errors.contains("  name,department.nme\n                  ^^^\n"))
  }

  @Test("No command fails as an internal error on odd words")
  func oddWords() throws {
    for word in [
      "", "/", ".", "Employee/", "Employee/p", "Employee/p0", "Employee/p-1", "x-coredata://", "=", "-", "é",
    ] {
      for command in ["get", "delete", "update", "link", "unlink"] {
        let outcome = try tool.run(command, word, "name=x")
        #expect([64, 65, 66].contains(outcome.code), "\(command) \(word): \(outcome.code) \(outcome.errors)")
      }
    }
  }

  @Test("A wrong option is told in the form that another asks for")
  func formOfOptionErrors() throws {
    let tool = try CommandLineTool.company()
    let outcome = try tool.run("count", "Employee", "--timeout", "-1", "--error-format", "json")
    #expect(outcome.code == 64)
    #expect(outcome.errors.hasPrefix(#"{"error":{"code":"usage","message":"--timeout takes"#))
  }

  @Test("A value that clings to its short option is told apart")
  func clingingValue() throws {
    let tool = try CommandLineTool.company()
    let outcome = try tool.run("count", "Employee", "-s../x.db")
    #expect(outcome.code == 64)
    #expect(
      outcome.errors == """
        error: unknown option '-s../x.db'   [unknown-option]
        hint: a blank stands between a short option and its value: -s ../x.db
        hint: see graphstore count --help

        """)
  }
}
