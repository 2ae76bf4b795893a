import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Builder of the plan of one request.
package struct SelectBuilder {
  package let planner: SQLPlanner
  package let entity: EntityDescription
  package let request: StoreRequest
  package let scope: SQLScope
  package let root: SQLEntityReference
  package var translator: SQLTranslator
  package private(set) var residual: [QueryPredicate] = []
  package var notes: [FetchExplanation.Part] = []
  private var isSorted = true
  private var bindingCount = 0

  package init(_ planner: SQLPlanner, entity: EntityDescription, request: StoreRequest) {
    self.planner = planner
    self.entity = entity
    self.request = request
    scope = SQLScope(table: planner.schema.entity(entity).table.name, aliases: SQLAliases())
    root = SQLEntityReference(
      entity, key: .column(scope.alias, planner.schema.systemColumns.key), scope: scope, alias: scope.alias,
      isAlwaysThere: true)
    translator = SQLTranslator(
      schema: planner.schema, dialect: planner.dialect, root: root, storeUUID: planner.storeUUID,
      evaluation: request.evaluation)
  }

  package var schema: SQLSchema { planner.schema }

  /// Restricts the rows to those with keys that are wanted.
  package mutating func selectKeys() {
    guard let keys = request.keys else { return }
    let bounds = [(">=", keys.lowerBound), ("<=", keys.upperBound)]
    scope.select.conditions += bounds.map { .infix($0, root.key, .binding(.integer($1))) }
  }

  /// Restricts the rows of a shared table to those of the entities that are wanted.
  package mutating func selectEntity() {
    let stored = schema.entity(entity)
    guard stored.sharesTable else { return }
    let wanted = request.includesSubentities ? entity.concreteFamily : [entity].filter { !$0.isAbstract }
    let numbers = numbers(wanted)
    guard numbers.count < self.numbers(entity.rootEntity.concreteFamily).count else { return }
    let column = SQLExpression.column(scope.alias, schema.systemColumns.entity)
    scope.select.conditions.append(numbers.isEmpty ? .never : .isAmong(column, numbers))
  }

  private func numbers(_ entities: [EntityDescription]) -> [Int64] {
    entities.map { Int64(schema.entity($0).number) }.filter { $0 > 0 }.sorted()
  }

  /// Pushes down the members of the top-level AND that the store can evaluate, and keeps the rest.
  package mutating func split() {
    guard let predicate = request.predicate else { return }
    var parts: [QueryPredicate] = []
    flatten(predicate, into: &parts)
    for part in parts {
      do throws(NotPushable) {
        let condition = try fitting(try translator.translate(part))
        scope.select.conditions.append(condition)
        record(.predicate, text: text(part), range: ExplanationText.range(of: part), expression: condition)
      } catch {
        residual.append(part)
        var refusal = error
        if let condition = translator.narrowing(part), let fitting = try? fitting(condition) {
          scope.select.conditions.append(fitting)
          refusal.detail += "; most of the other rows are left out by the store"
        }
        record(.predicate, text: text(part), range: ExplanationText.range(of: part), refusal: refusal)
      }
    }
    residual = ResidualCost.cheapestFirst(residual)
  }

  package mutating func record(
    _ kind: FetchExplanation.Part.Kind, text: String, range: SourceRange?, expression: SQLExpression
  ) {
    notes.append(
      .init(
        kind: kind, text: text, range: range,
        place: expression.callsFunction ? .storeFunction : .store, reason: nil,
        detail: translator.notes.consume().joined(separator: "; ")))
  }

  package mutating func record(
    _ kind: FetchExplanation.Part.Kind, text: String, range: SourceRange?, refusal: NotPushable
  ) {
    _ = translator.notes.consume()
    notes.append(
      .init(
        kind: kind, text: text, range: range, place: .memory, reason: refusal.reason, detail: refusal.detail))
  }

  private func flatten(_ predicate: QueryPredicate, into parts: inout [QueryPredicate]) {
    guard case .and(let members) = predicate else { return parts.append(predicate) }
    for member in members { flatten(member, into: &parts) }
  }

  /// The expression, if the engine's parser and its bound on the number of values can take it.
  package mutating func fitting(_ expression: SQLExpression) throws(NotPushable) -> SQLExpression {
    let limits = planner.dialect.limits
    guard expression.openSymbols <= limits.openSymbols else {
      throw NotPushable(.tooLarge, "it nests too deep for the store")
    }
    var count = 0
    expression.visit { part in
      switch part {
      case .binding, .isMember: count += 1
      default: break
      }
    }
    guard bindingCount + count <= limits.bindings else {
      throw NotPushable(.tooLarge, "it has more values than a statement can be given")
    }
    bindingCount += count
    return expression
  }

  /// Sends down the order, or nothing of it: a part of an order means nothing.
  package mutating func sort() throws {
    var order: [SQLSelect.Order] = []
    var hasKey = false
    for descriptor in request.sortDescriptors {
      let part = text(descriptor)
      do throws(NotPushable) {
        let expression = try fitting(try sortExpression(descriptor))
        order.append(
          .init(
            expression: expression, ascending: descriptor.ascending, nilPlacement: descriptor.nilPlacement))
        hasKey = hasKey || expression == root.key
        record(.sort, text: part, range: descriptor.sourceRange, expression: expression)
      } catch {
        isSorted = false
        record(.sort, text: part, range: descriptor.sourceRange, refusal: error)
      }
    }
    guard isSorted else { return }
    let hasWindow = request.fetchLimit > 0 || request.fetchOffset > 0
    if let last = request.sortDescriptors.last {
      if !hasKey { order.append(.init(expression: root.key, ascending: last.ascending)) }
    } else if hasWindow || request.keys != nil || request.isOrderedByKey {
      order.append(.init(expression: root.key, ascending: true))
    }
    scope.select.order = order
  }

  private func sortExpression(_ descriptor: QuerySortDescriptor) throws(NotPushable) -> SQLExpression {
    try sortExpression(of: try sortOperand(descriptor), descriptor.comparator)
  }

  /// The expression that sorts values in the order of a comparator.
  package func sortExpression(
    of operand: SQLOperand, _ comparator: QuerySortDescriptor.Comparator
  ) throws(NotPushable) -> SQLExpression {
    guard operand.type == .entity else {
      return try translator.require(planner.dialect.order(by: operand, comparator))
    }
    return .rank(operand.expression, entityRanks(comparator))
  }

  /// The numbers of the model's entities in the order of their names; those that compare equal form one
  /// group.
  private func entityRanks(_ comparator: QuerySortDescriptor.Comparator) -> [[Int64]] {
    let ascending = QuerySortDescriptor(keyPath: QueryKeyPath(steps: []), comparator: comparator)
    func order(_ left: String, _ right: String) -> ComparisonResult {
      ascending.order(.string(left), .string(right), locale: translator.evaluation.locale)
    }
    var groups: [(name: String, numbers: [Int64])] = []
    for stored in schema.numberedEntities.sorted(by: {
      order($0.entity.name, $1.entity.name) == .orderedAscending
    }) {
      let number = Int64(stored.number)
      if let last = groups.last, order(last.name, stored.entity.name) == .orderedSame {
        groups[groups.count - 1].numbers.append(number)
      } else {
        groups.append((stored.entity.name, [number]))
      }
    }
    return groups.map(\.numbers)
  }

  package func sortOperand(_ descriptor: QuerySortDescriptor) throws(NotPushable) -> SQLOperand {
    if descriptor.isComputed { return try translator.operand(descriptor.expression) }
    if descriptor.keyPath.steps.isEmpty { return SQLOperand(root.key, .object(entity)) }
    let resolved = try translator.resolve(descriptor.keyPath.steps, from: root)
    if case .relationship? = resolved.steps.last, resolved.collectionOperator == nil {
      return try orderPlace(resolved)
    }
    return try translator.operand(QueryExpression(.keyPath(descriptor.keyPath)))
  }

  /// The place of an object in the ordered relationship that a to-one is the inverse of (PRD-225).
  private func orderPlace(_ resolved: ResolvedKeyPath) throws(NotPushable) -> SQLOperand {
    guard case .object(let owner) = try translator.walk(Array(resolved.steps.dropLast()), from: root),
      let relationship = resolved.steps.last?.relationship,
      case .toOne(_, _, let place?) = schema.entity(relationship.entity).storage(of: relationship)
    else { throw NotPushable(.notInRow, "the place in the ordered relationship is not in the store's row") }
    return SQLOperand(.column(owner.row(in: schema), place.name), .integer)
  }

  /// The plan, once all its parts are set.
  package mutating func finish(_ output: StoreRequest.Output) throws -> SQLFetchPlan {
    let isCount = if case .count = output { true } else { false }
    // The number of rows in a window is the same in every order.
    let isWindowed = residual.isEmpty && (isSorted || isCount)
    let given = residual.isEmpty ? output : output.withResidual
    let columns = columns(of: given)
    let fields = try select(given, columns)
    var select = scope.select
    if isWindowed {
      select.limit = request.fetchLimit > 0 ? request.fetchLimit : nil
      select.offset = request.fetchOffset
    }
    if !residual.isEmpty, case .count = output { select.order = [] }
    select = planner.indexedForms.applied(to: select.pruned())
    let rendered: (sql: String, bindings: [SQLBinding])
    if case .count = given {
      rendered = SQLRenderer.renderCount(of: select, planner.dialect)
    } else {
      rendered = SQLRenderer.render(select, planner.dialect)
    }
    return SQLFetchPlan(
      select: select, sql: rendered.sql, bindings: rendered.bindings, fields: fields,
      columns: columns, output: given, residual: residual.isEmpty ? nil : .all(of: residual),
      isSortedByStore: isSorted, isWindowedByStore: isWindowed, notes: notes)
  }

  /// The columns of rows that are wanted, in the order of their table.
  private func columns(of output: StoreRequest.Output) -> [SQLColumn] {
    let all = schema.entity(entity).columns(includingSubentities: request.includesSubentities)
    switch output {
    case .rows: return all
    case .partialRows(let names): return all.filter { names.contains($0.property.name) }
    case .identifiers, .count, .fields, .results, .resultCount: return []
    }
  }

  private mutating func select(_ output: StoreRequest.Output, _ columns: [SQLColumn]) throws -> [SQLField] {
    let row = scope.alias
    scope.select.columns = [
      .column(row, schema.systemColumns.key), .column(row, schema.systemColumns.entity),
    ]
    switch output {
    case .identifiers: return []
    case .count:
      scope.select.columns = []
      return []
    case .rows, .partialRows:
      scope.select.columns.append(.column(row, schema.systemColumns.version))
      scope.select.columns += columns.map { .column(row, $0.name) }
      return []
    case .fields(let paths):
      var fields: [SQLField] = []
      for path in paths { fields.append(try field(path)) }
      return fields
    case .results, .resultCount: return []
    }
  }

  private mutating func field(_ path: String) throws -> SQLField {
    let resolved = try PredicateTypeChecker(entity: entity).resolve(keyPath: path)
    do throws(NotPushable) {
      return try stored(path, resolved)
    } catch {
      record(.field, text: path, range: nil, refusal: error)
      return SQLField(keyPath: path, kind: .inMemory, column: add([.null]))
    }
  }

  package mutating func stored(_ path: String, _ resolved: ResolvedKeyPath) throws(NotPushable) -> SQLField {
    if let collectionOperator = resolved.collectionOperator {
      guard collectionOperator == .count else {
        throw NotPushable(.collection, "the aggregate is computed in memory")
      }
      let steps = resolved.keys
      let operand = try translator.operand(QueryExpression(.keyPath(QueryKeyPath(steps: steps))))
      return SQLField(keyPath: path, kind: .count, column: add([try fitting(operand.expression)]))
    }
    switch try translator.walk(resolved.steps, from: root) {
    case .value(let operand):
      let attribute: AttributeDescription
      switch resolved.steps.last {
      case .attribute(let attributes) where attributes.first.map({ $0.type != .composite }) == true:
        attribute = attributes[0]
      case .element(let element) where element.type != .composite: attribute = element
      default: throw NotPushable(.notInRow, "the value is read from the object")
      }
      guard schema.stored.holds(attribute) else {
        throw NotPushable(.notInRow, "objects do not hold \(attribute.type.rawValue) values")
      }
      return SQLField(keyPath: path, kind: .attribute(attribute), column: add([operand.expression]))
    case .object(let node):
      if node === root {
        let number = SQLExpression.column(scope.alias, schema.systemColumns.entity)
        return SQLField(keyPath: path, kind: .objectID, column: add([root.key, number]))
      }
      guard let relationship = resolved.steps.last(where: { $0.relationship != nil })?.relationship else {
        throw NotPushable(.notInRow, "the value is read from the object")
      }
      return SQLField(
        keyPath: path, kind: .toOne(relationship), column: add([node.key, node.entityNumber ?? .null]))
    }
  }

  package func add(_ columns: [SQLExpression]) -> Int {
    defer { scope.select.columns += columns }
    return scope.select.columns.count
  }

  private func text(_ predicate: QueryPredicate) -> String { ExplanationText.text(of: predicate) }

  private func text(_ descriptor: QuerySortDescriptor) -> String { ExplanationText.text(of: descriptor) }
}

extension StoreRequest.Output {
  /// The output of a statement when a part of the predicate is left over: to count, the rows are needed.
  fileprivate var withResidual: StoreRequest.Output {
    if case .count = self { return .rows }
    return self
  }
}
