import GraphStoreModel
import GraphStorePredicates

extension SQLTranslator {
  /// One value of the statement.
  func operand(_ expression: QueryExpression) throws(SQLRefusal) -> SQLOperand {
    switch expression.kind {
    case .constant(let value): return constant(value)
    case .evaluatedObject: return SQLOperand(root.key, .object(root.entity))
    case .variable(let name):
      let node = try variable(name)
      return SQLOperand(node.key, .object(node.entity))
    case .keyPath(let path): return try operand(path)
    case .function(.noIndex, let arguments):
      guard let argument = arguments.first else { throw SQLRefusal("noindex: has no argument") }
      var operand = try operand(argument)
      if operand.constant == nil { operand.expression = .prefix("+", operand.expression) }
      return operand
    case .function(let function, let arguments):
      return try call(function, arguments)
    case .cast(let part, let type):
      let operand = try operand(part)
      guard operand.constant == nil else { throw SQLRefusal("a constant is cast in memory") }
      return SQLOperand(try require(dialect.cast(operand, to: type)), ExpressionType(castTo: type))
    case .ternary(let condition, let then, let otherwise):
      return try conditional(condition, then, otherwise)
    case .index(let collection, .size):
      return try count(of: collection)
    case .aggregate: throw SQLRefusal("a list is compared in memory")
    case .subquery: throw SQLRefusal("a sub-query is compared as a whole in memory")
    case .call(_, let name, _): throw SQLRefusal("the function \(name) has no form in SQL")
    case .index: throw SQLRefusal("a member at a position is found in memory")
    case .setOperation: throw SQLRefusal("collections are combined in memory")
    case .fetch: throw SQLRefusal("FETCH runs in memory only")
    case .block: throw SQLRefusal("a closure runs in memory only")
    }
  }

  private func constant(_ value: Value) -> SQLOperand {
    let type: ExpressionType =
      switch value {
      case .null, .list, .dictionary: .anything
      case .bool: .boolean
      case .int: .integer
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .date: .date
      case .uuid: .uuid
      case .uri: .uri
      case .data: .data
      case .object: .object(nil)
      }
    return SQLOperand(constant: value, type: type)
  }

  func variable(_ name: String) throws(SQLRefusal) -> SQLNode {
    guard let node = variables[name] else { throw SQLRefusal("the variable $\(name) is no object here") }
    return node
  }

  /// The object that a path begins at; nil where it begins at a collection.
  func start(of path: QueryKeyPath) throws(SQLRefusal) -> SQLNode? {
    switch path.base?.kind {
    case nil: return root
    case .variable(let name): return try variable(name)
    case .subquery: return nil
    default: throw SQLRefusal("a key of a computed value is read in memory")
    }
  }

  func resolve(_ steps: [QueryKeyPath.Step], from node: SQLNode) throws(SQLRefusal) -> ResolvedKeyPath {
    do throws(QueryPredicateError) {
      return try PredicateChecker(entity: node.entity).resolve(QueryKeyPath(steps: steps))
    } catch {
      throw SQLRefusal(error.message)
    }
  }

  private func operand(_ path: QueryKeyPath) throws(SQLRefusal) -> SQLOperand {
    guard let start = try start(of: path) else { return try aggregate(path) }
    let resolved = try resolve(path.steps, from: start)
    if resolved.collectionOperator != nil { return try aggregate(path) }
    switch try walk(resolved.steps, from: start) {
    case .object(let node): return SQLOperand(node.key, .object(node.entity))
    case .value(let operand): return operand
    }
  }

  /// Follows steps that are all to-one.
  func walk(_ steps: [ResolvedKeyPath.Step], from start: SQLNode) throws(SQLRefusal) -> SQLCollection.Member {
    var node = start
    for (index, step) in steps.enumerated() {
      switch step {
      case .relationship(let found):
        guard let relationship = found.first, found.count == 1 else {
          throw SQLRefusal("the key means several relationships")
        }
        guard !relationship.isToMany else { throw SQLRefusal("a to-many path is no single value") }
        guard let destination = node.destination(relationship, in: schema) else {
          throw SQLRefusal("\(relationship.description) is not in the store")
        }
        node = destination
      case .objectID: continue
      default: return .value(try value(step, of: node, rest: steps[(index + 1)...]))
      }
    }
    return .object(node)
  }

