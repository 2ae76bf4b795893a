import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("Commands in the README and on the pages about the command")
struct ReadmeTourTests {
  @Test(
    "Every command of the tour prints what the README shows, on whichever of the two streams",
    .enabled(if: RootCommand.commandNames.contains("import")))
  func tour() throws {
    let steps = try ConsoleStep.all(of: Repository.root.appendingPathComponent("README.md"))
    #expect(steps.count > 20)
    try ConsoleStep.run(steps)
  }

  @Test("Every command of the page about CI prints what it shows")
  func continuousIntegration() throws {
    let folder = Repository.root.appendingPathComponent("Sources/GraphStoreCommands/GraphStoreCommands.docc")
    let steps = try ConsoleStep.all(of: folder.appendingPathComponent("ContinuousIntegration.md"))
    #expect(steps.count > 10)
    try ConsoleStep.run(steps)
  }

  @Test("The workflow on the page about CI runs beside the models and the examples")
  func workflow() throws {
    let page = Repository.root.appendingPathComponent(
      "Sources/GraphStoreCommands/GraphStoreCommands.docc/ContinuousIntegration.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("- run: graphstore ") }.compactMap { $0.split(separator: "- run: ").last }
    #expect(lines.count > 2)
    let tool = try CommandLineTool()
    try tool.linkModelsAndExamples()
    for line in lines {
      let outcome = try tool.runShell(String(line))
      #expect(outcome.code == 0, "\(line): \(outcome)")
    }
  }
}
