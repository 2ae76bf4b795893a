import GraphStoreModel
import GraphStorePredicates

/// Scope of the expressions of one entity mapping: the present values of their variables (MIG-162).
///
/// Variables are bound as keys of the scope, so that an expression is compiled once and evaluated for each
/// object.
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

/// Target of `FUNCTION` in expressions of mappings: the manager or the policy, neither of which has keys.
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

/// Expression of a property mapping, compiled once for all objects of its entity mapping.
final class MappingExpression {
  private let evaluator: ExpressionEvaluator
  private let scope: MappingScope
  private let propertyName: String

  /// - Throws: ``QueryPredicateError`` for a function that is not registered, and as
  ///   ``ExpressionEvaluator/init(_:variables:options:)``.
  init(
    _ expression: QueryExpression, property: String, _ scope: MappingScope, _ options: EvaluationOptions
  ) throws {
    var binding = VariableBinding()
    evaluator = try ExpressionEvaluator(binding.apply(expression) ?? expression, options: options)
    self.scope = scope
    propertyName = property
  }

  /// The value of the expression for the objects of the scope.
  func operand() throws -> QueryOperand {
    scope.propertyName = propertyName
    return try evaluator.operand(for: .source(scope))
  }
}

/// Turns the variables of an expression into keys of its ``MappingScope``; those that sub-queries bind stay.
private struct VariableBinding {
  private var bound: [String] = []

  mutating func apply(_ expression: QueryExpression) -> QueryExpression? {
    switch expression.kind {
    case .variable(let name):
      guard !bound.contains(name), MappingScope.Variable(rawValue: name) != nil else { return nil }
      return QueryExpression(.keyPath(QueryKeyPath(steps: [.key(name)])), sourceRange: expression.sourceRange)
    case .subquery(let collection, let variable, let predicate):
      let newCollection = apply(collection)
      bound.append(variable)
      let newPredicate = apply(predicate)
      bound.removeLast()
      guard newCollection != nil || newPredicate != nil else { return nil }
      return QueryExpression(
        .subquery(
          collection: newCollection ?? collection, variable: variable, predicate: newPredicate ?? predicate),
        sourceRange: expression.sourceRange)
    default:
      return expression.rewritingParts(expression: { apply($0) }, predicate: { apply($0) })
    }
  }

  private mutating func apply(_ predicate: QueryPredicate) -> QueryPredicate? {
    predicate.rewritingParts(expression: { apply($0) }, predicate: { apply($0) })
  }
}
