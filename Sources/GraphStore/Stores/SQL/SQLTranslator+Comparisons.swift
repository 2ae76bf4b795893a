import GraphStoreModel
import GraphStorePredicates

extension SQLTranslator {
  package func translate(_ comparison: QueryComparison) throws(NotPushable) -> SQLExpression {
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
    if let truth = constantTruth(comparison) { return truth }
    if let count = try countTest(comparison) { return count }
    if comparison.comparator == .contains, isCollection(comparison.left) {
      return try member(comparison.right, of: comparison.left, comparison.options)
    }
    return try compare(try operand(comparison.left), comparison)
  }

  /// The truth value of a comparison of two constants.
  private func constantTruth(_ comparison: QueryComparison) -> SQLExpression? {
    guard comparison.modifier == .direct, comparison.left.commonValue(now: evaluation.now) != nil,
      comparison.right.commonValue(now: evaluation.now) != nil
    else { return nil }
    switch try? PredicateEvaluator(.comparison(comparison), options: evaluation).truth(.null) {
    case .yes: return .always
    case .no: return .never
    case .unknown: return .null
    case nil: return nil
    }
  }

  /// The comparison of one left value with the right side.
  private func compare(_ left: SQLOperand, _ comparison: QueryComparison) throws(NotPushable) -> SQLExpression
  {
    switch comparison.comparator {
    case .in: return try isIn(left, comparison)
    case .between: return try isBetween(left, comparison)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return try compare(
        left, comparator: comparison.comparator, options: comparison.options,
        right: try operand(comparison.right))
    case .contains, .beginsWith, .endsWith, .like, .matches:
      let right = try operand(comparison.right)
      return try compareText(comparison.comparator, options: comparison.options, left: left, right: right)
    case .typeConformsTo, .typeEquals:
      throw NotPushable(.differentKinds, "\(comparison.comparator.rawValue) has no meaning here")
    }
  }

  /// CONTAINS and its kin of two single values, which with nil is unknown.
  private func compareText(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) throws(NotPushable) -> SQLExpression {
    if left.constant?.isNull == true || right.constant?.isNull == true { return .null }
    guard !left.isOpaque, !right.isOpaque else {
      throw NotPushable(.notInRow, "the values may be kept in files of their own")
    }
    return try require(dialect.compareText(comparator, options: options, left: left, right: right))
  }

  /// A plain comparison; `==` and `!=` with the constant nil test for a missing value (PRD-083).
  package func compare(
    _ left: SQLOperand, comparator: QueryComparison.Operator, options: QueryComparison.Options,
    right: SQLOperand
  ) throws(NotPushable) -> SQLExpression {
    let leftIsNil = left.constant?.isNull == true
    let rightIsNil = right.constant?.isNull == true
    if leftIsNil || rightIsNil {
      let other = leftIsNil ? right : left
      let test = leftIsNil ? left : right
      guard other.constant == nil, test.isLiteral else { return .null }
      switch comparator {
      case .equal: return .isNull(other.expression)
      case .notEqual: return .isNotNull(other.expression)
      default: return .infix("=", other.expression, .null)
      }
    }
    if case .object(let first) = left.type, case .object(let second) = right.type {
      return try compareObjects(
        left, leftEntity: first, comparator: comparator, right: right, rightEntity: second)
    }
    if left.type == .entity || right.type == .entity {
      return try compareEntities(left, comparator: comparator, right: right)
    }
    guard !left.isOpaque, !right.isOpaque else {
      throw NotPushable(.notInRow, "the values may be kept in files of their own")
    }
    return try require(dialect.compare(comparator, options: options, left: left, right: right))
  }

  private func compareObjects(
    _ left: SQLOperand, leftEntity: EntityDescription?, comparator: QueryComparison.Operator,
    right: SQLOperand, rightEntity: EntityDescription?
  ) throws(NotPushable) -> SQLExpression {
    let sign: String
    switch comparator {
    case .equal: sign = "="
    case .notEqual: sign = "<>"
    default: throw NotPushable(.differentKinds, "objects have no order")
    }
    func key(_ side: SQLOperand, of entity: EntityDescription?) throws(NotPushable) -> SQLExpression {
      guard let constant = side.constant else { return side.expression }
      return .binding(.integer(try self.key(constant, in: entity)))
    }
    if left.constant == nil, right.constant == nil {
      guard let leftEntity, let rightEntity, leftEntity.rootEntity === rightEntity.rootEntity else {
        throw NotPushable(.differentKinds, "objects of entities that are not related are compared in memory")
      }
    }
    return .infix(sign, try key(left, of: rightEntity), try key(right, of: leftEntity))
  }

