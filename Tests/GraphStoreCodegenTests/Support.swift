import Foundation
import GraphStoreCodegen
import GraphStoreModel
import Testing

/// This target's folder.
let testsFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

/// A folder that goes with the value.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("graphstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// The code of entities.
func code(_ entities: EntityDefinition..., requests: [FetchRequestDefinition] = []) throws -> GeneratedCode {
  try CodeGenerator(ManagedObjectModel(ModelDefinition(entities: entities, fetchRequests: requests))).files()
}

extension GeneratedCode {
  /// The text of a file, empty if there is none.
  func text(_ name: String) -> String { files.first { $0.name == name }?.text ?? "" }

  /// The rules of the findings with their places.
  var rules: [String] { findings.map { "\($0.rule) \($0.path)" } }
}
