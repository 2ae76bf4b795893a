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

  @Test(
    "DGN-116: a message is one sentence that names the thing and the value",
    arguments: [
      (["fetch", "Emploee"], ["\"Emploee\""]),
      (["fetch", "Employee", "--where", "salry > 5"], ["Employee", "\"salry\""]),
      (["insert", "Employee", "name=Ada", "badge=many"], ["Employee.badge", "\"many\""]),
      (["insert", "Employee", "name=Ada", "badge=99999999999"], ["Employee.badge", "99999999999", "int32"]),
      (["insert", "Employee", "name=Ada", "email=x"], ["Employee.email", "\"x\"", "[^@]+@[^@]+"]),
      (["insert", "Employee", "name=Ada", "department=Department/p9"], ["Department/p9"]),
      (["delete", "Employee/x1"], ["\"Employee/x1\""]),
      (["count", "Employee", "--store", "none.db"], ["none.db"]),
      (["model", "validate", "none.json"], ["none.json"]),
    ])
  func sentences(arguments: [String], names: [String]) throws {
    let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
    let message = try #require(outcome.errors.firstMatch(of: #/error: (.+?)   \[[a-z-]+\]\n/#)).output.1
    for name in names { #expect(message.contains(name), "\(outcome.errors)") }
    #expect(!message.contains(". ") && !message.hasSuffix("."), "\(outcome.errors)")
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

  /// A store whose model has rules with messages of their own.
  private func ruled() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(
      #"""
      {"entities":[{"name":"Party","attributes":[{"name":"country","type":"string","optional":false,"default":"NO"},
      {"name":"state","type":"string","validations":[{"predicate":"SELF != 'bad'","message":"bad state"}]},
      {"name":"age","type":"int32","max":5}, {"name":"dec","type":"decimal"}],
      "relationships":[{"name":"kids","destination":"Party","toMany":true,"inverse":"parent"},
      {"name":"parent","destination":"Party","inverse":"kids"}]},
      {"name":"Staff","parent":"Party"}]}
      """#, to: "m.json")
    let made = try tool.run("init", "m.db", "--model", "m.json")
    try #require(made.code == 0, "\(made.errors)")
    tool.environment["GRAPHSTORE_STORE"] = "m.db"
    for number in 1...2 { try tool.run("insert", "Staff", "age=\(number)") }
    return tool
  }

  @Test("DGN-119: what breaks a rule is told with the object's entity, the key, the object and the value")
  func places() throws {
    let tool = try ruled()
    let several = try tool.run("update", "Party", "--all", "-y", "state=bad", "age=9")
    #expect(several.code == 65)
    for line in [
      "Staff.state of Staff/p1: bad state", "Staff.age of Staff/p2: 9 is greater than the maximum 5",
    ] {
      #expect(several.errors.contains(line), "\(several.errors)")
    }
    let required = try tool.run("update", "Staff/p1", "country:=null")
    #expect(
      required.errors.contains("Staff.country of Staff/p1: a value is required"), "\(required.errors)")
    let single = try tool.run("insert", "Staff", "age=9")
    #expect(single.errors.contains("Staff.age: 9 is greater"), "\(single.errors)")
  }

  @Test("DGN-112: several problems are an array of errors in JSON, with object and value")
  func placesJSON() throws {
    let tool = try ruled()
    let outcome = try tool.run("update", "Party", "--all", "-y", "state=bad", "--error-format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any]
    let error = try #require(object?["error"] as? [String: Any])
    let errors = try #require(error["errors"] as? [[String: Any]])
    #expect(errors.map { $0["object"] as? String } == ["Staff/p1", "Staff/p2"])
    #expect(errors.allSatisfy { $0["entity"] as? String == "Staff" && $0["property"] as? String == "state" })
    #expect(errors.allSatisfy { $0["value"] as? String == "bad" })
  }

  @Test(
    "DGN-112: the rule's number and the property are told, details that errors tell are left out, several hints are lines"
  )
  func numbersJSON() throws {
    let ruled = try ruled()
    let failure = try ruled.run("insert", "Staff", "age=9", "state=bad", "--error-format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(failure.errors.utf8)) as? [String: Any]
    let error = try #require(object?["error"] as? [String: Any])
    #expect(error["number"] as? Int == 1560)
    #expect(error["hint"] as? String == "nothing was written")
    #expect(error["details"] == nil && error["hints"] == nil && error["key"] == nil)
    let errors = try #require(error["errors"] as? [[String: Any]])
    #expect(errors.map { $0["number"] as? Int } == [1610, 1550])
    #expect(errors.map { $0["property"] as? String } == ["age", "state"])
    let unknown = try json("fetch", "Employee", "--where", "salry > 1")
    #expect(unknown["number"] as? Int == 136011 && unknown["property"] as? String == "salry")
    #expect(try json("fetch", "Employee", "--where", "salary >")["number"] as? Int == 136030)
    #expect(try json("fetch", "Employee", "--limit", "-1")["number"] == nil)
  }

  @Test(
    "DGN-112: the records of an import and the problems of a model that end a command are errors of one error"
  )
  func listsJSON() throws {
    try tool.write("{\"name\":\"a\",\"salary\":-1}\n{\"badge\":1}\n", to: "two.ndjson")
    let failure = try json("import", "Employee", "two.ndjson")
    let records = try #require(failure["errors"] as? [[String: Any]])
    #expect(records.map { $0["line"] as? Int } == [1, 2])
    #expect(records.map { $0["property"] as? String } == ["salary", "name"])
    #expect(records.map { $0["number"] as? Int } == [1620, 1570])
    try tool.write("{\"entities\":[{\"name\":\"A\",\"x\":1},{\"name\":\"B\",\"y\":1}]}", to: "m.json")
    let model = try json("model", "show", "m.json")
    let problems = try #require(model["errors"] as? [[String: Any]])
    #expect(
      problems.count == 2 && problems.allSatisfy { $0["line"] as? Int == 1 && $0["number"] as? Int == 136002 }
    )
  }

  @Test("DGN-112: what SQLite said is the cause")
  func cause() throws {
    let lock = try StoreLock(tool.path("hr.db"))
    defer { lock.release() }
    let failure = try json("insert", "Employee", "name=A", "--timeout", "0.1")
    #expect(failure["code"] as? String == "store-timeout")
    #expect((failure["cause"] as? String)?.hasPrefix("SQLite: database is locked") == true)
  }

  @Test("A model with very many problems shows the first twenty and says how many more there are")
  func manyProblems() throws {
    let keys = (0..<50).map { "\"key\($0)\":1" }.joined(separator: ",")
    try tool.write("{\"entities\":[{\"name\":\"A\"}],\(keys)}", to: "m.json")
    let failure = try tool.run("model", "show", "m.json")
    #expect(failure.errors.contains("m.json has 50 problems"))
    #expect(failure.errors.contains("30 more are not shown"))
    #expect(failure.errors.split(separator: "\n").count == 22)
  }

  @Test("UNQ: all constraints that an object breaks are told, with the objects that stand in its way")
  func constraints() throws {
    try tool.run("insert", "Employee", "name=A", "email=a@b", "badge=1")
    try tool.run("insert", "Employee", "name=B", "email=b@b", "badge=2")
    let failure = try tool.run("insert", "Employee", "name=C", "email=a@b", "badge=2")
    #expect(failure.code == 65)
    for part in [
      "there are other objects", "email \"a@b\"", "badge 2", "Employee/p1 has it", "Employee/p2 has it",
    ] {
      #expect(failure.errors.contains(part), "\(failure.errors)")
    }
    let one = try tool.run("insert", "Employee", "name=C", "email=a@b", "badge=1")
    #expect(one.errors.contains("there is another object with") && one.errors.contains(", and with "))
    let kept = try tool.run("update", "Employee/p2", "badge=1")
    #expect(
      kept.errors.contains("another object with badge 1") && !kept.errors.contains("email"), "\(kept.errors)")
  }

  @Test(
    "No colours where they are refused, in errors of the options themselves too",
    arguments: [
      ["--no-color"], ["--color", "never"], ["--color=never"],
    ])
  func colours(words: [String]) throws {
    tool.environment["CLICOLOR_FORCE"] = "1"
    for line in [["fetsh"], ["count", "--nope"], ["count"]] {
      let coloured = try tool.run(CommandLineTool.executable.path, line, input: nil)
      #expect(coloured.errors.contains("\u{1B}["))
      let plain = try tool.run(CommandLineTool.executable.path, line + words, input: nil)
      #expect(!plain.errors.contains("\u{1B}["), "\(plain.errors)")
    }
  }

  @Test("A number that no decimal can be is out of range, not of a wrong type")
  func decimals() throws {
    let outcome = try ruled().run("insert", "Staff", "dec:=1e300")
    #expect(outcome.code == 65)
    #expect(!outcome.errors.contains("not a decimal"), "\(outcome.errors)")
  }

  @Test("An error in a field is shown in the field, not in the condition")
  func fields() throws {
    let tool = try CommandLineTool()
    try tool.write(
      #"{"entities":[{"name":"T","attributes":[{"name":"big","type":"int64"}],"relationships":[{"name":"kids","destination":"T","toMany":true,"inverse":"up"},{"name":"up","destination":"T","inverse":"kids"}]}]}"#,
      to: "t.json")
    tool.environment["GRAPHSTORE_STORE"] = "t.db"
    #expect(try tool.run("init", "t.db", "-m", "t.json").code == 0)
    try tool.run("insert", "T", "big=1")
    for _ in 1...2 { try tool.run("insert", "T", "big=9223372036854775807", "up=T/p1") }
    let outcome = try tool.run("fetch", "T", "-w", "big == 1", "--fields", "kids.@sum.big")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("\n  kids.@sum.big\n"), "\(outcome.errors)")
    #expect(try tool.run("count", "T", "-w", "kids.@sum.big > 9223372036854775807").output == "1\n")
  }

  @Test("The problem is found in the right one of several conditions")
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
  }

  @Test("DGN-137: an abstract entity that is to be inserted, with its concrete sub-entities")
  func abstract() throws {
    let outcome = try tool.run("insert", "Person", "name=x")
    #expect(outcome.code == 64 && outcome.errors.contains("[abstract-entity]"))
    #expect(outcome.errors.contains("Employee"))
  }

  @Test("Problems of --sort and --fields are shown in their own text")
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
