import Foundation
import PackagePlugin

/// Makes Swift of the models in a target's folder while the target is built.
///
/// A model is a folder `*.graphmodel`, `*.xcdatamodeld` or `*.xcdatamodel`, or a file `*.graphmodel.json`;
/// other JSON files are models where `graphstore-codegen.json` in the target's folder lists them:
///
/// ```json
/// { "access": "public", "models": ["company.json"] }
/// ```
///
/// Each model gives one file in the plugin's work folder, with every class that the target does not declare
/// itself.
@main
struct GraphStoreCodegenPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target.sourceModule else { return [] }
    let tool = try context.tool(named: "graphstore-codegen")
    let folder = target.directoryURL
    let settings = try CodegenSettings(in: folder)
    let sources = target.sourceFiles(withSuffix: "swift").map(\.url)
    return try ModelSource.find(in: folder, settings).map { model in
      let output = context.pluginWorkDirectoryURL.appending(path: "\(model.name)+Generated.swift")
      var arguments = [model.url.path, "--into", output.path, "--quiet", "--access", settings.access]
      for source in sources { arguments += ["--source", source.path] }
      return .buildCommand(
        displayName: "Generating Swift for \(model.url.lastPathComponent)", executable: tool.url,
        arguments: arguments, inputFiles: model.files + sources + settings.files, outputFiles: [output])
    }
  }
}
