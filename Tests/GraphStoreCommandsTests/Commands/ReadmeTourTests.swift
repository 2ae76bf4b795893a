import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

@Suite("The tour of the README")
struct ReadmeTourTests {
  /// A command of the tour and what the README shows behind it.
  struct Step: CustomTestStringConvertible {
    var command: String
    var shown: String
    var testDescription: String { command }
  }

  /// The `$` lines of the `console` blocks, in their order.
  static var steps: [Step] {
    let url = Repository.root.appendingPathComponent("README.md")
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
    var steps: [Step] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), shown: ""))
      } else if isInside, !steps.isEmpty {
        steps[steps.count - 1].shown += line + "\n"
      }
    }
    return steps
  }

  @Test(
    "Every command of the tour prints what the README shows, on whichever of the two streams",
    .enabled(if: RootCommand.commandNames.contains("import")))
  func tour() throws {
    let tool = try CommandLineTool()
    for name in ["Models", "Examples"] {
      try FileManager.default.createSymbolicLink(
        at: tool.folder.appendingPathComponent(name),
        withDestinationURL: Repository.root.appendingPathComponent(name))
    }
    #expect(Self.steps.count > 20)
    for step in Self.steps {
      if step.command.hasPrefix("export "), let equals = step.command.firstIndex(of: "=") {
        let name = step.command[..<equals].dropFirst("export ".count)
        tool.environment[String(name)] = String(step.command[step.command.index(after: equals)...])
        continue
      }
      let outcome = try tool.runShell(step.command)
      #expect(outcome.output + outcome.errors == step.shown, "$ \(step.command)")
    }
  }
}
