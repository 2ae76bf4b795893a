import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Profiles of configuration files")
struct ProfileTests {
  private let tool: CommandLineTool

  /// `hr.db` with three employees, and `other.db` with one department.
  init() throws {
    tool = try CommandLineTool.staffedCompany()
    tool.environment["GRAPHSTORE_STORE"] = nil
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    try #require(try tool.run("init", "other.db", "-m", model).code == 0)
    try #require(try tool.run("insert", "Department", "name=There", "-s", "other.db").code == 0)
    try tool.write(
      """
      {"store": "hr.db", "format": "csv",
       "profiles": {"staging": {"store": "other.db", "format": "ndjson"},
                    "both": {"store": {"hr": "hr.db", "there": "other.db"}},
                    "forms": {"format": "ids"}}}
      """, to: ".graphstore.json")
  }

  @Test("--profile takes the settings of one, and what it does not say from the file")
  func option() throws {
    #expect(
      try tool.run("fetch", "Department", "--fields", "name").lines == [
        "name", "Engineering", "Sales",
      ])
    let staging = try tool.run(
      "fetch", "Department", "--fields", "name", "--no-id", "--profile", "staging")
    #expect(staging.output == "{\"name\":\"There\"}\n", "\(staging)")
    #expect(try tool.run("--profile", "forms", "fetch", "Project").output == "Project/p1\n")
    let both = try tool.run("fetch", "Department", "--profile=both", "-f", "ids")
    #expect(
      both.lines == ["hr:Department/p1", "hr:Department/p2", "there:Department/p1"], "\(both)")
  }

  @Test(
    "--profile goes before variables, GRAPHSTORE_PROFILE behind those for one setting, options before all"
  )
  func order() throws {
    tool.environment["GRAPHSTORE_STORE"] = "hr.db"
    #expect(try tool.run("count", "Department", "--profile", "staging").output == "1\n")
    #expect(
      try tool.run("count", "Department", "--profile", "staging", "-s", "hr.db").output == "2\n")
    tool.environment["GRAPHSTORE_PROFILE"] = "staging"
    #expect(try tool.run("count", "Department").output == "2\n")
    tool.environment["GRAPHSTORE_STORE"] = nil
    #expect(try tool.run("count", "Department").output == "1\n")
    #expect(try tool.run("count", "Department", "--profile", "both").output == "3\n")
  }

  @Test("The profiles of the project go before those of the user, setting by setting")
  func files() throws {
    try tool.write(
      "{\"profiles\": {\"staging\": {\"store\": \"none.db\", \"errorFormat\": \"json\"}, \"own\": {\"store\": \"other.db\"}}}",
      to: "user.json")
    tool.environment["GRAPHSTORE_CONFIG"] = tool.path("user.json")
    #expect(try tool.run("count", "Department", "--profile", "own").output == "1\n")
    let outcome = try tool.run("count", "Nothing", "--profile", "staging")
    #expect(outcome.code == 64 && outcome.errors.hasPrefix("{\"error\":"), "\(outcome.errors)")
    #expect(try tool.run("count", "Department", "--profile", "staging").output == "1\n")
    #expect(try tool.run("doctor").output.contains("profiles: both, forms, own, staging"))
  }

  @Test("What is wrong about profiles is told with its place and what there is")
  func wrong() throws {
    let unknown = try tool.run("count", "Department", "--profile", "stagin")
    #expect(unknown.code == 64 && unknown.errors.contains("[unknown-profile]"), "\(unknown.errors)")
    #expect(
      unknown.errors.contains("did you mean \"staging\"")
        && unknown.errors.contains("both, forms, staging"))
    tool.environment["GRAPHSTORE_PROFILE"] = "nothing"
    let variable = try tool.run("count", "Department")
    #expect(
      variable.code == 78 && variable.errors.contains("GRAPHSTORE_PROFILE is \"nothing\""),
      "\(variable)")
    tool.environment["GRAPHSTORE_PROFILE"] = nil
    for (text, message) in [
      ("{\"profiles\": []}", "\"profiles\" cannot be a JSON array"),
      ("{\"profiles\": {\"a\": 1}}", "\"profiles.a\" cannot be a JSON number"),
      ("{\"profiles\": {\"a\": {\"stor\": \"x\"}}}", "there is no setting \"profiles.a.stor\""),
      (
        "{\"profiles\": {\"a\": {\"timeout\": -1}}}",
        "\"profiles.a.timeout\" takes a number of seconds"
      ),
      (
        "{\"profiles\": {\"a\": {\"profiles\": {}}}}", "there is no setting \"profiles.a.profiles\""
      ),
      ("{\"store\": {}}", "\"store\" names no store"),
      ("{\"store\": {\"a b\": \"x\"}}", "\"store.a b\" cannot name a store"),
      ("{\"store\": {\"a\": 1}}", "\"store.a\" cannot be a JSON number"),
    ] {
      try tool.write(text, to: ".graphstore.json")
      let outcome = try tool.run("count", "Department")
      #expect(outcome.code == 78 && outcome.errors.contains(message), "\(text): \(outcome.errors)")
      #expect(outcome.errors.contains(".graphstore.json"), "\(outcome.errors)")
    }
    try tool.write("{}", to: ".graphstore.json")
    #expect(try tool.run("doctor", "--profile", "x").output.contains("FAIL  config"))
    let inside = try tool.run("run", "-s", "hr.db", "-c", "count Department --profile staging")
    #expect(
      inside.code == 65 && inside.errors.contains("--profile is for the session"),
      "\(inside.errors)")
  }
}
