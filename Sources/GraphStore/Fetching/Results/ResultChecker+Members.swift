import GraphStoreModel
import GraphStorePredicates

/// Grouping by members of to-many relationships: a path across one denotes one member at a time, which a
/// variable stands for.
extension ResultChecker {
  /// A value that a path across a to-many leads to, by which rows are grouped.
  ///
  /// - Throws: `invalid-property` for one that they are not grouped by.
  mutating func named(membersOf path: ResolvedKeyPath, _ text: String, isKey: Bool) throws -> Named {
    var work = self
    guard path.collectionOperator == nil, let type = path.type.member else { throw severalValues(text) }
    let expression = work.member(at: path)
    guard isKey || isGrouped(by: expression) else { throw severalValues(text) }
    self = work
    return Named(name: text, expression: expression, type: type)
  }

  private func severalValues(_ text: String) -> GraphStoreError {
    invalidProperty(
      text, "\(text) leads to several values",
      remedy: "Group by it, or use an aggregate such as \(text).@count.")
  }

  /// An expression in checked form, and its type; one over members by which rows are grouped as one over the
  /// variables that stand for them.
  mutating func checked(
    _ expression: QueryExpression, isKey: Bool
  ) throws -> (expression: QueryExpression, type: ExpressionType) {
    do throws(QueryPredicateError) {
      let direct = try checker.check(expression)
      guard direct.type.member != nil else { return direct }
      return try overMembers(expression, isKey: isKey) ?? direct
    } catch {
      guard error.code == .toManyPath, let found = try overMembers(expression, isKey: isKey) else {
        throw error
      }
      return found
    }
  }

  /// An expression over one member of each to-many in it; nil where none is in it, and where rows are not
  /// grouped by it.
  mutating func overMembers(
    _ expression: QueryExpression, isKey: Bool
  ) throws(QueryPredicateError) -> (expression: QueryExpression, type: ExpressionType)? {
    var work = self
    guard let over = work.overMembers(expression) else { return nil }
    let found = try work.checker.check(over)
    guard isKey || isGrouped(by: found.expression) else { return nil }
    self = work
    return found
  }

  private func isGrouped(by expression: QueryExpression) -> Bool {
    groups.contains { $0.expression == expression }
  }

  private mutating func overMembers(_ expression: QueryExpression) -> QueryExpression? {
    switch expression.kind {
    case .keyPath(let path):
      guard path.base == nil, let found = try? checker.resolve(path), found.collectionOperator == nil,
        found.steps.contains(where: \.isToMany)
      else { return nil }
      return member(at: found)
    case .function(let function, let arguments)
    where AggregateFunction(function, calledWith: arguments) != nil: return nil
    case .subquery: return nil
    default: return expression.rewritingParts(expression: { overMembers($0) }, predicate: { _ in nil })
    }
  }

  /// The value at the end of a path, from the variable of its last to-many on; the expansions that are not
  /// there are added.
  private mutating func member(at path: ResolvedKeyPath) -> QueryExpression {
    var owner: String?
    var start = 0
    for (index, step) in path.steps.enumerated() where step.isToMany {
      let keys = Array(path.keys[start...index])
      let variable = (owner ?? "#") + QueryKeyPath(steps: keys).description + "."
      if !query.expansions.contains(where: { $0.variable == variable }) {
        query.expansions.append(.init(variable: variable, owner: owner, keys: keys))
        checker.variables[variable] = step.destination.map { ExpressionType.object($0) }
      }
      (owner, start) = (variable, index + 1)
    }
    let base = QueryExpression(.variable(owner ?? ""))
    let rest = path.keys[start...].filter { $0 != .key("objectID") }
    return rest.isEmpty ? base : QueryExpression(.keyPath(QueryKeyPath(base: base, steps: Array(rest))))
  }
}

extension ResolvedKeyPath.Step {
  /// The entity that a relationship leads to.
  fileprivate var destination: EntityDescription? {
    if case .relationship(let found) = self { found.first?.destination } else { nil }
  }
}
