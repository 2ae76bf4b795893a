import GraphStorePredicates

/// Type inference in one walk over a tree: types, problems, and the tree in checked form.
struct PredicateTyping {
  struct Typed {
    var expression: QueryExpression
    var type: ExpressionType
  }

  let checker: PredicateTypeChecker
  private(set) var problems: [QueryPredicateError] = []
  var members: [String: ExpressionType] = [:]
  /// How many sub-queries are around the part that is checked.
  private(set) var subqueryDepth = 0

  init(_ checker: PredicateTypeChecker) {
    self.checker = checker
    members = checker.variables
  }

  var isFetch: Bool { checker.purpose == .fetch }

  /// The problems in the order of the text.
  var sortedProblems: [QueryPredicateError] { problems.inTextOrder }

  func throwFirst() throws(QueryPredicateError) {
    if let first = sortedProblems.first { throw first }
  }

  mutating func report(
    _ code: QueryPredicateError.Code, _ message: String, at range: SourceRange?, hint: String? = nil,
    suggestions: [String] = [], subject: String? = nil
  ) {
    problems.append(
      QueryPredicateError(
        code, message, source: checker.source, range: range, hint: hint, suggestions: suggestions,
        subject: subject))
  }

  mutating func report(_ error: QueryPredicateError) {
    problems.append(checker.source.map { error.located(in: $0) } ?? error)
  }

  /// An expression as an error names it.
  func text(of expression: QueryExpression) -> String { expression.description }

  /// Discards findings repeated by a second check of a part.
  mutating func dropProblems(after count: Int) {
    problems.removeSubrange(count...)
  }

  mutating func check(_ predicate: QueryPredicate) -> QueryPredicate {
    switch predicate {
    case .constant: return predicate
    case .and(let parts): return .and(parts.map { check($0) })
    case .or(let parts): return .or(parts.map { check($0) })
    case .not(let operand): return .not(check(operand))
    case .comparison(let comparison): return .comparison(check(comparison))
    case .block:
      if isFetch {
        report(
          .unsupportedInFetch, "A closure cannot be part of a fetch.", at: nil,
          hint: "Filter the result with it.", subject: "BLOCKPREDICATE")
      }
      return predicate
    }
  }

  mutating func check(_ expression: QueryExpression) -> Typed {
    let range = expression.sourceRange
    func typed(_ kind: QueryExpression.Kind, _ type: ExpressionType) -> Typed {
      Typed(expression: QueryExpression(kind, sourceRange: range), type: type)
    }
    switch expression.kind {
    case .constant(let value):
      return Typed(expression: expression, type: ExpressionType(of: value))
    case .evaluatedObject:
      return Typed(expression: expression, type: checker.subject)
    case .variable(let name):
      return Typed(expression: expression, type: variable(name, at: range))
    case .keyPath(let path):
      return check(path, at: range)
    case .function(let function, let arguments):
      let checked = arguments.map { check($0) }
      let type = type(of: function, over: checked, in: expression)
      return typed(.function(function, checked.map(\.expression)), type)
    case .call(let target, let name, let arguments):
      let type = type(ofCall: name, arguments.count, in: expression)
      return typed(
        .call(
          target: check(target).expression, name: name, arguments: arguments.map { check($0).expression }),
        type)
    case .cast(let operand, let type):
      if expression.isBadCast { report(.badCast(operand, type, at: operand.sourceRange ?? range)) }
      let checked = check(operand)
      _ = refusesCollection(checked.type, side: checked)
      if checked.type == .composite {
        report(
          .typeMismatch, "\(text(of: checked.expression)) is \(checked.type) and cannot be cast.",
          at: operand.sourceRange ?? range, hint: "Name one of its elements.",
          subject: text(of: checked.expression))
      }
      return typed(.cast(checked.expression, type), ExpressionType(type))
    case .aggregate(let parts):
      let checked = parts.map { check($0) }
      let first = checked.first { $0.type != .anything }?.type ?? .anything
      return typed(.aggregate(checked.map(\.expression)), .collection(first, isOrdered: true))
    case .subquery(let collection, let variable, let predicate):
      return check(subquery: collection, variable, predicate, at: range)
    case .ternary(let condition, let then, let otherwise):
      let condition = check(condition)
      let first = check(then)
      let second = check(otherwise)
      if refusesCollection(first.type, side: first) || refusesCollection(second.type, side: second) {
        return Typed(expression: expression, type: .anything)
      }
      let type = first.type == .anything ? second.type : first.type
      if !first.type.compares(with: second.type) {
        return typed(
          .ternary(condition: condition, then: first.expression, otherwise: second.expression), .anything)
      }
      return typed(
        .ternary(condition: condition, then: first.expression, otherwise: second.expression),
        Self.common(type, second.type))
    case .index(let collection, let index):
      return check(index: index, of: collection, at: range)
    case .setOperation(let setOperator, let left, let right):
      let first = check(left)
      let second = check(right)
      return typed(
        .setOperation(setOperator, first.expression, second.expression),
        .collection(first.type.member ?? .anything, isOrdered: false))
    case .fetch:
      if isFetch {
        report(
          .unsupportedInFetch, "FETCH cannot be part of a fetch.", at: range,
          hint: "Run the inner request first and give its result as a variable.",
          subject: text(of: expression))
      }
      return Typed(expression: expression, type: .anything)
    case .block:
      if isFetch {
        report(
          .unsupportedInFetch, "A closure cannot be part of a fetch.", at: range,
          hint: "Filter the result with it.", subject: "BLOCK")
      }
      return Typed(expression: expression, type: .anything)
    }
  }

