import GraphStoreModel
import GraphStorePredicates

/// An aggregate over the rows of a group, such as `sum:(salary * 12)`; one over a to-many of each row is
/// none.
package struct RowAggregate {
  package let function: AggregateFunction
  /// The argument that is aggregated over the rows.
  package let argument: QueryExpression
  package let isDistinct: Bool
  /// The type of the argument.
  package let type: ExpressionType

  /// The aggregate that a checked expression is; nil for every other expression.
  package init?(_ expression: QueryExpression, _ checker: PredicateTypeChecker) throws(QueryPredicateError) {
    guard case .function(let called, let arguments) = expression.kind,
      let function = AggregateFunction(called, calledWith: arguments)
    else { return nil }
    var argument = arguments[0]
    var isDistinct = false
    if case .function(.distinct, let inner) = argument.kind, inner.count == 1 {
      argument = inner[0]
      isDistinct = true
    }
    let type = try checker.check(argument).type
    guard type.member == nil else { return nil }
    self.function = function
    self.argument = argument
    self.isDistinct = isDistinct
    self.type = type
  }

  /// The type of the aggregate over the rows of a group (FET-090).
  package var outcome: ExpressionType {
    switch function.function {
    case .count: .integer
    case .sum: type == .boolean ? .integer : type == .float ? .double : type
    case .average: type == .decimal ? .decimal : .double
    case .stddev: .double
    case .median, .percentile: type.isNumber && type != .decimal ? .double : type
    case .mode: .collection(type, isOrdered: true)
    default: type
    }
  }

  /// The reason why the type of the values is refused (FET-091); nil for one that the function aggregates.
  package var refusal: String? {
    let name = function.function.rawValue
    switch function.function {
    case .count: return nil
    case .min, .max:
      switch type {
      case .data, .transformable, .composite, .dictionary, .object, .entity, .collection:
        return "\(name) works on numbers, dates, strings, UUIDs and URIs, not on \(type)"
      default: return nil
      }
    case .mode:
      switch type {
      case .composite, .dictionary, .object, .collection:
        return "mode: works on values with an order, not on \(type)"
      default: return nil
      }
    case .median, .percentile:
      return type.isNumber || type == .date || type == .anything
        ? nil : "\(name) works on numbers and dates, not on \(type)"
    default:
      return type.isNumber || type == .anything ? nil : "\(name) works on numbers, not on \(type)"
    }
  }

  /// Whether an expression has an aggregate of rows in it.
  package static func isPart(
    of expression: QueryExpression, _ checker: PredicateTypeChecker
  ) throws(QueryPredicateError) -> Bool {
    if try RowAggregate(expression, checker) != nil { return true }
    if case .subquery = expression.kind { return false }
    for child in expression.children {
      if try isPart(of: child, checker) { return true }
    }
    for predicate in expression.childPredicates {
      if try isPart(of: predicate, checker) { return true }
    }
    return false
  }

  private static func isPart(
    of predicate: QueryPredicate, _ checker: PredicateTypeChecker
  ) throws(QueryPredicateError) -> Bool {
    switch predicate {
    case .constant, .block: return false
    case .not(let operand): return try isPart(of: operand, checker)
    case .and(let parts), .or(let parts):
      for part in parts {
        if try isPart(of: part, checker) { return true }
      }
      return false
    case .comparison(let comparison):
      if try isPart(of: comparison.left, checker) { return true }
      return try isPart(of: comparison.right, checker)
    }
  }
}
