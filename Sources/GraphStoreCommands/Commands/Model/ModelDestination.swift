import ArgumentParser
import GraphStore

/// Where commands write a model as JSON.
enum ModelDestination {
  /// Refuses names that are those of other forms.
  static func validate(_ path: String) throws {
    guard path != "-", let format = ModelFormat(endingOf: path), format != .json else { return }
    throw ValidationError(
      "'\(path)' would be no JSON; name a file that ends in .json, and see model convert for other forms.")
  }

  /// Writes a model; `-` is standard output.
  static func write(_ model: ManagedObjectModel, to path: String, _ session: CommandSession) throws {
    let bytes = Array(model.jsonData())
    guard path != "-" else { return try session.withOutput { $0.append(bytes) } }
    try session.writeFile(bytes, to: path)
    session.note("wrote \(path)  (\(model.entities.count) entities, checksum \(model.versionChecksum))")
  }
}
