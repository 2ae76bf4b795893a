import GraphStorePredicates

extension ArchivedPredicateReader {
  /// The numbers by which archives identify the forms of expressions.
  private enum Form: Int {
    case constant = 0
    case evaluatedObject = 1
    case variable = 2
    case keyPath = 3
    case function = 4
    case union = 5
    case intersect = 6
    case minus = 7
    case keyPathSpecifier = 10
    case symbol = 11
    case subquery = 13
    case aggregate = 14
    case conditional = 20
    case fetch = 50
  }

  func expression(_ node: PropertyListNode?, depth: Int) throws(KeyedArchiveError) -> QueryExpression {
    let object = try object(node, depth: depth, "an expression")
    let number = try integer(object.fields["NSExpressionType"])
    guard let form = Form(rawValue: number) else {
      throw .unknown("Expressions of type \(number) (\(object.className)) are not known.")
    }
    switch form {
    case .constant: return QueryExpression(.constant(try constant(object)))
    case .evaluatedObject: return .evaluatedObject
    case .variable: return .variable(try name(object.fields["NSVariable"], "a variable"))
    case .keyPath, .function: return try call(object, depth)
    case .union, .intersect, .minus:
      let sign: QuerySetOperator = form == .union ? .union : form == .intersect ? .intersect : .minus
      let left = try expression(object.fields["NSLeftExpression"], depth: depth + 1)
      let right = try expression(object.fields["NSRightExpression"], depth: depth + 1)
      return QueryExpression(.setOperation(sign, left, right))
    case .keyPathSpecifier:
      return QueryExpression(.keyPath(try keyPath(try name(object.fields["NSKeyPath"], "a key path"))))
    case .symbol: throw .unknown("A symbol stands where a value is expected.")
    case .subquery: return try subquery(object, depth)
    case .aggregate: return try aggregate(object, depth)
    case .conditional: return try conditional(object, depth)
    case .fetch: return try fetch(object, depth)
    }
  }

  // MARK: Constants and lists

  private func constant(_ object: ArchivedObject) throws(KeyedArchiveError) -> Value {
    if let name = try text(object.fields["NSConstantValueClassName"]) {
      throw .unknown("The class \(name) stands where a value is expected.")
    }
    return try value(object.fields["NSConstantValue"], depth: 0)
  }

  /// A value with its parts.
  private func value(_ node: PropertyListNode?, depth: Int) throws(KeyedArchiveError) -> Value {
    guard depth < 16 else { throw .unknown("A constant nests more than 16 levels.") }
    switch try archive.value(at: node) {
    case .null: return .null
    case .value(let value): return value
    case .list(let nodes):
      var values: [Value] = []
      for node in nodes { values.append(try value(node, depth: depth + 1)) }
      return .list(values)
    case .dictionary(let pairs):
      var members: [String: Value] = [:]
      for pair in pairs {
        members[try name(pair.key, "a dictionary's key")] = try value(pair.value, depth: depth + 1)
      }
      return .dictionary(members)
    case .object(let object):
      // Lists of values may hold expressions of values.
      if object.isKind(of: "NSExpression"), try integer(object.fields["NSExpressionType"]) == 0 {
        return try value(object.fields["NSConstantValue"], depth: depth + 1)
      }
      throw .unknown("Constants of class \(object.className) are not known.")
    }
  }

  private func aggregate(_ object: ArchivedObject, _ depth: Int) throws(KeyedArchiveError) -> QueryExpression
  {
    guard case .list(let nodes) = try archive.value(at: object.fields["NSCollection"]) else {
      throw .unknown("A list of expressions lacks its members.")
    }
    return QueryExpression(.aggregate(try expressions(nodes, depth)))
  }

  /// The members of a list: expressions, or values that represent themselves.
  private func expressions(
    _ nodes: [PropertyListNode], _ depth: Int
  ) throws(KeyedArchiveError) -> [QueryExpression] {
    var members: [QueryExpression] = []
    for node in nodes {
      if case .object = try archive.value(at: node) {
        members.append(try expression(node, depth: depth + 1))
      } else {
        members.append(QueryExpression(.constant(try value(node, depth: 0))))
      }
    }
    return members
  }

  // MARK: Key paths and functions

  private func call(_ object: ArchivedObject, _ depth: Int) throws(KeyedArchiveError) -> QueryExpression {
    if let path = try text(object.fields["NSKeyPath"]) { return QueryExpression(.keyPath(try keyPath(path))) }
    let name = try name(object.fields["NSSelectorName"], "a function")
    var nodes: [PropertyListNode] = []
    if case .list(let items) = try archive.value(at: object.fields["NSArguments"]) { nodes = items }
    let target = object.fields["NSOperand"]
    if name == "valueForKey:" || name == "valueForKeyPath:", let node = nodes.first, nodes.count == 1 {
      return try step(node, from: target, depth)
    }
    if name == "objectFrom:withIndex:", nodes.count == 2 {
      let collection = try expression(nodes[0], depth: depth + 1)
      return QueryExpression(.index(collection, try index(nodes[1], depth)))
    }
    let arguments = try expressions(nodes, depth)
    if name == "castObject:toType:", arguments.count == 2,
      case .string(let type)? = arguments[1].constantValue, let type = QueryCastType(name: type)
    {
      return QueryExpression(.cast(arguments[0], type))
    }
    if let function = QueryFunction(rawValue: name), function.arity.contains(arguments.count) {
      return QueryExpression(.function(function, arguments))
    }
    guard try !isFunctionLibrary(target) else { throw .unknown("The function \(name) is not known.") }
    return QueryExpression(
      .call(target: try expression(target, depth: depth + 1), name: name, arguments: arguments))
  }

