import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("graphstore model from-store")
struct ModelFromStoreCommandTests {
  /// A store of Core Data.
  enum Sample: String, Sendable {
    /// One that the project makes itself.
    case standIn
    /// One that a real application made.
    case real

    func tool() throws -> CommandLineTool {
      guard self == .real else { return try .coreDataStandIn() }
      return try ModelFromStoreCommandTests.realStore("Moody.moody")
    }
  }

  private static let stores = Repository.sharedData("apple/stores")?.path
  private static let samples: [Sample] = stores == nil ? [.standIn] : [.standIn, .real]

  private static func realStore(_ name: String) throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try FileManager.default.copyItem(
      atPath: try #require(stores) + "/" + name, toPath: tool.path("app.sqlite"))
    return tool
  }

  @Test("PAT-199: a store of this program prints the model it was made with, wherever the store is named")
  func own() throws {
    let tool = try CommandLineTool.staffedCompany()
    let named = try tool.run("model", "from-store", "hr.db")
    #expect(named.code == 0 && named.errors.isEmpty)
    let file = Repository.models.appendingPathComponent("company.json").path
    let model = try ManagedObjectModel(contentsOf: file)
    let printed = try ManagedObjectModel(json: named.output.utf8)
    #expect(printed.definition == model.definition && printed.versionChecksum == model.versionChecksum)
    #expect(try tool.run("model", "show", "--json", "--store", "hr.db").output == named.output)
    #expect(try tool.run("model", "from-store", "--store", "hr.db").output == named.output)
    #expect(try tool.run("--store", "hr.db", "model", "from-store", "-o", "model.json").output.isEmpty)
    #expect(try String(contentsOfFile: tool.path("model.json"), encoding: .utf8) == named.output)
    #expect(try tool.run("model", "validate", "model.json").code == 0)
    #expect(try tool.run("model", "from-store", "hr.db", "--store", "hr.db").code == 64)
  }

  @Test(
    "MDL-335: a store of Core Data prints its cached model, and every reading command works on it",
    arguments: samples)
  func cached(_ sample: Sample) throws {
    let tool = try sample.tool()
    let (root, leaf) = sample == .real ? ("GeographicRegion", "Mood") : ("Shelf", "Book")
    let before = try Data(contentsOf: tool.folder.appendingPathComponent("app.sqlite"))
    let outcome = try tool.run("model", "from-store", "app.sqlite")
    #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.output.contains("\"\(root)\""))
    for command in [
      ["info"], ["count", leaf], ["fetch", leaf, "--limit", "2"], ["model", "show"], ["check"],
      ["export", "--all", "-o", "all"],
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, command + ["-s", "app.sqlite"], input: nil)
      #expect(outcome.code == 0, "\(command): \(outcome.errors)")
    }
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("app.sqlite")) == before)
  }

  @Test("MDL-335: the cached model of a store is printed as the model file that says the same")
  func cachedDefinition() throws {
    let tool = try CommandLineTool.coreDataStandIn()
    let outcome = try tool.run("model", "from-store", "app.sqlite")
    let printed = try ManagedObjectModel(json: outcome.output.utf8)
    let model = try ManagedObjectModel(json: CommandLineTool.standInModel.utf8)
    #expect(printed.entityVersionHashesByName == model.entityVersionHashesByName)
    let rows = try tool.run(
      "fetch", "Book", "--fields", "title,shelf.label", "--sort", "title", "--format", "csv", "-s",
      "app.sqlite")
    #expect(rows.output == "title,shelf.label\nAriel,Poems\nHowl,Poems\n")
  }

  @Test("STO-279, DGN-126: a store without a model, and a file that is none, say so", arguments: samples)
  func errors(_ sample: Sample) throws {
    let tool =
      try sample == .real
      ? Self.realStore("Recipes.sqlite") : CommandLineTool.coreDataStandIn(hasModel: false)
    let entity = sample == .real ? "Recipe" : "Book"
    let outcome = try tool.run("model", "from-store", "app.sqlite")
    #expect(outcome.code == 66 && outcome.errors.contains("[no-model]") && outcome.errors.contains("--model"))
    #expect(try tool.run("fetch", entity, "-s", "app.sqlite").errors.contains("[no-model]"))
    try tool.write("hello", to: "text")
    let text = try tool.run("model", "from-store", "text")
    #expect(text.code == 65 && text.errors.contains("[not-a-store]"))
    #expect(try tool.run("model", "from-store", "missing").code == 66)
  }
}
