import Testing

@Suite("Conditions that were probably meant otherwise")
struct PredicateHintTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func run(_ words: [String]) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, words, input: nil)
  }

  @Test(
    "LIKE with the wildcard of SQL that finds nothing is told, with the pattern that was meant",
    arguments: [
      ["fetch", "Employee", "--where", "name LIKE 'G%'"],
      ["count", "Employee", "--where", "NOT (NOT name LIKE 'G%')"],
      ["count", "Employee", "--where", "badge > 0 AND name LIKE $n", "--var", "n=G%"],
      ["export", "Employee", "--where", "name LIKE[c] 'G%'"],
      ["delete", "Employee", "--where", "name LIKE 'G%'"],
      ["update", "Employee", "--where", "name LIKE 'G%'", "badge=1"],
    ])
  func like(_ words: [String]) throws {
    let outcome = try run(words)
    #expect(outcome.code == 0 && outcome.errors.contains("[like-without-wildcard]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("write \"G*\""), "\(outcome.errors)")
    #expect(try run(words + ["-q"]).errors == "")
  }

  @Test(
    "So is one that is negated, in conditions of groups and of links, and in a filter",
    arguments: [
      (0, ["delete", "Employee", "--where", "NOT name LIKE 'G%'", "--dry-run"]),
      (0, ["update", "Employee", "--where", "NOT name LIKE 'G%'", "badge:=null", "--dry-run"]),
      (0, ["fetch", "Employee", "--group-by", "name", "--having", "name LIKE 'G%'"]),
      (65, ["insert", "Employee", "name=Eve", "department?=name LIKE 'G%'"]),
      (0, ["filter", "name LIKE 'G%'", "people.ndjson"]),
      (0, ["filter", "name LIKE $n", "people.ndjson", "--var", "n=\"G%\""]),
    ] as [(Int32, [String])])
  func elsewhere(code: Int32, words: [String]) throws {
    try tool.write("{\"name\":\"Grace\"}\n", to: "people.ndjson")
    let outcome = try run(words)
    #expect(outcome.code == code && outcome.errors.contains("[like-without-wildcard]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("write \"G*\""), "\(outcome.errors)")
  }

  @Test("The wildcard of SQL for one character is told too")
  func underscore() throws {
    let outcome = try run(["count", "Employee", "--where", "name LIKE 'Gr_ce'"])
    #expect(outcome.errors.contains("write \"Gr?ce\""), "\(outcome.errors)")
  }

  @Test("What finds something, or has a wildcard, is not told")
  func fine() throws {
    #expect(try tool.run("insert", "Department", "name=100%").code == 0)
    for condition in ["name LIKE '100%'", "name LIKE '*%'", "name LIKE '?%'", "name BEGINSWITH '%'"] {
      #expect(try tool.run("count", "Department", "--where", condition).errors == "", "\(condition)")
    }
  }

  @Test("IN with one text that looks like a list is told, with the list as JSON")
  func list() throws {
    let outcome = try tool.run("count", "Employee", "--where", "name IN $n", "--var", "n=Ada,Bob")
    #expect(outcome.errors.contains("[in-text]"), "\(outcome.errors)")
    #expect(outcome.errors.contains(#"--var 'n:=["Ada","Bob"]'"#), "\(outcome.errors)")
    let list = try tool.run("count", "Employee", "--where", "name IN $n", "--var", #"n:=["Ada","Bob"]"#)
    #expect(list.output == "2\n" && list.errors == "")
    let part = try tool.run("count", "Employee", "--where", "name IN $n", "--var", "n=AdaBob")
    #expect(part.output == "2\n" && part.errors == "")
  }
}
