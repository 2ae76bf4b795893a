import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model hashes [MODEL]`
struct ModelHashesCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "hashes", abstract: "Print the version hash of every entity, and the checksum of the model.",
    discussion: """
      A store can be opened with a model whose hashes are those it records (see info). Hashes are in hexadecimal. Of a \
      compiled model whose package lists them, and of a store of Core Data's, those of Core Data's stand below.

      graphstore model hashes Models/company.json
      graphstore model hashes Company.graphmodel --all
      """)

  @Argument(help: "Model; without one that of --model, or the store's.", completion: .file()) var file:
    String?
  @Flag(help: "Of every version.") var all = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  /// The model of one version, or a model without versions.
  private struct Part {
    var version: String?
    var isCurrent = false
    var model: ManagedObjectModel
  }

  var idleOptions: IdleStoreOptions? {
    if file != nil { return .ofModelFiles }
    guard all else { return nil }
    return IdleStoreOptions(
      options: Set(StoreOption.allCases).subtracting([.model]),
      reason: "versions are those of a model, not of a store")
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let parts = try parts(session)
    if json {
      try session.printJSON { writeJSON(parts, to: $0) }
    } else {
      let blocks = parts.map { part in
        (part.version.map { [title($0, part.isCurrent)] } ?? []) + Self.lines(part.model)
      }
      try session.print(Array(blocks.joined(separator: [""])))
    }
    return .success
  }

  private func parts(_ session: CommandSession) throws -> [Part] {
    guard all else { return [Part(model: try model(session))] }
    let versions = try ModelVersions(at: try file ?? session.modelPath())
    return try versions.names.map { name in
      Part(version: name, isCurrent: name == versions.currentName, model: try versions.model(named: name))
    }
  }

  /// The model; that of a single store as if it were named in its place.
  private func model(_ session: CommandSession) throws -> ManagedObjectModel {
    let model = try session.model(file)
    guard file == nil, session.settings.models.isEmpty, session.settings.stores.count == 1,
      let version = try StoreModel.coreDataVersion(ofStoreAt: session.storePath(), timeout: session.timeout)
    else { return model }
    return try model.known(as: version)
  }

  private func title(_ version: String, _ isCurrent: Bool) -> String {
    "version \(VisibleText.escape(version))" + (isCurrent ? " (current)" : "")
  }

  private static func lines(_ model: ManagedObjectModel) -> [String] {
    let rows =
      model.entities.map { ($0.name, $0.versionHash.hexadecimal) } + [("checksum", model.versionChecksum)]
    let width = rows.map(\.0.count).max() ?? 0
    let own = rows.map { name, hash in name + String(repeating: " ", count: width - name.count + 2) + hash }
    guard let version = model.coreDataVersion else { return own }
    let listed =
      version.hashes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.hexadecimal) }
      + [("checksum", version.checksum)]
    return own + ["", "Core Data's"]
      + listed.map { name, hash in
        name + String(repeating: " ", count: max(0, width - name.count) + 2) + hash
      }
  }

  private func writeJSON(_ parts: [Part], to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    if all {
      json.key("versions")
      json.beginArray()
      for part in parts {
        json.beginObject()
        json.member("name", part.version ?? part.model.name)
        json.key("current")
        json.value(part.isCurrent)
        Self.write(part.model, to: &json)
        json.endObject()
      }
      json.endArray()
    } else {
      for part in parts { Self.write(part.model, to: &json) }
    }
    json.endObject()
    output.append(byte: 0x0A)
  }

  private static func write(_ model: ManagedObjectModel, to json: inout JSONBuilder) {
    json.member("checksum", model.versionChecksum)
    json.key("entities")
    json.beginObject()
    for entity in model.entities { json.member(entity.name, entity.versionHash.hexadecimal) }
    json.endObject()
    guard let version = model.coreDataVersion else { return }
    json.key("coreData")
    json.beginObject()
    json.member("checksum", version.checksum)
    json.key("entities")
    json.beginObject()
    for (name, hash) in version.hashes.sorted(by: { $0.key < $1.key }) { json.member(name, hash.hexadecimal) }
    json.endObject()
    json.endObject()
  }
}
