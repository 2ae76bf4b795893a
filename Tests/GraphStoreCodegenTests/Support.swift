import Foundation
import GraphStoreCodegen
import GraphStoreModel
import GraphStoreTestSupport
import Testing

/// This target's folder.
let testsFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

/// The code of entities.
func code(_ entities: EntityDefinition..., requests: [FetchRequestDefinition] = []) throws -> GeneratedCode {
  try CodeGenerator(ManagedObjectModel(ModelDefinition(entities: entities, fetchRequests: requests))).files()
}

extension GeneratedCode {
  /// The text of a file, empty if there is none.
  func text(_ name: String) -> String { files.first { $0.name == name }?.text ?? "" }

  /// The rules of the findings with their places.
  var rules: [String] { findings.map { "\($0.code) \($0.path)" } }
}

extension SwiftCompiler {
  /// What the compiler has to say about generated files.
  static func complaints(about files: [GeneratedFile]) throws -> String {
    try complaints(about: files.map { Source(name: $0.name, text: $0.text) })
  }
}
