import ArgumentParser
import GraphStore

/// `graphstore model`
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model", abstract: "Look at models, and make new ones of them.",
    subcommands: [
      ModelShowCommand.self, ModelListCommand.self, ModelValidateCommand.self, ModelLintCommand.self,
      ModelDiffCommand.self, ModelDiagramCommand.self, ModelHashesCommand.self, ModelConvertCommand.self,
      ModelMergeCommand.self, ModelCompileCommand.self, ModelNewVersionCommand.self, ModelCodegenCommand.self,
      ModelFromStoreCommand.self, ModelInferCommand.self,
    ])
}
