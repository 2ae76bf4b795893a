import Foundation
import GraphStore
import Testing

@testable import GraphStoreCommands

@Suite("Numbers of changed objects, for programs and for people")
struct ChangeCountTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test("--json prints what was changed")
  func changed() throws {
    #expect(
      try tool.run("update", "Employee", "--where", "salary > 60000", "salary+=1", "--json").output
        == "{\"updated\":2,\"dryRun\":false}\n")
    #expect(
      try tool.run("link", "Project/p1.members", "Employee/p3", "--json").output
        == "{\"linked\":1,\"dryRun\":false}\n")
    #expect(
      try tool.run("unlink", "Project/p1.members", "Employee/p3", "--json").output
        == "{\"unlinked\":1,\"dryRun\":false}\n")
    #expect(try tool.run("delete", "Employee/p3", "--json").output.hasPrefix("{\"deleted\":1,\"updated\":"))
  }

  @Test("Dry runs are JSON too, and write nothing")
  func rehearsed() throws {
    #expect(
      try tool.run("update", "Employee/p1", "salary=1", "--json", "-n").output
        == "{\"updated\":1,\"dryRun\":true}\n")
    #expect(
      try tool.run("link", "Project/p1.members", "Employee/p3", "--json", "-n").output
        == "{\"linked\":1,\"dryRun\":true}\n")
    #expect(
      try tool.run("insert", "Department", "name=X", "--json", "-n").output
        == "{\"inserted\":1,\"updated\":0,\"dryRun\":true}\n")
    #expect(
      try tool.run("upsert", "Employee", "badge=1", "--ndjson", "-n").output
        == "{\"inserted\":0,\"updated\":1,\"dryRun\":true}\n")
    let deletion = try tool.run("delete", "Department/p2", "--json", "-n")
    #expect(deletion.code == 0)
    #expect(deletion.output.hasPrefix("{\"deleted\":"), "\(deletion.output)")
    #expect(
      deletion.output.contains(#"{"entity":"Department","count":1}"#)
        && deletion.output.contains(#""relationship":"Department.employees""#), "\(deletion.output)")
    #expect(try tool.run("count", "Department").output == "2\n")
    #expect(try tool.run("unlink", "Project/p1.members", "Employee/p1", "--delete", "--json", "-n").code == 3)
  }

  @Test("A deletion that would be refused says why, as JSON")
  func refused() throws {
    let outcome = try tool.run("delete", "Employee/p1", "--json", "-n")
    #expect(outcome.code == 3)
    #expect(outcome.output.hasPrefix("{\"deleted\":0,\"updated\":0,\"dryRun\":true,"), "\(outcome.output)")
    #expect(outcome.output.contains(#""refusals":[{"code":"delete-denied""#), "\(outcome.output)")
    let text = try JSONText.value(Array(outcome.output.utf8))
    guard case .object = text else { return #expect(Bool(false), "\(outcome.output)") }
  }

  @Test("A number is written in one way throughout, and one object is one")
  func numbers() throws {
    let records = (0..<1500).map { "{\"title\":\"P\($0)\"}" }.joined(separator: "\n")
    #expect(try tool.run("insert", "Project", "-", input: records).code == 0)
    let thousand = 1500.grouped
    #expect(thousand != "1500")
    let deletion = try tool.run("delete", "Project", "--where", "title != 'Compiler'", "-n")
    #expect(deletion.output.contains("would delete  \(thousand) Project\n"), "\(deletion.output)")
    #expect(deletion.output.contains("\(thousand) objects deleted"), "\(deletion.output)")
    let update = try tool.run("update", "Project", "--where", "title != 'Compiler'", "title=X", "-n")
    #expect(update.output == "would update \(thousand) Project; nothing written\n")
    let one = try tool.run("delete", "Project/p1", "--max", "0")
    #expect(
      one.code == 4 && one.errors.contains("1 object would be deleted, more than --max 0"), "\(one.errors)")
  }
}
