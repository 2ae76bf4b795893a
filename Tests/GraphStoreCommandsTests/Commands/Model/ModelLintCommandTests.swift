import Foundation
import GraphStoreTestSupport
import Testing

@Suite("graphstore model lint and model validate")
struct ModelLintCommandTests {
  private let company = Repository.root.appendingPathComponent("Models/company.json").path
  private let doubtful = """
    {"name": "Notes", "entities": [
      {"name": "Note", "attributes": [{"name": "rank", "type": "int16"}],
       "relationships": [{"name": "next", "destination": "Note"}]}]}
    """

  @Test("With --error-format github findings are annotations of the file", arguments: ["validate", "lint"])
  func annotations(_ command: String) throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"entities":[{"name":"T","attributes":[
        {"name":"a","type":"strng"}]}]}
      """, to: "bad.json")
    let outcome = try tool.run("model", command, "bad.json", "--error-format", "github")
    #expect(outcome.code == 2)
    let line = try #require(outcome.output.split(separator: "\n").first)
    #expect(
      line.hasPrefix(
        "::error file=bad.json,line=2,col=15,title=model-bad-value::entities[0].attributes[0].type: "),
      "\(outcome)")
    let missing = try tool.run("model", command, "none.json", "--error-format", "github")
    #expect(
      missing.errors.hasPrefix("::error ") && missing.errors.split(separator: "\n").count == 1, "\(missing)")
  }

  @Test(
    "MDL-361: a line for each finding with file, line, column, severity, rule, sentence and remedy; exit 0 without errors"
  )
  func warnings() throws {
    let tool = try CommandLineTool()
    try tool.write(doubtful, to: "notes.json")
    let outcome = try tool.run("model", "lint", "notes.json", "--enable", "optional-number")
    #expect(outcome.code == 0)
    #expect(outcome.errors == "")
    #expect(
      outcome.lines == [
        "notes.json:2:35: warning: optional-number: entities[0].attributes[0]: Note.rank is an int16 that may be "
          + "missing. Nothing, if a missing value has a meaning of its own; else make it mandatory, with a default if one "
          + "is right for every object.",
        "notes.json:3:22: warning: missing-inverse: entities[0].relationships[0]: Note.next leads to Note and has no "
          + "inverse. Give the destination a relationship back and name each as the other's \"inverse\".",
      ])
  }

  @Test(
    "MDL-361: of several files each is reported under its name, with the exit code of the worst",
    arguments: ["validate", "lint"])
  func severalFiles(_ command: String) throws {
    let tool = try CommandLineTool()
    try tool.write(doubtful, to: "notes.json")
    try tool.write(#"{"entities":[{"name":"A","parent":"B"}]}"#, to: "broken.json")
    #expect(try tool.run("model", command, company, "notes.json").code == 0)
    let broken = try tool.run("model", command, "broken.json", company, "notes.json")
    #expect(broken.code == 2)
    #expect(broken.lines.first?.hasPrefix("broken.json:1:26: error: ") == true, "\(broken)")
    #expect(broken.output.contains("notes.json:3:22: warning: missing-inverse") == (command == "lint"))
    let missing = try tool.run("model", command, "none.json", "broken.json", "--json")
    #expect(missing.code == 66 && missing.errors.contains("none.json"), "\(missing)")
    let json = try CommandLineTool.json(missing)
    let models = try #require(json["models"] as? [[String: Any]])
    #expect(models.map { $0["file"] as? String } == ["broken.json"])
    #expect(json["ok"] as? Bool == false && json["errors"] as? Int == 1)
    let one = try CommandLineTool.json(tool.run("model", command, "notes.json", "--json"))
    #expect(one["file"] as? String == "notes.json" && one["models"] == nil)
  }

  @Test("MDL-361: --strict counts warnings as errors, and errors are exit 2 without it")
  func strict() throws {
    let tool = try CommandLineTool()
    try tool.write(doubtful, to: "notes.json")
    #expect(try tool.run("model", "lint", "notes.json", "--strict").code == 2)
    #expect(try tool.run("model", "lint", company, "--strict").code == 0)
    try tool.write(#"{"entities":[{"name":"A","parent":"B"}]}"#, to: "broken.json")
    let broken = try tool.run("model", "lint", "broken.json")
    #expect(broken.code == 2)
    #expect(broken.output.hasPrefix("broken.json:1:26: error: model-unknown-entity: entities[0].parent: "))
  }

  @Test(
    "DGN-125: a file that cannot be read as a model is exit 65, with all problems, their places and the keys meant"
  )
  func unreadable() throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"entities": [
        {"name": "A", "attributes": [{"name": "x", "tipe": "string"}]},
        {"name": "B", "parent": "C"}]}
      """, to: "bad.json")
    let outcome = try tool.run("init", "bad.db", "--model", "bad.json")
    #expect(outcome.code == 65 && outcome.errors.hasPrefix("error: bad.json has 3 problems"))
    for line in [
      "2:46: model-unknown-key: entities[0].attributes[0].tipe: There is no key \"tipe\" here. Did you mean \"type\"?",
      "3:17: model-unknown-entity: entities[1].parent: There is no entity \"C\" in the model.",
    ] {
      #expect(outcome.errors.contains(line), "\(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: tool.path("bad.db")))
  }

  @Test("MDL-361: a model that is not there is exit 66, text that is no JSON a finding")
  func absent() throws {
    let tool = try CommandLineTool()
    for command in ["lint", "validate"] {
      #expect(try tool.run("model", command, "nofile.json").code == 66)
      try tool.write("{", to: "text.json")
      let outcome = try tool.run("model", command, "text.json")
      #expect(outcome.code == 2)
      #expect(outcome.output.contains("text.json:1:2: error: model-syntax"))
    }
  }

  @Test("--disable leaves a rule out; an unknown rule is a usage error with the nearest name")
  func disable() throws {
    let tool = try CommandLineTool()
    try tool.write(doubtful, to: "notes.json")
    let outcome = try tool.run(
      "model", "lint", "notes.json", "--enable", "optional-number", "--disable", "optional-number",
      "--disable",
      "missing-inverse")
    #expect(outcome.output == "")
    let unknown = try tool.run("model", "lint", "notes.json", "--disable", "missing-invers")
    #expect(unknown.code == 64)
    #expect(unknown.errors.contains("there is no rule \"missing-invers\""))
    #expect(unknown.errors.contains("did you mean \"missing-inverse\"?"))
    #expect(try tool.run("model", "lint", "notes.json", "--enable", "optional-numbers").code == 64)
  }

  @Test("MDL-347: optional numbers are looked for when asked for, and --rules says how")
  func enable() throws {
    let tool = try CommandLineTool()
    try tool.write(doubtful, to: "notes.json")
    #expect(try !tool.run("model", "lint", "notes.json").output.contains("optional-number"))
    #expect(
      try tool.run("model", "lint", "--rules").lines.contains(
        "optional-number   (with --enable optional-number)"))
  }

  @Test(
    "What no store can be made of is told by validate and lint at each place, and keeps init from making one"
  )
  func support() throws {
    let tool = try CommandLineTool()
    let indexes = (0..<10).map {
      "{\"name\": \"i\($0)\", \"elements\": [{\"expression\": \"lowercase:(u)\"}]}"
    }.joined(separator: ", ")
    try tool.write(
      """
      {"name": "Notes", "entities": [{"name": "Note", "attributes": [{"name": "n", "type": "string"},
        {"name": "u", "type": "int32"}], "indexes": [\(indexes)]}]}
      """, to: "notes.json")
    let validation = try tool.run("model", "validate", "notes.json")
    #expect(validation.errors.components(separatedBy: "[index-cannot-be-made]").count == 11)
    let lint = try tool.run("model", "lint", "notes.json")
    #expect(lint.output.components(separatedBy: "index-cannot-be-made: ").count == 11)
    let made = try tool.run("init", "notes.db", "--model", "notes.json")
    #expect(made.code != 0 && made.errors.contains("lowercase:"))
  }

  @Test("MDL-171, MDL-181: a derived attribute is kept by the store, asked for, and cannot be set")
  func derived() throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Notes", "entities": [{"name": "Note", "attributes": [{"name": "n", "type": "string"},
        {"name": "u", "type": "string", "derivation": "n:uppercase"}]}]}
      """, to: "notes.json")
    #expect(try tool.run("init", "notes.db", "--model", "notes.json").errors.isEmpty)
    #expect(try tool.run("insert", "Note", "n=a", "--store", "notes.db").code == 0)
    #expect(
      try tool.run("fetch", "Note", "--where", "u == 'A'", "--store", "notes.db", "--format", "csv").lines
        == ["id,n,u", "Note/p1,a,A"])
    let refused = try tool.run("update", "Note/p1", "u=B", "--store", "notes.db")
    #expect(refused.code == 64 && refused.errors.contains("[read-only-property]"))
    #expect(try tool.run("predicate", "check", "Note", "u == 'A'", "--model", "notes.json").code == 0)
    #expect(try tool.run("check", "--store", "notes.db").code == 0)
  }

  @Test("--json is one object with every finding")
  func json() throws {
    let tool = try CommandLineTool()
    try tool.write(doubtful, to: "notes.json")
    let output = try tool.run("model", "lint", "notes.json", "--json", "--enable", "optional-number").output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    #expect(object["ok"] as? Bool == true)
    #expect(object["warnings"] as? Int == 2)
    #expect(object["errors"] as? Int == 0)
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(findings.map { $0["rule"] as? String } == ["optional-number", "missing-inverse"])
    #expect(findings[0]["line"] as? Int == 2)
    #expect(findings[0]["path"] as? String == "entities[0].attributes[0]")
  }

  @Test("--rules lists every rule with reason, remedy and how to silence it")
  func rules() throws {
    let tool = try CommandLineTool()
    let text = try tool.run("model", "lint", "--rules")
    #expect(text.code == 0)
    for rule in ["missing-inverse", "no-path   (of a directory of versions)", "always-nil   (with --store)"] {
      #expect(text.lines.contains(rule))
    }
    #expect(text.output.contains("checkIgnore"))
    let json = try tool.run("model", "lint", "--rules", "--json").output
    let list = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(list.count > 40)
    #expect(list.allSatisfy { ($0["reason"] as? String)?.isEmpty == false })
  }

  @Test("MDL-341: of a directory every version is looked at, each finding with its file")
  func versions() throws {
    let tool = try CommandLineTool()
    try FileManager.default.createDirectory(
      at: tool.folder.appendingPathComponent("Notes.graphmodel"), withIntermediateDirectories: true)
    try tool.write(doubtful, to: "Notes.graphmodel/1.json")
    try tool.write(#"{"entities":[{"name":"Note","parent":"Nothing"}]}"#, to: "Notes.graphmodel/2.json")
    let lint = try tool.run("model", "lint", "Notes.graphmodel")
    #expect(lint.code == 2)
    #expect(lint.output.contains("Notes.graphmodel/1.json:3:22: warning: missing-inverse"))
    #expect(lint.output.contains("Notes.graphmodel/2.json:1:29: error: model-unknown-entity"))
    let validate = try tool.run("model", "validate", "Notes.graphmodel")
    #expect(validate.code == 2)
    #expect(validate.lines.count == 1)
    #expect(try tool.run("model", "validate", "Notes.graphmodel/1.json").code == 0)
  }

  @Test("PRD-095: a stored predicate that is easily mistaken is a finding of lint, not of validate")
  func predicates() throws {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"entities": [{"name": "A", "attributes": [{"name": "x", "type": "string"}]}],
       "fetchRequests": [{"name": "others", "entity": "A", "predicate": "x != $X"}]}
      """, to: "a.json")
    #expect(try tool.run("model", "lint", "a.json").output.contains("a.json:2:54: warning: missing-value: "))
    let validate = try tool.run("model", "validate", "a.json")
    #expect(validate.output + validate.errors == "")
  }

  @Test("MDL-361: validate --json keeps its shape")
  func validateJSON() throws {
    let tool = try CommandLineTool()
    try tool.write(#"{"entities":[{"name":"Person"},{"name":"B","parent":"Persn"}]}"#, to: "a.json")
    let output = try tool.run("model", "validate", "a.json", "--json").output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    #expect(object["file"] as? String == "a.json")
    #expect(object["ok"] as? Bool == false)
    let problem = try #require((object["problems"] as? [[String: Any]])?.first)
    #expect(problem["code"] as? String == "model-unknown-entity")
    #expect(problem["path"] as? String == "entities[1].parent")
    #expect(problem["suggestion"] as? String == "Person")
  }
}
