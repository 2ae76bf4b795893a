import GraphStoreModel
import GraphStorePredicates

/// Scope of the expressions of one entity mapping: what their variables stand for at the moment (MIG-162).
///
/// Variables are bound as keys of the scope, so that an expression is compiled once and evaluated for each object.
final class MappingScope: PropertySource {
  /// The variables of mappings.
  enum Variable: String, CaseIterable {
    case source, destination, manager, entityMapping, propertyMapping, entityPolicy
  }

  var source = QueryOperand.null
  var destination = QueryOperand.null
  private let sourceEntity: EntityDescription?
  private let destinationEntity: EntityDescription?
  private let manager: QueryOperand
  private let policy: QueryOperand
  private let entityMapping: QueryOperand
  /// The property whose expression is evaluated.
  var propertyName = ""

  init(_ mapping: CheckedEntityMapping) {
    sourceEntity = mapping.source
    destinationEntity = mapping.destination
    manager = .source(FunctionTarget(.manager))
    policy = .source(FunctionTarget(.entityPolicy))
    let names: [String: Value] = [
      "name": .string(mapping.name),
      "sourceEntityName": mapping.source.map { .string($0.name) } ?? .null,
      "destinationEntityName": mapping.destination.map { .string($0.name) } ?? .null,
    ]
    entityMapping = .value(.dictionary(names))
  }

  var _objectReference: ObjectReference? { nil }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    switch key.name {
    case "source": return source
    case "destination": return destination
    case "manager": return manager
    case "entityPolicy": return policy
    case "entityMapping": return entityMapping
    case "propertyMapping": return .value(.dictionary(["name": .string(propertyName)]))
    default:
      throw QueryPredicateError(
        .unknownKey, "The key \(key.name) is of no object: begin with $source.\(key.name).",
        suggestions: ["$source.\(key.name)"], subject: key.name)
    }
  }

  func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool {
    let first = path.first ?? keys.first
    let entity =
      first == Variable.source.rawValue
      ? sourceEntity : first == Variable.destination.rawValue ? destinationEntity : nil
    guard let entity else { return false }
    return path.isEmpty
      ? entity.leadsToMany(Array(keys.dropFirst()))
      : entity.leadsToMany(keys, behind: Array(path.dropFirst()))
  }
}

/// What `FUNCTION` is called on in expressions of mappings: the manager or the policy, neither of which has keys.
final class FunctionTarget: PropertySource {
  let variable: MappingScope.Variable

  init(_ variable: MappingScope.Variable) { self.variable = variable }

  var _objectReference: ObjectReference? { nil }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    throw QueryPredicateError(
      .unknownKey, "$\(variable.rawValue) has no key \(key.name): only functions are called on it.",
      subject: key.name)
  }
}
