import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("graphstore model from-store")
struct ModelFromStoreCommandTests {
  /// Stores that real applications made, where there are any.
  private static let stores = Repository.sharedData("apple/stores")?.path

  private func tool(_ store: String) throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try FileManager.default.copyItem(
      atPath: try #require(Self.stores) + "/" + store, toPath: tool.path("app.sqlite"))
    return tool
  }

  @Test("PAT-199: a store of this program prints the model it was made with, wherever the store is named")
  func own() throws {
    let tool = try CommandLineTool.staffedCompany()
    let named = try tool.run("model", "from-store", "hr.db")
    #expect(named.code == 0 && named.errors.isEmpty)
    #expect(try tool.run("model", "show", "--json", "--store", "hr.db").output == named.output)
    #expect(try tool.run("model", "from-store", "--store", "hr.db").output == named.output)
    #expect(try tool.run("--store", "hr.db", "model", "from-store", "-o", "model.json").output.isEmpty)
    #expect(try String(contentsOfFile: tool.path("model.json"), encoding: .utf8) == named.output)
    #expect(try tool.run("model", "validate", "model.json").code == 0)
    #expect(try tool.run("model", "from-store", "hr.db", "--store", "hr.db").code == 64)
  }

  @Test(
    "MDL-335: a store of Core Data prints its cached model, and every reading command works on it",
    .enabled(if: stores != nil))
  func cached() throws {
    let tool = try tool("Moody.moody")
    let before = try Data(contentsOf: tool.folder.appendingPathComponent("app.sqlite"))
    let outcome = try tool.run("model", "from-store", "app.sqlite")
    #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.output.contains("\"GeographicRegion\""))
    for command in [
      ["info"], ["count", "Mood"], ["fetch", "Mood", "--limit", "2"], ["model", "show"], ["check"],
      ["export", "--all", "-o", "all"],
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, command + ["-s", "app.sqlite"], input: nil)
      #expect(outcome.code == 0, "\(command): \(outcome.errors)")
    }
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("app.sqlite")) == before)
  }

  @Test("STO-279: a store without a model, and a file that is none, say so", .enabled(if: stores != nil))
  func errors() throws {
    let tool = try tool("Recipes.sqlite")
    let outcome = try tool.run("model", "from-store", "app.sqlite")
    #expect(outcome.code == 66 && outcome.errors.contains("[no-model]") && outcome.errors.contains("--model"))
    #expect(try tool.run("fetch", "Recipe", "-s", "app.sqlite").errors.contains("[no-model]"))
    try tool.write("hello", to: "text")
    let text = try tool.run("model", "from-store", "text")
    #expect(text.code == 65 && text.errors.contains("[not-a-store]"))
    #expect(try tool.run("model", "from-store", "missing").code == 66)
  }
}
