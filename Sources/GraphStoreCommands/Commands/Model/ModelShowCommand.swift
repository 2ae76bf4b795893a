import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model show [MODEL]`
struct ModelShowCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a model, or the model inside the store.",
    discussion:
      "Models of Xcode and compiled ones are shown as well; --json prints each as a model file of JSON.")

  @Argument(help: "Model file; without one the store's model.", completion: .file(extensions: ["json"]))
  var file: String?
  @Option(help: "This entity only.") var entity: String?
  @Flag(help: "The names of the entities only, as a tree of inheritance.") var tree = false
  @Flag(help: "As a model file.") var json = false
  @OptionGroup var options: StoreCommandOptions

  func validate() throws {
    if json, entity != nil { throw ValidationError("--json prints the whole model; leave out --entity.") }
    if json, tree { throw ValidationError("--json prints the whole model; leave out --tree.") }
  }

  var idleOptions: IdleStoreOptions? { file == nil ? nil : .ofModelFiles }

  func execute(in session: CommandSession) throws -> ExitCode {
    let model = try session.model(file)
    if json {
      try session.print(json: model.jsonData())
      return .success
    }
    let outline = ModelOutline(model)
    let chosen = try entity.map { try model.entity(named: $0) }
    if tree {
      try session.print(outline.inheritance(of: chosen))
    } else {
      try session.print(chosen.map(outline.lines(of:)) ?? outline.lines)
    }
    return .success
  }
}
