import GraphStoreModel
import GraphStorePredicates

extension SQLTranslator {
  /// Whether an expression yields several values: a to-many path or a sub-query.
  package func isCollection(_ expression: QueryExpression) -> Bool {
    switch expression.kind {
    case .subquery: return true
    case .keyPath(let path):
      if case .subquery? = path.base?.kind { return path.collectionOperatorIndex == nil }
      guard let start = try? start(of: path), let found = try? resolve(path.steps, from: start) else {
        return false
      }
      return found.type.member != nil
    default: return false
    }
  }

  /// The members of a to-many path or sub-query.
  package func collection(_ expression: QueryExpression) throws(NotPushable) -> SQLSubselect {
    switch expression.kind {
    case .subquery(let inner, let variable, let predicate):
      let members = try collection(inner)
      guard case .object(let node) = members.member else {
        throw NotPushable(.collection, "a sub-query over values runs in memory")
      }
      var translator = self
      translator.variables[variable] = node
      members.scope.select.conditions.append(try translator.translate(predicate))
      return members
    case .keyPath(let path):
      if let base = path.base, case .subquery = base.kind {
        let members = try collection(base)
        guard case .object(let node) = members.member else {
          throw NotPushable(.collection, "a key of values is read in memory")
        }
        let resolved = try resolve(path.steps, from: node)
        guard resolved.collectionOperator == nil else {
          throw NotPushable(
            .collection, "@\(resolved.collectionOperator?.rawValue ?? "") gives its collection in memory")
        }
        return try follow(resolved.steps[...], from: node, within: members.scope)
      }
      guard let start = try start(of: path) else {
        throw NotPushable(.differentKinds, "the path begins at no object")
      }
      let resolved = try resolve(path.steps, from: start)
      guard resolved.collectionOperator == nil else {
        throw NotPushable(
          .collection, "@\(resolved.collectionOperator?.rawValue ?? "") gives its collection in memory")
      }
      return try collection(resolved.steps, from: start)
    default: throw NotPushable(.collection, "the members of a computed collection are found in memory")
    }
  }

  /// The members at the end of steps of which at least one is to-many.
  package func collection(
    _ steps: [ResolvedKeyPath.Step], from start: SQLEntityReference
  ) throws(NotPushable) -> SQLSubselect {
    guard let first = steps.firstIndex(where: \.isToMany) else {
      throw NotPushable(.differentKinds, "the path leads to a single value")
    }
    guard case .object(let owner) = try walk(Array(steps[..<first]), from: start) else {
      throw NotPushable(.differentKinds, "the path goes on after a value")
    }
    let node = try members(of: steps[first], owner: owner)
    return try follow(steps[(first + 1)...], from: node, within: node.scope)
  }

  /// Follows further steps inside the members' select; to-many ones multiply its rows, one for each route.
  package func follow(
    _ steps: ArraySlice<ResolvedKeyPath.Step>, from start: SQLEntityReference, within scope: SQLScope
  ) throws(NotPushable) -> SQLSubselect {
    var node = start
    var rest = steps
    while let next = rest.firstIndex(where: \.isToMany) {
      guard case .object(let owner) = try walk(Array(rest[..<next]), from: node) else {
        throw NotPushable(.differentKinds, "the path goes on after a value")
      }
      node = try join(rest[next], owner: owner)
      rest = rest[(next + 1)...]
    }
    return SQLSubselect(scope: scope, member: try walk(Array(rest), from: node))
  }

  private func toMany(_ step: ResolvedKeyPath.Step) throws(NotPushable) -> RelationshipDescription {
    guard let relationship = step.relationship else {
      throw NotPushable(.notInRow, "the key means several relationships, or one that is no relationship")
    }
    return relationship
  }

