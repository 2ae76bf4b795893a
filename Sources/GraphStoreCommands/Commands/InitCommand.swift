import ArgumentParser
import Foundation
import GraphStore

/// `graphstore init PATH`
struct InitCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make a store from a model file.",
    discussion: """
      The store carries the model: no other command needs the file. Nothing is overwritten.

      graphstore init hr.db --model Models/company.json
      """)

  @Argument(help: "Where to make the store.", completion: .file()) var path: String?
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    guard let path = path ?? session.settings.store else {
      throw Diagnostic(
        code: "usage", message: "init needs the path of the store",
        hints: ["graphstore init PATH --model FILE"],
        exitCode: .usage)
    }
    let model = try session.loadModel(try session.modelPaths())
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard FileManager.default.fileExists(atPath: folder) else {
      throw Diagnostic(
        code: "cannot-create", message: "there is no folder \(folder)", hints: ["make it first"],
        exitCode: .cannotCreate)
    }
    let coordinator = try PersistentStoreCoordinator.create(storeAt: path, model: model)
    coordinator.close()
    session.note("created \(path)  (model \(Self.title(model)): \(Self.outline(model)))")
    return .success
  }

  /// `HR v1`
  static func title(_ model: ManagedObjectModel) -> String {
    ([model.name] + model.versionIdentifiers.map { "v\($0)" }).joined(separator: " ")
  }

  private static func outline(_ model: ManagedObjectModel) -> String {
    model.entities.map { entity in
      entity.name + (entity.superentity.map { " < \($0.name)" } ?? "")
    }.joined(separator: ", ")
  }
}
