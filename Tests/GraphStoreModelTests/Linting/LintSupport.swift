import GraphStorePredicates

@testable import GraphStoreModel

/// The paths of the findings of one rule in a definition.
func places(_ rule: String, _ definition: ModelDefinition) -> [String] {
  var check = ModelLinter()
  check.enabledRules = [rule]
  return check.findings(in: definition).filter { $0.code.rawValue == rule }.map(\.path.description)
}

/// The paths of the findings of one rule in a model of the given entities.
func places(_ rule: String, _ entities: EntityDefinition...) -> [String] {
  places(rule, ModelDefinition(entities: entities))
}

/// The paths of the findings of one rule in a model with one entity `Thing` that has the attributes.
func places(_ rule: String, attributes: AttributeDefinition...) -> [String] {
  places(rule, EntityDefinition("Thing", attributes: attributes))
}

/// The findings of a definition as they print.
func texts(_ definition: ModelDefinition) -> [String] {
  ModelLinter().findings(in: definition).map(\.description)
}