  private mutating func variable(_ name: String, at range: SourceRange?) -> ExpressionType {
    if let member = members[name] { return member }
    if !checker.allowsVariables {
      report(
        .unboundVariable, "The variable $\(name) has no value.", at: range,
        hint: "Give it one before the predicate is used.", subject: "$\(name)")
    }
    return .anything
  }

  private mutating func check(_ path: QueryKeyPath, at range: SourceRange?) -> Typed {
    var base: Typed?
    if let written = path.base { base = check(written) }
    if checker.allowsVariables, path.steps.contains(where: { if case .variable = $0 { true } else { false } })
    {
      return Typed(expression: QueryExpression(.keyPath(path), sourceRange: range), type: .anything)
    }
    var start = base?.type ?? checker.subject
    if case .constant(let value)? = base?.expression.kind, case .object = value { start = .object(nil) }
    do throws(KeyPathResolver.Failure) {
      let found = try KeyPathResolver(
        declaredKeys: checker.declaredKeys, composite: base == nil ? checker.composite : nil
      ).resolve(path.steps, from: start)
      if isFetch, let property = found.unstoredProperty {
        report(
          .transientInFetch, "The property \(property.description) is not stored, so a fetch cannot use it.",
          at: range, hint: "Filter the result with it.", subject: path.text)
      }
      guard !found.keys.isEmpty else {
        return base
          ?? Typed(
            expression: QueryExpression(.evaluatedObject, sourceRange: range), type: checker.subject)
      }
      let checked = QueryKeyPath(base: base?.expression, steps: found.keys)
      return Typed(
        expression: QueryExpression(.keyPath(checked), sourceRange: range), type: found.type)
    } catch {
      report(checker.error(error, in: path, at: range))
      return Typed(expression: QueryExpression(.keyPath(path), sourceRange: range), type: .anything)
    }
  }

  private mutating func check(
    subquery collection: QueryExpression, _ variable: String, _ predicate: QueryPredicate,
    at range: SourceRange?
  ) -> Typed {
    let checked = check(collection)
    let member: ExpressionType
    switch checked.type {
    case .collection(let found, _): member = found
    case .anything: member = .anything
    default:
      report(
        .toManyPath, "SUBQUERY needs a collection, and what it is given is \(checked.type).",
        at: collection.sourceRange ?? range, hint: "Name a to-many relationship.",
        subject: text(of: collection))
      member = .anything
    }
    let hidden = members.updateValue(member, forKey: variable)
    subqueryDepth += 1
    let condition = check(predicate)
    subqueryDepth -= 1
    members[variable] = hidden
    return Typed(
      expression: QueryExpression(
        .subquery(collection: checked.expression, variable: variable, predicate: condition),
        sourceRange: range),
      type: checked.type.member == nil ? .collection(.anything, isOrdered: false) : checked.type)
  }

  private mutating func check(
    index: QueryIndex, of collection: QueryExpression, at range: SourceRange?
  ) -> Typed {
    let checked = check(collection)
    var kept = index
    var needsOrder = true
    switch index {
    case .size: needsOrder = false
    case .at(let position):
      let found = check(position)
      kept = .at(found.expression)
      needsOrder = found.type.isNumber
    case .first, .last: break
    }
    if needsOrder, case .collection(_, isOrdered: false) = checked.type {
      report(
        .unorderedCollection, "The collection has no order, so it has no member at a position.", at: range,
        hint: "Use ANY or SUBQUERY to choose members.",
        subject: text(of: QueryExpression(.index(collection, index))))
    }
    let expression = QueryExpression(.index(checked.expression, kept), sourceRange: range)
    if case .size = index { return Typed(expression: expression, type: .integer) }
    return Typed(expression: expression, type: checked.type.member ?? .anything)
  }

  static func common(_ left: ExpressionType, _ right: ExpressionType) -> ExpressionType {
    if left == right || right == .anything { return left }
    if left == .anything { return right }
    guard left.isNumber, right.isNumber else { return .anything }
    if left == .decimal || right == .decimal { return .decimal }
    let integers: [ExpressionType] = [.integer, .boolean]
    return integers.contains(left) && integers.contains(right) ? .integer : .double
  }
}

extension ExpressionType {
  /// The type of a constant; a list is one of the kind of its first member that is there.
  package init(of value: Value) {
    switch value {
    case .null: self = .anything
    case .bool: self = .boolean
    case .int: self = .integer
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .data: self = .data
    case .object: self = .object(nil)
    case .list(let members):
      let member = members.first { !$0.isNull }.map(ExpressionType.init(of:))
      self = .collection(member ?? .anything, isOrdered: true)
    case .dictionary: self = .dictionary
    }
  }

  /// The type of a cast's result.
  init(_ cast: QueryCastType) {
    switch cast {
    case .number, .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .data: self = .data
    case .objectID: self = .object(nil)
    case .integer: self = .integer
    case .boolean: self = .boolean
    }
  }
}
