import GraphStoreModel
import GraphStorePredicates

extension ResultChecker {
  /// A sort descriptor: by a result, where one has the name, else by a key of the entity (FET-093, FET-104,
  /// FET-105).
  mutating func order(_ written: QuerySortDescriptor) throws -> ResultQuery.Order {
    let descriptor = try written.substituting(variables)
    var order = ResultQuery.Order(subject: .result(0), ascending: descriptor.ascending)
    order.comparator = descriptor.comparator
    order.nilPlacement = descriptor.nilPlacement
    order.text = ExplanationText.text(of: descriptor)
    order.range = descriptor.sourceRange
    if let name = descriptor.keyPath.plainKeys?.joined(separator: "."),
      let place = query.results.firstIndex(where: { $0.name == name })
    {
      try checkOrder(query.results[place].type, name)
      // A grouping key has one subject, by whichever name it is sorted by.
      order.subject = groupKey(named[place].expression).map { .leaf($0) } ?? .result(place)
      return order
    }
    order.subject = try subject(of: descriptor)
    return order
  }

  /// The leaf that rows are grouped by and that an expression is, unless results are distinct: these are
  /// sorted by what they show.
  private func groupKey(_ expression: QueryExpression) -> Int? {
    guard query.isGrouped, !query.isDistinct else { return nil }
    return query.leaves[..<query.keyCount].firstIndex { $0.expression == expression }
  }

  /// A value of a type without an order cannot be sorted by.
  private func checkOrder(_ type: ExpressionType, _ name: String) throws {
    switch type {
    case .composite, .dictionary, .collection:
      throw QueryPredicateError(
        .unsupportedSort, "The result \(name) is \(type), which has no order.", subject: name)
    default: return
    }
  }

  private mutating func subject(of descriptor: QuerySortDescriptor) throws -> ResultQuery.Order.Subject {
    if let member = try overMembers(descriptor.expression, isKey: false),
      let key = groupKey(member.expression)
    {
      return .leaf(key)
    }
    let checked = try checkedDescriptor(descriptor)
    let expression =
      checked.keyPath.steps == [.key("objectID")] ? QueryExpression.evaluatedObject : checked.expression
    let text = checked.keyText
    if query.isDistinct {
      guard let place = named.firstIndex(where: { $0.expression == expression }) else {
        throw GraphStoreError(
          .invalidRequest,
          "Distinct results cannot be sorted by \(text), which is not among them: equal ones may differ in it.",
          remedy: "Add \(text) to propertiesToFetch, or sort by a result.", entity: entity.name,
          property: text)
      }
      return .result(place)
    }
    if query.isGrouped {
      if let key = groupKey(expression) { return .leaf(key) }
      guard let aggregate = try RowAggregate(expression, checker) else {
        throw groupByRequired(
          "A grouped request cannot be sorted by \(text), in which the rows of a group may differ.",
          remedy: "Sort by what is grouped by, by an aggregate, or by the name of a result.", text)
      }
      try check(aggregatesIn: expression, of: text)
      try checkOrder(aggregate.outcome, text)
      return .leaf(position(of: .init(aggregate)))
    }
    if checked.isComputed {
      guard try !RowAggregate.isPart(of: expression, checker) else {
        throw groupByRequired(
          "Single rows cannot be sorted by \(text), which is an aggregate.",
          remedy: "Set propertiesToGroupBy.", text)
      }
      return .leaf(
        position(of: .init(role: .value, expression: expression, type: try checker.check(expression).type)))
    }
    let type = try checker.resolve(checked.keyPath).type
    let plain = QuerySortDescriptor(keyPath: checked.keyPath)
    return .leaf(position(of: .init(role: .sort(plain), expression: expression, type: type)))
  }

  /// - Throws: `unknown-key` with the names of the results among those that were perhaps meant.
  private func checkedDescriptor(_ descriptor: QuerySortDescriptor) throws -> QuerySortDescriptor {
    do throws(QueryPredicateError) {
      return try checker.check([descriptor])[0]
    } catch {
      guard error.code == .unknownKey, let name = descriptor.keyPath.plainKeys?.joined(separator: ".") else {
        throw error
      }
      var error = error
      error.suggestions = (NearestNames.names(near: name, among: named.map(\.name)) + error.suggestions)
      throw error
    }
  }

  /// Makes the order total: groups follow by what they have in common, distinct results by all they hold
  /// (FET-046, FET-047).
  ///
  /// Rows that stay rows follow by their keys, which each way of evaluation knows by itself.
  mutating func breakTies(descending: Bool, isNeeded: Bool) {
    if query.isGrouped {
      for key in 0..<query.keyCount where query.leaves[key].type.breaksTies {
        breakTie(.leaf(key), descending: descending)
      }
    }
    if query.isDistinct, isNeeded {
      for (place, result) in query.results.enumerated() where result.type.breaksTies {
        breakTie(.result(place), descending: descending)
      }
    }
  }

  private mutating func breakTie(_ subject: ResultQuery.Order.Subject, descending: Bool) {
    guard !query.order.contains(where: { $0.subject == subject && $0.comparator == .compare }) else { return }
    query.order.append(.init(subject: subject, ascending: !descending))
  }
}

extension ExpressionType {
  /// Whether stores and memory order values of the type alike.
  fileprivate var breaksTies: Bool {
    switch self {
    case .anything, .composite, .dictionary, .collection, .transformable: false
    default: true
    }
  }
}
