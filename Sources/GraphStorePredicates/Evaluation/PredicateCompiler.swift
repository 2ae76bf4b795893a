/// Compiler from trees to evaluation nodes; finds every error that can be known before an object is seen.
final class PredicateCompiler {
  let options: EvaluationOptions
  let variables: [String: QueryOperand]
  private var boundVariables: [String] = []
  /// The keys that lead from the object under test to the object of each of them; nil where that is not
  /// known.
  private var origins: [[String]?] = []
  /// The maximum nesting of sub-queries.
  private(set) var slotCount = 0

  /// - Parameter members: The names of variables whose values are given with each object.
  init(options: EvaluationOptions, variables: [String: QueryOperand], members: [String] = []) {
    self.options = options
    self.variables = variables
    boundVariables = members
    origins = members.map { _ in nil }
    slotCount = members.count
  }

  /// Returns a tree's depth, or throws where it is too great.
  func checkDepth(_ depth: Int) throws(QueryPredicateError) -> Int {
    guard depth <= TreeDepth.maximum else { throw .tooDeep() }
    return depth
  }

  // MARK: Predicates

  func compile(_ predicate: QueryPredicate) throws(QueryPredicateError) -> PredicateNode {
    switch predicate {
    case .constant(let value): return ConstantPredicateNode(value)
    case .comparison(let comparison): return try compile(comparison)
    case .and(let members): return ConnectiveNode(try members.map(compile), isAnd: true)
    case .or(let members): return ConnectiveNode(try members.map(compile), isAnd: false)
    case .not(let operand): return NotNode(try compile(operand))
    case .block(let block): return BlockPredicateNode(block)
    }
  }

  private func compile(_ comparison: QueryComparison) throws(QueryPredicateError) -> PredicateNode {
    var left = try compile(comparison.left)
    var right = try compile(comparison.right)
    switch comparison.comparator {
    case .in: right = MembersNode(right, origin: origin(of: comparison.right)) ?? right
    case .contains: left = MembersNode(left, origin: origin(of: comparison.left)) ?? left
    default: break
    }
    let rule = try rule(for: comparison, left: left, right: right)
    switch comparison.modifier {
    // A path over a to-many has members, and no field of its own.
    case .direct where comparison.comparator == .contains && left is MembersNode:
      return ComparisonNode(left, rule: rule, right: right)
    case .direct:
      return try fieldComparison(comparison, constant: right.constant, rule: rule)
        ?? ComparisonNode(left, rule: rule, right: right)
    case .any: return QuantifiedNode(left, rule: rule, right: right, isAll: false)
    case .all: return QuantifiedNode(left, rule: rule, right: right, isAll: true)
    }
  }

  /// The keys that lead from the object under test to where a path begins.
  private func origin(of expression: QueryExpression) -> [String]? {
    guard case .keyPath(let path) = expression.kind else { return nil }
    return path.base.map(keys(to:)) ?? []
  }

  /// The keys that lead from the object under test to what an expression yields.
  private func keys(to expression: QueryExpression) -> [String]? {
    switch expression.kind {
    case .evaluatedObject: return []
    case .variable(let name): return boundVariables.lastIndex(of: name).flatMap { origins[$0] }
    case .subquery(let collection, _, _): return keys(to: collection)
    case .keyPath(let path):
      guard let origin = path.base.map(keys(to:)) ?? [],
        let keys = QueryKeyPath(steps: path.steps).plainKeys
      else { return nil }
      return origin + keys
    default: return nil
    }
  }

