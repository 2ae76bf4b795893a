import GraphStoreModel
import GraphStorePredicates

extension SQLTranslator {
  func translate(_ comparison: QueryComparison) throws(SQLRefusal) -> SQLExpression {
    switch comparison.modifier {
    case .direct: break
    case .any:
      let members = try collection(comparison.left)
      let condition = try compare(members.operand, comparison)
      return .exists(members.select(where: condition))
    case .all:
      let members = try collection(comparison.left)
      let condition = try compare(members.operand, comparison)
      return .not(.exists(members.select(where: .isNotTrue(condition))))
    }
    if let count = try countTest(comparison) { return count }
    if comparison.comparator == .contains, isCollection(comparison.left) {
      return try member(comparison.right, of: comparison.left, comparison.options)
    }
    return try compare(try operand(comparison.left), comparison)
  }

  /// The comparison of one left value with the right side.
  private func compare(_ left: SQLOperand, _ comparison: QueryComparison) throws(SQLRefusal) -> SQLExpression
  {
    switch comparison.comparator {
    case .in: return try isIn(left, comparison)
    case .between: return try isBetween(left, comparison)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try compare(left, comparison.comparator, comparison.options, try operand(comparison.right))
    case .contains, .beginsWith, .endsWith, .like, .matches:
      let right = try operand(comparison.right)
      guard left.constant?.isNull != true, right.constant?.isNull != true else {
        throw SQLRefusal("a text comparison with nil runs in memory")
      }
      return try require(dialect.compareText(comparison.comparator, comparison.options, left, right))
    case .typeConformsTo, .typeEquals:
      throw SQLRefusal("\(comparison.comparator.rawValue) has no meaning here")
    }
  }

  /// A plain comparison; `==` and `!=` with the constant nil test for a missing value (PRD-083).
  func compare(
    _ left: SQLOperand, _ comparator: QueryComparison.Operator, _ options: QueryComparison.Options,
    _ right: SQLOperand
  ) throws(SQLRefusal) -> SQLExpression {
    let leftIsNil = left.constant?.isNull == true
    let rightIsNil = right.constant?.isNull == true
    if leftIsNil || rightIsNil {
      let other = leftIsNil ? right : left
      guard other.constant == nil else { throw SQLRefusal("two constants are compared in memory") }
      switch comparator {
      case .equal: return .isNull(other.expression)
      case .notEqual: return .isNotNull(other.expression)
      default: return .infix("=", other.expression, .null)
      }
    }
    if case .object(let first) = left.type, case .object(let second) = right.type {
      return try compareObjects(left, first, comparator, right, second)
    }
    if left.type == .entity || right.type == .entity {
      return try compareEntities(left, comparator, right)
    }
    guard !left.isOpaque, !right.isOpaque else {
      throw SQLRefusal("the values may be kept in files of their own")
    }
    return try require(dialect.compare(comparator, options, left, right))
  }

  private func compareObjects(
    _ left: SQLOperand, _ leftEntity: EntityDescription?, _ comparator: QueryComparison.Operator,
    _ right: SQLOperand, _ rightEntity: EntityDescription?
  ) throws(SQLRefusal) -> SQLExpression {
    let sign: String
    switch comparator {
    case .equal: sign = "="
    case .notEqual: sign = "<>"
    default: throw SQLRefusal("objects have no order")
    }
    func key(_ side: SQLOperand, of entity: EntityDescription?) throws(SQLRefusal) -> SQLExpression {
      guard let constant = side.constant else { return side.expression }
      return .binding(.integer(try self.key(constant, in: entity)))
    }
    if left.constant == nil, right.constant == nil {
      guard let leftEntity, let rightEntity, leftEntity.rootEntity === rightEntity.rootEntity else {
        throw SQLRefusal("objects of entities that are not related are compared in memory")
      }
    }
    return .infix(sign, try key(left, of: rightEntity), try key(right, of: leftEntity))
  }

