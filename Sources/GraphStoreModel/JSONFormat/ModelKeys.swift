/// The keys of each object of a model file, in the order they are written.
enum ModelKeys {
  static let model = [
    "$schema", "name", "version", "entities", "fetchRequests", "configurations", "userInfo", "localization",
    "xcode",
  ]
  static let entity = [
    "name", "parent", "abstract", "className", "renamingIdentifier", "versionHashModifier", "attributes",
    "relationships", "fetchedProperties", "uniquenessConstraints", "indexes", "userInfo", "xcode",
  ]
  static let attribute = [
    "name", "type", "optional", "transient", "default", "min", "max", "minLength", "maxLength", "pattern",
    "transformer", "externalStorage", "derivation", "attributes", "preservesValueInHistory", "validations",
    "renamingIdentifier", "versionHashModifier", "userInfo", "xcode",
  ]
  static let relationship = [
    "name", "destination", "inverse", "toMany", "ordered", "optional", "transient", "minCount", "maxCount",
    "deleteRule", "validations", "renamingIdentifier", "versionHashModifier", "userInfo", "xcode",
  ]
  static let fetchedProperty = [
    "name", "entity", "predicate", "sort", "limit", "optional", "transient", "validations",
    "renamingIdentifier", "versionHashModifier", "userInfo", "xcode",
  ]
  static let validation = ["predicate", "message"]
  static let index = ["name", "elements", "where"]
  static let indexElement = ["property", "expression", "order", "type"]
  static let fetchRequest = [
    "name", "entity", "predicate", "sort", "limit", "offset", "batchSize", "resultType", "properties",
    "groupBy", "having", "distinct", "prefetch", "includesSubentities",
  ]
  static let resultProperty = ["name", "expression", "type"]
  static let configuration = ["name", "entities"]

  /// All keys, in an order that keeps that of each object as far as one order can.
  static let all: [String] = {
    let first = [
      "$schema", "name", "version", "parent", "abstract", "className", "type", "destination", "inverse",
      "toMany", "ordered", "entity", "predicate",
    ]
    let lists = [
      first, attribute, relationship, entity, fetchedProperty, validation, index, indexElement,
      fetchRequest, configuration, model, MappingKeys.all,
    ]
    return lists.flatMap { $0 }
  }()
}
