import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStoreModel

/// The problems of a model as `code path`, in the order they are reported.
func problemSummaries(_ json: String) -> [String] {
  problems(json).map { "\($0.code.rawValue) \($0.path)" }
}

/// The problems of a model.
func problems(_ json: String) -> [ModelProblem] {
  do {
    _ = try ManagedObjectModel(json: json.utf8)
    return []
  } catch {
    return error.problems
  }
}

/// The problems of a definition as `code path`.
func problemSummaries(_ definition: ModelDefinition) -> [String] {
  do {
    _ = try ManagedObjectModel(definition)
    return []
  } catch {
    return error.problems.map { "\($0.code.rawValue) \($0.path)" }
  }
}

/// A model with one entity `Thing` that has the given JSON of attributes.
func thing(attributes: String, rest: String = "") -> String {
  #"{"entities":[{"name":"Thing","attributes":[\#(attributes)]\#(rest)}]}"#
}

/// The attribute of a model with one attribute.
func attribute(
  _ type: AttributeType, _ change: (inout AttributeDefinition) -> Void = { _ in }
) throws -> (model: ManagedObjectModel, attribute: AttributeDescription) {
  var definition = AttributeDefinition("value", type)
  change(&definition)
  let model = try ManagedObjectModel(
    ModelDefinition(entities: [EntityDefinition("Thing", attributes: [definition])]))
  return (model, try #require(model.entities[0].attributes.first))
}
