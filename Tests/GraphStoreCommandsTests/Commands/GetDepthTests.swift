import Foundation
import GraphStore
import GraphStoreContextTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("get --depth: related objects within the one that was asked for")
struct GetDepthTests {
  private static func nested(_ text: String) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }

  @Test("DGN-225: depth 1 shows related objects as fetch prints them, depth 0 their ids")
  func levels() throws {
    let tool = try CommandLineTool.staffedCompany()
    let grace = #"""
      {"id":"Employee/p1","name":"Grace","email":null,"birthday":"1966-12-09T00:00:00Z","salary":"81000","badge":1,"department":"Department/p1","manager":null}
      """#
    let ada = #"""
      {"id":"Employee/p2","name":"Ada","email":null,"birthday":null,"salary":"72000.5","badge":2,"department":"Department/p1","manager":"Employee/p1"}
      """#
    let plain = try tool.run("get", "Department/p1", "--ndjson")
    #expect(plain.output == #"{"id":"Department/p1","name":"Engineering"}"# + "\n")
    #expect(try tool.run("get", "Department/p1", "--ndjson", "--depth", "0").output == plain.output)
    let department = try tool.run("get", "Department/p1", "--depth", "1", "--ndjson")
    #expect(
      department.output
        == #"{"id":"Department/p1","name":"Engineering","employees":[\#(grace),\#(ada)]}"# + "\n")
    // The order of ordered relationships is kept.
    let project = try tool.run("get", "Project/p1", "--depth", "1", "--ndjson")
    #expect(
      project.output == #"{"id":"Project/p1","title":"Compiler","members":[\#(ada),\#(grace)]}"# + "\n")
    let lines = try tool.run("get", "Project/p1", "--depth", "1")
    #expect(
      lines.output == """
        id       Project/p1
        title    Compiler
        members  [\(ada),\(grace)]

        """)
  }

  @Test("An object within itself stays an id; empty and missing destinations stay what they are")
  func cycles() throws {
    let tool = try CommandLineTool.staffedCompany()
    let found = try tool.run(
      "get", "Employee/p1", "--depth", "2", "--ndjson", "--fields", "name,manager,reports")
    let record = try Self.nested(found.output)
    #expect(record["manager"] is NSNull)
    let reports = try #require(record["reports"] as? [NSDictionary])
    #expect(reports.map { $0["name"] as? String } == ["Ada", "Bob"])
    #expect(reports.map { $0["manager"] as? String } == ["Employee/p1", "Employee/p1"])
    #expect(reports.map { ($0["reports"] as? [String])?.count } == [0, 0])
    let department = try #require(reports[0]["department"] as? NSDictionary)
    // The lowest level has no to-many relationships.
    #expect(department == ["id": "Department/p1", "name": "Engineering"])
    let projects = try #require(reports[0]["projects"] as? [NSDictionary])
    #expect(projects == [["id": "Project/p1", "title": "Compiler"]])

    // Ids and objects side by side in one list.
    let around = try Self.nested(try tool.run("get", "Employee/p2", "--depth", "3", "--ndjson").output)
    let members = try #require((around["projects"] as? [NSDictionary])?.first?["members"] as? [Any])
    #expect(members.count == 2 && members[0] as? String == "Employee/p2")
    #expect((members[1] as? NSDictionary)?["name"] as? String == "Grace")
  }

  @Test("Relationships at the end of a path are shown, too, and objects of several entities in one table")
  func paths() throws {
    let tool = try CommandLineTool.staffedCompany()
    let path = try tool.run(
      "get", "Employee/p2", "--depth", "1", "--ndjson", "--fields", "manager.department,reports.name,id")
    #expect(
      path.output == """
        {"manager.department":{"id":"Department/p1","name":"Engineering"},"reports.name":[],"id":"Employee/p2"}

        """)
    let both = try tool.run(
      "get", "Department/p2", "Project/p1", "--depth", "1", "--format", "csv", "--no-header")
    let rows = both.output.split(separator: "\n")
    #expect(
      rows.count == 2 && rows[0].hasPrefix("Department/p2,Sales,") && rows[0].contains(#"""name"":""Bob"""#))
    #expect(rows.last?.hasPrefix("Project/p1,,,Compiler,") == true, "\(both.output)")
    let ids = try tool.run("get", "Department/p1", "--depth", "3", "--format", "ids")
    #expect(ids.output == "Department/p1\n")
  }

  @Test("What is not saved yet is shown with it")
  func unsaved() throws {
    let tool = try CommandLineTool.staffedCompany()
    let script = """
      insert Employee name=Eve salary=1 badge=9 department=Department/p2
      get Department/p2 --depth 1 --ndjson --fields employees
      """
    let found = try tool.run("run", "-", input: script)
    #expect(found.code == 0)
    #expect(
      found.output.contains(#""name":"Bob""#) && found.output.contains(#""name":"Eve""#), "\(found.output)")
  }

  @Test("A depth that is no number from 0 to 32 is refused", arguments: ["-1", "33", "x", ""])
  func refusals(_ depth: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    let refused = try tool.run("get", "Employee/p1", "--depth", depth)
    #expect(
      refused.code == 64 && refused.output.isEmpty && refused.errors.contains("--depth"), "\(refused.errors)")
  }
}
