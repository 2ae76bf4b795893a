import ArgumentParser
import GraphStore

/// `graphstore model`
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", abstract: "Look at models.",
    subcommands: [
      ModelShowCommand.self, ModelValidateCommand.self, ModelLintCommand.self, ModelDiffCommand.self,
      ModelDiagramCommand.self,
      ModelCodegenCommand.self, ModelFromStoreCommand.self,
    ])
}
