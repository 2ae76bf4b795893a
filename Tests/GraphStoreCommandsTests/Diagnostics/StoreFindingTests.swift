import Foundation
import Testing

@Suite("Finding the store, and settings from the environment and files")
struct StoreFindingTests {
  @Test("The store comes from the option, else the environment, else the nearest project file")
  func precedence() throws {
    let tool = try CommandLineTool.staffedCompany()
    tool.environment["GRAPHSTORE_STORE"] = nil
    let nowhere = try tool.run("count", "Employee")
    #expect(nowhere.code == 66)
    for place in ["--store", "GRAPHSTORE_STORE", ".graphstore.json"] {
      #expect(nowhere.errors.contains(place))
    }
    #expect(try tool.run("count", "Employee", "--store", "hr.db").output == "3\n")
    #expect(try tool.run("--store", "hr.db", "count", "Employee").output == "3\n")
    try tool.write(#"{"store":"hr.db","format":"ids"}"#, to: ".graphstore.json")
    #expect(try tool.run("fetch", "Department").output == "Department/p1\nDepartment/p2\n")
    let below = try tool.runShell("mkdir -p a/b && cd a/b && graphstore count Employee")
    #expect(below.output == "3\n")
    tool.environment["GRAPHSTORE_STORE"] = "other.db"
    #expect(try tool.run("count", "Employee").code == 66)
  }

  @Test("GRAPHSTORE_FORMAT and GRAPHSTORE_ERROR_FORMAT set the defaults, options win")
  func environment() throws {
    let tool = try CommandLineTool.staffedCompany()
    tool.environment["GRAPHSTORE_FORMAT"] = "ids"
    tool.environment["GRAPHSTORE_ERROR_FORMAT"] = "json"
    #expect(try tool.run("fetch", "Department").output == "Department/p1\nDepartment/p2\n")
    #expect(try tool.run("fetch", "Department", "-f", "csv", "--fields", "name").output.hasPrefix("name\n"))
    #expect(try tool.run("fetch", "Nothing").errors.hasPrefix(#"{"error":{"code":"unknown-entity""#))
    #expect(try tool.run("ftch").errors.hasPrefix(#"{"error":{"code":"unknown-command""#))
    tool.environment["GRAPHSTORE_FORMAT"] = "fancy"
    let wrong = try tool.run("fetch", "Department")
    #expect(wrong.code == 78)
  }

  @Test("DGN-220: a configuration file that does not parse or has an unknown key exits 78")
  func brokenFile() throws {
    let tool = try CommandLineTool.company()
    try tool.write(#"{"stor":"hr.db"}"#, to: ".graphstore.json")
    let unknown = try tool.run("count", "Employee")
    #expect(unknown.code == 78)
    #expect(unknown.errors.contains("did you mean \"store\"?"))
    try tool.write(#"{"store":"#, to: ".graphstore.json")
    #expect(try tool.run("count", "Employee").code == 78)
  }

  @Test("A configuration without end is refused, with the length that one may have")
  func endlessFile() throws {
    let tool = try CommandLineTool.company()
    tool.environment["GRAPHSTORE_CONFIG"] = "/dev/zero"
    let outcome = try tool.run("count", "Employee")
    #expect(outcome.code == 78, "\(outcome.errors)")
    #expect(outcome.errors.contains("a configuration has to have fewer than 1 000 000"), "\(outcome.errors)")
  }

  @Test("The user's file counts behind the project's")
  func userFile() throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.write(#"{"format":"ids"}"#, to: "user.json")
    tool.environment["GRAPHSTORE_CONFIG"] = "user.json"
    #expect(try tool.run("fetch", "Department").output == "Department/p1\nDepartment/p2\n")
    try tool.write(#"{"format":"csv"}"#, to: ".graphstore.json")
    #expect(
      try tool.run("fetch", "Department").output
        == "id,name\nDepartment/p1,Engineering\nDepartment/p2,Sales\n")
  }
}
