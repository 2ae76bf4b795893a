import GraphStoreModel
import GraphStorePredicates

extension SQLTranslator {
  /// One value of the statement.
  package func operand(_ expression: QueryExpression) throws(NotPushable) -> SQLOperand {
    switch expression.kind {
    case .function, .cast, .index:
      // Constants left by folding: computed doubles and nil.
      guard let value = expression.commonValue(now: evaluation.now) else { break }
      var operand = constant(value)
      operand.isLiteral = false
      return operand
    default: break
    }
    switch expression.kind {
    case .constant(let value): return constant(value)
    case .evaluatedObject: return SQLOperand(root.key, .object(root.entity))
    case .variable(let name):
      let node = try variable(name)
      return SQLOperand(node.key, .object(node.entity))
    case .keyPath(let path): return try operand(path)
    case .function(.noIndex, let arguments):
      guard let argument = arguments.first else { throw NotPushable(.function, "noindex: has no argument") }
      var operand = try operand(argument)
      operand.unchecked = nil
      if operand.constant == nil { operand.expression = dialect.withoutIndex(operand.expression) }
      return operand
    case .function(let function, let arguments):
      return try call(function, arguments)
    case .cast(let part, let type):
      let operand = try operand(part)
      guard operand.constant == nil else { throw NotPushable(.function, "a constant is cast in memory") }
      return try require(dialect.cast(operand, to: type))
    case .ternary(let condition, let then, let otherwise):
      return try require(
        dialect.conditional(
          try translate(condition), then: try operand(then), otherwise: try operand(otherwise)))
    case .index(let collection, .size):
      return try size(of: collection)
    case .aggregate: throw NotPushable(.collection, "a list is compared in memory")
    case .subquery: throw NotPushable(.collection, "a sub-query is compared as a whole in memory")
    case .call(let target, let name, let arguments): return try call(name, [target] + arguments)
    case .index: throw NotPushable(.collection, "a member at a position is found in memory")
    case .setOperation: throw NotPushable(.collection, "collections are combined in memory")
    case .fetch: throw NotPushable(.collection, "FETCH runs in memory only")
    case .block: throw NotPushable(.closure, "a closure runs in memory only")
    }
  }

  private func constant(_ value: Value) -> SQLOperand {
    let type: ExpressionType =
      switch value {
      case .list, .dictionary: .anything
      default: ExpressionType(of: value)
      }
    return SQLOperand(constant: value, type: type)
  }

  package func variable(_ name: String) throws(NotPushable) -> SQLEntityReference {
    guard let node = variables[name] else {
      throw NotPushable(.differentKinds, "the variable $\(name) is no object here")
    }
    return node
  }

  /// The object that a path begins at; nil where it begins at a collection.
  package func start(of path: QueryKeyPath) throws(NotPushable) -> SQLEntityReference? {
    switch path.base?.kind {
    case nil: return root
    case .variable(let name): return try variable(name)
    case .subquery: return nil
    default: throw NotPushable(.collection, "a key of a computed value is read in memory")
    }
  }

  package func resolve(_ steps: [QueryKeyPath.Step], from node: SQLEntityReference) throws(NotPushable)
    -> ResolvedKeyPath
  {
    do throws(QueryPredicateError) {
      return try PredicateTypeChecker(entity: node.entity).resolve(QueryKeyPath(steps: steps))
    } catch {
      throw NotPushable(.notInRow, error.message)
    }
  }

  private func operand(_ path: QueryKeyPath) throws(NotPushable) -> SQLOperand {
    if !leaves.isEmpty, case .key(let key)? = path.steps.first, let leaf = leaves[key] { return leaf }
    guard let start = try start(of: path) else { return try aggregate(path) }
    let resolved = try resolve(path.steps, from: start)
    if resolved.collectionOperator != nil { return try aggregate(path) }
    switch try walk(resolved.steps, from: start) {
    case .object(let node): return SQLOperand(node.key, .object(node.entity))
    case .value(let operand): return operand
    }
  }

  /// Follows steps that are all to-one.
  package func walk(_ steps: [ResolvedKeyPath.Step], from start: SQLEntityReference) throws(NotPushable)
    -> SQLSubselect.Member
  {
    var node = start
    for (index, step) in steps.enumerated() {
      switch step {
      case .relationship(let found):
        guard let relationship = found.first, found.count == 1 else {
          throw NotPushable(.notInRow, "the key means several relationships")
        }
        guard !relationship.isToMany else {
          throw NotPushable(.differentKinds, "a to-many path is no single value")
        }
        guard let destination = node.destination(relationship, in: schema) else {
          throw NotPushable(.notInRow, "\(relationship.description) is not in the store")
        }
        node = destination
      case .objectID: continue
      default: return .value(try value(step, of: node, rest: steps[(index + 1)...]))
      }
    }
    return .object(node)
  }

  private func value(
    _ step: ResolvedKeyPath.Step, of node: SQLEntityReference, rest: ArraySlice<ResolvedKeyPath.Step>
  ) throws(NotPushable) -> SQLOperand {
    switch step {
    case .attribute(let attributes):
      if let composite = attributes.first, composite.type == .composite {
        guard attributes.count == 1 else {
          throw NotPushable(.notInRow, "the key means several composite attributes")
        }
        return try value(ofComposite: composite, rest, of: node)
      }
      return try value(of: try column(attributes, of: node), rest)
    case .entity:
      let number = node.entityNumber ?? .column(node.row(in: schema), schema.systemColumns.entity)
      return SQLOperand(number, .entity)
    default: throw NotPushable(.notInRow, "the property is not in the store")
    }
  }

