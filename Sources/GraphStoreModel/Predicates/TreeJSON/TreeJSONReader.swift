import GraphStorePredicates

/// Decoder of trees from JSON.
struct TreeJSONReader {
  typealias Failure = QueryPredicateError

  let source: String

  func error(_ message: String, at offset: Int) -> Failure {
    QueryPredicateError(
      .syntax, "This is no predicate in JSON: \(message)", source: source,
      range: SourceRange(offset: offset, length: 0))
  }

  // MARK: Predicates

  func predicate(_ node: JSONNode) throws(Failure) -> QueryPredicate {
    let object = try TreeJSONObject(node, self)
    switch try object.text("type") {
    case "constant": return .constant(try object.flag("value"))
    case "comparison": return .comparison(try comparison(object))
    case "and": return .and(try predicates(object))
    case "or": return .or(try predicates(object))
    case "not": return .not(try predicate(object.member("operand")))
    case let type: throw error("There is no predicate of the type \"\(type)\".", at: node.offset)
    }
  }

  private func predicates(_ object: TreeJSONObject) throws(Failure) -> [QueryPredicate] {
    var members: [QueryPredicate] = []
    for member in try object.list("members") { members.append(try predicate(member)) }
    return members
  }

  private func comparison(_ object: TreeJSONObject) throws(Failure) -> QueryComparison {
    let modifier = try object.optionalName("modifier", QueryComparison.Modifier.self) ?? .direct
    return QueryComparison(
      left: try expression(object.member("left")), modifier: modifier,
      comparator: try object.name("operator", QueryComparison.Operator.self),
      options: try options(object), right: try expression(object.member("right")),
      operatorRange: try object.range())
  }

  private func options(_ object: TreeJSONObject) throws(Failure) -> QueryComparison.Options {
    var options: QueryComparison.Options = []
    guard let letters = try object.optionalText("options") else { return options }
    for letter in letters {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      case "l": options.insert(.localized)
      default: throw error("There is no option \(letter).", at: object.node.offset)
      }
    }
    return options
  }

  // MARK: Expressions

  func expression(_ node: JSONNode) throws(Failure) -> QueryExpression {
    let object = try TreeJSONObject(node, self)
    return QueryExpression(try kind(object), sourceRange: try object.range())
  }

  private func expressions(_ nodes: [JSONNode]) throws(Failure) -> [QueryExpression] {
    var members: [QueryExpression] = []
    members.reserveCapacity(nodes.count)
    for node in nodes { members.append(try expression(node)) }
    return members
  }

  private func kind(_ object: TreeJSONObject) throws(Failure) -> QueryExpression.Kind {
    switch try object.text("type") {
    case "constant": return .constant(try TreeJSONValues(reader: self).value(object.member("value")))
    case "self": return .evaluatedObject
    case "variable": return .variable(try object.text("name"))
    case "keyPath": return .keyPath(try keyPath(object))
    case "function":
      return .function(
        try object.name("name", QueryFunction.self), try expressions(object.list("arguments")))
    case "call":
      return .call(
        target: try expression(object.member("target")), name: try object.text("name"),
        arguments: try expressions(object.list("arguments")))
    case "cast":
      return .cast(try expression(object.member("operand")), try object.name("to", QueryCastType.self))
    case "aggregate": return .aggregate(try expressions(object.list("members")))
    case "subquery":
      return .subquery(
        collection: try expression(object.member("collection")), variable: try object.text("variable"),
        predicate: try predicate(object.member("predicate")))
    case "ternary":
      return .ternary(
        condition: try predicate(object.member("condition")), then: try expression(object.member("then")),
        otherwise: try expression(object.member("otherwise")))
    case "index":
      return .index(try expression(object.member("collection")), try index(object.member("index")))
    case "setOperation":
      return .setOperation(
        try object.name("operator", QuerySetOperator.self), try expression(object.member("left")),
        try expression(object.member("right")))
    case "fetch":
      return .fetch(
        request: try expression(object.member("request")), context: try expression(object.member("context")),
        countOnly: try expression(object.member("countOnly")))
    case let type:
      throw error("There is no expression of the type \"\(type)\".", at: object.node.offset)
    }
  }

  private func index(_ node: JSONNode) throws(Failure) -> QueryIndex {
    guard case .string(let word) = node.content else { return .at(try expression(node)) }
    switch word {
    case "first": return .first
    case "last": return .last
    case "size": return .size
    default: throw error("An index is first, last, size or an expression.", at: node.offset)
    }
  }

  private func keyPath(_ object: TreeJSONObject) throws(Failure) -> QueryKeyPath {
    var base: QueryExpression?
    if let node = object.optionalMember("base") { base = try expression(node) }
    var steps: [QueryKeyPath.Step] = []
    for node in try object.list("steps") {
      let step = try TreeJSONObject(node, self)
      if let key = try step.optionalText("key") {
        steps.append(.key(key))
      } else if let name = try step.optionalText("operator") {
        steps.append(.collectionOperator(name))
      } else {
        steps.append(.variable(try step.text("variable")))
      }
    }
    return QueryKeyPath(base: base, steps: steps)
  }
}
