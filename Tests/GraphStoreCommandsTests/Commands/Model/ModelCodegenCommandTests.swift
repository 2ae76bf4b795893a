import Foundation
import GraphStoreTestSupport
import Testing

@Suite("The command model codegen")
struct ModelCodegenCommandTests {
  private static let model = Repository.root.appendingPathComponent("Models/company.json").path

  private func text(_ tool: CommandLineTool, _ name: String) throws -> String {
    try String(contentsOf: tool.folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("OBJ-027: the first run makes all files; the second rewrites nothing and leaves people's files alone")
  func twice() throws {
    let tool = try CommandLineTool()
    let first = try tool.run("model", "codegen", Self.model, "-o", "code")
    #expect(first.code == 0, "\(first.errors)")
    #expect(first.lines.count == 9)
    #expect(first.lines.allSatisfy { $0.hasPrefix("created  ") && $0.hasSuffix(".swift") })
    #expect(try text(tool, "code/Employee+Properties.swift").contains("var salary: Decimal {"))
    #expect(try text(tool, "code/Employee.swift").contains("\nclass Employee: Person {}\n"))
    try tool.write("mine", to: "code/Employee.swift")
    try tool.write("old", to: "code/Project+Properties.swift")
    let second = try tool.run("model", "codegen", Self.model, "-o", "code")
    #expect(second.lines.filter { $0.hasPrefix("kept  ") }.count == 4)
    #expect(second.lines.filter { $0.hasPrefix("unchanged  ") }.count == 4)
    #expect(
      second.lines.filter { $0.hasPrefix("rewritten  ") }.map { $0.hasSuffix("Project+Properties.swift") }
        == [true])
    #expect(try text(tool, "code/Employee.swift") == "mine")
  }

  @Test("A dry run says what it would do and writes nothing")
  func dryRun() throws {
    let tool = try CommandLineTool()
    let outcome = try tool.run(
      "model", "codegen", Self.model, "--language", "swift", "-o", "code", "--entity", "Employee", "--access",
      "public",
      "--dry-run")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines.allSatisfy { $0.hasPrefix("would create  ") })
    #expect(!FileManager.default.fileExists(atPath: tool.path("code")))
  }

  @Test("Files of entities that are gone are named and stay; what is renamed is said")
  func stale() throws {
    let tool = try CommandLineTool()
    func model(_ entities: String) -> String { #"{ "name": "M", "entities": [\#(entities)] }"# }
    try tool.write(
      model(
        #"{ "name": "A", "attributes": [ { "name": "x", "type": "int16" } ] }, { "name": "B", "attributes": [ { "name": "y", "type": "int16" } ] }"#
      ),
      to: "m.json")
    #expect(try tool.run("model", "codegen", "m.json", "-o", "code").errors == "")
    try tool.write(
      model(
        #"{ "name": "A", "attributes": [ { "name": "x", "type": "int16" }, { "name": "changedKeys", "type": "string" } ] }"#
      ),
      to: "m.json")
    let outcome = try tool.run("model", "codegen", "m.json", "-o", "code")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("A.changedKeys is written as changedKeys_"))
    #expect(outcome.errors.contains("[member-renamed]"))
    #expect(outcome.errors.contains("code/B+Properties.swift"))
    #expect(outcome.errors.contains("[stale-file]"))
    #expect(FileManager.default.fileExists(atPath: tool.path("code/B+Properties.swift")))
  }

  @Test("The model of the store serves where no file is named")
  func store() throws {
    let tool = try CommandLineTool.company()
    #expect(try tool.run("model", "codegen", "-o", "code").lines.count == 9)
  }

  @Test("An unknown entity, language or folder is refused with its code")
  func refused() throws {
    let tool = try CommandLineTool()
    let unknown = try tool.run("model", "codegen", Self.model, "-o", "code", "--entity", "Employe")
    #expect(unknown.errors.contains("Employee"))
    #expect(unknown.errors.contains("[unknown-entity]"))
    #expect(unknown.code != 0)
    #expect(try tool.run("model", "codegen", Self.model, "-o", "code", "--language", "cobol").code == 64)
    #expect(try tool.run("model", "codegen", Self.model).code == 64)
    try tool.write("", to: "file")
    let blocked = try tool.run("model", "codegen", Self.model, "-o", "file/code")
    #expect(blocked.code == 73)
    #expect(blocked.errors.contains("[cannot-create]"))
  }
}