  /// An attribute's value, or the length of its text.
  private func value(
    of operand: SQLOperand, _ rest: ArraySlice<ResolvedKeyPath.Step>
  ) throws(NotPushable) -> SQLOperand {
    guard let next = rest.first else { return operand }
    guard case .length = next else { throw NotPushable(.notInRow, "the value has no such key") }
    return try require(dialect.call(.length, [operand]))
  }

  /// The value of an element of a composite attribute; of the whole something that is NULL where it has no
  /// value.
  private func value(
    ofComposite composite: AttributeDescription, _ rest: ArraySlice<ResolvedKeyPath.Step>,
    of node: SQLEntityReference
  ) throws(NotPushable) -> SQLOperand {
    guard schema.stored.holds(composite) else {
      throw NotPushable(.notInRow, "\(composite.description) is not read from the store")
    }
    var path = [composite]
    var rest = rest
    while case .element(let element)? = rest.first {
      path.append(element)
      rest = rest.dropFirst()
    }
    let row = node.row(in: schema)
    let entity = schema.entity(composite.entity)
    let columns = entity.table.columns.filter {
      $0.property === composite && $0.elements.starts(with: path.dropFirst(), by: ===)
    }
    guard let last = path.last, !columns.isEmpty else {
      throw NotPushable(.notInRow, "\(composite.description) is not in the store")
    }
    let parts = columns.map { SQLExpression.column(row, $0.name) }
    guard last.type != .composite else {
      return SQLOperand(parts.count == 1 ? parts[0] : dialect.anyValue(of: parts), .composite)
    }
    var operand = SQLOperand(parts[0], ExpressionType(last.type))
    operand.range = last.type.integers
    return try value(of: operand, rest)
  }

  private func column(_ attributes: [AttributeDescription], of node: SQLEntityReference) throws(NotPushable)
    -> SQLOperand
  {
    var columns: [SQLExpression] = []
    let row = node.row(in: schema)
    for attribute in attributes {
      guard case .attribute(let column) = schema.entity(attribute.entity).storage(of: attribute) else {
        throw NotPushable(.notInRow, "\(attribute.description) is not in the store")
      }
      columns.append(.column(row, column.name))
    }
    guard let first = columns.first, let attribute = attributes.first else {
      throw NotPushable(.notInRow, "the property is not in the store")
    }
    // Each row belongs to one entity, so at most one of the columns has a value.
    var operand = SQLOperand(
      columns.count == 1 ? first : .call("COALESCE", columns), ExpressionType(attribute.type))
    operand.range = attributes.allSatisfy { $0.type == attribute.type } ? attribute.type.integers : nil
    operand.isOpaque = attributes.contains { $0.allowsExternalStorage }
    return operand
  }

  private func call(_ function: QueryFunction, _ arguments: [QueryExpression]) throws(NotPushable)
    -> SQLOperand
  {
    if function == .count, arguments.count == 1, isCollection(arguments[0]) {
      return try count(of: arguments[0])
    }
    if let aggregate = AggregateFunction(function, calledWith: arguments), isCollection(arguments[0]) {
      return try self.aggregate(aggregate, over: try collection(arguments[0]))
    }
    var operands: [SQLOperand] = []
    for argument in aggregated(function, arguments) {
      let operand = try operand(argument)
      guard !operand.isOpaque else {
        throw NotPushable(.notInRow, "the values may be kept in files of their own")
      }
      operands.append(operand)
    }
    guard operands.contains(where: { $0.constant == nil }) else {
      throw NotPushable(.function, "a function of constants is computed in memory")
    }
    if function == .count {
      return SQLOperand(.number(Int64(operands.count)), .integer)
    }
    return try require(dialect.call(function, operands))
  }

  /// A registered function of a target and arguments.
  private func call(_ name: String, _ arguments: [QueryExpression]) throws(NotPushable) -> SQLOperand {
    guard let function = evaluation.functions.function(named: name) else {
      throw NotPushable(.customFunction, "no function \(name) is registered")
    }
    if let equivalent = function.equivalent, arguments.count == 1 { return try call(equivalent, arguments) }
    var operands: [SQLOperand] = []
    for argument in arguments {
      guard !isCollection(argument) else {
        throw NotPushable(.customFunction, "the function \(name) is given a collection")
      }
      operands.append(try operand(argument))
    }
    return try require(dialect.call(function, operands))
  }

  /// The arguments of an aggregate function: several values, or the members of one list.
  private func aggregated(_ function: QueryFunction, _ arguments: [QueryExpression]) -> [QueryExpression] {
    guard function.isAggregate, arguments.count == 1, case .aggregate(let parts) = arguments[0].kind else {
      return arguments
    }
    return parts
  }
}

extension AttributeType {
  /// The integers of a type of fewer than 64 bits.
  fileprivate var integers: ClosedRange<Int64>? {
    switch self {
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .boolean: 0...1
    default: nil
    }
  }
}

extension QueryFunction {
  /// The function that does what a collection operator does.
  package init?(_ collectionOperator: ResolvedKeyPath.Operator) {
    switch collectionOperator {
    case .count: self = .count
    case .sum: self = .sum
    case .average: self = .average
    case .minimum: self = .min
    case .maximum: self = .max
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets, .unionOfSets:
      return nil
    }
  }
}