  func rule(
    for comparison: QueryComparison, left: ExpressionNode, right: ExpressionNode
  ) throws(QueryPredicateError) -> ComparisonRule {
    let options = comparison.options
    let locale = self.options.locale
    let comparer = ValueComparer(
      options: options, locale: locale, leftIsConstant: left.constantOperand != nil,
      rightIsConstant: right.constantOperand != nil)
    switch comparison.comparator {
    case .equal, .notEqual:
      return EqualityRule(
        comparer, isNegated: comparison.comparator == .notEqual,
        testsMissing: left.constant?.isNull ?? false || right.constant?.isNull ?? false)
    case .less: return OrderRule(comparer, .orderedAscending, includesEqual: false)
    case .lessOrEqual: return OrderRule(comparer, .orderedAscending, includesEqual: true)
    case .greater: return OrderRule(comparer, .orderedDescending, includesEqual: false)
    case .greaterOrEqual: return OrderRule(comparer, .orderedDescending, includesEqual: true)
    case .between:
      let range = comparison.right.sourceRange
      if let bounds = right.constantOperand, !bounds.isNull { try BetweenRule.bounds(bounds, range: range) }
      return BetweenRule(comparer, range: range, boundIsConstant: right.memberIsConstant)
    case .in:
      return MembershipRule(comparer, isContains: false, options: options, locale: locale, container: right)
    case .contains:
      return MembershipRule(comparer, isContains: true, options: options, locale: locale, container: left)
    case .beginsWith: return TextRule(.beginsWith, options: options, locale: locale)
    case .endsWith: return TextRule(.endsWith, options: options, locale: locale)
    case .like: return TextRule(.like, options: options, locale: locale)
    case .matches:
      return try MatchesRule(
        options: options, constantPattern: right.constant, range: comparison.right.sourceRange)
    case .typeConformsTo, .typeEquals:
      throw QueryPredicateError(
        .unsupportedFunction,
        "\(comparison.comparator.rawValue) cannot be evaluated, since there is no table of type identifiers.",
        range: comparison.operatorRange, subject: comparison.description)
    }
  }

  // MARK: Expressions

  func compile(_ expression: QueryExpression) throws(QueryPredicateError) -> ExpressionNode {
    switch expression.kind {
    case .constant(let value): return ConstantNode(value)
    case .evaluatedObject: return EvaluatedObjectNode()
    case .variable(let name): return try variable(name, expression)
    case .keyPath(let path): return try compile(path, expression)
    case .function(let function, let arguments):
      return try compile(function, arguments: arguments, expression: expression)
    case .call(let target, let name, let arguments):
      guard let function = options.functions.function(named: name) else {
        throw QueryPredicateError(
          .unknownFunction, "No function \(name) is registered.", range: expression.sourceRange,
          suggestions: NearestNames.names(near: name, among: options.functions.names),
          subject: expression.expressionFormat)
      }
      return CallNode(try compile(target), arguments: try arguments.map(compile), function: function)
    case .cast(let operand, let type):
      if expression.isBadCast { throw QueryPredicateError.badCast(operand, type, at: expression.sourceRange) }
      return CastNode(try compile(operand), type)
    case .aggregate(let members): return try aggregate(members)
    case .subquery(let collection, let variable, let predicate):
      let members = try compile(collection)
      let slot = boundVariables.count
      origins.append(keys(to: collection))
      boundVariables.append(variable)
      slotCount = max(slotCount, boundVariables.count)
      defer {
        boundVariables.removeLast()
        origins.removeLast()
      }
      return SubqueryNode(members, slot: slot, try compile(predicate))
    case .ternary(let condition, let then, let otherwise):
      return TernaryNode(try compile(condition), then: try compile(then), otherwise: try compile(otherwise))
    case .index(let collection, let index):
      return IndexNode(try compile(collection), try position(index), range: expression.sourceRange)
    case .setOperation(let setOperator, let left, let right):
      return SetOperationNode(
        setOperator, left: try compile(left), right: try compile(right),
        comparer: ValueComparer(options: [], locale: options.locale)
      )
    case .fetch:
      throw QueryPredicateError(
        .unsupportedFunction, "FETCH cannot run: no value is a request.", range: expression.sourceRange,
        hint: "Run the request first and give its result as a variable.",
        subject: expression.expressionFormat)
    case .block(let block): return BlockNode(block)
    }
  }

  private func aggregate(_ members: [QueryExpression]) throws(QueryPredicateError) -> ExpressionNode {
    let nodes = try members.map(compile)
    let constants = nodes.compactMap(\.constant)
    return constants.count == nodes.count ? ConstantNode(.list(constants)) : AggregateNode(nodes)
  }

  private func position(_ index: QueryIndex) throws(QueryPredicateError) -> IndexNode.Position {
    switch index {
    case .first: .first
    case .last: .last
    case .size: .size
    case .at(let expression): .at(try compile(expression))
    }
  }

  private func variable(_ name: String, _ expression: QueryExpression) throws(QueryPredicateError)
    -> ExpressionNode
  {
    if let slot = boundVariables.lastIndex(of: name) { return SlotNode(slot) }
    return ConstantNode(try value(of: name, expression))
  }