  /// The key of an object that a constant names; one that no row has for objects that are not in this store.
  package func key(_ constant: Value, in entity: EntityDescription?) throws(NotPushable) -> Int64 {
    guard case .object(let reference) = constant else {
      throw NotPushable(.differentKinds, "the value is no object")
    }
    guard let identifier = reference.identifier(as: ManagedObjectID.self),
      entity == nil || identifier.entity.rootEntity.name == entity?.rootEntity.name,
      storeUUID == nil || identifier.scope.uuid == storeUUID
    else { return -1 }
    return identifier.key < 0 ? -1 : identifier.key
  }

  private func compareEntities(
    _ left: SQLOperand, comparator: QueryComparison.Operator, right: SQLOperand
  ) throws(NotPushable) -> SQLExpression {
    let sign = comparator == .equal ? "=" : "<>"
    guard comparator == .equal || comparator == .notEqual else {
      throw NotPushable(.differentKinds, "names of entities are ordered in memory")
    }
    func number(_ side: SQLOperand) throws(NotPushable) -> SQLExpression {
      guard let constant = side.constant else {
        guard side.type == .entity else {
          throw NotPushable(.differentKinds, "an entity is compared with a key in memory")
        }
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

  private func isBetween(_ left: SQLOperand, _ comparison: QueryComparison) throws(NotPushable)
    -> SQLExpression
  {
    guard let bounds = constantsOrParts(comparison.right), bounds.count == 2 else {
      throw NotPushable(.collection, "the bounds of BETWEEN are no list of two")
    }
    // A bound that is nil is unknown here, and never a test for a missing value.
    return .and([
      try compare(
        left, comparator: .greaterOrEqual, options: comparison.options, right: try operand(bounds[0])),
      try compare(left, comparator: .lessOrEqual, options: comparison.options, right: try operand(bounds[1])),
    ])
  }

  func constantsOrParts(_ expression: QueryExpression) -> [QueryExpression]? {
    switch expression.kind {
    case .aggregate(let parts): return parts
    case .constant(.list(let values)): return values.map { QueryExpression(.constant($0)) }
    default: return nil
    }
  }

  private func isIn(_ left: SQLOperand, _ comparison: QueryComparison) throws(NotPushable) -> SQLExpression {
    guard let parts = constantsOrParts(comparison.right) else {
      if isCollection(comparison.right) {
        return try member(left, of: comparison.right, comparison.options)
      }
      return try compareText(
        .contains, options: comparison.options, left: try operand(comparison.right), right: left)
    }
    var values: [Value] = []
    var others: [SQLOperand] = []
    var hasNil = false
    for part in parts {
      guard let value = part.constantValue else {
        others.append(try operand(part))
        continue
      }
      if value.isMissing { hasNil = true } else { values.append(value) }
    }
    guard others.isEmpty, left.constant == nil else {
      return try isAmong(left, values: values, others: others, hasNil: hasNil, options: comparison.options)
    }
    if values.isEmpty, hasNil { return .isNull(left.expression) }
    let found = try isMember(left, of: values, comparison.options)
    guard hasNil else { return found }
    // A missing value is a member then, and where the value is there the first part alone decides (PRD-239).
    return .or([found, .isNull(left.expression)])
  }

  /// Whether a value is in a list of which some members are in the row: a missing one is in it where a member
  /// is missing and unknown otherwise; missing members count for nothing else (PRD-087).
  private func isAmong(
    _ left: SQLOperand, values: [Value], others: [SQLOperand], hasNil: Bool,
    options: QueryComparison.Options
  ) throws(NotPushable) -> SQLExpression {
    var missing: [SQLExpression] = hasNil ? [.always] : []
    var found: [SQLExpression] = []
    for other in others {
      found.append(.isTrue(try compare(other, comparator: .equal, options: options, right: left)))
      switch other.constant {
      case nil: missing.append(.isNull(other.expression))
      case let constant?: if constant.isMissing { missing.append(.always) }
      }
    }
    if let constant = left.constant {
      if constant.isMissing {
        return missing.isEmpty ? .null : .conditional(.or(missing), then: .always, otherwise: .null)
      }
      let list = QueryExpression(.constant(.list(values)))
      let known = QueryComparison(
        left: QueryExpression(.constant(constant)), comparator: .in, options: options, right: list)
      if !values.isEmpty, let truth = constantTruth(known) { found.append(truth) }
      return .or(found)
    }
    if !values.isEmpty { found.append(.isTrue(try isMember(left, of: values, options))) }
    return .conditional(
      .isNull(left.expression),
      then: missing.isEmpty ? .null : .conditional(.or(missing), then: .always, otherwise: .null),
      otherwise: .or(found))
  }

  private func isMember(
    _ left: SQLOperand, of values: [Value], _ options: QueryComparison.Options
  ) throws(NotPushable) -> SQLExpression {
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
      guard !left.isOpaque else {
        throw NotPushable(.notInRow, "the values may be kept in files of their own")
      }
      return try require(dialect.isMember(left, of: values, options))
    }
  }
}

extension Value {
  /// Whether the value counts as nil in three-valued logic (PRD-061).
  package var isMissing: Bool { isNull || isNaN }
}