  /// The key of an object that a constant names; one that no row has for objects that are not in this store.
  func key(_ constant: Value, in entity: EntityDescription?) throws(SQLRefusal) -> Int64 {
    guard case .object(let reference) = constant else {
      throw SQLRefusal("the value is no object")
    }
    guard let identifier = reference.identifier(as: ManagedObjectID.self),
      entity == nil || identifier.entity.rootEntity.name == entity?.rootEntity.name,
      storeUUID == nil || identifier.scope.uuid == storeUUID
    else { return -1 }
    return identifier.key < 0 ? -1 : identifier.key
  }

  private func compareEntities(
    _ left: SQLOperand, _ comparator: QueryComparison.Operator, _ right: SQLOperand
  ) throws(SQLRefusal) -> SQLExpression {
    let sign = comparator == .equal ? "=" : "<>"
    guard comparator == .equal || comparator == .notEqual else {
      throw SQLRefusal("names of entities are ordered in memory")
    }
    func number(_ side: SQLOperand) throws(SQLRefusal) -> SQLExpression {
      guard let constant = side.constant else {
        guard side.type == .entity else { throw SQLRefusal("an entity is compared with a key in memory") }
        return side.expression
      }
      return .binding(.integer(entityNumber(constant)))
    }
    return .infix(sign, try number(left), try number(right))
  }

  private func entityNumber(_ constant: Value) -> Int64 {
    guard case .string(let name) = constant, let entity = schema.model.entitiesByName[name] else { return -1 }
    return Int64(schema.entity(entity).number)
  }

  private func isBetween(_ left: SQLOperand, _ comparison: QueryComparison) throws(SQLRefusal)
    -> SQLExpression
  {
    guard let bounds = constantsOrParts(comparison.right), bounds.count == 2 else {
      throw SQLRefusal("the bounds of BETWEEN are no list of two")
    }
    // A bound that is nil is unknown here, and never a test for a missing value.
    return .and([
      try compare(left, .greaterOrEqual, comparison.options, try operand(bounds[0])),
      try compare(left, .lessOrEqual, comparison.options, try operand(bounds[1])),
    ])
  }

  private func constantsOrParts(_ expression: QueryExpression) -> [QueryExpression]? {
    switch expression.kind {
    case .aggregate(let parts): return parts
    case .constant(.list(let values)): return values.map { QueryExpression(.constant($0)) }
    default: return nil
    }
  }

  private func isIn(_ left: SQLOperand, _ comparison: QueryComparison) throws(SQLRefusal) -> SQLExpression {
    guard let parts = constantsOrParts(comparison.right) else {
      if isCollection(comparison.right) {
        return try member(left, of: comparison.right, comparison.options)
      }
      let right = try operand(comparison.right)
      guard left.constant?.isNull != true, right.constant?.isNull != true else {
        throw SQLRefusal("a text comparison with nil runs in memory")
      }
      return try require(dialect.compareText(.contains, comparison.options, right, left))
    }
    var values: [Value] = []
    var others: [QueryExpression] = []
    var hasNil = false
    for part in parts {
      guard let value = part.constantValue else {
        others.append(part)
        continue
      }
      if value.isNull { hasNil = true } else { values.append(value) }
    }
    guard others.isEmpty else { throw SQLRefusal("a list with keys in it is looked through in memory") }
    guard left.constant == nil else { throw SQLRefusal("a constant is looked up in memory") }
    if values.isEmpty, hasNil { return .isNull(left.expression) }
    let found = try isMember(left, of: values, comparison.options)
    guard hasNil else { return found }
    // A missing value is a member then, and where the value is there the first part alone decides (PRD-239).
    return .or([found, .isNull(left.expression)])
  }

  private func isMember(
    _ left: SQLOperand, of values: [Value], _ options: QueryComparison.Options
  ) throws(SQLRefusal) -> SQLExpression {
    switch left.type {
    case .object(let entity):
      var keys: [Value] = []
      keys.reserveCapacity(values.count)
      for value in values { keys.append(.int(try key(value, in: entity))) }
      return try require(dialect.isMember(SQLOperand(left.expression, .integer), of: keys, []))
    case .entity:
      let numbers = values.map { Value.int(entityNumber($0)) }
      return try require(dialect.isMember(SQLOperand(left.expression, .integer), of: numbers, []))
    default:
      guard !left.isOpaque else { throw SQLRefusal("the values may be kept in files of their own") }
      return try require(dialect.isMember(left, of: values, options))
    }
  }
}
