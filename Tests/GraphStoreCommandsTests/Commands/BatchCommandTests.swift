import Testing

/// Changes of sets through the built command.
@Suite("graphstore update --batch and delete --batch")
struct BatchCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func salaries() throws -> String {
    try tool.run("fetch", "Employee", "--sort", "badge", "--fields", "salary", "-f", "csv", "--no-header")
      .output
  }

  @Test("FET-229, FET-234: values are set and added to, by the rules of the model")
  func updating() throws {
    let outcome = try tool.run("update", "Employee", "-w", "badge < 3", "--batch", "salary+=1000", "name=X")
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    #expect(try salaries() == "82000\n73000.5\n50000\n")
    #expect(try tool.run("count", "Employee", "-w", "name == 'X'").output == "2\n")
    for change in ["salary=-5", "salary+=-60000"] {
      let refused = try tool.run("update", "Employee", "--all", "--yes", "--batch", change)
      #expect(refused.code == 65 && refused.errors.contains("[validation]"), "\(refused.errors)")
    }
    #expect(try tool.run("check").code == 0)
  }

  @Test("FET-209, DGN-217: a dry run, --max and a missing --yes change nothing")
  func consent() throws {
    let dry = try tool.run("update", "Employee", "--all", "--batch", "salary=1", "--dry-run")
    #expect(dry.code == 0 && dry.output == "would update 3 Employee; nothing written\n", "\(dry.output)")
    let many = try tool.run("update", "Employee", "--all", "--batch", "salary=1", "--max", "2", "--yes")
    #expect(many.code == 4 && many.errors.contains("3 objects would be updated, more than --max 2"))
    #expect(try tool.run("update", "Employee", "--all", "--batch", "salary=1").code == 4)
    #expect(try salaries() == "81000\n72000.5\n50000\n")
    let json = try tool.run("update", "Employee", "--all", "--batch", "salary=1", "--yes", "--json")
    #expect(json.output.contains(#""updated":3"#), "\(json.output)")
    #expect(try salaries() == "1\n1\n1\n")
  }

  @Test("FET-231: links, elements, ids and wrong values are refused with the exit code of their kind")
  func refusals() throws {
    func refused(_ words: String..., code: Int32, _ text: String) throws {
      let outcome = try tool.runShell(
        "graphstore update " + words.map { "'\($0)'" }.joined(separator: " ") + " --batch --yes")
      #expect(outcome.code == code && outcome.errors.contains(text), "\(words): \(outcome.errors)")
    }
    try refused("Employee", "--all", "department=Department/p2", code: 64, "is a relationship")
    try refused("Employee/p1", "salary=1", code: 64, "not with ids")
    try refused("Employee", "--all", "name:=null", code: 65, "name")
    try refused("Employee", "--all", "salry=1", code: 64, "salary")
    try refused("Employee", "--all", "badge=1", code: 65, "constraint-conflict")
    #expect(try salaries() == "81000\n72000.5\n50000\n")
  }

  @Test("FET-236, FET-238: a batch delete follows cascades, and a dry run says what would go")
  func deleting() throws {
    let dry = try tool.run("delete", "Department", "-w", "name == 'Sales'", "--batch", "-n")
    #expect(dry.output == "would delete 2 objects, cascades included; nothing written\n", "\(dry.output)")
    #expect(try tool.run("count", "Employee").output == "3\n")
    let done = try tool.run("delete", "Department", "-w", "name == 'Sales'", "--batch", "--json")
    #expect(done.output.contains(#""deleted":2"#), "\(done.output)")
    #expect(try tool.run("count", "Employee").output == "2\n")
    let denied = try tool.run("delete", "Employee", "-w", "badge == 1", "--batch")
    #expect(denied.code == 3 && denied.errors.contains("delete-denied"), "\(denied.errors)")
    #expect(try tool.run("delete", "Employee", "--all", "--batch", "--yes").code == 0)
    #expect(try tool.run("check").code == 0)
  }

  @Test("FET-209: in a script it is a part of the transaction, and later statements see it")
  func scripts() throws {
    let lines = """
      fetch Employee --fields salary -f csv
      update Employee --where 'badge == 3' --batch salary=7
      update Employee/p3 salary+=1
      """
    let outcome = try tool.run("run", "-", input: lines)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try salaries() == "81000\n72000.5\n8\n")
    let wrong = "update Employee --where 'badge == 3' --batch salary=9\nupdate Employee/p99 salary=1\n"
    let failing = try tool.run("run", "-", input: wrong)
    #expect(failing.code != 0)
    #expect(try salaries() == "81000\n72000.5\n8\n")
    try tool.write(".begin\nupdate Employee --where 'badge == 3' --batch salary=9\n.rollback\n", to: "lines")
    #expect(
      try tool.runShell("graphstore shell < lines").errors.contains("--batch writes to the store at once"))
  }
}
