import GraphStoreModel
import GraphStorePredicates

/// Expression of a property mapping, compiled once for all objects of its entity mapping.
final class MappingExpression {
  private let evaluator: ExpressionEvaluator
  private let scope: MappingScope
  private let propertyName: String

  /// - Throws: ``QueryPredicateError`` for a function that nobody registered, and as
  ///   ``ExpressionEvaluator/init(_:variables:options:)``.
  init(
    _ expression: QueryExpression, property: String, _ scope: MappingScope, _ options: EvaluationOptions
  ) throws {
    var binding = VariableBinding()
    evaluator = try ExpressionEvaluator(binding.apply(expression) ?? expression, options: options)
    self.scope = scope
    propertyName = property
  }

  /// What the expression yields for the objects of the scope.
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
