import Foundation
import GraphStore
import Testing

@testable import GraphStoreCommands

@Suite("graphstore migrate new-mapping")
struct MigrateNewMappingCommandTests {
  private func tool() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try FileManager.default.createDirectory(
      atPath: tool.path("M.graphmodel/mappings"), withIntermediateDirectories: true)
    try tool.write(
      #"{"entities":[{"name":"A","attributes":[{"name":"x","type":"string"},{"name":"n","type":"int64"}]}]}"#,
      to: "M.graphmodel/1.json")
    try tool.write(
      """
      {"entities":[{"name":"A","attributes":[{"name":"y","type":"string","renamingIdentifier":"x"},
      {"name":"n","type":"string"}]}]}
      """, to: "M.graphmodel/2.json")
    return tool
  }

  @Test("MIG-144: a mapping is written with everything spelt out, and what is left to decide is told")
  func mapping() throws {
    let tool = try tool()
    let outcome = try tool.run("migrate", "new-mapping", "M.graphmodel#1", "M.graphmodel#2")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("warning: A.n: Source and destination attribute types are incompatible"))
    let mapping = try MappingModel(json: outcome.output.utf8)
    #expect(mapping.source == "1" && mapping.destination == "2")
    let values = mapping.entityMappings[0].attributeMappings
    #expect(values.map(\.name) == ["y", "n"] && values[1].value == .none)
    #expect(
      try tool.run("migrate", "new-mapping", "M.graphmodel#1", "M.graphmodel", "-o", "m.json").output == "")
    #expect(try String(contentsOfFile: tool.path("m.json"), encoding: .utf8) == outcome.output)
  }

  @Test("MIG-137, MIG-144: the unchanged file lies where it is found, and checks")
  func placed() throws {
    let tool = try tool()
    let file = "M.graphmodel/mappings/1-2.json"
    #expect(try tool.run("migrate", "new-mapping", "M.graphmodel#1", "M.graphmodel#2", "-o", file).code == 0)
    #expect(try tool.run("model", "validate", "M.graphmodel").code == 0)
    #expect(try tool.run("model", "list", "M.graphmodel").output.contains("written mapping to 2"))
    let text = try String(contentsOfFile: tool.path(file), encoding: .utf8)
    try tool.write(text.replacing("$source.x", with: "$source.z"), to: file)
    let wrong = try tool.run("model", "validate", "M.graphmodel")
    #expect(wrong.code != 0 && (wrong.output + wrong.errors).contains("mapping-bad-expression"))
  }

  @Test("MIG-323, MIG-330: a model that is not there and a version that is none have their exit codes")
  func failures() throws {
    let tool = try tool()
    #expect(try tool.run("migrate", "new-mapping", "none.json", "M.graphmodel").code == 66)
    let version = try tool.run("migrate", "new-mapping", "M.graphmodel#3", "M.graphmodel")
    #expect(version.code == 64 && version.errors.contains("unknown-version"))
    #expect(try tool.run("migrate", "new-mapping", "M.graphmodel").code == 64)
  }

  @Test(
    "MIG-051, MIG-153, MIG-168: an entity that is split by a mapping keeps its values, and the plan says so")
  func split() throws {
    let tool = try CommandLineTool()
    func entity(_ name: String, _ attributes: [String], _ relationships: String = "") -> String {
      let list = attributes.map { #"{"name":"\#($0)","type":"string"}"# }.joined(separator: ",")
      return #"{"name":"\#(name)","attributes":[\#(list)],"relationships":[\#(relationships)]}"#
    }
    let home = #"{"name":"home","destination":"Address","inverse":"person"}"#
    let person = #"{"name":"person","destination":"Person","inverse":"home"}"#
    try FileManager.default.createDirectory(
      at: tool.folder.appendingPathComponent("M.graphmodel/mappings"), withIntermediateDirectories: true)
    try tool.write(
      #"{"entities":[\#(entity("Person", ["name", "street", "nick"]))]}"#, to: "M.graphmodel/1.json")
    try tool.write(
      #"{"entities":[\#(entity("Person", ["name"], home)),\#(entity("Address", ["street"], person))]}"#,
      to: "M.graphmodel/2.json")
    try tool.write("2\n", to: "M.graphmodel/current")
    try tool.write(
      #"""
      { "source": "1", "destination": "2",
        "entityMappings": [
          { "source": "Person", "destination": "Person",
            "relationships": [{ "name": "home", "mapping": "PersonToAddress", "from": "$source" }] },
          { "source": "Person", "destination": "Address" }
        ] }
      """#, to: "M.graphmodel/mappings/split.json")
    #expect(try tool.run("init", "s.db", "--model", "M.graphmodel#1").code == 0)
    try tool.run("insert", "Person", "name=Ann", "street=High Street", "-s", "s.db")
    let plan = try tool.run("migrate", "plan", "-s", "s.db", "--to", "M.graphmodel").lines
    #expect(plan.contains { $0.contains("- Person.street") && $0.hasSuffix("lossless") }, "\(plan)")
    #expect(plan.contains { $0.contains("- Person.nick") && $0.contains("data lost") }, "\(plan)")
    let applied = try tool.run("migrate", "apply", "-s", "s.db", "--to", "M.graphmodel", "--allow-lossy")
    #expect(applied.code == 0, "\(applied.errors)")
    let rows = try tool.run(
      "fetch", "Person", "--fields", "name,home.street,home.person.name", "--format", "csv", "-s", "s.db")
    #expect(rows.lines.last == "Ann,High Street,Ann", "\(rows)")
    #expect(try tool.run("check", "-s", "s.db").code == 0)
  }
}
