import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreCommands

/// A command of a page and what the page shows behind it.
struct ConsoleStep: CustomTestStringConvertible {
  var command: String
  var shown: String
  var testDescription: String { command }

  /// The `$` lines of the `console` blocks of a page, in their order.
  static func all(of page: URL) throws -> [ConsoleStep] {
    let text = try String(contentsOf: page, encoding: .utf8)
    var steps: [ConsoleStep] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        steps.append(ConsoleStep(command: String(line.dropFirst(2)), shown: ""))
      } else if isInside, !steps.isEmpty {
        steps[steps.count - 1].shown += line + "\n"
      }
    }
    return steps
  }

  /// Runs steps one after the other beside the models and the examples, and compares what both streams get.
  static func run(_ steps: [ConsoleStep]) throws {
    let tool = try CommandLineTool()
    try tool.linkModelsAndExamples()
    for step in steps {
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

extension CommandLineTool {
  /// Makes the models and the examples of the repository seen in the folder.
  func linkModelsAndExamples() throws {
    for name in ["Models", "Examples"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent(name),
        withDestinationURL: Repository.root.appendingPathComponent(name))
    }
  }
}
