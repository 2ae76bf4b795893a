import Foundation
import Testing

/// Stores of Core Data that carry no model, and stores of one configuration, by the command.
struct UnknownModelCommandTests {
  private static let newer = CommandLineTool.standInModel.replacing(
    #"{"name":"title","type":"string"}"#,
    with: #"{"name":"title","type":"string"},{"name":"year","type":"int16"}"#)

  @Test(
    "MIG-002, MIG-008, MIG-323: a store without a model is migrated by its columns, or by the model that is given"
  )
  func migrated() throws {
    let tool = try CommandLineTool.coreDataStandIn(hasModel: false)
    try FileManager.default.createDirectory(
      at: tool.folder.appendingPathComponent("L.graphmodel"), withIntermediateDirectories: true)
    try tool.write(CommandLineTool.standInModel, to: "L.graphmodel/1.json")
    try tool.write(Self.newer, to: "L.graphmodel/2.json")
    for arguments in [[], ["--model", "library.json"], ["--model", "L.graphmodel#1"]] {
      let plan = try tool.run(
        CommandLineTool.executable.path,
        ["migrate", "plan", "-s", "app.sqlite", "--to", "L.graphmodel"] + arguments, input: nil)
      #expect(plan.code == 0 && plan.output.contains("1 → 2   inferred"), "\(arguments): \(plan.errors)")
    }
    let wrong = try tool.run(
      "migrate", "plan", "-s", "app.sqlite", "--to", "L.graphmodel", "--model", "L.graphmodel#2")
    #expect(wrong.code == 78 && wrong.errors.contains("ZYEAR"), "\(wrong.errors)")
    #expect(try tool.run("migrate", "apply", "-s", "app.sqlite", "--to", "L.graphmodel").code == 0)
    let books = try tool.run("fetch", "Book", "-s", "app.sqlite", "--fields", "title,year,shelf", "-f", "csv")
    #expect(books.output == "title,year,shelf\nHowl,,Shelf/p1\nAriel,,Shelf/p1\n", "\(books.output)")
  }

  @Test(
    "STO-020: a configuration is found where one fits, and named where none is", arguments: [false, true])
  func configuration(isForeign: Bool) throws {
    let tool = isForeign ? try CommandLineTool.coreDataStandIn(hasModel: false) : try CommandLineTool()
    let entities = try #require(CommandLineTool.standInModel.firstIndex(of: "["))
    try tool.write(
      #"{"configurations":[{"name":"Books","entities":["Shelf","Book"]},{"name":"Places","entities":["Place"]}],"#
        + #""entities":[{"name":"Place"},"# + CommandLineTool.standInModel[entities...].dropFirst(),
      to: "all.json")
    if !isForeign {
      #expect(try tool.run("init", "app.sqlite", "--model", "all.json", "--configuration", "Books").code == 0)
    }
    let count = isForeign ? "2\n" : "0\n"
    let found = try tool.run("count", "Book", "-s", "app.sqlite", "--model", "all.json")
    #expect(found.code == 0 && found.output == count, "\(found.errors)")
    let named = try tool.run(
      "count", "Book", "-s", "app.sqlite", "--model", "all.json", "--configuration", "Books")
    #expect(named.code == 0 && named.output == count, "\(named.errors)")
    #expect(try tool.run("check", "-s", "app.sqlite", "--model", "all.json").code == 0)
    let other = try tool.run(
      "count", "Book", "-s", "app.sqlite", "--model", "all.json", "--configuration", "Places")
    let info = try tool.run(
      "info", "-s", "app.sqlite", "--model", "all.json", "--configuration", "Books", "--ndjson")
    #expect(info.output.contains("objects.Book") && !info.output.contains("objects.Place"), "\(info)")
    #expect(other.code == 78 && other.errors.contains("--configuration"), "\(other.errors)")
    let unknown = try tool.run(
      "count", "Book", "-s", "app.sqlite", "--model", "all.json", "--configuration", "No")
    #expect(unknown.code == 64 && unknown.errors.contains("Books, Places"), "\(unknown.errors)")
  }
}