  private func value(
    _ step: ResolvedKeyPath.Step, of node: SQLNode, rest: ArraySlice<ResolvedKeyPath.Step>
  ) throws(SQLRefusal) -> SQLOperand {
    switch step {
    case .attribute(let attributes):
      var operand = try column(attributes, of: node)
      guard let next = rest.first else { return operand }
      guard case .length = next else { throw SQLRefusal("a composite attribute is not in the store") }
      operand = SQLOperand(try require(dialect.call(.length, [operand])), .integer)
      return operand
    case .entity:
      let number = node.entityNumber ?? .column(node.row(in: schema), SQLSystemColumn.entity)
      return SQLOperand(number, .entity)
    default: throw SQLRefusal("the property is not in the store")
    }
  }

  private func column(_ attributes: [AttributeDescription], of node: SQLNode) throws(SQLRefusal) -> SQLOperand
  {
    var columns: [SQLExpression] = []
    let row = node.row(in: schema)
    for attribute in attributes {
      guard case .attribute(let column) = schema.entity(attribute.entity).storage(of: attribute) else {
        throw SQLRefusal("\(attribute.description) is not in the store")
      }
      columns.append(.column(row, column.name))
    }
    guard let first = columns.first, let attribute = attributes.first else {
      throw SQLRefusal("the property is not in the store")
    }
    // Each row belongs to one entity, so at most one of the columns has a value.
    var operand = SQLOperand(
      columns.count == 1 ? first : .call("COALESCE", columns), ExpressionType(attribute.type))
    operand.isOpaque = attributes.contains { $0.allowsExternalStorage }
    return operand
  }

  private func call(_ function: QueryFunction, _ arguments: [QueryExpression]) throws(SQLRefusal)
    -> SQLOperand
  {
    if function == .count, arguments.count == 1, isCollection(arguments[0]) {
      return try count(of: arguments[0])
    }
    if let reduction = ResolvedKeyPath.Operator(function), arguments.count == 1, isCollection(arguments[0]) {
      return try aggregate(reduction, over: try collection(arguments[0]))
    }
    var operands: [SQLOperand] = []
    for argument in arguments {
      let operand = try operand(argument)
      guard !operand.isOpaque else { throw SQLRefusal("the values may be kept in files of their own") }
      operands.append(operand)
    }
    guard operands.contains(where: { $0.constant == nil }) else {
      throw SQLRefusal("a function of constants is computed in memory")
    }
    let expression = try require(dialect.call(function, operands))
    return SQLOperand(expression, outcome(function, operands.map(\.type)))
  }

  private func outcome(_ function: QueryFunction, _ types: [ExpressionType]) -> ExpressionType {
    switch function {
    case .length, .count, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight, .onesComplement:
      return .integer
    case .uppercase, .lowercase, .canonical, .normalize, .normalizeWith: return .string
    case .add, .subtract:
      let dates = types.filter { $0 == .date }.count
      if dates == 2 { return .double }
      if dates == 1 { return .date }
    default: break
    }
    let integers: [ExpressionType] = [.integer, .boolean]
    return types.allSatisfy(integers.contains) ? .integer : .double
  }

  private func conditional(
    _ condition: QueryPredicate, _ then: QueryExpression, _ otherwise: QueryExpression
  ) throws(SQLRefusal) -> SQLOperand {
    let test = try translate(condition)
    let first = try operand(then)
    let second = try operand(otherwise)
    guard first.constant == nil, second.constant == nil, first.type == second.type, !first.isOpaque,
      !second.isOpaque
    else { throw SQLRefusal("the two results of TERNARY differ in kind") }
    return SQLOperand(.conditional(test, then: first.expression, otherwise: second.expression), first.type)
  }
}

extension ExpressionType {
  /// The type that a cast gives.
  init(castTo type: QueryCastType) {
    switch type {
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

extension ResolvedKeyPath.Operator {
  /// The operator that does what an aggregate function does.
  init?(_ function: QueryFunction) {
    switch function {
    case .sum: self = .sum
    case .average: self = .average
    case .min: self = .minimum
    case .max: self = .maximum
    default: return nil
    }
  }
}
