import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model list [MODEL]`
struct ModelListCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the versions of a model, with the current one marked.",
    discussion: """
      A model with versions is a directory: Company.graphmodel, Company.xcdatamodeld or Company.momd. A single file is a \
      model of one version.

      graphstore model list Company.graphmodel
      """)

  @Argument(help: "Model; without one that of --model.", completion: .file()) var file: String?
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? {
    guard file == nil else { return .ofModelFiles }
    return IdleStoreOptions(
      options: Set(StoreOption.allCases).subtracting([.model]),
      reason: "the command reads a model, and no store")
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let versions = try ModelVersions(at: try file ?? session.modelPath())
    if json {
      try session.printJSON { try Self.writeJSON(versions, to: $0) }
    } else {
      try session.print(Self.lines(versions, try versions.mappings()))
    }
    return .success
  }

  private static func lines(_ versions: ModelVersions, _ mappings: [ModelVersions.Mapping]) -> [String] {
    let names = versions.names.map { VisibleText.escape($0) }
    let width = names.map { DisplayWidth.of($0) }.max() ?? 0
    return zip(versions.names, names).map { name, shown in
      let destinations = mappings.filter { $0.source == name }.map { VisibleText.escape($0.destination) }
      let line = (name == versions.currentName ? "* " : "  ") + shown
      guard !destinations.isEmpty else { return line }
      let gap = String(repeating: " ", count: width - DisplayWidth.of(shown) + 2)
      return line + gap + "written mapping to " + destinations.joined(separator: ", ")
    }
  }

  private static func writeJSON(_ versions: ModelVersions, to output: OutputBuffer) throws {
    let mappings = try versions.mappings()
    var json = JSONBuilder(output)
    json.beginObject()
    json.member("model", versions.path)
    json.member("format", versions.format.rawValue)
    json.member("current", versions.currentName)
    json.key("versions")
    json.beginArray()
    for name in versions.names {
      json.beginObject()
      json.member("name", name)
      json.member("path", try versions.path(of: name))
      json.key("current")
      json.value(name == versions.currentName)
      if let successor = versions.successor(of: name) { json.member("successor", successor) }
      json.key("mappings")
      json.beginArray()
      for mapping in mappings where mapping.source == name {
        json.beginObject()
        json.member("to", mapping.destination)
        json.member("path", mapping.path)
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    output.append(byte: 0x0A)
  }
}
