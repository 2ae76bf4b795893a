import Testing

@Suite("Relationships by the command")
struct RelationshipCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test("REL-401: a denied deletion names the remedy")
  func remedy() throws {
    let outcome = try tool.run("delete", "Employee/p1")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("[delete-denied]") && outcome.errors.contains("blocked by 2 Employee"))
    #expect(outcome.errors.contains("hint: delete or move them first, in the same save: graphstore run -"))
  }

  @Test("REL-403: objects are moved between relationships by URI, several in one save")
  func moving() throws {
    let information = try tool.run("info").output.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    let uuid = try #require(information.first { $0.first == "uuid" }?.last)
    let uris = [1, 2].map { "x-coredata://\(uuid)/Employee/p\($0)" }
    let moved = try tool.run("link", "Department/p2.employees", uris[0], uris[1])
    #expect(moved.code == 0, "\(moved.errors)")
    let left = try tool.run("get", "Department/p1", "Department/p2", "--fields", "employees", "--ndjson")
      .output
    #expect(left.contains(#""id":"Department/p1","employees":[]"#), "\(left)")
    #expect(left.contains(#"["Employee/p1","Employee/p2","Employee/p3"]"#), "\(left)")
    // One that is not there keeps the others where they are.
    #expect(try tool.run("link", "Department/p1.employees", uris[0], "Employee/p99").code == 66)
    #expect(
      try tool.run("fetch", "Employee", "--where", "department.name == 'Engineering'", "-f", "ids").output
        == "")
    #expect(try tool.run("check").code == 0)
  }

  @Test("REL-404: to-many values are printed in their order, or by ascending identifier")
  func order() throws {
    #expect(try tool.run("link", "Project/p1.members", "Employee/p3").code == 0)
    #expect(try tool.run("unlink", "Project/p1.members", "Employee/p2").code == 0)
    #expect(try tool.run("link", "Project/p1.members", "Employee/p2").code == 0)
    for id in ["Employee/p3", "Employee/p1", "Employee/p2"] {
      #expect(try tool.run("unlink", "\(id).department").code == 0)
      #expect(try tool.run("link", "Department/p1.employees", id).code == 0)
    }
    let members = try tool.run("get", "Project/p1", "--fields", "members", "--ndjson").output
    #expect(members.contains(#"["Employee/p1","Employee/p3","Employee/p2"]"#), "\(members)")
    let employees = try tool.run("get", "Department/p1", "--fields", "employees", "--ndjson").output
    #expect(employees.contains(#"["Employee/p1","Employee/p2","Employee/p3"]"#), "\(employees)")
  }
}
