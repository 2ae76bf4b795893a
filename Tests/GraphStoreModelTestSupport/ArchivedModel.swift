import GraphStoreModel

/// Builds archives of models for tests.
package enum ArchivedModel {
  /// A model of entities by name.
  package static func model(
    _ entities: [(String, Archived)], _ others: [String: Archived] = [:]
  ) -> Archived {
    let keys = Archived.inline(entities.map { .string($0.0) })
    let values = Archived.inline(entities.map(\.1))
    let dictionary = Archived.object(
      ["NSDictionary", "NSObject"], ["NS.keys": keys, "NS.objects": values])
    return .object(
      ["NSManagedObjectModel", "NSObject"], others.merging(["NSEntities": dictionary]) { $1 })
  }

  package static func entity(
    _ name: String, _ properties: [(String, Archived)] = [], _ others: [String: Archived] = [:]
  ) -> (String, Archived) {
    let dictionary = Archived.object(
      ["NSMutableDictionary", "NSDictionary", "NSObject"],
      [
        "NS.keys": .inline(properties.map { .string($0.0) }), "NS.objects": .inline(properties.map(\.1)),
      ])
    return (
      name,
      .object(
        ["NSEntityDescription", "NSObject"],
        others.merging(["NSEntityName": .string(name), "NSProperties": dictionary]) { $1 })
    )
  }

  package static func attribute(
    _ name: String, _ type: Int, _ others: [String: Archived] = [:],
    classNames: [String] = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
  ) -> (String, Archived) {
    (
      name,
      .object(
        classNames,
        others.merging(["NSPropertyName": .string(name), "NSAttributeType": .int(type), "_P": 241]) { $1 })
    )
  }

  package static func relationship(
    _ name: String, to destination: String, inverse: String? = nil, _ others: [String: Archived] = [:]
  ) -> (String, Archived) {
    (
      name,
      .object(
        ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"],
        others.merging([
          "NSPropertyName": .string(name), "_NSDestinationEntityName": .string(destination),
          "_NSInverseRelationshipName": inverse.map { .string($0) } ?? .null,
        ]) { $1 })
    )
  }
}
