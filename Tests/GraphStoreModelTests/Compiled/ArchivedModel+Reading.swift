@testable import GraphStoreModel

extension ArchivedModel {
  /// The archive of a model, read.
  static func read(_ model: Archived) throws -> ForeignModel {
    try CompiledModelReader.read(TestArchive.bytes(of: model), file: "Test.mom")
  }

  /// The one attribute of a model of one entity, and what the reader says.
  static func attribute(
    of archived: (String, Archived)
  ) throws -> (attribute: AttributeDefinition?, rules: [String]) {
    let model = try read(model([entity("Thing", [archived])]))
    return (model.definition.entities[0].attributes.first, model.findings.map(\.code.rawValue))
  }
}