  private func value(of name: String, _ expression: QueryExpression) throws(QueryPredicateError)
    -> QueryOperand
  {
    guard let value = variables[name] else {
      throw QueryPredicateError(
        .unboundVariable, "No value is given for $\(name).", range: expression.sourceRange,
        suggestions: NearestNames.names(near: name, among: variables.keys.sorted()), subject: "$" + name)
    }
    return value
  }

  // MARK: Key paths

  private func compile(_ path: QueryKeyPath, _ expression: QueryExpression) throws(QueryPredicateError)
    -> ExpressionNode
  {
    var steps: [QueryKeyPath.Step] = []
    for step in path.steps {
      guard case .variable(let name) = step else {
        steps.append(step)
        continue
      }
      let value = try value(of: name, expression).value
      guard case .string(let text) = value, let named = QueryKeyPath.steps(parsing: text) else {
        throw QueryPredicateError(
          .argumentType, "The variable $\(name) stands for a key, but \(value.literal) is no key path.",
          range: expression.sourceRange)
      }
      steps += named
    }
    if path.base == nil, steps.count == 1, case .key(let key) = steps[0] {
      return KeyNode(key, range: expression.sourceRange)
    }
    return KeyPathNode(
      base: try path.base.map(compile), steps: Self.nodes(steps[...]), range: expression.sourceRange)
  }

  private static func nodes(_ steps: ArraySlice<QueryKeyPath.Step>) -> [KeyPathNode.Step] {
    var nodes: [KeyPathNode.Step] = []
    for (index, step) in zip(steps.indices, steps) {
      switch step {
      case .key("name"):
        if index > steps.startIndex, steps[index - 1] == .key("entity"), case .key(let entity)? = nodes.last {
          nodes[nodes.count - 1] = .entityName(entity, PropertyKey("name"))
        } else {
          nodes.append(.key(PropertyKey("name")))
        }
      case .key(let key): nodes.append(.key(PropertyKey(key)))
      case .variable: continue
      case .collectionOperator(let name):
        nodes.append(.collectionOperator(operatorStep(name, steps[(index + 1)...])))
        return nodes
      }
    }
    return nodes
  }

  private static func operatorStep(
    _ name: String, _ rest: ArraySlice<QueryKeyPath.Step>
  ) -> CollectionOperatorStep {
    var keys: [PropertyKey] = []
    for (index, step) in zip(rest.indices, rest) {
      switch step {
      case .key(let key): keys.append(PropertyKey(key))
      case .variable: continue
      case .collectionOperator(let inner):
        return CollectionOperatorStep(name, keys: keys, inner: operatorStep(inner, rest[(index + 1)...]))
      }
    }
    return CollectionOperatorStep(name, keys: keys, inner: nil)
  }

  // MARK: Functions

  private func compile(
    _ function: QueryFunction, arguments: [QueryExpression], expression: QueryExpression
  ) throws(QueryPredicateError) -> ExpressionNode {
    guard function.arity.contains(arguments.count) else {
      throw QueryPredicateError(
        .argumentCount,
        "\(function.rawValue) cannot take \(QueryPredicateError.counted(arguments.count, "argument")).",
        range: expression.sourceRange, subject: expression.expressionFormat)
    }
    let nodes = try arguments.map(compile)
    if let body = ValueFunctions.body(function) { return ValueFunctionNode(nodes[0], body) }
    if let body = ValueFunctions.bodyOfSeveral(function) { return SeveralValuesNode(nodes, body) }
    switch function {
    case .now: return NowNode()
    case .random, .randomBelow, .randomNumber: return RandomNode(nodes.first)
    case .noIndex: return nodes[0]
    case .distinct: return DistinctNode(nodes[0])
    case .normalizeWith:
      do throws(QueryPredicateError) {
        return try NormalizeNode(nodes[0], nodes[1])
      } catch {
        throw error.placed(at: arguments[1].sourceRange)
      }
    case .percentile: return PercentileNode(nodes[0], fraction: nodes[1])
    case _ where function.isAggregate:
      return AggregateFunctionNode(function, nodes, range: expression.sourceRange)
    default: return ArithmeticNode(function, left: nodes[0], right: nodes[1])
    }
  }
}