  /// A select of its own over the members of a to-many.
  private func members(of step: ResolvedKeyPath.Step, owner: SQLEntityReference) throws(NotPushable)
    -> SQLEntityReference
  {
    let relationship = try toMany(step)
    let aliases = owner.scope.aliases
    switch schema.entity(relationship.entity).storage(of: relationship) {
    case .toManyInverse(let column, _):
      let scope = SQLScope(table: schema.entity(relationship.destination).table.name, aliases: aliases)
      scope.select.conditions.append(.infix("=", .column(scope.alias, column.name), owner.key))
      return SQLEntityReference(
        relationship.destination, key: .column(scope.alias, schema.systemColumns.key), scope: scope,
        alias: scope.alias, isAlwaysThere: true)
    case .joinTable(let table, let source, let destination, _):
      let scope = SQLScope(table: table.name, aliases: aliases)
      scope.select.conditions.append(.infix("=", .column(scope.alias, source), owner.key))
      return SQLEntityReference(
        relationship.destination, key: .column(scope.alias, destination), scope: scope, isAlwaysThere: true)
    case .none, .attribute, .toOne:
      throw NotPushable(.notInRow, "\(relationship.description) is not in the store")
    }
  }

  /// The members at the end of steps of which the last alone is to-many, joined to the rows there are: a row
  /// without members stays.
  package func expand(
    _ steps: [ResolvedKeyPath.Step], from start: SQLEntityReference
  ) throws(NotPushable) -> SQLEntityReference {
    guard let last = steps.last, case .object(let owner) = try walk(Array(steps.dropLast()), from: start)
    else {
      throw NotPushable(.differentKinds, "the path leads to no members")
    }
    return try join(last, owner: owner, keepsOwners: true)
  }

  /// The members of a to-many joined to the rows there are.
  ///
  /// An owner without members has no row, unless it is kept; where a to-one on the way leads nowhere, one row
  /// without a member represents the missing value at the end of that route, as it does in memory.
  private func join(
    _ step: ResolvedKeyPath.Step, owner: SQLEntityReference, keepsOwners: Bool = false
  ) throws(NotPushable) -> SQLEntityReference {
    let relationship = try toMany(step)
    let scope = owner.scope
    let isOuter = keepsOwners || !owner.isAlwaysThere
    let alias: SQLAlias
    let key: SQLExpression
    var row: SQLAlias?
    switch schema.entity(relationship.entity).storage(of: relationship) {
    case .toManyInverse(let column, _):
      alias = scope.join(schema.entity(relationship.destination).table.name, isOuter: isOuter) { alias in
        .infix("=", .column(alias, column.name), owner.key)
      }
      key = .column(alias, schema.systemColumns.key)
      row = alias
    case .joinTable(let table, let source, let destination, _):
      alias = scope.join(table.name, isOuter: isOuter) { alias in
        .infix("=", .column(alias, source), owner.key)
      }
      key = .column(alias, destination)
    case .none, .attribute, .toOne:
      throw NotPushable(.notInRow, "\(relationship.description) is not in the store")
    }
    if isOuter, !keepsOwners {
      scope.select.conditions.append(.or([.isNull(owner.key), .isNotNull(key)]))
    }
    return SQLEntityReference(
      relationship.destination, key: key, scope: scope, alias: row, isAlwaysThere: !isOuter)
  }

  /// Whether an expression's value is among the members; never unknown (PRD-091).
  package func member(
    _ expression: QueryExpression, of collection: QueryExpression, _ options: QueryComparison.Options
  ) throws(NotPushable) -> SQLExpression {
    try member(try operand(expression), of: collection, options)
  }

  package func member(
    _ value: SQLOperand, of collection: QueryExpression, _ options: QueryComparison.Options
  ) throws(NotPushable) -> SQLExpression {
    let members = try self.collection(collection)
    let member = members.operand
    if value.constant?.isMissing == true {
      return .exists(members.select(where: .isNull(member.expression)))
    }
    let condition = try compare(member, comparator: .equal, options: options, right: value)
    guard value.constant == nil else { return .exists(members.select(where: condition)) }
    // A missing value is found where a member is missing.
    let bothMissing = SQLExpression.and([.isNull(value.expression), .isNull(member.expression)])
    return .exists(members.select(where: .or([condition, bothMissing])))
  }
}
