import Foundation
import GraphStoreTestSupport
import Testing

/// Runs the tool that was built beside the tests.
@Suite("The tool graphstore-codegen")
struct CodegenToolTests {
  private let folder: TemporaryFolder
  private static let model = Repository.root.appendingPathComponent("Models/company.json").path

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> (output: String, errors: String, code: Int32) {
    try run(arguments)
  }

  private func run(_ arguments: [String]) throws -> (output: String, errors: String, code: Int32) {
    let process = Process()
    process.executableURL = SwiftCompiler.products
      .appendingPathComponent("graphstore-codegen")
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    let pipes = [Pipe(), Pipe()]
    (process.standardOutput, process.standardError) = (pipes[0], pipes[1])
    try process.run()
    let texts = try pipes.map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return (texts[0], texts[1], process.terminationStatus)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("One file has every class but those that the sources declare, and is not touched when it is right")
  func singleFile() throws {
    try Data("class Employee: Person {}".utf8).write(to: folder.url.appendingPathComponent("Own.swift"))
    let first = try run(Self.model, "--into", "All.swift", "--source", "Own.swift", "--access", "public")
    #expect(first.code == 0, "\(first.errors)")
    #expect(first.output.hasPrefix("created "))
    let code = try text("All.swift")
    #expect(code.contains("public class Person: ManagedObject {}"))
    #expect(!code.contains("class Employee"))
    #expect(code.contains("extension Employee {"))
    #expect(code.contains("public enum CompanyModel: ObjectModel {"))
    let second = try run(Self.model, "--into", "All.swift", "--source", "Own.swift", "--access", "public")
    #expect(second.output.hasPrefix("unchanged "))
  }

  @Test("A folder gets two files an entity and one for the model, or those of one entity")
  func folderOfFiles() throws {
    #expect(try run(Self.model, "-o", "code", "--entity", "Project", "-q").output == "")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appendingPathComponent("code").path)
    #expect(names.sorted() == ["CompanyModel.swift", "Project+Properties.swift", "Project.swift"])
  }

  @Test("Problems of a model are said in the form of a compiler, each with its exit status")
  func problems() throws {
    let problemPaths = folder.url.appendingPathComponent("m.json")
    try Data(#"{ "entities": [{ "name": "A", "atributes": [] }] }"#.utf8).write(to: problemPaths)
    let outcome = try run("m.json", "-o", "code")
    #expect(outcome.code == 65)
    #expect(outcome.errors.hasPrefix("m.json:1:"))
    #expect(outcome.errors.contains(": error: entities[0].atributes: "))
    #expect(try run("none.json", "-o", "code").code == 66)
    #expect(try run(Self.model, "-o", "m.json/code").code == 74)
    #expect(try run(Self.model, "-o", "code", "--entity", "Nobody").code == 64)
  }

  @Test("Words that make no sense are refused with the usage")
  func usage() throws {
    for arguments in [
      [], ["a", "b", "-o", "c"], ["a"], ["a", "-o"], ["a", "-o", "b", "--into", "c"], ["a", "-x"],
      ["a", "-o", "b", "--access", "open"], ["a", "-o", "b", "--source", "c"],
    ] {
      let outcome = try run(arguments)
      #expect(outcome.code == 64, "\(arguments)")
      #expect(outcome.errors.contains("usage: graphstore-codegen MODEL"), "\(arguments)")
    }
    let help = try run("--help")
    #expect(help.code == 0)
    #expect(help.output.contains("--into"))
  }
}