  /// Whether a function's target is the class that has the functions of the language.
  private func isFunctionLibrary(_ node: PropertyListNode?) throws(KeyedArchiveError) -> Bool {
    guard case .object(let object) = try archive.value(at: node) else { return true }
    return try text(object.fields["NSConstantValueClassName"]) != nil
  }

  /// A key path from an operand, where it is not the object under test.
  private func step(
    _ node: PropertyListNode, from target: PropertyListNode?, _ depth: Int
  ) throws(KeyedArchiveError) -> QueryExpression {
    var base: QueryExpression?
    if case .object = try archive.value(at: target) { base = try expression(target, depth: depth + 1) }
    guard case .object(let part) = try archive.value(at: node) else {
      return QueryExpression(.keyPath(try keyPath(try name(node, "a key path"), from: base)))
    }
    let field = part.fields["NSKeyPath"] ?? part.fields["NSConstantValue"]
    if let path = try text(field) { return QueryExpression(.keyPath(try keyPath(path, from: base))) }
    let inner = try expression(node, depth: depth + 1)
    guard case .variable(let variable) = inner.kind else {
      throw .unknown("A key path is worked out by an expression.")
    }
    return QueryExpression(.keyPath(QueryKeyPath(base: base, steps: [.variable(variable)])))
  }

  private func keyPath(
    _ text: String, from base: QueryExpression? = nil
  ) throws(KeyedArchiveError) -> QueryKeyPath {
    guard let path = try? QueryKeyPath(parsing: text) else {
      throw .unknown("\"\(text.prefix(80))\" is no key path.")
    }
    guard let base, base != .evaluatedObject else { return path }
    return QueryKeyPath(base: base, steps: path.steps)
  }

  private func index(_ node: PropertyListNode, _ depth: Int) throws(KeyedArchiveError) -> QueryIndex {
    let object = try object(node, depth: depth + 1, "an index")
    let words: [String: QueryIndex] = ["FIRST": .first, "LAST": .last, "SIZE": .size]
    guard try integer(object.fields["NSExpressionType"]) == Form.symbol.rawValue else {
      return .at(try expression(node, depth: depth + 1))
    }
    for (key, field) in object.fields where key != "$class" {
      if let word = try text(field), let index = words[word.uppercased()] { return index }
    }
    throw .unknown("An index is a symbol that is not known.")
  }

  // MARK: Forms with predicates

  private func subquery(_ object: ArchivedObject, _ depth: Int) throws(KeyedArchiveError) -> QueryExpression {
    let collection = try expression(
      object.fields["NSExpression"] ?? object.fields["NSCollection"], depth: depth + 1)
    let predicate = try predicate(
      object.fields["NSSubpredicate"] ?? object.fields["NSPredicate"], depth: depth + 1)
    var variable = try text(object.fields["NSVariable"])
    if variable == nil,
      case .variable(let name) = try expression(object.fields["NSVariable"], depth: depth + 1).kind
    {
      variable = name
    }
    guard let variable else { throw .unknown("A subquery lacks its variable.") }
    return QueryExpression(.subquery(collection: collection, variable: variable, predicate: predicate))
  }

  private func conditional(
    _ object: ArchivedObject, _ depth: Int
  ) throws(KeyedArchiveError) -> QueryExpression {
    let condition = try predicate(object.fields["NSPredicate"], depth: depth + 1)
    let then = try expression(object.fields["NSTrueExpression"], depth: depth + 1)
    let otherwise = try expression(object.fields["NSFalseExpression"], depth: depth + 1)
    return QueryExpression(.ternary(condition: condition, then: then, otherwise: otherwise))
  }

  private func fetch(_ object: ArchivedObject, _ depth: Int) throws(KeyedArchiveError) -> QueryExpression {
    let request = try expression(object.fields["NSFRExpression"], depth: depth + 1)
    let context = try expression(object.fields["NSMOCExpression"], depth: depth + 1)
    let counts = try integer(object.fields["NSCountOnlyFlag"]) != 0
    return QueryExpression(
      .fetch(request: request, context: context, countOnly: QueryExpression(.constant(.bool(counts)))))
  }

  private func name(_ node: PropertyListNode?, _ what: String) throws(KeyedArchiveError) -> String {
    guard let text = try text(node) else { throw .unknown("The name of \(what) is missing.") }
    return text
  }
}
