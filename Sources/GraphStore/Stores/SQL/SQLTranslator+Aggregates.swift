import GraphStoreModel
import GraphStorePredicates

extension SQLTranslator {
  /// `path.@count`, `SUBQUERY(…).@sum.key` and their kin.
  package func aggregate(_ path: QueryKeyPath) throws(NotPushable) -> SQLOperand {
    guard let place = path.collectionOperatorIndex, case .collectionOperator(let name) = path.steps[place],
      let collectionOperator = ResolvedKeyPath.Operator(rawValue: name)
    else { throw NotPushable(.differentKinds, "the path is no single value") }
    let inner: QueryExpression
    if place == 0, let base = path.base {
      inner = base
    } else {
      inner = QueryExpression(.keyPath(QueryKeyPath(base: path.base, steps: Array(path.steps[..<place]))))
    }
    if collectionOperator == .count { return try count(of: inner) }
    var members = try collection(inner)
    let rest = Array(path.steps[(place + 1)...])
    if case .object(let node) = members.member, !rest.isEmpty {
      let resolved = try resolve(rest, from: node)
      guard resolved.collectionOperator == nil else {
        throw NotPushable(.toManySteps, "aggregates of aggregates are computed in memory")
      }
      members = try follow(resolved.steps[...], from: node, within: members.scope)
    }
    guard let function = QueryFunction(collectionOperator) else {
      throw NotPushable(.collection, "@\(name) gives its collection in memory")
    }
    return try aggregate(AggregateFunction(function), over: members)
  }

  /// The number of members of a collection.
  package func count(of expression: QueryExpression) throws(NotPushable) -> SQLOperand {
    let members = try collection(expression)
    return SQLOperand(.scalar(members.select(columns: [.call("COUNT", [])])), .integer)
  }

  /// `path[SIZE]`: as the count, but nil where a to-one on the way to the collection leads nowhere.
  package func size(of expression: QueryExpression) throws(NotPushable) -> SQLOperand {
    var size = try count(of: expression)
    if let owner = try doubtfulOwner(of: expression) {
      size.expression = .conditional(.isNull(owner.key), then: .null, otherwise: size.expression)
    }
    return size
  }

  /// The object whose to-many a path begins with, where there may be none.
  private func doubtfulOwner(of expression: QueryExpression) throws(NotPushable) -> SQLEntityReference? {
    guard case .keyPath(let path) = expression.kind, let start = try start(of: path) else { return nil }
    let steps = try resolve(path.steps, from: start).steps
    guard let first = steps.firstIndex(where: \.isToMany),
      case .object(let owner) = try walk(Array(steps[..<first]), from: start), !owner.isAlwaysThere
    else { return nil }
    return owner
  }

  package func aggregate(
    _ function: AggregateFunction, over members: SQLSubselect
  ) throws(NotPushable) -> SQLOperand {
    guard case .value(let value) = members.member, !value.isOpaque else {
      throw NotPushable(.collection, "\(function.function.rawValue) over objects runs in memory")
    }
    var result = try require(dialect.aggregate(function, over: value))
    result.expression = .scalar(members.select(columns: [result.expression]))
    return result
  }

  /// The number of members compared with a constant that only asks whether there are any: one member is
  /// looked for (PRD-241).
  package func countTest(_ comparison: QueryComparison) throws(NotPushable) -> SQLExpression? {
    let counted: QueryExpression
    let bound: Value
    let comparator: QueryComparison.Operator
    if let left = try countedCollection(comparison.left), let value = comparison.right.constantValue {
      (counted, bound, comparator) = (left, value, comparison.comparator)
    } else if let right = try countedCollection(comparison.right), let value = comparison.left.constantValue {
      (counted, bound, comparator) = (right, value, comparison.comparator.mirrored)
    } else {
      return nil
    }
    guard let exists = Self.existence(comparator, bound) else { return nil }
    let found = SQLExpression.exists(try collection(counted).select())
    return exists ? found : .not(found)
  }

  /// Whether a count satisfies a comparison with a bound exactly when there are members (true), or when there
  /// are none (false).
  private static func existence(_ comparator: QueryComparison.Operator, _ bound: Value) -> Bool? {
    guard let fromZero = bound.order(to: .int(0)), let fromOne = bound.order(to: .int(1)) else { return nil }
    let isZero = fromZero == .orderedSame
    let isFromZeroToOne = fromZero != .orderedAscending && fromOne == .orderedAscending
    let isAboveZeroToOne = fromZero == .orderedDescending && fromOne != .orderedDescending
    switch comparator {
    case .equal where isZero, .lessOrEqual where isFromZeroToOne, .less where isAboveZeroToOne: return false
    case .notEqual where isZero, .greater where isFromZeroToOne, .greaterOrEqual where isAboveZeroToOne:
      return true
    default: return nil
    }
  }

  /// The collection of `path.@count`, `count:(path)` and `path[SIZE]`.
  private func countedCollection(_ expression: QueryExpression) throws(NotPushable) -> QueryExpression? {
    switch expression.kind {
    case .keyPath(let path):
      guard let place = path.steps.firstIndex(of: .collectionOperator("count")) else { return nil }
      if place == 0 { return path.base }
      return QueryExpression(.keyPath(QueryKeyPath(base: path.base, steps: Array(path.steps[..<place]))))
    case .function(.count, let arguments):
      return arguments.count == 1 && isCollection(arguments[0]) ? arguments[0] : nil
    case .index(let collection, .size):
      guard isCollection(collection), try doubtfulOwner(of: collection) == nil else { return nil }
      return collection
    default: return nil
    }
  }
}
