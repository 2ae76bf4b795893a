import ArgumentParser
import GraphStore

/// `graphstore model show [MODEL]`
struct ModelShowCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a model file, or the model inside the store.")

  @Argument(help: "Model file; without one the store's model.", completion: .file(extensions: ["json"]))
  var file: String?
  @Option(help: "This entity only.") var entity: String?
  @Flag(help: "As a model file.") var json = false
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func validate() throws {
    if json, entity != nil { throw ValidationError("--json prints the whole model; leave out --entity.") }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let model = try session.model(file)
    if json {
      let data = model.jsonData()
      try session.withOutput { $0.append(Array(data)) }
      return .success
    }
    let outline = ModelOutline(model)
    if let entity {
      try session.print(outline.lines(of: try model.entity(named: entity)))
    } else {
      try session.print(outline.lines)
    }
    return .success
  }
}
