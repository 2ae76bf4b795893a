import GraphStorePredicates

/// The variables and key paths of a predicate or expression, in text order.
struct PredicateParts {
  /// A key path that begins at the object under test, or at a `SUBQUERY`'s variable.
  struct Path {
    var steps: [QueryKeyPath.Step]
    var offset: Int?
  }

  /// The free variables, without those of subqueries.
  private(set) var variables: [String] = []
  /// The key paths that begin at the object under test.
  private(set) var paths: [Path] = []
  private var bound: [String] = []

  init(_ predicate: QueryPredicate) { add(predicate) }

  init(_ expression: QueryExpression) { add(expression) }

  private mutating func add(_ predicate: QueryPredicate) {
    switch predicate {
    case .constant, .block: return
    case .comparison(let comparison):
      add(comparison.left)
      add(comparison.right)
    case .and(let members), .or(let members):
      for member in members { add(member) }
    case .not(let operand): add(operand)
    }
  }

  private mutating func add(_ expression: QueryExpression) {
    switch expression.kind {
    case .constant, .evaluatedObject, .block: return
    case .variable(let name): addVariable(name)
    case .keyPath(let path):
      if let base = path.base {
        add(base)
      } else {
        paths.append(Path(steps: path.steps, offset: expression.sourceRange?.offset))
      }
      for case .variable(let name) in path.steps { addVariable(name) }
    case .function(_, let arguments): for argument in arguments { add(argument) }
    case .call(let target, _, let arguments):
      add(target)
      for argument in arguments { add(argument) }
    case .cast(let operand, _): add(operand)
    case .aggregate(let members): for member in members { add(member) }
    case .subquery(let collection, let variable, let predicate):
      add(collection)
      bound.append(variable)
      add(predicate)
      bound.removeLast()
    case .ternary(let condition, let then, let otherwise):
      add(condition)
      add(then)
      add(otherwise)
    case .index(let collection, let index):
      add(collection)
      if case .at(let position) = index { add(position) }
    case .setOperation(_, let left, let right):
      add(left)
      add(right)
    case .fetch(let request, let context, _):
      add(request)
      add(context)
    }
  }

  private mutating func addVariable(_ name: String) {
    if !bound.contains(name), !variables.contains(name) { variables.append(name) }
  }
}
